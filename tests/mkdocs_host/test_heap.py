"""Python looks for garbage seldom while a site is built, and as before once it is built or has failed."""

from __future__ import annotations

import gc

import pytest

from tests.projects import Project

HOOK = """
import gc
from pathlib import Path

def on_page_content(html, page, **_):
    Path(page.file.abs_src_path).with_suffix(".seen").write_text(str(gc.get_threshold()[0]))

def on_post_page(output, **_):
    {then}
"""


@pytest.mark.parametrize(
    ("then", "code"), [("return output", 0), ("raise ValueError('a hook that fails')", 1)], ids=["built", "failed"]
)
def test_it_is_as_it_was_found_afterwards(project: Project, then: str, code: int) -> None:
    """Whether the build comes to its end or not; a build without the plugin is left alone."""
    hook = f"hook_{code}.py"  # Python knows modules by their names
    project.write(hook, HOOK.format(then=then))
    project.page("index.md", "# Start\n\nA first page.\n")
    project.configure(hooks=[hook])
    before = gc.get_threshold()
    if code:
        with pytest.raises(ValueError, match="a hook that fails"):
            project.build()
    else:
        assert project.build().code == 0
    assert gc.get_threshold() == before
    assert gc.isenabled()
    assert int((project.root / "docs/index.seen").read_text()) > before[0]


def test_a_command_leaves_it_as_it_was_found(project: Project) -> None:
    """It renders the pages and stops there."""
    project.page("index.md", "# Start\n\nA first page.\n")
    before = gc.get_threshold()
    assert project.cited("status").code == 0
    assert gc.get_threshold() == before


def test_a_site_that_switches_the_plugin_off_is_left_alone(project: Project) -> None:
    project.write("hook.py", HOOK.format(then="return output"))
    project.page("index.md", "# Start\n\nA first page.\n")
    project.configure({"enabled": False}, hooks=["hook.py"])
    project.build()
    assert int((project.root / "docs/index.seen").read_text()) == gc.get_threshold()[0]
