"""The states that once were wrong, each through a build: what passes, what waits, what fails, and what is said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pipeline.test_spending import honest
from tests.pipeline.test_update import reviewed
from tests.projects import Project
from tests.servers.messages import MessagesServer
from tests.servers.script import Answer

ROWS = "\n".join(f"| LIMIT_{number} | {number} | limit number {number} |" for number in range(12))
CONFIG = f"""# Configuration

## General

| Variable | Default | What |
|---|---|---|
{ROWS}
| TOKEN_TIME | 48 | The time in hours that a login is valid |

## Backups

Backups use encryption. They run on weekdays, *never* on Sundays.

You can import these:

- Copy Me That
- Paprika

## Reach

Mealie does not support a subpath.

## Elsewhere

See [Backups](#backups) for details.
"""
LOGIN = "A login lasts for two days (TOKEN_TIME is 48) [@config.md#general]."
SUNDAYS = "No backup is made on Sundays [@config.md#backups]."


@pytest.fixture
def site(project: Project) -> Project:
    """A page of configuration, and one with two decided sentences."""
    project.configure(nav=[{"Start": "login.md"}, {"Another title": "config.md"}])
    project.page("config.md", CONFIG)
    project.page("login.md", f"# Login\n\n{LOGIN}\n\n{SUNDAYS}\n")
    assert project.cited("accept", "login.md", "--all", "--by", "Ann").code == 0
    assert project.build("--strict").code == 0
    return project


def changed(site: Project, old: str, new: str) -> None:
    assert old in CONFIG
    site.page("config.md", CONFIG.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| LIMIT_3 | 3 |", "| LIMIT_3 | 4 |"),
        ("limit number 7", "the seventh limit"),
        (f"{ROWS}\n", ""),
        ("Backups use encryption.", "Backups use another encryption."),
        ("*never*", "**never**"),
        ("They run on weekdays, *never*", "They run on weekdays: *never*"),
        ("on weekdays", "on wekdays"),
        ("- Copy Me That\n- Paprika", "- Paprika\n- Copy Me That"),
        ("# Configuration", "# The configuration of it all"),
        ("## General", "## GENERAL"),
        ("Backups use encryption. They", "They"),
    ],
)
def test_what_else_changes_holds_in_silence(site: Project, old: str, new: str) -> None:
    """Other rows and sentences, emphasis, punctuation, spelling, the order of a list, titles."""
    changed(site, old, new)
    result = site.build("--strict")
    assert result.code == 0, result.output


def test_a_value_that_has_gone_is_an_error_with_both(site: Project) -> None:
    """In a plain build, in `check` and in its JSON; the two rows are shown, and the other claim keeps its decision."""
    changed(site, "| TOKEN_TIME | 48 |", "| TOKEN_TIME | 24 |")
    built = site.build()
    assert built.code == 1
    checked = site.cited("check")
    assert checked.code == 1
    for output in (built.output, checked.output):
        words = " ".join(output.split())
        assert "outdated-claim" in words
        assert "it was “48”, it is “24”" in words
        assert "was TOKEN_TIME | 48 |" in words
        assert "is TOKEN_TIME | 24 |" in words
        assert "Sundays" not in words
    assert "it was “48”, it is “24”" in site.cited("check", "--format", "json").output


def test_a_sentence_that_became_another_waits_and_both_are_shown(site: Project) -> None:
    """Before what nobody decided."""
    changed(site, "They run on weekdays, *never* on Sundays.", "They run on weekdays, and on Sundays if you like.")
    assert site.build().code == 0
    result = site.build("--strict")
    words = " ".join(result.output.split())
    assert result.code == 1
    assert "changed-evidence" in words
    assert "was They run on weekdays, never on Sundays." in words
    assert "is They run on weekdays, and on Sundays if you like." in words


def test_a_name_that_became_the_heading_over_its_sentence_is_not_gone(site: Project) -> None:
    """A list whose items got headings of their own: a person reads it again, and nothing is said to be false."""
    listed = "# Options\n\n## Cache\n\n- `cache.ttl` is how long an entry is kept on a node.\n"
    headed = "# Options\n\n## Cache\n\n### `cache.ttl`\n\nIt is how long an entry is kept on a node.\n"
    site.page("options.md", listed)
    site.page("said.md", "# Said\n\nNodes keep entries for cache.ttl [@options.md#cache].\n")
    assert site.cited("accept", "said.md", "--all", "--by", "Ann").code == 0
    site.page("options.md", headed)
    result = site.cited("check")
    assert result.code == 0, result.output
    assert "changed-evidence" in result.output
    site.page("options.md", headed.replace("### `cache.ttl`", "### `cache.age`"))
    assert "outdated-claim" in site.cited("check").output


def test_a_container_that_is_not_named_any_more_is_an_error(site: Project) -> None:
    """A name in code is one name, though each of its words is still there."""
    names = "# Ports\n\nThe name `mealie-api` resolves to the server of the API on port 9000.\n"
    site.page("ports.md", names)
    site.page("said.md", "# Said\n\nThe mealie-api container has the API [@ports.md].\n")
    assert site.cited("accept", "said.md", "--all", "--by", "Ann").code == 0
    site.page("ports.md", names.replace("`mealie-api`", "`mealie`"))
    result = site.build()
    assert result.code == 1
    assert "“mealie-api” is gone" in " ".join(result.output.split())


def test_an_equal_sentence_elsewhere_is_no_refuge(site: Project) -> None:
    """An answer whose passage has changed is told so, though another page has its old words."""
    site.page("faq.md", "---\nanswers:\n  - question: Does Mealie support a subpath?\n    id: sub\n---\n# FAQ\n")
    assert site.cited("answer", "sub", "--take", "config.md#reach", "--by", "Ann").code == 0
    assert site.build("--strict").code == 0
    site.page("other.md", "# Other\n\nMealie does not support a subpath.\n")
    changed(site, "Mealie does not support a subpath.", "Mealie supports a subpath.")
    result = site.build("--strict")
    assert result.code == 1
    assert "faq.md#sub" in result.output


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Backups use encryption [@config.md#backups].", ""),
        ("Backups use DES encryption [@config.md#backups].", "unconfirmed-claim"),
        ("Backups use die encryption [@config.md#backups].", "unconfirmed-claim"),
        ("No. Mealie does not support a subpath [@config.md#reach].", "unconfirmed-claim"),
        ("Mealie does support a subpath [@config.md#reach].", "flipped-polarity"),
        ("You can import these: Copy Me That [@config.md#backups].", ""),
        ("You can import from Copy [@config.md#backups].", "unconfirmed-claim"),
    ],
)
def test_word_for_word_and_nothing_else(site: Project, text: str, slug: str) -> None:
    """A copied sentence passes on a page whose title in the navigation is another; no hint says what is not so."""
    site.page("said.md", f"# Said\n\n{text}\n")
    output = site.cited("check", "--strict").output
    assert (slug in output) if slug else ("no findings" in output), output
    assert "no cited passage has" not in output


def test_a_passage_that_only_refers_elsewhere_answers_nothing(site: Project) -> None:
    """It is followed to what it names, and waits for a person like any other quotation."""
    site.configure({"severity": {}})
    site.page("faq.md", "---\nanswers:\n  - question: Where are details of backups elsewhere?\n    id: b\n---\n# FAQ\n")
    result = site.build("--strict")
    assert result.code == 1
    assert "unreviewed-quote" in result.output
    page = site.html("faq/index.html")
    assert "See Backups for details" not in page
    assert "Backups use encryption" in page


@pytest.mark.parametrize("server", [False, True])
def test_a_proposal_is_not_published_where_approval_is_required(
    site: Project, server: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither on a desk nor on a server; a strict check fails for it, too."""
    site.configure({"approval": "required"})
    site.page("faq.md", "---\nanswers:\n  - question: Does Mealie support a subpath?\n    id: sub\n---\n# FAQ\n")
    if server:
        monkeypatch.setenv("CI", "true")
    built = site.build()
    assert "does not support a subpath" not in site.html("faq/index.html")
    checked = site.cited("check")
    assert ("unreviewed-quote" in built.output, "unreviewed-quote" in checked.output) == (True, True)


@pytest.mark.parametrize("says", ["supported", "contradicted"])
def test_nor_is_one_that_a_model_wrote(project: Project, api: MessagesServer, says: str) -> None:
    """Neither in a page nor in `cited.json`, whether its review passed or not."""

    def model(body: dict[str, Any]) -> Answer:
        if "format" in body["output_config"]:
            return reviewed(body, says)
        return honest(body)

    api.answer_with(model)
    asks = {"provider": "anthropic", "reviewer": "anthropic", "cite_threshold": 0.1}
    project.configure({**asks, "approval": "required", "severity": {"unapproved-answer": "warning"}})
    project.page("faq.md", "---\nanswers:\n  - {id: keys, question: How long is a key valid?}\n---\n# FAQ\n")
    project.cited("update")
    assert (project.root / "answers/faq/keys.new.md").is_file()
    project.build()
    assert project.answers()["keys"]["status"] == {"supported": "waiting", "contradicted": "failed"}[says]
    for file in ("faq/index.html", "cited.json"):
        assert "valid for 90 days" not in project.html(file)
    assert project.cited("accept", "keys", "--by", "Ann", "--reason", "read").code == 0
    project.build()
    assert "valid for 90 days" in project.html("faq/index.html")


def test_words_of_a_question_add_to_each_other(site: Project) -> None:
    """What one of them finds by itself is found with it among others."""
    one = "---\nanswers:\n  - question: Which recipe sites are there?\n    id: r\n{}---\n# FAQ\n"
    site.page("faq.md", one.format("    queries: [import Paprika]\n"))
    assert "Paprika" in site.cited("check").output or site.build().code == 0
    assert "Paprika" in site.html("faq/index.html")
    site.page("faq.md", one.format("    queries: [import Paprika, cooking portals, where dishes come from]\n"))
    assert site.build().code == 0
    assert "Paprika" in site.html("faq/index.html")


def test_a_decision_on_a_private_member_of_a_class_holds(project: Project) -> None:
    """`Settings._KEY is abc` is one sentence: the full stop in its name ends none."""
    project.write("src/app.py", 'class AppSettings:\n    _DEFAULT_PASSWORD: str = "MyPassword"\n')
    project.page("start.md", "# Start\n\nPassword: MyPassword [@../src/app.py#AppSettings._DEFAULT_PASSWORD]\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    assert project.cited("accept", "start.md#claims", "--all", "--by", "Ann").code == 0
    assert project.cited("check", "--strict").code == 0
    project.write("src/app.py", 'class AppSettings:\n    _DEFAULT_PASSWORD: str = "Other"\n')
    result = project.cited("check")
    assert result.code == 1
    assert "it was “MyPassword”, it is “Other”" in " ".join(result.output.split())


def test_a_decision_on_a_sentence_with_a_dotted_name_holds(project: Project) -> None:
    """Code of a page is not cut at its full stops, either."""
    project.page("keys.md", "# Keys\n\n## Default\n\nThe password of `App._KEY` is MyPassword. Change it.\n")
    project.page("start.md", "# Start\n\nLog in with MyPassword first [@keys.md#default].\n")
    assert project.cited("accept", "start.md#claims", "--all", "--by", "Ann").code == 0
    assert project.cited("check", "--strict").code == 0


@pytest.mark.parametrize(("image", "code"), [("node:22-alpine", 1), ("node:20-slim", 0)])
def test_the_version_in_the_name_of_an_image_is_a_value(project: Project, image: str, code: int) -> None:
    """Of `20-alpine` the sentence states 20."""
    project.write("Dockerfile", "FROM node:20-alpine\n")
    project.page("index.md", "# Start\n\nWe run it on node 20 [@../Dockerfile#FROM.node].\n")
    project.git("init", "-q")
    project.git("add", "-A")
    assert project.cited("accept", "index.md", "--all", "--by", "Ann").code == 0
    project.write("Dockerfile", f"FROM {image}\n")
    result = project.cited("check")
    assert result.code == code, result.output
    assert ("outdated-claim" in result.output) == (code == 1)
