"""What has changed is settled again and nothing else; what comes of it is what a build without a cache comes to."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from mkdocs_cited.pipeline.settling import Settling
from mkdocs_cited.render import pagereader, publish, rehearsal
from tests.dom import Dom
from tests.projects import Project

ASKING = """
    ---
    answers:
      - {question: How do I rotate an API key?, id: keys}
      - {question: How do I install the client with pip?, id: pip}
    ---
    # FAQ
"""
INSTALL = """
    # Installing

    ## Install with pip

    Install the client with pip:

    ```bash
    pip install client
    ```
"""
KEYS = """
    # Keys

    ## Rotate an API key

    To rotate an API key:

    1. Open the settings page.
    2. Choose **Rotate key** and confirm.
    3. Restart the client with `--key`.
"""
OTHER = "# Other\n\nNobody cites this page.\n"


class Counted:
    """A project whose builds tell what they had to do."""

    def __init__(self, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        self.project = project
        self.settled: list[str] = []
        self.published = 0
        self.read: list[str] = []
        """First words of the pages that links were tried on."""
        self.rehearsed = 0
        """Built pages on which links were tried once more."""
        settle, show, astray = Settling.answer, publish.publish, rehearsal.astray

        def answer(settling: Settling) -> object:
            self.settled.append(settling.declaration.id)
            return settle(settling)

        def shown(*arguments: object, **named: object) -> object:
            self.published += 1
            return show(*arguments, **named)  # type: ignore[arg-type]

        def opened(html: str, *arguments: Any) -> object:
            self.read.append(Dom.parse(html).one("h1").text)
            return pagereader.read(html, *arguments)

        def landed(*arguments: Any) -> frozenset[str]:
            self.rehearsed += 1
            return astray(*arguments)

        monkeypatch.setattr(rehearsal, "astray", landed)
        monkeypatch.setattr("mkdocs_cited.render.links.read", opened)
        monkeypatch.setattr(Settling, "answer", answer)
        monkeypatch.setattr(publish, "publish", shown)

    @contextmanager
    def preview(self) -> Iterator[Callable[[], tuple[list[str], bool]]]:
        """A preview that builds as it is told."""

        def load() -> MkDocsConfig:
            root = self.project.root
            return load_config(str(root / "mkdocs.yml"), site_dir=str(root / "site"))

        def rebuilt() -> None:
            mkdocs_build(load())

        config = load()
        config.plugins.on_startup(command="serve", dirty=False)
        yield lambda: self.build(rebuilt)
        config.plugins.on_shutdown()

    def build(self, build: Callable[[], object] | None = None) -> tuple[list[str], bool]:
        """Ids of the answers that a build settles, and whether it renders any."""
        self.settled, self.published, self.read, self.rehearsed = [], 0, [], 0
        (build or self.project.build)()
        return sorted(self.settled), bool(self.published)

    def without_cache(self) -> dict[str, bytes]:
        """The site as a build that remembers nothing makes it."""
        shutil.rmtree(self.project.root / ".cache")
        self.project.build()
        return self.site()

    def site(self) -> dict[str, bytes]:
        """What builds write: the site, records and reports."""
        files = {path: data for path, data in self.project.tree().items() if not path.startswith("docs/")}
        undated = {
            path: re.sub(rb"Build Date UTC : .*|<lastmod>.*?</lastmod>", b"", data) for path, data in files.items()
        }
        return {path: data for path, data in undated.items() if not path.endswith(".gz")}


@pytest.fixture
def counted(project: Project, monkeypatch: pytest.MonkeyPatch) -> Counted:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    project.page("faq.md", ASKING)
    project.page("guide/keys.md", KEYS)
    project.page("guide/install.md", INSTALL)
    project.page("other.md", OTHER)
    assert project.build("--strict").code == 0  # which writes the records
    shutil.rmtree(project.root / ".cache")
    made = Counted(project, monkeypatch)
    assert made.build() == (["keys", "pip"], True)
    assert made.build() == ([], False)
    return made


def test_a_page_that_no_answer_rests_on(counted: Counted) -> None:
    """Nothing is settled or rendered again, and the page is built as it is now."""
    for text in ("One more line.", "And another."):
        counted.project.page("other.md", f"{OTHER}\n{text}\n")
        assert counted.build() == ([], False)
        assert text in counted.project.html("other/index.html")
    made = counted.site()
    assert counted.without_cache() == made


def test_a_page_that_one_answer_rests_on(counted: Counted) -> None:
    """That answer is settled again, and no other."""
    counted.project.page("guide/keys.md", KEYS + "\n    Keys are free.\n")
    assert counted.build() == (["keys"], True)
    assert counted.build() == ([], False)
    made = counted.site()
    assert counted.without_cache() == made


def test_a_page_that_takes_its_words_back(counted: Counted) -> None:
    """Its answer goes with them, and comes again with them."""
    counted.project.page("guide/keys.md", "# Keys\n\nThere are none.\n")
    assert counted.build() == (["keys"], True)
    assert "Rotate key" not in counted.project.html("faq/index.html")
    counted.project.page("guide/keys.md", KEYS)
    assert counted.build() == (["keys"], True)
    assert "Rotate key" in counted.project.html("faq/index.html")


def test_one_declaration(counted: Counted) -> None:
    """Only the answer that is declared otherwise is settled; the others are rendered as they are."""
    counted.project.page("faq.md", ASKING.replace("id: pip", "id: pip, queries: [set up the client]"))
    assert counted.build() == (["pip"], True)
    made = counted.site()
    assert counted.without_cache() == made


def test_one_record(counted: Counted) -> None:
    """What a person says of an answer settles that one anew."""
    assert counted.project.cited("accept", "faq.md#keys", "--by", "Ann").code == 0
    assert counted.build() == (["keys"], True)
    assert counted.build() == ([], False)


def test_an_option_settles_all(counted: Counted) -> None:
    counted.project.configure({"cite_threshold": 0.4})
    assert counted.build() == (["keys", "pip"], True)


def test_an_answer_that_the_docs_did_not_give(counted: Counted) -> None:
    """Any page that changes may hold the answer now; one that has nothing of the question's words does not."""
    counted.project.page("faq.md", "---\nanswers:\n  - {question: How do I bake bread?, id: bread}\n---\n# FAQ\n")
    assert counted.build() == (["bread"], True)
    assert counted.build() == ([], False)
    counted.project.page("other.md", OTHER.replace("cites", "wants"))
    assert counted.build() == ([], False)
    counted.project.page("other.md", f"{OTHER}\nOne more line.\n")
    assert counted.build() == (["bread"], False)  # texts are longer now than they were, in the mean
    counted.project.page(
        "other.md", "# Bake bread\n\nTo bake bread, heat the oven to 230 °C and wait for 40 minutes.\n"
    )
    assert counted.build() == (["bread"], True)
    assert "230 °C" in counted.project.html("faq/index.html")


def test_a_page_that_breaks(counted: Counted) -> None:
    """A tag that swallows the rest of a page is told of, though no answer rests on the page."""
    counted.project.page("other.md", f"{OTHER}\n<button>Press\n\n## More\n\nText.\n")
    assert "broken-page" in counted.project.build("-v").output
    counted.project.page("other.md", OTHER)
    assert "broken-page" not in counted.project.build("-v").output


def test_a_name_on_another_page(counted: Counted) -> None:
    """Titles and addresses of pages are part of what footnotes and reports show."""
    counted.project.page("guide/install.md", INSTALL.replace("# Installing", "# Setting up", 1))
    settled, published = counted.build()
    assert ("pip" in settled, published) == (True, True)
    made = counted.site()
    assert counted.without_cache() == made


def test_links_are_tried_on_pages_that_changed(counted: Counted) -> None:
    """The others have said where their passages stand, and are not read again; not for other answers either."""
    counted.project.page("guide/keys.md", KEYS + "\n    Keys are free.\n")
    assert counted.build()[1]
    assert (counted.read, counted.rehearsed) == (["Keys"], 1)
    counted.project.page("faq.md", ASKING.replace("id: pip", "id: client"))
    assert counted.build()[1]
    assert (counted.read, counted.rehearsed) == ([], 0)
    made = counted.site()
    assert counted.without_cache() == made
    assert (counted.read, counted.rehearsed) == (["Keys", "Installing"], 2)


SAYINGS = (
    "A key is valid for 90 days.", "A key is valid for 30 days.", "Rotate the API key at once.", "Bread is not baked.",
    "Install the client with conda.", "See [how keys are rotated](guide/keys.md).", "Nothing of all this.",
)  # fmt: skip
ALL = ASKING.replace(
    "    ---\n    # FAQ",
    """\
      - {question: How do I bake bread?, id: bread}
      - {question: What is a key?, id: key, sources: [guide/*.md]}
      - {id: valid, question: How long is a key valid?, text: 'A key is valid for 90 days [@guide/valid.md].'}
    ---
    # FAQ""",
)


def edit(project: Project, dice: random.Random) -> None:
    """One edit, such as authors make."""
    pages = [path for path in sorted((project.root / "docs").rglob("*.md")) if path.name != "faq.md"]
    page, saying = dice.choice(pages), dice.choice(SAYINGS)
    text = page.read_text(encoding="utf-8")
    match dice.randrange(8):
        case 0:
            project.page(f"guide/{dice.choice(['gone', 'new', 'old'])}.md", f"# Of keys\n\n{saying}\n")
        case 1 if len(pages) > 2:
            page.unlink()
        case 2:
            page.write_text(re.sub(r"^# .*", f"# {saying}", text), encoding="utf-8")
        case 3:
            page.write_text(text.replace(saying, ""), encoding="utf-8")
        case 4:
            page.write_text(f"{text}\n## {saying}\n\n{dice.choice(SAYINGS)}\n", encoding="utf-8")
        case _:
            page.write_text(f"{text}\n{saying}\n", encoding="utf-8")


@pytest.mark.parametrize("options", [{}, {"render": {"texts": True}, "reports": {"json": "out.json"}}])
def test_any_edit(counted: Counted, tmp_path: Path, options: dict[str, Any]) -> None:
    """Whatever is edited, a build comes to what one comes to that remembers nothing; it does less."""
    project, dice, settled = counted.project, random.Random(1), 0
    project.configure(options)
    project.page("faq.md", ALL)
    project.page("guide/valid.md", "# Validity\n\nA key is valid for 90 days.\n")
    for number in range(20):  # as many that the measures of the site stay as they are, mostly
        project.page(f"more/{number}.md", f"# More\n\n{'And much more of it, without end. ' * 40}\n")
    cache, kept = project.root / ".cache", tmp_path / "kept"
    for _ in range(8):
        settled += len(counted.build()[0])
        made = counted.site()
        shutil.copytree(cache, kept)
        assert counted.without_cache() == made
        shutil.rmtree(cache)
        kept.rename(cache)
        edit(project, dice)
    assert settled < 8 * 5


def test_a_page_that_is_named_in_vain(counted: Counted) -> None:
    """What is close to its name depends on what pages there are."""
    cites = "{id: valid, question: How long is a key valid?, text: 'A key is valid [@guide/keyz.md].'}"
    counted.project.page("faq.md", f"---\nanswers:\n  - {cites}\n---\n# FAQ\n")
    assert "did you mean `guide/keys.md`" in counted.project.build().output
    counted.project.page("guide/keyzz.md", "# More\n")
    assert "did you mean `guide/keyzz.md`" in counted.project.build().output


def test_a_preview(counted: Counted) -> None:
    """Holds from build to build what builds keep, and leaves it for the next preview."""
    with counted.preview() as build:
        assert build() == (["keys", "pip"], True)
        assert build() == ([], False)
        counted.project.page("other.md", f"{OTHER}\nOne more line.\n")
        assert build() == ([], False)
        assert "One more line." in counted.project.html("other/index.html")
        for line in ("Keys are free.", "Keys are dear."):
            counted.project.page("guide/keys.md", f"{KEYS}\n    {line}\n")
            assert build() == (["keys"], True)
        made = counted.site()
    with counted.preview() as build:
        assert build() == ([], False)
        assert counted.site() == made
    shutil.rmtree(counted.project.root / ".cache")
    with counted.preview() as build:
        assert build() == (["keys", "pip"], True)
        assert counted.site() == made
