"""What an attack once got past: escaped marks, paths out of the project, values set twice, edited records, and pages
that silence what they may not.
"""

from __future__ import annotations

import pytest

from tests.projects import Project

CODE = {"extra_sources": [{"glob": "src/*"}]}


def test_an_escaped_mark_is_text(project: Project) -> None:
    """Nothing is checked, and nothing breaks."""
    project.configure(CODE)
    project.write("src/app.py", "TTL = 30\n")
    project.page("cache.md", "# Cache\n\nThe cache keeps entries for 60 seconds \\[@../src/app.py#TTL].\n")
    result = project.cited("check", "--strict")
    assert result.code == 0, result.output
    assert "no findings" in result.output


@pytest.mark.parametrize("target", ["../../etc/passwd#root", "/etc/passwd#root"])
def test_a_path_out_of_the_project_is_named(project: Project, target: str) -> None:
    """It is no source, and not left on the page without a word."""
    project.page("cache.md", f"# Cache\n\nRoot has the number 0 [@{target}].\n")
    result = project.cited("check")
    assert (result.code, "unknown-source" in result.output) == (1, True)


@pytest.mark.parametrize("target", ["../loop.py#ttl", "../src/a\0b.py#ttl"])
def test_a_path_that_no_file_can_have_is_named(project: Project, target: str) -> None:
    """A link that leads to itself, and a character that no name has."""
    project.belongs_to_ann()
    (project.root / "loop.py").symlink_to("loop.py")
    project.page("cache.md", f"# Cache\n\nThe cache lives for 30 seconds [@{target}].\n")
    project.git("add", "-A")
    project.git("commit", "-qm", "All")
    for options in ((), ("--since", "HEAD")):
        (project.root / "loop.py").unlink()
        (project.root / "loop.py").symlink_to("./loop.py")
        result = project.cited("check", *options)
        assert (result.code, "unknown-source" in result.output) == (1, True)


@pytest.mark.parametrize("text", ["''", "'—'"])
def test_evidence_without_words_holds_nothing(project: Project, text: str) -> None:
    """A record that was edited by hand, or that a merge has mixed, hides no change."""
    project.page("source.md", "# Source\n\n## Facts\n\nThe log is open.\n")
    project.page("page.md", "# Page\n\nLinux has an open log [@source.md#facts].\n")
    assert project.cited("accept", "page.md", "--all", "--by", "Ann").code == 0
    record = (project.root / "answers/page/claims.md").read_text(encoding="utf-8")
    assert "text: The log is open." in record
    project.write("answers/page/claims.md", record.replace("text: The log is open.", f"text: {text}"))
    project.page("source.md", "# Source\n\n## Facts\n\nThe log is shut.\n")
    assert project.cited("check", "--strict").code == 1


@pytest.mark.parametrize(
    ("file", "text", "target", "claim"),
    [
        ("app.py", "TTL = 30\nTTL = 60\n", "TTL", "`TTL` is 30"),
        ("app.py", "if DEBUG:\n    TTL = 30\nelse:\n    TTL = 60\n", "TTL", "`TTL` is 60"),
        ("values.yaml", "ttl: 30\nttl: 60\n", "ttl", "`ttl` is 30"),
        ("app.env", "TTL=30\nTTL=60\n", "TTL", "`TTL` is 30"),
    ],
)
def test_a_value_set_twice_proves_nothing(project: Project, file: str, text: str, target: str, claim: str) -> None:
    """A person has to say which of them holds."""
    project.configure({"extra_sources": [{"glob": f"src/{file}"}]})
    project.write(f"src/{file}", text)
    project.page("cache.md", f"# Cache\n\n{claim} [@../src/{file}#{target}].\n")
    assert project.cited("check").code == 0, "nothing is proven wrong"
    assert project.cited("check", "--strict").code == 1


def test_a_decision_holds_for_the_words_that_it_was_made_on(project: Project) -> None:
    """A claim that is changed waits again, and what was decided of the other one stays in the record."""
    project.page("keys.md", "# Keys\n\n## Facts\n\nThe alpha file holds the keys of all users.\n")
    project.page(
        "faq.md",
        "---\nanswers:\n  - id: file\n    question: Where are keys?\n"
        "    text: Keys come out of the alpha file [@keys.md#facts].\n---\n# FAQ\n",
    )
    assert project.cited("accept", "faq.md#file", "--claims", "1", "--by", "Ann").code == 0
    assert project.cited("check", "--strict").code == 0
    text = (project.root / "docs/faq.md").read_text(encoding="utf-8")
    project.write("docs/faq.md", text.replace("come out of", "never come out of"))
    assert project.cited("check", "--strict").code == 1


TABLE = "| OS | Log | Door |\n|---|---|---|\n| Linux | {} |\n"
MERGED = (
    "<table><tr><th>Option</th><th colspan=2>Size</th><th>Depth</th></tr>"
    "<tr><td>x</td><td>1</td><td>2</td><td>9</td></tr></table>"
)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("The log is open.", "<del>The log is open.</del>"),
        ("The log is open.", "The log is open?"),
        ("The log runs `a && b`.", "The log runs `a || b`."),
        ("The log is `!open`.", "The log is `open`."),
        ("Set log to a = b.", "Set log to a != b."),
        ("The log keeps 10<sup>3</sup> lines.", "The log keeps 103 lines."),
        (TABLE.format("open | "), TABLE.format(" | open")),
        (TABLE.format("open | "), TABLE.format("open | ").replace("Log | Door", "Door | Log")),
        (TABLE.format("open | "), TABLE.format("<del>open</del> | ")),
        ("```\nif (open) log = !a\n```", "```\nif (open) log = a\n```"),
    ],
)
def test_a_decision_ends_where_the_same_words_say_something_else(project: Project, was: str, now: str) -> None:
    """Struck out, asked, under another column, or with another sign between them."""
    project.page("source.md", f"# Source\n\n## Facts\n\n{was}\n")
    project.page("page.md", "# Page\n\nLinux has an open log [@source.md#facts].\n")
    assert project.cited("accept", "page.md", "--all", "--by", "Ann").code == 0
    assert project.cited("check", "--strict").code == 0
    project.page("source.md", f"# Source\n\n## Facts\n\n{now}\n")
    assert project.cited("check", "--strict").code == 1


@pytest.mark.parametrize(
    ("table", "claim"),
    [("| Name | Value |\n|---|---|\n| `size` | <del>10</del> |\n", "`size`: 10"), (MERGED, "x: Depth: 2")],
)
def test_a_cell_is_read_as_a_reader_sees_it(project: Project, table: str, claim: str) -> None:
    """What is struck out is not said, and under merged headers nobody knows whose value it is."""
    project.page("source.md", f"# Source\n\n## Facts\n\n{table}\n")
    project.page("page.md", f"# Page\n\n{claim} [@source.md#facts].\n")
    assert project.cited("check", "--strict").code == 1


@pytest.mark.parametrize("pages", [("a", "b"), ("a", "b", "c")])
def test_marked_sentences_prove_each_other_in_no_ring(project: Project, pages: tuple[str, ...]) -> None:
    """However many there are of them; a sentence that stands by itself ends the ring."""
    for page, cited in zip(pages, (*pages[1:], pages[0]), strict=True):
        project.page(f"{page}.md", f"# Keys\n\nKeys last 24 hours [@{cited}.md].\n")
    output = " ".join(project.cited("check").output.split())
    assert output.count("circular-proof") == len(pages) + 1  # and the line that leads to the explanation
    assert f"{' → '.join(f'{page}.md' for page in pages)} → a.md" in output
    project.page("a.md", "# Keys\n\nKeys last 24 hours.\n")
    assert project.cited("check").code == 0


def test_marked_sentences_that_share_a_passage_make_no_ring(project: Project) -> None:
    """Two passages of two sentences each, of which one proves one of the other: nothing leads back to itself."""
    limit = "The limit of retries is five, always"
    project.page("a.md", f"# A\n\n## X\n\nKeys last 24 hours [@b.md#y]. {limit}.\n")
    project.page("b.md", f"# B\n\n## Y\n\nKeys last 24 hours. {limit} [@a.md#x].\n")
    assert project.cited("check").code == 0
