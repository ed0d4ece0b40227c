"""One test for each kind of what fell in the scripts of public reports and attacks: the right value of each."""

from __future__ import annotations

import os
import re
import unicodedata
from pathlib import Path

import pytest

from tests.projects import Project

LOGS = "# Logs\n\n## Logs\n\nLogs are kept for 30 days.\n"
DECIDED = """\
---
version: 3
question: Claims of facts.md
provider: authored
claims:
  - claim: Logs stay for a month.
    verdict: unsupported
    by: Ann
    verdict: supported
---
"""


def told(project: Project, *options: str) -> str:
    """What `check --strict` says, in one line; it fails."""
    result = project.cited("check", "--strict", *options)
    assert result.code != 0, result.output
    return " ".join(result.output.split())


def test_a_merge_that_doubles_a_key_decides_nothing(project: Project) -> None:
    """YAML takes the last of two: a refusal would be gone without a word."""
    project.page("logs.md", LOGS)
    project.page("facts.md", "# Facts\n\nLogs stay for a month [@logs.md#logs_1].\n")
    project.write("answers/facts/claims.md", DECIDED)
    assert "claims.md:9 " in (said := told(project))
    assert "the key `verdict` appears twice" in said


def test_an_unfinished_merge_is_not_published(project: Project) -> None:
    """Its marks are in the text; a text that a program wrote may show such a mark."""
    project.page("logs.md", LOGS)
    project.page("faq.md", "---\nanswers:\n  - id: a\n    question: How long are logs kept?\n---\n# FAQ\n")
    project.taken("faq.md#a")
    record = project.root / "answers/faq/a.md"
    text = record.read_text(encoding="utf-8")
    head, _, body = text.rpartition("---\n")
    record.write_text(f"{head}---\n\n<<<<<<< ours\n{body.strip()}\n=======\nNever.\n>>>>>>> theirs\n", encoding="utf-8")
    assert "has the markers of an unfinished merge" in told(project)
    project.build()
    assert "<<<<" not in project.html("faq/index.html").replace("&lt;", "<")


@pytest.mark.parametrize("folder", ["docs", "docs/.", "./docs"])
@pytest.mark.parametrize("option", ["records_dir", "web_dir"])
def test_pages_are_not_in_a_folder_of_ours(project: Project, option: str, folder: str) -> None:
    """Nothing there is a page: the site would be empty."""
    project.configure({option: folder})
    project.page("logs.md", LOGS)
    result = project.cited("check")
    assert (result.code, "mkdocs.yml:10: " in result.output) == (2, True), result.output
    assert project.build().code == 1


@pytest.mark.parametrize("name", ["ENABLED", "REVIEW"])
@pytest.mark.parametrize("word", ["non", "nein", "disable", "2"])
def test_a_word_that_is_neither_yes_nor_no_is_refused(project: Project, name: str, word: str) -> None:
    """Whoever means no is not told that all is well."""
    project.page("logs.md", LOGS)
    project.monkeypatch.setenv(f"MKDOCS_CITED_{name}", word)
    assert project.cited("check").code == 2
    assert project.build().code == 1


@pytest.mark.parametrize("option", ["expires: 2026-13-45", "1: 2", "cited: [a, b]"])
def test_an_option_that_cannot_be_read_has_its_line(project: Project, option: str) -> None:
    project.page("logs.md", LOGS)
    project.write("mkdocs.yml", f"site_name: Try\nplugins:\n  - search\n  - cited:\n      {option}\n")
    result = project.cited("check")
    assert (result.code, bool(re.search(r"mkdocs\.yml:5|line 5", result.output))) == (2, True), result.output


@pytest.mark.parametrize(
    "mark",
    [
        "[ @logs.md#logs_1 ]",
        "[@logs.md\n#logs_1]",
        "[@logs.md#\nlogs_1]",
        "[@https://x.example/a#logs]",
        "<!--\n  cite: logs.md#logs_1\n-->",
        "[@logs.md?x=1]",
        "[@logs/]",
        "[@<the logs.md>]",
    ],
)
def test_what_is_meant_as_a_mark_is_read(project: Project, mark: str) -> None:
    """With blanks, a line break or an address of the web: the sentence in front of it is no page's."""
    project.page("logs.md", LOGS)
    project.page("facts.md", f"# Facts\n\nLogs are kept for 60 days {mark}.\n")
    assert re.search("facts.md:[34]", told(project))


def test_a_mark_in_front_matter_is_told(project: Project) -> None:
    project.page("facts.md", "---\ntitle: Logs for 60 days [@logs.md#logs_1]\n---\n# Facts\n")
    assert "facts.md:2:25 error invalid-declaration" in told(project)


def test_a_footnote_of_a_file_is_verified(project: Project) -> None:
    project.page("logs.md", LOGS)
    file = project.write("notes.md", "Logs are kept for 30 days.[^1]\n\n[^1]: Logs are kept for 60 days.\n")
    result = project.cited("verify", str(file))
    assert (result.code, "contradicted: Logs are kept for 60 days." in result.output) == (1, True), result.output


@pytest.mark.parametrize(
    ("file", "text", "claim"),
    [
        ("v.yaml", "size: 10485760\n", "Uploads may have up to 10 MB"),
        ("v.yaml", "size: 1024  # KiB\n", "Uploads may have 1 MB"),
        ("v.yaml", "size: 999  # cents\n", "A seat costs $9.99 a month"),
        ("v.yaml", "size: 99\n", "Less than 100 rows are shown"),
        ("v.py", "class S:\n    size: int = Field(3, ge=0, le=10)\n", "`size` is at most 10"),
        ("v.py", "def S(size: int = typer.Option(8000, max=65535)): ...\n", "`size` is at most 65535"),
        ("v.py", "class S:\n    size = models.IntegerField(default=3, validators=[Max(10)])\n", "`size` is up to 10"),
    ],
)
def test_a_right_sentence_about_a_value_is_no_error(project: Project, file: str, text: str, claim: str) -> None:
    """In another unit, or about its bounds: it waits for a person."""
    project.configure({"extra_sources": [{"glob": "src/*"}]})
    project.write(f"src/{file}", text)
    address = "S.size" if file == "v.py" else "size"
    project.page("facts.md", f"# Facts\n\n{claim} [@../src/{file}#{address}].\n")
    result = project.cited("check")
    assert (result.code, "unconfirmed-claim" in result.output) == (0, True), result.output


@pytest.mark.parametrize(
    ("page", "claim", "code"),
    [
        ("1,00,000", "100,000", 0),
        ("100000", "1,00,000", 0),
        ("12,34,567", "1,234,567", 0),
        ("1,00,000", "10,00,000", 1),
        ("1,234", "1.234", 1),
    ],
)
def test_digits_are_grouped_in_any_way(project: Project, page: str, claim: str, code: int) -> None:
    project.page("quota.md", f"# Quota\n\nThe quota is {page} requests.\n")
    project.page("facts.md", f"# Facts\n\nThe quota is {claim} requests [@quota.md].\n")
    assert project.cited("check", "--strict").code == code


def test_a_page_without_a_translation_cites_one_that_has_one(project: Project) -> None:
    """A build of the other language says what `check` says."""
    pytest.importorskip("mkdocs_static_i18n")
    languages = [{"locale": "en", "name": "English", "default": True}, {"locale": "de", "name": "Deutsch"}]
    project.configure(plugins=["search", {"i18n": {"languages": languages}}, "cited"])
    project.page("index.md", "# Home\n")
    project.page("logs.md", LOGS)
    project.page("logs.de.md", "# Logs\n\n## Logs\n\nLogs werden 30 Tage lang behalten.\n")
    project.page("facts.md", "# Facts\n\nLogs are kept for 30 days [@logs.md#logs_1].\n")
    assert project.cited("check", "--strict").code == 0
    assert project.build("--strict").code == 0
    assert "../../logs/#" in project.html("de/facts/index.html")


def test_a_variable_that_is_set_again_proves_nothing(project: Project) -> None:
    project.configure({"extra_sources": [{"glob": "src/*"}]})
    project.write("src/v.ts", "export let TTL = 5;\nTTL = 6;\n")
    project.page("facts.md", "# Facts\n\n`TTL` is 5 [@../src/v.ts#TTL].\n")
    assert "unconfirmed-claim" in told(project)


@pytest.mark.parametrize(
    ("page", "claim"),
    [("It runs at 07:30 every day.", "It runs at 7:30 every day."), ("Up -- 30 days.", "Up — 30 days.")],
)
def test_a_zero_or_a_dash_makes_no_other_value(project: Project, page: str, claim: str) -> None:
    project.page("times.md", f"# Times\n\n{page}\n")
    project.page("facts.md", f"# Facts\n\n{claim[:-1]} [@times.md].\n")
    assert project.cited("check").code == 0


@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_name_is_found_in_either_form_of_its_accents(project: Project, forms: tuple[str, str]) -> None:
    """Disks and keyboards write them differently."""
    file, mark = (unicodedata.normalize(form, "r\u00e9sum\u00e9.md") for form in forms)  # type: ignore[arg-type]
    project.page(file, LOGS)
    project.page("facts.md", f"# Facts\n\nLogs are kept for 30 days [@{mark}#logs_1].\n")
    assert project.cited("check", "--strict").code == 0


def test_attributes_behind_a_mark_do_not_hide_it(project: Project) -> None:
    project.page("logs.md", LOGS)
    project.page("facts.md", "# Facts\n\nLogs are kept for 60 days [@logs.md#logs_1]{.x #y}.\n")
    assert "altered-number" in told(project)


def test_many_uses_of_one_footnote_have_a_way_back_each(project: Project) -> None:
    """More than there are letters."""
    project.page("logs.md", LOGS)
    marks = "\n\n".join(f"After {n} days logs leave [@logs.md#logs_1]." for n in range(40))
    project.page("facts.md", f"# Facts\n\n{marks}\n")
    assert project.build().code == 0
    assert project.html("facts/index.html").count('class="cited-back"') == 40


@pytest.mark.parametrize("by", ["''", "' '"])
def test_nobody_approves_or_decides(project: Project, by: str) -> None:
    project.configure({"approval": "required"})
    project.page("logs.md", LOGS)
    project.page("faq.md", "---\nanswers:\n  - id: a\n    question: How long are logs kept?\n---\n# FAQ\n")
    project.page("facts.md", "# Facts\n\nLogs stay for a month [@logs.md#logs_1].\n")
    assert project.cited("answer", "faq.md#a", "--take", "logs.md#logs_1", "--by", "Ann").code == 0
    assert project.cited("accept", "facts.md", "--all", "--by", "Ann").code == 0
    assert project.cited("check", "--strict").code == 0
    for record in (project.root / "answers").rglob("*.md"):
        text = record.read_text(encoding="utf-8")
        assert "by: Ann" in text
        record.write_text(text.replace("by: Ann", f"by: {by}"), encoding="utf-8")
    said = told(project)
    assert "unapproved-answer" in said
    assert "facts.md:3" in said


def test_a_text_that_waits_for_approval_is_in_no_file(project: Project) -> None:
    """Not in what `cited.json` says is wrong with it either."""
    project.configure({"approval": "required"})
    project.page("logs.md", LOGS)
    project.page("faq.md", "---\nanswers:\n  - id: a\n    question: How long are logs kept?\n---\n# FAQ\n")
    assert project.cited("answer", "faq.md#a", "--take", "logs.md#logs_1", "--by", "Ann").code == 0
    record = project.root / "answers/faq/a.md"
    record.write_text(f"{record.read_text(encoding='utf-8')}\nThe hunterword is 5.\n", encoding="utf-8")
    project.build()
    for file in (project.root / "site").rglob("*"):
        assert not file.is_file() or b"hunterword" not in file.read_bytes(), file


@pytest.mark.parametrize("script", ["exit 1", "exit 0", "echo garbage", "kill -9 $$"])
@pytest.mark.parametrize("variable", ["", "GIT_WORK_TREE", "GIT_DIR"])
def test_what_git_may_ignore_is_no_source(project: Project, script: str, variable: str, tmp_path: Path) -> None:
    """Whatever a broken git says of it; and where a hook of git leads it elsewhere, the right one is asked."""
    project.configure({"extra_sources": [{"glob": "conf/*.md"}]})
    project.belongs_to_ann()
    project.write(".gitignore", "conf/\n")
    project.write("conf/secret.md", "# Logs\n\n## Logs\n\nThe hunterword is kept for 30 days.\n")
    project.page("faq.md", "---\nanswers:\n  - question: How long is it kept?\n---\n# FAQ\n")
    if variable:
        project.monkeypatch.setenv(variable, str(tmp_path))
    else:
        fake = tmp_path / "git"
        fake.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        fake.chmod(0o755)
        project.monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    project.build()
    assert "hunterword" not in project.html("cited.json")


def test_a_file_of_the_repository_is_no_page_of_its_name(project: Project) -> None:
    """`docs/README.md` is a page, and `README.md` beside `docs/` is a file: each proves what it says itself."""
    (project.root / "docs/index.md").unlink(missing_ok=True)
    project.page("README.md", "# Home\n\nLogs are kept for 30 days.\n")
    project.write("README.md", "# Home\n\nLogs are kept for 60 days.\n")
    project.page(
        "right.md", "# A\n\nLogs are kept for 30 days [@README.md].\n\nLogs are kept for 60 days [@../README.md].\n"
    )
    project.belongs_to_ann()
    project.git("add", "-A")
    assert project.cited("check", "--strict").code == 0
    project.page("wrong.md", "# B\n\nLogs are kept for 30 days [@../README.md].\n")
    assert "docs/wrong.md:3 error altered-number" in told(project)


@pytest.mark.parametrize(
    ("code", "claim", "exit_code"),
    [
        ("TTL = 30", "`TTL` is more than 30.", 1),
        ("OFFSET = -5", "`OFFSET` is minus 5.", 0),
        ('PRICE = "$5/month"', "`PRICE` is $60 a year.", 0),
        ('PRICE = "$5/month"', "`PRICE` is $5 a year.", 1),
        ('LIMITS = {"ttl": 30}\nLIMITS["ttl"] = 60', "`ttl` is 30.", 1),
    ],
)
def test_what_a_value_is_of(project: Project, code: str, claim: str, exit_code: int) -> None:
    """A value that is compared, or set again, waits for a person; a right sentence is no error."""
    name = {"LIMITS": "LIMITS.ttl"}.get(name := code.partition(" ")[0], name)
    project.write("src/v.py", f"{code}\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    project.page("facts.md", f"# Facts\n\n{claim[:-1]} [@../src/v.py#{name}].\n")
    assert project.cited("check", *["--strict"] * exit_code).code == exit_code


def test_a_page_keeps_its_mode(project: Project) -> None:
    """What a command writes for its author is read by those who could read it."""
    page = project.page("faq.md", "# FAQ\n")
    page.chmod(0o640)
    assert project.cited("add", "How?", "--page", "faq.md").code == 0
    assert "How?" in page.read_text()
    assert page.stat().st_mode & 0o777 == 0o640


def test_facts_reads_nothing_where_git_refuses(project: Project, tmp_path: Path) -> None:
    """Ignored files among them: their values would be in the log."""
    project.page("a.md", "# A\n\nThe default of `KEY_NAME` is `bar`.\n")
    project.write("conf/prod.py", "KEY_NAME = 'hunterword'\n")
    project.write(".gitignore", "conf/\n")
    project.belongs_to_ann()
    project.monkeypatch.chdir(project.root)
    assert "hunterword" not in project.cited_here("facts", "--all").output  # nothing is tracked yet
    git = tmp_path / "git"
    git.write_text("#!/bin/sh\necho 'fatal: detected dubious ownership' >&2\nexit 128\n")
    git.chmod(0o755)
    project.monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    result = project.cited_here("facts", "--all")
    assert (result.code, "dubious ownership" in result.output, "hunterword" in result.output) == (3, True, False)


def test_a_page_and_a_file_that_cite_each_other_make_a_ring(project: Project) -> None:
    project.configure({"files": ["README.md"]})
    project.write("README.md", "# R\n\nLogs are kept for 30 days. <!-- cite: docs/a.md -->\n")
    project.page("a.md", "# A\n\nLogs are kept for 30 days. <!-- cite: ../README.md -->\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    assert told(project).count("circular-proof `") == 2
