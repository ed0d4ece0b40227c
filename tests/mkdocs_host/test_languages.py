"""A site in several languages, built as mkdocs-static-i18n does it: the others inside of the first one's last event."""

from __future__ import annotations

import json
import re

import pytest

from tests.projects import Project

HOOK = """
from mkdocs.commands.build import build
from mkdocs.plugins import event_priority

LANGUAGES = ["en", "de", "fr"]
state = {"now": "en", "nested": False}

def on_files(files, config):
    for file in list(files.documentation_pages()):
        stem = file.src_uri.removesuffix(".md")
        locale = stem.rpartition(".")[2] if "." in stem else "en"
        if locale != state["now"]:
            files.remove(file)
        file.locale = locale
    return files

def on_post_build(config):
    if state["nested"]:
        return
    from mkdocs import utils
    clean, utils.clean_directory, state["nested"] = utils.clean_directory, lambda folder: None, True
    for state["now"] in LANGUAGES[1:]:
        build(config)
    utils.clean_directory, state["nested"], state["now"] = clean, False, "en"
"""
QUESTION = "How long is a key valid?"
WAITING = {"severity": {"unconfirmed-claim": "info", "unreviewed-quote": "info"}}
"""Words pass nothing in French, which they have no list of."""
PAGE = f"---\nanswers:\n  - id: valid\n    question: {QUESTION}\n---\n# FAQ\n\nA key is valid for 90 days.\n"


@pytest.fixture
def languages(project: Project) -> Project:
    """Each language has an answer from a page of its own."""
    project.write("hook.py", HOOK)
    project.configure(WAITING, hooks=["hook.py"])
    project.page("faq.md", PAGE)
    for suffix in (".de", ".fr"):
        text = f"A key is valid for 90 days [@keys{suffix}.md#api-keys]."
        project.page(f"faq{suffix}.md", PAGE.replace(QUESTION, f"{QUESTION}\n    text: {text}"))
        project.page(f"keys{suffix}.md", "# Keys\n\n## API keys\n\nA key is valid for 90 days.\n")
    return project


def test_the_order_of_the_plugins_does_not_matter(languages: Project) -> None:
    """static-i18n builds the other languages in its own last event (-100), listed before `cited` or behind it."""
    last = HOOK.replace("def on_post_build", "@event_priority(-100)\ndef on_post_build")
    languages.write("hook.py", last)
    assert languages.build("--strict").code == 0
    answers = json.loads(languages.html("cited.json"))["answers"]
    assert sorted(item["page"] for item in answers) == ["faq.de.md", "faq.fr.md", "faq.md"]


def test_a_page_is_named_without_its_language(languages: Project) -> None:
    """As links name it: in `faq.de.md`, `keys.md` is the German page."""
    languages.page("keys.md", "# Keys\n\n## API keys\n\nA key is a string.\n")
    text = "A key is valid for 90 days [@keys.md#api-keys]."
    languages.page("faq.de.md", PAGE.replace(QUESTION, f"{QUESTION}\n    text: {text}"))
    assert languages.build("--strict").code == 0
    answers = {item["page"]: item for item in json.loads(languages.html("cited.json"))["answers"]}
    assert [source["page"] for source in answers["faq.de.md"]["sources"]] == ["keys.de.md"]


def test_files_for_machines_hold_the_answers_of_every_language(languages: Project) -> None:
    """None is lost, whichever language was built last; and no record of another language is called an orphan."""
    for _ in range(2):  # the second time, every language finds the records of all
        result = languages.build("--strict")
        assert result.code == 0, result.output
        assert "orphan-record" not in result.output
    keys = [f"faq{suffix}.md#valid" for suffix in (".de", ".fr", "")]
    data = json.loads(languages.html("cited.json"))
    assert [f"{answer['page']}#{answer['id']}" for answer in data["answers"]] == keys


def test_reports_tell_of_every_language(languages: Project) -> None:
    """Whichever was built last, and whether it was remembered or answered anew."""
    file = "out/cited.json"
    languages.configure({"reports": {"json": file}} | WAITING, hooks=["hook.py"])
    keys = ["faq.de.md#valid", "faq.fr.md#valid", "faq.md#valid"]
    for days in (90, 3, 3):
        text = f"A key is valid for {days} days [@keys.de.md#api-keys]."
        languages.page("faq.de.md", PAGE.replace(QUESTION, f"{QUESTION}\n    text: {text}"))
        assert languages.build().code == (days == 3)
        report = json.loads((languages.root / file).read_text(encoding="utf-8"))
        assert [answer["key"] for answer in report["answers"]] == keys
        assert ["altered-number" in finding["slug"] for finding in report["findings"]].count(True) == (days == 3)


def test_a_fault_of_any_language_fails_the_build_once_all_are_done(languages: Project) -> None:
    wrong = PAGE.replace(
        "question: How long is a key valid?",
        "question: How long?\n    text: A key is valid for 3 days [@keys.de.md#keys].",
    )
    languages.page("faq.de.md", wrong.format("de"))
    result = languages.build()
    assert result.code == 1
    assert result.output.count("altered-number") == 1
    assert len(json.loads(languages.html("cited.json"))["answers"]) == 3


TRANSLATED = {
    "": ("How long is a key valid?", "A key is valid for 90 days."),
    ".de": ("Wie lange ist ein Schlüssel gültig?", "Ein Schlüssel ist 90 Tage gültig."),
    ".fr": ("Combien de temps une clé est-elle valable ?", "Une clé est valable 90 jours."),
}
"""Suffix of a language's files → its question and what answers it."""


def translated(project: Project, *, last: str = "cited") -> Project:
    """A site that mkdocs-static-i18n itself builds, with an untranslated page."""
    languages = [{"locale": tag, "name": tag, "default": tag == "en"} for tag in ("en", "de", "fr")]
    i18n = {"i18n": {"docs_structure": "suffix", "languages": languages}}
    cited = {"cited": {"render": {"report": "report.html"}} | WAITING}
    project.configure(plugins=["search", *((i18n, cited) if last == "cited" else (cited, i18n))])
    for suffix, (question, answer) in TRANSLATED.items():
        text = f"    text: {answer} [@keys.fr.md#api]\n" if suffix == ".fr" else ""  # words answer nothing there
        project.page(
            f"faq{suffix}.md", f"---\nanswers:\n  - id: valid\n    question: {question}\n{text}---\n# {suffix} FAQ\n"
        )
        project.page(f"keys{suffix}.md", f"# Keys\n\n## API\n\n{answer}\n")
    project.page(
        "moon.md",
        "---\nanswers:\n  - question: How many days does the moon shine?\n---\n# Moon\n\n"
        "The moon shines for 20 days in June.\n",
    )
    return project


@pytest.mark.parametrize("last", ["cited", "i18n"])
def test_static_i18n_in_either_order(project: Project, last: str) -> None:
    """`cited.json` and the report page tell of every language; of an untranslated page once, wherever it shows."""
    translated(project, last=last)
    for _ in range(2):  # the second time from the cache
        result = project.build("--strict")
        assert result.code == 0, result.output
        answers = json.loads(project.html("cited.json"))["answers"]
        assert sorted(item["page"] for item in answers) == ["faq.de.md", "faq.fr.md", "faq.md", "moon.md"]
        assert "in June" in project.html("de/moon/index.html").partition('id="cited-')[2]
        found = {item["page"]: item for item in answers}
        for suffix, (_, answer) in TRANSLATED.items():
            assert answer in found[f"faq{suffix}.md"]["content"]
            assert found[f"faq{suffix}.md"]["url"] == f"{suffix[1:]}/faq/".lstrip("/")

        report = project.html("report.html")
        rows = re.findall(r"<tr data-state=\"(?:accepted|quoted)\">\s*<td><a href=\"([^\"]*)\">([^<]*)</a>", report)
        assert sorted(rows) == [
            ("de/faq/#cited-valid", TRANSLATED[".de"][0]),
            ("faq/#cited-valid", TRANSLATED[""][0]),
            ("fr/faq/#cited-valid", TRANSLATED[".fr"][0]),
            ("moon/#cited-how-many-days-does-the-moon-shine", "How many days does the moon shine?"),
        ]


@pytest.mark.parametrize("last", ["cited", "i18n"])
def test_commands_know_every_language(project: Project, last: str) -> None:
    """Rendered or kept: answers of each are checked, and questions in each are answered from its own pages."""
    translated(project, last=last)
    question, answer = TRANSLATED[".de"]
    assert "4 answers" in project.cited("check").output
    for _ in range(2):
        assert answer in project.cited("ask", question, "--lang", "de").output
        assert "keys.fr.md" in project.cited("find", TRANSLATED[".fr"][0], "--lang", "fr").output
        own = json.loads(project.cited("ask", TRANSLATED[""][0], "--json").output)
        assert {source["page"] for source in own["sources"]} == {"keys.md"}
        assert project.cited("verify", answer, "--lang", "de").code == 0
        assert project.cited("verify", answer.replace("90", "91"), "--lang", "de").code == 1
        project.page("other.md", "# Other\n")  # now the pages are rendered anew, and then kept
    project.taken("faq.md", "faq.de.md")
    assert len(list(project.root.glob("answers/*/valid.md"))) == 2, "the French text is its author's"

    project.page("keys.de.md", "# Keys\n\n## API\n\nEin Schlüssel ist 30 Tage gültig.\n")
    result = project.cited("check")
    assert result.code == 1
    assert "faq.de.md" in result.output
