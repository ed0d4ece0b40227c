"""`ask --file` and `find --queries`: whole lists of questions, as people have them, and why each is answered or not."""

from __future__ import annotations

import json

import pytest

from tests.projects import Project

TICKETS = """
# exported from the help desk
How long is a key valid?
How often is a request retried?
how long is a key valid
Which database does the settings page use?
"""


@pytest.fixture
def tickets(project: Project) -> Project:
    """A project with a list of tickets, of which one asks what the docs do not say."""
    project.write("tickets.txt", TICKETS)
    return project


def test_a_report_of_gaps(tickets: Project) -> None:
    """What is not answered comes first, with why, what is nearest, and the words that stand nowhere in the docs."""
    report = tickets.root / "out/gaps.md"
    result = tickets.cited("ask", "--file", str(tickets.root / "tickets.txt"), "--report", str(report))
    assert result.code == 1
    assert result.output.splitlines()[-1] == "3 questions: 1 not answered, 2 answered."
    text = report.read_text(encoding="utf-8")
    assert text.startswith("# What the docs answer\n\n3 questions: 1 not answered, 2 answered.\n\n## Not answered\n")
    gap, _, answered = text.partition("## Answered\n")
    assert "### Which database does the settings page use?" in gap
    assert "[Install › Keys](<https://example.org/try/guide/install/#keys>)" in gap
    assert "- Nowhere in the docs: `database`" in gap
    assert "- How long is a key valid? (asked 2 times) ([Install › Keys]" in answered


def test_a_list_that_is_answered_passes_until_the_docs_change(tickets: Project) -> None:
    """The exit code is that of a check: 0 while everything is answered as it is expected to be."""
    tickets.write(
        "q.yml", "- question: How long is a key valid?\n  expect: 90 days\n- question: What is blue?\n  expect: false\n"
    )
    run = ("ask", "--file", str(tickets.root / "q.yml"))
    result = tickets.cited(*run)
    assert (result.code, result.output.splitlines()[-1]) == (
        0,
        "2 questions: 1 answered, 1 left open, as expected.",
    )
    page = tickets.root / "docs/guide/install.md"
    page.write_text(page.read_text(encoding="utf-8").replace("90 days", "30 days"), encoding="utf-8")
    result = tickets.cited(*run)
    assert result.code == 1
    assert "in part" in result.output
    assert "does not say `90 days`" in result.output


def test_an_answer_where_none_is_expected(tickets: Project) -> None:
    """It has a heading of its own, and fails."""
    tickets.write("q.yml", "- question: How long is a key valid?\n  expect: false\n")
    report = tickets.root / "gaps.md"
    result = tickets.cited("ask", "--file", str(tickets.root / "q.yml"), "--report", str(report))
    assert result.code == 1
    assert "## Answered, and expected not to be\n\n### How long is a key valid?" in report.read_text(encoding="utf-8")


def test_one_question_with_two_expectations_is_two_tests(tickets: Project) -> None:
    """Only what is the same in all but case is asked once."""
    question = "question: How long is a key valid?"
    rows = f"- {{{question}, id: a, expect: 90}}\n- {{{question}, expect: 9 x}}\n"
    tickets.write("q.yml", rows)
    result = tickets.cited("ask", "--file", str(tickets.root / "q.yml"))
    assert (result.code, result.output.splitlines()[-1]) == (1, "2 questions: 1 answered in part, 1 answered.")


def test_the_same_as_json(tickets: Project) -> None:
    """With the candidates and what became of them."""
    result = tickets.cited("ask", "--file", str(tickets.root / "tickets.txt"), "--json")
    valid, _, database = json.loads(result.output)
    assert (valid["coverage"], valid["asked"], valid["failed"]) == ("yes", 2, False)
    assert valid["why"]["candidates"][0]["fate"] == "cited"
    assert (database["coverage"], database["failed"], database["why"]["unknown"]) == ("no", True, ["database", "use"])
    assert database["nearest"][0]["section"] == "guide/install.md#keys"


def test_links_start_at_the_docs_wherever_the_list_lies(project: Project) -> None:
    """As in the answer to one question: the file of the list is no page."""
    project.page("guide/hooks.md", "# Hooks\n\nTo retry a hook, open [the console](install.md#keys).")
    project.write("far/away/list.txt", "How do I retry a hook?")
    file = str(project.root / "far/away/list.txt")
    [asked] = json.loads(project.cited("ask", "--json", "--file", file).output)
    assert "(guide/install.md#keys)" in asked["content"]
    assert "(guide/install.md#keys)" in project.cited("ask", "How do I retry a hook?").output


def test_json_lines_with_keys_of_their_own(project: Project) -> None:
    """A line is a question, or an object; what a log holds besides is left out, what a declaration has is used."""
    rows = ['"How long is a key valid?"', '{"id": "t7", "query": "retries", "hits": 3, "queries": ["failed request"]}']
    project.write("log.jsonl", "\n".join(rows) + "\n")
    lines = project.cited("find", "--queries", str(project.root / "log.jsonl"), "--json", "--limit", "2").output
    first, second = map(json.loads, lines.splitlines())
    assert (first["id"], first["query"]) == ("how-long-is-a-key-valid", "How long is a key valid?")
    assert (second["id"], second["words"], second["enough"]) == ("t7", ["retries"], True)
    assert [score["qid"] for score in second["candidates"][0]["q_relevance"]] == [0, 1]


def test_find_says_why(project: Project) -> None:
    """The words that each candidate has and lacks, whether the best is enough, and what stands nowhere."""
    result = project.cited("find", "Is a valid key blue?")
    assert "A key is valid for 90 days." in result.output
    assert "lacks “blue”" in result.output
    *_, conclusion, unknown = result.output.splitlines()
    assert conclusion.startswith("Nothing reaches cite_threshold 0.30: the best is guide/install.md#keys (0.")
    assert unknown == "Nowhere in the docs: “blue”."
    *_, conclusion = project.cited("find", "How do I rotate an API key?").output.splitlines()
    assert conclusion.startswith("First is guide/install.md#keys (0.")
    nothing = project.cited("find", "Kubernetes operator").output.splitlines()
    assert nothing == ["Nothing in the docs has these words.", "Nowhere in the docs: “Kubernetes”, “operator”."]


def test_ask_says_why(project: Project) -> None:
    """In a sentence, and with `--why` candidate by candidate; in JSON always."""
    short = project.cited("ask", "How long is a key valid?").output
    assert "Why: Answered from guide/install.md#keys (0." in short
    assert short.count("guide/install") == 2  # the source, and why: no passage is listed twice
    full = project.cited("ask", "How long is a key valid?", "--why").output
    assert "\tcited\tguide/install.md#keys~" in full
    assert len(full) > len(short)
    nothing = project.cited("ask", "Which database does the settings page use?").output
    assert "Nothing reaches cite_threshold 0.30: the best is guide/install.md#keys" in nothing
    assert "lacks “database”" in nothing


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.txt", "\n# nothing\n", "there is no question in it"),
        ("q.txt", b"Why?\n\xff\n", "q.txt:2: this is not UTF-8"),
        ("q.txt", "Why?\n" + "why " * 600, "q.txt:2: `question`: at most 2,000 characters are read"),
        ("q.jsonl", '"Why?"\n{"q": 1}\n', "q.jsonl:2: this line has no `question`"),
        ("q.jsonl", "Why?\n", "q.jsonl:1: this line is not JSON"),
        ("q.jsonl", '{"question": ["x"]}\n', "q.jsonl:1: `question`: a text is expected"),
        ("q.jsonl", '{"question": "Why?", "expect": ["re:("]}\n', "q.jsonl:1: the pattern `(` cannot be used"),
        ("q.jsonl", "[" * 100_000, "q.jsonl:1: this line is not JSON"),
        ("q.yml", "- question: 3\n", "q.yml:1: `question`: a text is expected"),
        ("q.yml", "a: [\n", "the questions are not valid YAML"),
    ],
)
def test_a_list_that_cannot_be_read(project: Project, name: str, text: str | bytes, said: str) -> None:
    """Exit code 2, with file and line, and no traceback."""
    path = project.root / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in ("ask", "find"):
        result = project.cited(command, "--file", str(path))
        assert (result.code, said in result.output) == (2, True), result.output


def test_a_question_or_a_list(project: Project) -> None:
    """One of the two, and a report needs a list."""
    assert project.cited("ask").code == 2
    assert project.cited("ask", "Why?", "--file", "q.yml").code == 2
    assert project.cited("ask", "Why?", "--report", "gaps.md").code == 2
    assert project.cited("find", "--queries", str(project.root / "none.txt")).code == 2


def test_hostile_questions_stay_text(project: Project) -> None:
    """What strangers type into a search box is no markup in the report and steers no terminal."""
    project.write("log.txt", b"Is <img src=x onerror=alert(1)> [so](javascript:x) \x1b[31m @all?\n")
    report = project.root / "gaps.md"
    result = project.cited("ask", "--file", str(project.root / "log.txt"), "--report", str(report))
    assert "\x1b" not in result.output
    text = report.read_text(encoding="utf-8")
    assert "<img" not in text
    assert "[so](" not in text
    assert "\x1b" not in text


def test_notes_are_named_by_no_report(project: Project) -> None:
    """A maintainers' note is no section to send readers to, and its words are in no output for machines."""
    project.configure({"extra_sources": [{"type": "note", "glob": "notes/*.md"}]})
    project.write("notes/prices.md", "# Prices\n\nThe secret price of the zebra plan is 7 dollars.\n")
    project.write("q.txt", "What is the secret price of the zebra plan?\n")
    report = project.root / "gaps.md"
    result = project.cited("ask", "--file", str(project.root / "q.txt"), "--report", str(report), "--json")
    (item,) = json.loads(result.output)
    assert item["nearest"] == []
    assert "7 dollars" not in result.output + report.read_text(encoding="utf-8")
