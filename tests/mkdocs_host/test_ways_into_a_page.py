"""Marks count wherever they come into a page from: what is read is the page as it is rendered."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.projects import Project

CLAIM = "The TTL is {} seconds [@../values.yaml#cache.ttl]."
HOOK = """
import pathlib
from mkdocs.structure.files import File

def on_files(files, config):
    text = pathlib.Path(config.config_file_path).with_name("claim.md").read_text()
    files.append(File.generated(config, "page.md", content=text))
"""


def snippet(project: Project, claim: str) -> None:
    project.configure(markdown_extensions=[{"pymdownx.snippets": {"base_path": [str(project.root)]}}])
    project.write("claim.md", claim)
    project.page("page.md", '# Page\n\n--8<-- "claim.md"\n')


def included(project: Project, claim: str) -> None:
    pytest.importorskip("mkdocs_include_markdown_plugin")
    project.configure(plugins=["search", "include-markdown", "cited"])
    project.write("claim.md", claim)
    project.page("page.md", '# Page\n\n{% include-markdown "../claim.md" %}\n')


def macro(project: Project, claim: str) -> None:
    pytest.importorskip("mkdocs_macros")
    number = claim.partition(" is ")[2].partition(" ")[0]
    project.configure(plugins=["search", "macros", "cited"], extra={"ttl": int(number)})
    project.page("page.md", "# Page\n\n" + claim.replace(number, "{{ ttl }}") + "\n")


def generated(project: Project, claim: str) -> None:
    project.configure(hooks=["hook.py"])
    project.write("hook.py", HOOK)
    project.write("claim.md", f"# Page\n\n{claim}\n")


def block(project: Project, claim: str) -> None:
    project.configure(markdown_extensions=["pymdownx.blocks.admonition"])
    project.page("page.md", f"# Page\n\n/// note | Mind\n{claim}\n///\n")


def notebook(project: Project, claim: str) -> None:
    pytest.importorskip("mkdocs_jupyter")
    project.configure(plugins=["search", {"mkdocs-jupyter": {"execute": False}}, "cited"])
    cell = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# Page\n\n{claim}"}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    project.page("page.ipynb", json.dumps({"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}))


def minified(project: Project, claim: str) -> None:
    pytest.importorskip("mkdocs_minify_plugin")
    project.configure(plugins=["search", {"minify": {"minify_html": True}}, "cited"])
    project.page("page.md", f"# Page\n\n{claim}\n")


def raw(project: Project, claim: str) -> None:
    project.configure()
    project.page("page.md", f"# Page\n\n<div>\n{claim}\n</div>\n")


def post(project: Project, claim: str) -> None:
    pytest.importorskip("material")
    project.configure(theme={"name": "material"}, plugins=["search", "blog", "tags", "cited"])
    project.page("blog/index.md", "# Blog\n")
    claim = claim.replace("../", "../../../")
    project.page("blog/posts/page.md", f"---\ndate: 2026-01-02\nslug: page\n---\n# Page\n\n{claim}\n")


WAYS = [snippet, included, macro, generated, block, notebook, minified, raw, post]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_mark_is_checked_and_shown(project: Project, way: Callable[[Project, str], None]) -> None:
    """A wrong value fails the build; of a right one readers see a number, and no mark."""
    project.write("values.yaml", "cache:\n  ttl: 30s\n")
    project.belongs_to_ann()
    project.git("add", "values.yaml")
    way(project, CLAIM.format(99))
    result = project.build()
    assert result.code == 1, result.output
    assert "page" in result.output
    way(project, CLAIM.format(30))
    result = project.build("--strict")
    assert result.code == 0, result.output
    (html,) = [file.read_text("utf-8") for file in (project.root / "site").rglob("page/index.html")]
    assert "fnref:cited-claims-1" in html
    assert "[@" not in html
    assert "data-cited-mark" not in html
