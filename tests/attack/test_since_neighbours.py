"""Neighbours of what `--since` once missed: a site in a folder of its repository, made from other files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.projects import Project

HOOK = "from pathlib import Path\n\ndef on_page_markdown(markdown, page, **_):\n    " + (
    "return markdown.replace('DAYS', (Path(__file__).parent / 'days.txt').read_text())\n"
)
LIMITS = "# Limits\n\n## Logs\n\nLogs are kept for DAYS days.\n"
FACTS = "# Facts\n\nLogs are kept for 30 days [@limits.md#logs].\n"
VALUE = "# Value\n\nThe `TTL` is 30 [@../../src/app.py#TTL].\n"


@pytest.fixture
def site(project: Project) -> Project:
    """Everything is proven and committed; the repository's root is above the site."""
    top = Project(project.root / "top", project.monkeypatch)
    made = Project(top.root / "website", project.monkeypatch)
    made.write("base.yml", yaml.safe_dump({**made.config, "hooks": ["hooks/hook.py"]}))
    made.write("mkdocs.yml", "INHERIT: base.yml\nsite_name: Two\n")
    made.write("hooks/hook.py", HOOK)
    made.write("hooks/days.txt", "30")
    made.page("index.md", "# Home\n")
    made.page("limits.md", LIMITS)
    made.page("facts.md", FACTS)
    made.page("value.md", VALUE)
    (made.root / "docs").rename(made.root / "pages")
    (made.root / "docs").symlink_to("pages")
    top.write("src/app.py", "TTL = 30\n")
    (top.root / "mkdocs.yml").unlink()
    top.belongs_to_ann()
    top.git("add", "-A")
    top.git("commit", "-qm", "1")
    made.monkeypatch.chdir(made.root)
    assert made.cited("check", "--strict").code == 0
    return made


def write(path: str, old: str, new: str) -> Callable[[Project], object]:
    """A change of a file's words."""

    def change(site: Project) -> None:
        file = site.root / path
        file.write_text(file.read_text().replace(old, new))

    return change


def both(*changes: Callable[[Project], object]) -> Callable[[Project], object]:
    """Several changes."""
    return lambda site: [change(site) for change in changes]


CHANGES = {
    "a page behind a linked folder": write("pages/limits.md", "DAYS", "60"),
    "data of a hook": write("hooks/days.txt", "30", "60"),
    "an inherited configuration": write("base.yml", "hooks/hook.py", "hooks/none.py"),
    "code above the site": write("../src/app.py", "30", "60"),
    "code that is gone": lambda site: (site.root / "../src/app.py").unlink(),
    "a link that leads elsewhere": lambda site: [
        (site.root / "docs").unlink(), site.write("other/limits.md", LIMITS.replace("DAYS", "60")),
        site.write("other/facts.md", FACTS), (site.root / "docs").symlink_to("other"),
    ],
    "a change that is committed": both(
        write("../src/app.py", "30", "60"), lambda site: site.git("commit", "-qam", "2")
    ),
    "a change that is taken out of git": both(
        lambda site: site.git("rm", "-q", "--cached", "../src/app.py"), write("../src/app.py", "30", "60")
    ),
    "a change that git skips": both(
        lambda site: site.git("update-index", "--skip-worktree", "../src/app.py"), write("../src/app.py", "30", "60")
    ),
    "data that git skips": both(
        lambda site: site.git("update-index", "--skip-worktree", "hooks/days.txt"), write("hooks/days.txt", "30", "60")
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_a_change_breaks_is_reported(site: Project, change: Callable[[Project], object]) -> None:
    """The same findings with `--since` as without."""
    site.git("tag", "before")
    change(site)
    everything = site.cited("check", "--json")
    since = site.cited("check", "--json", "--since", "before")
    assert everything.code == since.code != 0, everything.output
    if everything.code == 1:
        assert named(since.output) >= named(everything.output) != set()


def named(output: str) -> set[tuple[str, str]]:
    """Name and place of each finding."""
    return {(item["slug"], Path(item["place"]["file"]).name) for item in json.loads(output)["findings"]}


@pytest.mark.parametrize("included", ["docs/parts.md", "parts.txt"])
def test_what_a_page_includes_is_a_change_of_the_page(project: Project, included: str) -> None:
    """Another page, or any file, which a plugin may read, too."""
    snippets = {"pymdownx.snippets": {"base_path": ["."]}}
    project.configure(markdown_extensions=[snippets])
    project.page("limits.md", f'# Limits\n\n--8<-- "{included}"\n')
    project.page("facts.md", "# Facts\n\nLogs are kept for 30 days [@limits.md].\n")
    project.write(included, "Logs are kept for 30 days.\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    project.git("commit", "-qm", "1")
    project.monkeypatch.chdir(project.root)
    assert project.cited("check", "--strict").code == 0
    project.write(included, "Logs are kept for 60 days.\n")
    assert "altered-number" in project.cited("check", "--since", "HEAD").output
