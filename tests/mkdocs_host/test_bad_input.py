"""Whatever an author gets wrong, a real build names file and line and ends with exit code 1, never in a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.projects import Project, Result

GOOD = "  - {question: How do I rotate an API key?, id: good}\n"


def entries(*lines: str) -> str:
    """A page with a good answer and others."""
    return "---\nanswers:\n" + GOOD + "".join(f"  - {line}\n" for line in lines) + "---\n# FAQ\n"


BAD = {
    "an unknown key": (entries("{question: Why?, querys: [x]}"), "docs/faq.md:4", "`querys` is not a key of an answer"),
    "a doubled id": (entries("{question: Why?, id: good}"), "docs/faq.md:4", "the id `good` is already used"),
    "a marker without an answer": (
        entries() + "\n<!-- answer: god -->\n",
        "docs/faq.md:7",
        "no answer of this page has the id `god`",
    ),
    "a page that does not exist": (
        entries("{question: Why?, text: 'It is so [@nowhere.md].'}"),
        "docs/faq.md:4",
        "nowhere.md",
    ),
    "an anchor that does not exist": (
        entries("{question: Why?, text: 'It is so [@guide/install.md#pip].'}"),
        "docs/faq.md:4",
        "guide/install.md#pip",
    ),
    "a list as front matter": ("---\n- answers: x\n---\n# FAQ\n", "docs/faq.md:2", "not a mapping"),
    "a citation as YAML": (
        entries("question: Why?\n    text: [@a.md#b] is why."),
        "docs/faq.md:5",
        "the front matter is not valid YAML",
    ),
    "a note as YAML": (
        entries("question: Why?\n    text: Note: it is so."),
        "docs/faq.md:5",
        "the front matter is not valid YAML",
    ),
    "a question of ten thousand characters": (
        entries(f"question: {'why ' * 2_500}"),
        "docs/faq.md:4",
        "length <= 2000",
    ),
    "front matter that is too long": (
        f"---\nanswers:\n  - question: Why?\nx: {'y' * 200_000}\n---\n# FAQ\n",
        "docs/faq.md:2",
        "at most 200,000 are read",
    ),
    "a citation in the description": (
        "---\ntitle: FAQ [@a.md#x]\ndescription: Why [@a.md#x]\n---\n# FAQ\n",
        "docs/faq.md:3",
        "is in the description of the page",
    ),
    "brackets without end": (
        "---\nanswers: " + "[" * 500 + "\n---\n# FAQ\n",
        "docs/faq.md:2",
        "nested more than 100 levels deep",
    ),
}


@pytest.mark.parametrize(("page", "place", "message"), BAD.values(), ids=BAD)
def test_a_mistake_in_a_declaration(project: Project, page: str, place: str, message: str) -> None:
    """The build fails with the place and the thing; what is right on the page is answered all the same."""
    project.page("faq.md", page)
    result = failing(project.build())
    assert place in result.output
    assert message in " ".join(result.output.split())
    if GOOD in page and "valid YAML" not in message:
        assert "Choose" in project.html("faq/index.html")


def test_a_file_that_is_not_utf8(project: Project) -> None:
    """The build names file and line, goes on, and says what else is wrong."""
    project.page("faq.md", b"---\nanswers:\n  - question: Why \xff?\n---\n# FAQ\n")
    project.page("other.md", entries("{question: Why?, querys: [x]}"))
    result = failing(project.build())
    assert "docs/other.md:4" in result.output
    assert "docs/faq.md:3" in result.output
    assert "not UTF-8" in " ".join(result.output.split())


def test_a_page_that_asks_nothing_and_is_not_utf8(project: Project) -> None:
    """Fails the build as it does without the plugin: a page with signs in place of its letters is not published."""
    project.page("latin.md", b"# Tea\n\nIn a caf\xe9.\n")
    result = failing(project.build())
    assert "docs/latin.md:3" in result.output
    assert "not UTF-8" in " ".join(result.output.split())


def test_an_empty_site(project: Project) -> None:
    """Has nothing to say, and says nothing."""
    for page in (project.root / "docs").rglob("*.md"):
        page.unlink()
    assert project.build().code == 0
    assert project.cited("check").code == 0


def test_a_page_of_a_million_characters(project: Project) -> None:
    """Is a page like any other."""
    project.page("long.md", "# Long\n\n" + "The server listens to every word that is said. " * 2_000)
    project.page("longer.md", "# Longer\n\n" + "word " * 200_000)
    project.page("faq.md", entries())
    result = project.build()
    assert result.code == 0, result.output


def test_a_record_that_cannot_be_read(project: Project) -> None:
    """Is named with its line, and is left as it was."""
    project.page("faq.md", entries())
    record = project.write("answers/faq/good.md", b"---\nversion: 1\nquestion: \xff\n---\n")
    before = record.read_bytes()
    result = failing(project.build())
    assert "answers/faq/good.md:3" in result.output
    assert record.read_bytes() == before
    assert files(project) == [Path("answers/faq/good.md")]


def failing(result: Result) -> Result:
    """A build that ended as a check that found something, not as a crash."""
    assert result.code == 1, result.output
    assert "Traceback" not in result.output
    return result


def files(project: Project) -> list[Path]:
    """Everything in the folder of the records, temporary files included."""
    return [path.relative_to(project.root) for path in (project.root / "answers").rglob("*") if path.is_file()]


def test_a_page_is_read_as_mkdocs_reads_it(project: Project) -> None:
    """Whatever ends its lines and begins its file; and what another plugin says is in the page counts."""
    (project.root / "docs/old.md").write_bytes(
        b"\xef\xbb\xbf---\r\ntitle: Of old\r\n---\r\n\r\nA line\rand another.\r\n"
    )
    project.page("other.md", "# Nothing\n")
    project.write(
        "hook.py",
        """
            def on_page_read_source(page, config):
                return "# Something" if page.file.src_uri == "other.md" else None
        """,
    )
    built = {}
    for name, cited in (("with", {}), ("without", {"enabled": False})):
        project.configure(cited, hooks=["hook.py"])
        assert project.build("--strict").code == 0
        built[name] = project.html("old/index.html"), project.html("other/index.html")
    assert built["with"] == built["without"]
    assert "Of old" in built["with"][0]
    assert "Something" in built["with"][1]


@pytest.mark.parametrize("broken", ["<<<<<<< HEAD\n", "  - : [\n"])
def test_front_matter_that_is_broken_has_no_marked_sentences(project: Project, broken: str) -> None:
    """MkDocs shows it as text, in which the citations of an answer are; nobody is asked to confirm that."""
    answer = "answers:\n  - question: Why?\n    text: Because keys rotate [@guide/install.md].\n"
    project.page("faq.md", f"---\n{broken}{answer}---\n# FAQ\n")
    said = project.cited("check").output
    assert "the front matter is not valid YAML" in said
    assert ("faq.md#claims" in said, "unconfirmed" in said, "by way of" in said) == (False, False, False)
