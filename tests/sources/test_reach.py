"""Paths in marks lead where Markdown links lead, and to the files that git tracks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page, PassageKind, Refused, Section, SourceType
from mkdocs_cited.sources import Builder
from mkdocs_cited.sources.cited import Reach
from mkdocs_cited.sources.files import Repository, link_to
from mkdocs_cited.sources.names import before_sub_headings, under_headings

PAGES = ("index.md", "start.md", "keys.md", "guide/keys.md", "guide/a.md", "v1/limits.md", "v1/facts.md", "limits.md")
TRACKED = (
    "website/mkdocs.yml", "website/values.yaml", "src/cache.py", "values.yaml", "website/start.md",
    "website/docs/includes/draft.md", "website/docs/openapi.yaml",
    "website/docs/openapi.json", "website/answers/faq/retries.md",
)  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a site in `website/`."""
    for name in TRACKED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (tmp_path / "website/link.yaml").symlink_to(tmp_path / "secret.yaml")
    subprocess.run(["git", "add", "website/link.yaml"], cwd=tmp_path, check=True)
    return tmp_path / "website"


def written_on(page: str) -> Declaration:
    """A question that is written on a page."""
    return Declaration(page, "limits", "What are the limits?", Place(f"docs/{page}"))


def reach(root: Path) -> Reach:
    pages = [Page(src, src, src, file=f"docs/{src}") for src in PAGES]
    named = Page("./start.md", "", "start.md", type=SourceType.FILE, file="start.md")
    web = [Page(f"web:{name}", "", name, type=SourceType.WEB) for name in ("limits", "keys")]
    repository = Repository(
        root,
        docs_dir="docs",
        link="https://h/x/blob/main/website/{path}",
        written=[str(root / "answers")],
        excluded=["*.json"],
    )
    return Reach([*pages, named, *web], repository)


@pytest.mark.parametrize(
    ("on", "path", "leads_to"),
    [
        ("guide/a.md", "", "guide/a.md"),
        ("guide/a.md", "keys.md", "guide/keys.md"),
        ("guide/a.md", "./keys.md", "guide/keys.md"),
        ("guide/a.md", "../keys.md", "keys.md"),
        ("guide/a.md", "/keys.md", "keys.md"),
        ("guide/a.md", "guide/keys.md", "guide/keys.md"),
        ("guide/a.md", "start.md", "start.md"),
        ("guide/a.md", "../start.md", "start.md"),
        ("guide/a.md", "../../start.md", "./start.md"),
        ("index.md", "../start.md", "./start.md"),
        ("v1/facts.md", "limits.md", "v1/limits.md"),
        ("index.md", "../values.yaml", "values.yaml"),
        ("index.md", "../../values.yaml", "../values.yaml"),
        ("guide/a.md", "../../../src/cache.py", "../src/cache.py"),
        ("guide/a.md", "../../src/cache.py", "../src/cache.py"),
        ("guide/a.md", "openapi.yaml", "docs/openapi.yaml"),
        ("guide/a.md", "web:keys", "web:keys"),
    ],
)
def test_paths_are_those_of_links(root: Path, on: str, path: str, leads_to: str) -> None:
    found = reach(root).page(path, written_on(on))
    assert isinstance(found, Page), found
    assert found.src == leads_to


@pytest.mark.parametrize(
    ("path", "says", "tip"),
    [
        ("kyes.md", "does not exist", "did you mean `keys.md`?"),
        ("../../src/cahce.py", "does not exist", "did you mean `../../src/cache.py`?"),
        ("start.yaml", "does not exist", ""),
        ("values.yaml", "does not exist", "did you mean `../values.yaml`?"),
        ("../../secret.yaml", "git does not track", "git add"),
        ("../link.yaml", "git does not track", "git add"),
        ("../../.git/config", "outside of the repository", "copy"),
        ("../../../etc/passwd", "outside of the repository", "copy"),
        ("../answers/faq/retries.md", "written by this plugin", "cite what it was written from"),
        ("includes/draft.md", "no page that may be cited: the site has it not, or hides it", "search"),
        ("openapi.json", "the option `exclude` names it", "take it out"),
        ("web:keyz", "no snapshot of `web:keyz` that can be read", "web:keys"),
        (
            "web:published-prices",
            "no snapshot of `web:published-prices` that can be read",
            "mkdocs-cited snapshot published-prices",
        ),
    ],
)
def test_what_may_not_be_cited_is_refused(root: Path, path: str, says: str, tip: str) -> None:
    """With the reason, and what to write instead."""
    found = reach(root).page(path, written_on("index.md"))
    assert isinstance(found, Refused)
    assert says in found.message
    assert tip in found.tip


def test_without_git_only_named_files_are_cited(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("a: 1\n")
    found = Reach([], Repository(tmp_path)).page("../values.yaml", written_on("index.md"))
    assert isinstance(found, Refused)
    assert "`- glob: values.yaml`" in found.tip


def test_a_page_is_cited_up_to_its_first_sub_heading() -> None:
    page = Page("a.md", "a/", "A")
    levels = ((0, "", "A"), (1, "a", "A"), (2, "limits", "Limits"), (2, "limits_1", "Limits"))
    sections = [Section(page, anchor, title, level, (), place) for place, (level, anchor, title) in enumerate(levels)]
    assert before_sub_headings(sections) == [0, 1]
    assert before_sub_headings([sections[0], *sections[2:]]) == [0]


def test_a_heading_is_named_by_its_id_or_words() -> None:
    """With all that is below it; of two with the same words each is named by its id, and none by the words."""
    builder = Builder(Page("a.md", "a/", "A"))
    for level, anchor, title in (
        (1, "a", "A"),
        (2, "limits", "Limits"),
        (3, "x", "X"),
        (2, "", "No id"),
        (2, "limits_1", "Limits"),
    ):
        builder.open_section(title, level, anchor)
        builder.add(PassageKind.PARAGRAPH, f"Of {title}, {anchor}.")

    def named(address: str) -> dict[str, list[str]]:
        found = under_headings(builder.document(), address)
        return {name: [passage.text for passage in passages] for name, passages in found.items()}

    first, second = ["Of Limits, limits.", "Of X, x."], ["Of Limits, limits_1."]
    assert named("limits") == {"limits": first}
    assert named("Limits") == {"limits": first, "limits_1": second}
    assert named("limits_1") == {"limits_1": second}
    assert named("x") == named("X") == {"x": ["Of X, x.", "Of No id, ."]}
    assert list(named("a")) == ["a"]
    assert named("z") == {}


def test_links_leave_the_folder_of_the_site() -> None:
    assert link_to("https://h/x/blob/main/website/{path}", "../src/a b.py") == "https://h/x/blob/main/src/a%20b.py"
