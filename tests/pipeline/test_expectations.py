"""Questions as tests of the docs: `expect:` in front matter, and the file of the option `questions`, in real builds."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.mkdocs_host.test_languages import HOOK
from tests.projects import Project
from tests.servers.messages import KEY, MessagesServer
from tests.servers.rules import search_results
from tests.servers.script import Quote, Turn, say

QUESTION = "How long is a key valid?"


def ask(project: Project, expect: str, question: str = QUESTION) -> None:
    """A page that asks a question and says what is expected of its answer, on line 4."""
    project.page("faq.md", f"---\nanswers:\n  - question: {question}\n    expect: {expect}\n---\n# FAQ\n")


@pytest.mark.parametrize(
    "expect",
    [
        "true",
        "90 days",
        "[90]",
        "[A KEY, 90  Days]",
        '["re:\\\\b90 (days|hours)"]',
        "[{page: guide/install.md}]",
        "[{page: guide/*.md}]",
        "[{page: 'guide/install.md#keys'}]",
    ],
)
def test_an_answer_that_holds_what_is_expected_passes(project: Project, expect: str) -> None:
    """Texts however they are cased and spaced, patterns, pages, globs and sections."""
    ask(project, expect)
    result = project.cited("check")
    assert (result.code, "unmet-expectation" in result.output) == (0, False), result.output


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ("80 days", "does not say `80 days`"),
        ('"re:\\\\b80 days"', "has nothing that matches `\\b80 days`"),
        ("[90, 80]", "does not say `80`"),
        ("[{page: index.md}]", "does not cite `index.md`; it cites guide/install.md"),
        ("[{page: guide/instal.md}]", "there is no such page: did you mean `guide/install.md`?"),
        ("[{page: 'guide/install.md#with-pip'}]", "does not cite `guide/install.md#with-pip`"),
        ("[{page: 'guide/install.md#key'}]", "no such section: did you mean `keys`?"),
    ],
)
def test_an_answer_that_does_not_fails_on_the_line_of_the_expectation(project: Project, expect: str, said: str) -> None:
    """The finding stands where the expectation does, and says what the answer lacks or rests on."""
    ask(project, expect)
    result = project.cited("check", "--format", "json")
    assert result.code == 1
    (finding,) = (item for item in json.loads(result.output)["findings"] if item["slug"] == "unmet-expectation")
    assert (finding["severity"], finding["place"]["file"], finding["place"]["line"]) == ("error", "docs/faq.md", 4)
    assert said in f"{finding['message']} {finding['tip']}"


def test_a_question_that_the_docs_do_not_answer(project: Project) -> None:
    """With an expectation it fails, and names what is nearest; where no answer is expected, it passes."""
    question = "Which database does the settings page use?"
    ask(project, "[PostgreSQL, {page: guide/install.md}]", question)
    result = project.cited("check")
    assert result.code == 1
    assert result.output.count("error  unmet-expectation") == 1
    assert "the docs do not answer “Which database does the settings page use?”, but should" in result.output
    ask(project, "false", question)
    result = project.cited("check", "--strict")
    assert (result.code, "no findings" in result.output) == (0, True), result.output


@pytest.mark.parametrize(
    ("expect", "said"),
    [
        ('"re:(?=a)b"', "`re:(?=a)b` cannot be looked for: invalid perl operator"),
        ('"re:("', "`re:(` cannot be looked for: missing ): ("),
        ('"re:"', "it is empty"),
        ('["re:' + "a" * 501 + '"]', "at most 500 characters are read"),
        ("[]", "`expect` lists 0 things"),
        ("[[90]]", "`expect` has a list within its list"),
        ('[" "]', "cannot be looked for: it is empty"),
        ("[{pages: a.md}]", "a mapping under `expect` names a page and nothing else"),
        ("[{page: ../a.md}]", "it leads out of the docs folder"),
    ],
)
def test_what_no_answer_could_hold_is_refused_with_file_and_line(project: Project, expect: str, said: str) -> None:
    """An expectation that cannot be read is an invalid declaration, never a traceback."""
    ask(project, expect)
    result = project.cited("check")
    assert result.code == 1
    assert "docs/faq.md:4" in result.output
    assert said in " ".join(result.output.split())


def test_no_pattern_takes_long(project: Project) -> None:
    """One that takes other engines years is answered at once: RE2's time is linear in the text."""
    project.page("guide/a.md", f"# Aaa\n\nThe aaa is {'a' * 5_000} and nothing else.\n")
    ask(project, "'re:^(([a-z ])+.)+[A-Z]([a-z ])+$'", "What is the aaa?")
    assert project.cited("check").code == 1


class TestFile:
    """`questions: questions.yml`."""

    @pytest.fixture
    def asked(self, project: Project) -> Project:
        """A project with a file of questions, all of which the docs answer."""
        project.configure({"questions": "questions.yml"})
        project.write(
            "questions.yml", "- How long is a key valid?\n- question: How often is a request retried?\n  expect: [5]\n"
        )
        return project

    def test_an_edit_that_takes_the_answer_away_fails_the_build(self, asked: Project) -> None:
        """The check of a pull request: green, a paragraph goes, red on the question's line; and again in a build."""
        assert asked.cited("check", "--strict").code == 0
        assert asked.build("--strict").code == 0
        page = asked.root / "docs/guide/install.md"
        page.write_text(
            page.read_text(encoding="utf-8").replace("retries a failed request 5 times", "works"), encoding="utf-8"
        )
        result = asked.cited("check")
        assert result.code == 1
        assert "questions.yml" in result.output
        assert "unmet-expectation" in result.output
        assert asked.build().code == 1

    def test_nothing_is_published_or_recorded(self, asked: Project) -> None:
        """No page shows them, no record is written, and neither `status` nor `prune` takes one for an orphan."""
        before = asked.tree()
        assert asked.build("--strict").code == 0
        assert asked.answers() == {}
        assert {name for name in asked.tree() if not name.startswith("site/")} == set(before)
        assert "questions.yml" in asked.cited("status").output
        assert asked.cited("prune").code == 0

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("- question: [\n", "questions.yml:2"),
            ("questions: 3\n", "this is not a list"),
            ("tests:\n  - Why?\n", "a mapping with the one key `questions`"),
            ("- question: Why?\n  expects: so\n", "did you mean `expect`?"),
            ("- Why?\n- Why?\n", "the id `why` is already used"),
            ("- ''\n", "has an empty text"),
            ("- [Why?]\n", "is not a mapping"),
            (b"- caf\xe9?\n", "questions.yml:1"),
            ("- " * 300 + "Why?\n", "nested more than 100 levels deep"),
        ],
    )
    def test_a_fault_names_file_and_line(self, asked: Project, text: str | bytes, said: str) -> None:
        """The same bounds and messages as in front matter."""
        (asked.root / "questions.yml").write_bytes(text if isinstance(text, bytes) else text.encode())
        result = asked.cited("check")
        assert result.code == 1
        assert "questions.yml" in result.output
        assert said in " ".join(result.output.split())

    @pytest.mark.parametrize("file", ["../q.yml", "missing.yml", "docs", "/etc/passwd", "./questions.yml"])
    def test_a_file_that_cannot_be_read(self, project: Project, file: str) -> None:
        """It is missing, no YAML, or not the project's."""
        project.configure({"questions": file})
        result = project.cited("check")
        assert (result.code, "option `questions`" in result.output) == (1, True)

    def test_a_model_is_asked_only_where_the_question_names_it(self, asked: Project) -> None:
        """Under `provider: anthropic`, the offline provider answers; what names the model waits for `update`."""
        asked.configure({"questions": "questions.yml", "provider": "anthropic", "update": "never"})
        assert asked.cited("check", "--strict").code == 0
        asked.write("questions.yml", "- {question: How long is a key valid?, provider: anthropic}\n")
        result = asked.cited("check")
        assert result.code == 1
        assert "missing-answer" in result.output
        assert "mkdocs-cited update questions.yml#how-long-is-a-key-valid" in " ".join(result.output.split())

    def test_a_model_s_answer_has_a_record(self, asked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        """Written by `update`, checked offline, stale when its passage changes, an orphan when its question goes."""
        asked.configure({"questions": "questions.yml", "models": ["anthropic"]})
        question = "- {question: How long is a key valid?, id: valid, provider: anthropic, expect: 90 days}\n"
        asked.write("questions.yml", question)
        record = asked.root / "answers/questions.yml/valid.md"
        with MessagesServer(_valid) as api:
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
            result = asked.cited("update")
            assert result.code == 0, result.output
            assert record.is_file()
            asked.cited("update")
            assert len(api.requests) == 1
        assert asked.cited("check", "--strict").code == 0
        asked.write("questions.yml", "- question: [\n")
        assert "orphan-record" not in asked.cited("check").output
        asked.write("questions.yml", "- Why?\n")
        assert "orphan-record" in asked.cited("check").output
        asked.write("questions.yml", question)
        asked.page("guide/install.md", "# Install\n\n## Keys\n\nA key is valid for 30 days.\n")
        result = asked.cited("check")
        assert result.code == 1
        assert "outdated-claim" in result.output

    def test_a_model_s_abstention_is_kept(self, asked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        """A check without a key repeats why the model did not answer."""
        asked.configure({"questions": "questions.yml", "models": ["anthropic"]})
        asked.write("questions.yml", "- {question: What is the price of a key?, provider: anthropic}\n")
        with MessagesServer([say("[[NOT-DOCUMENTED]] No price is named.")]) as api:
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
            asked.cited("update")
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        result = asked.cited("check")
        assert result.code == 1
        assert "but should: No price is named." in " ".join(result.output.split())

    def test_a_site_in_several_languages_asks_once(self, asked: Project) -> None:
        """Of the pages of its own language: another language's build neither asks nor calls a record an orphan."""
        asked.write("hook.py", HOOK)
        asked.configure({"questions": "questions.yml", "reports": {"json": "cited.json"}}, hooks=["hook.py"])
        asked.page("index.de.md", "# Willkommen\n\nDer Client spricht mit dem Server.\n")
        assert asked.build("--strict").code == 0
        report = json.loads((asked.root / "cited.json").read_text(encoding="utf-8"))
        assert [answer["page"] for answer in report["answers"]] == ["questions.yml", "questions.yml"]


def _valid(body: dict[str, Any]) -> Turn:
    """A writer that repeats how long a key is valid, cited."""
    for result, block in enumerate(search_results(body)):
        for number, part in enumerate(block["content"]):
            if "90 days" in part["text"]:
                return say(Quote("A key is valid for 90 days.", result, number, number + 1))
    return say("[[NOT-DOCUMENTED]] Nothing on keys.")
