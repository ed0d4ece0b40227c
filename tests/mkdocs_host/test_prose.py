"""Claims in ordinary pages: what a build says of them, and what readers see."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mkdocs_cited.mkdocs_host.loading import load
from tests.projects import Project

FILES = {
    "deploy/values.yaml": "# settings\ncache:\n  ttl: 30s\n  retries: 5\n",
    "src/cache.py": 'GRACE = 24 * 60 * 60\n\n\ndef get(key, limit=10):\n    """Get it."""\n',
}
PAGE = """
# Home

The TTL is 30 seconds [@../deploy/values.yaml#cache.ttl]. The old key works for 24 hours [@keys.md#rotate].

- `cache.retries` is 5 by default [@../deploy/values.yaml#cache.retries].

| name | default |
|------|---------|
| limit of get | The limit is 10 [@../src/cache.py#get.limit] |
"""
KEYS = "# Keys\n\n## Rotate a key {#rotate}\n\nThe old key works for 24 hours.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = Project(tmp_path / "project", monkeypatch)
    made.configure({"extra_sources": [{"glob": "deploy/*.yaml"}, {"glob": "src/*.py"}]})
    for path, text in FILES.items():
        made.write(path, text)
    made.page("index.md", PAGE)
    made.page("keys.md", KEYS)
    return made


def test_a_marked_page_passes(project: Project) -> None:
    """Its claims are one answer, and nothing is written into the repository."""
    result = project.build("--strict")
    assert result.code == 0, result.output
    (answer,) = json.loads(project.html("cited.json"))["answers"]
    assert (answer["id"], answer["status"], len(answer["claims"])) == ("claims", "accepted", 4)
    assert {claim["verdict"] for claim in answer["claims"]} == {"supported"}
    assert not (project.root / "answers").exists()


def test_readers_see_numbers_and_footnotes(project: Project) -> None:
    """Behind the page's own words, in their order; a link leads to the line of the file."""
    project.configure(project.config["plugins"][1]["cited"], repo_url="https://github.com/a/b")
    assert project.build().code == 0
    html = project.html("index.html")
    assert re.findall(r'(\w+)<sup id="fnref:cited-claims-(\d)"[^>]*>', html) == [
        ("seconds", "1"), ("hours", "2"), ("default", "3"), ("10", "4"),
    ]  # fmt: skip
    assert "https://github.com/a/b/blob/master/deploy/values.yaml#L3" in html
    assert "data-cited-mark" not in html
    assert "[@" not in html


def test_passages_of_one_footnote_are_one_number(project: Project) -> None:
    """And the numbers behind it stay with their claims."""
    project.write(
        "src/cli.py", '@click.option("--force", is_flag=True, help="Skip the check.")\ndef main(force): ...\n'
    )
    said = "`--force` skips the check [@../src/cli.py#main.force].\n\nThe limit is 10 [@../src/cache.py#get.limit].\n"
    project.page("index.md", f"# Home\n\n{said}")
    project.build()
    labels = re.findall(r'(\w+)<sup[^>]*>.{0,120}?aria-label="Source (\d): ([^"(]*\w)', project.html("index.html"))
    assert labels == [("check", "1", "src/cli.py"), ("10", "2", "src/cache.py")]


def test_a_cell_is_held_to_its_row_and_column(project: Project) -> None:
    """A value alone states nothing."""
    rows = "| limit of get | 10 [@../src/cache.py#get.limit] |\n| GRACE | 10 [@../src/cache.py#get.limit] |\n"
    project.page("index.md", f"# Home\n\n| name | default |\n|---|---|\n{rows}")
    project.build()
    (answer,) = json.loads(project.html("cited.json"))["answers"]
    said = [(claim["text"], claim["verdict"]) for claim in answer["claims"]]
    assert said == [("limit of get, default: 10", "supported"), ("GRACE, default: 10", "unchecked")]


def test_a_page_counts_its_answers_and_claims_together(project: Project) -> None:
    """In the order of the page, no number twice: its claims come before an answer without a marker."""
    asked = "answers:\n  - id: day\n    question: How long?\n    text: The key works for 24 hours [@keys.md#rotate]."
    project.page("index.md", f"---\n{asked}\n---\n{PAGE}")
    assert project.build().code == 0
    ids = re.findall(r'id="fn:cited-(\w+-\d)"', project.html("index.html"))
    assert ids == ["day-5", "claims-1", "claims-2", "claims-3", "claims-4"]


def test_decisions_follow_a_page_and_a_file_that_move(project: Project) -> None:
    """A page as by `git mv`; a file whose address is written anew."""
    said = "Whoever was rotated out works for another day [@../src/cache.py#GRACE]."
    project.page("index.md", f"# Home\n\n{said}\n")
    project.cited("accept", "index.md#claims", "--claims", "1", "--by", "ada")
    (project.root / "docs/index.md").rename(project.root / "docs/start.md")
    assert "mkdocs-cited update" in project.build().output
    assert project.cited("update").code == 0
    assert project.build("--strict").code == 0
    (project.root / "src/cache.py").rename(project.root / "src/store.py")
    project.page("start.md", f"# Home\n\n{said.replace('cache.py', 'store.py')}\n")
    assert project.build("--strict").code == 0


@pytest.mark.parametrize("how", ["site", "page", "mark"])
def test_quiet_claims_show_nothing(project: Project, how: str) -> None:
    """For a site, a page or a mark; they are held to their proof all the same."""
    quiet = {"site": PAGE, "page": f"---\nprose: quiet\n---\n{PAGE}", "mark": PAGE.replace("[@", "[@!")}[how]
    options = project.config["plugins"][1]["cited"]
    project.configure({**options, **({"prose": "quiet"} if how == "site" else {})})
    project.page("index.md", quiet)
    assert project.build().code == 0
    html = project.html("index.html")
    assert "<sup" not in html
    assert "cited-answer" not in html
    project.write("deploy/values.yaml", FILES["deploy/values.yaml"].replace("30s", "45s"))
    assert project.build().code == 1


def test_one_quiet_claim_among_others(project: Project) -> None:
    """The others are numbered without it."""
    project.page("index.md", PAGE.replace("[@../deploy/values.yaml#cache.ttl]", "[@!../deploy/values.yaml#cache.ttl]"))
    assert project.build().code == 0
    found = re.findall(r'(\w+)<sup id="fnref:cited-claims-(\d)"[^>]*>', project.html("index.html"))
    assert found == [("hours", "1"), ("default", "2"), ("10", "3")]


def test_a_changed_value_fails_at_its_line(project: Project) -> None:
    """With the old and the new value."""
    assert project.build().code == 0
    project.write("deploy/values.yaml", FILES["deploy/values.yaml"].replace("30s", "45s"))
    result = project.build()
    assert result.code == 1
    assert "docs/index.md:3  error  contradicted-claim" in result.output
    assert "it states “30 seconds”, and `cache.ttl` is `45s`" in " ".join(result.output.split())
    project.write("deploy/values.yaml", "# 45\n" + FILES["deploy/values.yaml"].replace("retries: 5", "retries: 5 # 7"))
    assert project.build("--strict").code == 0


def test_claims_that_cite_files_alone(project: Project) -> None:
    """They are checked like others."""
    project.page("index.md", PAGE.replace(" [@keys.md#rotate]", ""))
    assert project.build("--strict").code == 0
    project.write("deploy/values.yaml", FILES["deploy/values.yaml"].replace("30s", "45s"))
    assert "docs/index.md:3  error  contradicted-claim" in project.build().output
    assert "docs/index.md:3  error  contradicted-claim" in project.cited("check").output


def test_marks_are_read_once_for_each_text_of_a_page(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unchanged page is not taken apart again; a changed one is."""
    assert project.build("--strict").code == 0
    with monkeypatch.context() as patched:
        patched.setattr("mkdocs_cited.mkdocs_host.reading.read_marks", None)
        assert project.build("--strict").code == 0
        assert "fnref:cited-claims-1" in project.html("index.html")
    project.page("index.md", PAGE.replace("30 seconds", "40 seconds"))
    assert "contradicted-claim" in project.build().output


def test_a_decision_lasts_as_long_as_the_passage(project: Project) -> None:
    """One file a page; an unchanged claim is never asked about again, and a changed one is."""
    said = "Whoever was rotated out works for another day [@../src/cache.py#GRACE]."
    project.page("index.md", f"# Home\n\n{said}\n")
    assert "1 of 1 claim waits" in project.build().output
    assert project.cited("accept", "index.md#claims", "--claims", "1", "--by", "ada").code == 0
    record = project.root / "answers/index/claims.md"
    assert "by: ada" in record.read_text("utf-8")
    assert project.build("--strict").code == 0
    project.write("src/cache.py", "# moved\n\n" + FILES["src/cache.py"].replace("limit=10", "limit=20"))
    assert project.build("--strict").code == 0
    project.write("src/cache.py", FILES["src/cache.py"].replace("24 * 60", "48 * 60"))
    result = project.build("--strict")
    assert result.code == 1
    assert "ada confirmed it on" in result.output


@pytest.mark.parametrize(
    ("target", "why", "tip"),
    [
        ("../deploy/values.yaml#cache.tl", "has no key, name or heading `#cache.tl`", "did you mean `cache.ttl`?"),
        ("../src/cache.py#GRACES", "has no key, name or heading", "did you mean `GRACE`?"),
        ("../secret.txt#x", "`secret.txt` is no file that may be cited", "extra_sources"),
        ("key.md#x", "`docs/key.md` does not exist", "did you mean `keys.md`?"),
        ("#home", "the sentence cites itself", "cite another passage"),
    ],
)
def test_a_wrong_address_is_told(project: Project, target: str, why: str, tip: str) -> None:
    """At the line of the sentence, with what to write."""
    project.write("secret.txt", "x")
    project.page("index.md", f"# Home\n\nIt is 30 [@{target}].\n")
    result = project.build()
    assert result.code == 1
    assert "docs/index.md:3" in result.output
    assert why in " ".join(result.output.split())
    assert tip in " ".join(result.output.split())


def test_a_note_is_proof_and_never_text(project: Project) -> None:
    """Of a note, readers see the name."""
    project.configure({"extra_sources": [{"glob": "notes.yaml", "type": "note"}]})
    project.write("notes.yaml", "plan:\n  price: 60\n  other: frobnicate\n")
    project.page("index.md", "# Home\n\nThe price is 60 [@../notes.yaml#plan.price].\n")
    assert project.build().code == 0
    assert "plan.price" not in project.html("index.html")
    assert "plan.price is" not in project.html("cited.json")


def test_changes_reach_the_claims_that_depend_on_them(project: Project) -> None:
    """`check --since` looks at pages whose files, or whose values, were changed."""
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=project.root, check=True)
    project.write("deploy/values.yaml", FILES["deploy/values.yaml"].replace("30s", "45s"))
    result = project.cited("check", "--since", "HEAD")
    assert result.code == 1
    assert "contradicted-claim" in result.output


VALUES = st.sampled_from(["30s", "45s", "30", "0.5m", "30 s", "31", "300", "true", "x", "1h"])
LINES = st.lists(st.sampled_from(["# comment", "other: 30", "note: x", ""]), max_size=4)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES, LINES, LINES, st.sampled_from(["30 seconds", "45 seconds", "0.5 minutes"]))
def test_no_claim_passes_whose_value_is_another(
    project: Project, value: str, above: list[str], below: list[str], said: str
) -> None:
    """Random edits of page and file: only the same time, or a bare number as it is written, passes."""
    lines = "\n".join((*above, "cache:", f"  ttl: {value}", *below))
    project.write("deploy/values.yaml", lines + "\n")
    project.page("index.md", f"# Home\n\nThe TTL is {said} [@../deploy/values.yaml#cache.ttl].\n")
    result = project.build("--strict")
    seconds = {"30 seconds": 30, "45 seconds": 45, "0.5 minutes": 30}[said]
    same = {"30s": 30, "30 s": 30, "0.5m": 30, "45s": 45, "1h": 3600}.get(value)
    bare = value == said.split(" ")[0]
    assert (result.code == 0) <= (same == seconds or bare), (value, said, result.output)
    if same == seconds:
        assert "error  contradicted" not in result.output
    elif same:
        assert "error  contradicted" in result.output


CONFIRMED = "Whoever was rotated out works for another day [@../src/cache.py#GRACE]."
PROVEN = "The TTL is 30 seconds [@../deploy/values.yaml#cache.ttl]."
HARMLESS = {
    "docs/index.md": [
        lambda text: text.replace("# Home\n", "# Home\n\nA paragraph more, with 45 of something.\n"),
        lambda text: f"{text}\n## More\n\nThe last words.\n",
        lambda text: text.replace("was rotated", "was\nrotated"),
        lambda text: text.replace("30 seconds", "**30 seconds**"),
        lambda text: text.replace("\n\nThe TTL", " \n\n\nThe TTL"),
    ],
    "deploy/values.yaml": [
        lambda text: f"# 45\n{text}",
        lambda text: f"other:\n  ttl: 45s\n{text}",
        lambda text: text.replace("ttl: 30s", "ttl: 30s  # as ever"),
        lambda text: text.replace("retries: 5", "retries: 7"),
        lambda text: text.replace("ttl: 30s", 'ttl: "30s"'),
    ],
    "src/cache.py": [
        lambda text: f'"""A cache."""\n{text}',
        lambda text: text.replace("limit=10", "limit=20"),
        lambda text: f"{text}\n\nLATER = 48\n",
        lambda text: text.replace("def get", "def get_all"),
    ],
}
HARMFUL = {
    "docs/index.md": [
        lambda text: text.replace("TTL is 30", "TTL is 31"),
        lambda text: text.replace("day", "week"),
        lambda text: text.replace("The TTL", "None of this holds:\n\n- The TTL"),
        lambda text: text.replace("# Home", "# Home [@keys.md]"),
    ],
    "deploy/values.yaml": [
        lambda text: text.replace("ttl: 30s", "ttl: 45s"),
        lambda text: text.replace("ttl: 30s", "ttl: 30m"),
        lambda text: text.replace("ttl: 30s", "time: 30s"),
    ],
    "src/cache.py": [
        lambda text: text.replace("24 * 60", "48 * 60"),
        lambda text: text.replace("GRACE", "GRACES"),
        lambda text: text.replace("24 * 60 * 60", "24 * 60 * 60 + 1"),
        lambda text: f"{text}\nGRACE += 1\n",
        lambda text: f"{text}\nfrom .other import GRACE\n",
        lambda text: text.replace("GRACE = 24", "if os.name == 'nt':\n    GRACE = 24"),
    ],
}
EDITS = [(path, edit, harm) for harm, edits in ((0, HARMLESS), (1, HARMFUL)) for path in edits for edit in edits[path]]


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(EDITS), max_size=5, unique_by=id))
def test_edits_are_told_where_they_matter_and_nowhere_else(project: Project, edits: list[tuple[str, Any, int]]) -> None:
    """Random edits of page and files: none that changes a proof passes, and none that does not asks again."""
    texts = {**FILES, "docs/index.md": f"# Home\n\n{CONFIRMED}\n\n{PROVEN}\n"}
    for path, text in texts.items():
        project.write(path, text)
    if not (project.root / "answers").exists():
        assert project.cited("accept", "index.md#claims", "--all", "--by", "ada").code == 0
    harm = False
    for path, edit, harmful in edits:
        before, texts[path] = texts[path], edit(texts[path])
        harm = harm or bool(harmful and texts[path] != before)
        project.write(path, texts[path])
    result = project.build("--strict")
    assert result.code == harm, result.output


def test_a_mark_whose_address_another_begins_with_has_its_own_line(project: Project) -> None:
    """`#syn` is not found in `#sync`."""
    project.page("a.md", "# A\n\n## Sync\n\nReports are kept for 90 days.\n")
    project.page("b.md", "# B\n\nReports are kept for 90 days [@a.md#sync].\n\nOther words here [@a.md#syn].\n")
    assert "docs/b.md:5" in project.cited("check").output
    assert "docs/b.md:3" not in project.cited("check").output


def test_a_mark_that_a_hook_writes_has_the_page_as_its_place(project: Project) -> None:
    """And the message says that it is not written there."""
    said = "The TTL is 60 seconds [@../deploy/values.yaml#cache.ttl]."
    text = f"def on_page_markdown(markdown, **_):\n    return markdown + '\\n\\n{said}'\n"
    project.write("hook.py", text)
    project.configure(project.config["plugins"][1]["cited"], hooks=["hook.py"])
    result = project.build("--strict")
    assert "docs/keys.md:1 (by way of a snippet, a macro or another plugin)" in result.output


def test_what_is_over_a_marker_is_told_with_its_answer(project: Project) -> None:
    """As a reader has it: headings and boxes."""
    asks = "answers:\n  - {id: old, question: How long?, text: 'The old key works for 24 hours [@keys.md#rotate].'}\n"
    box = '!!! failure "Wrong"\n\n    <!-- answer: old -->\n'
    project.page("faq.md", f"---\n{asks}---\n# FAQ\n\n## Myths\n\n{box}")
    (asked,) = (item for item in load(project.root / "mkdocs.yml").declarations if item.page == "faq.md")
    assert asked.around == "# FAQ\n\n## Myths\n\n### failure: Wrong"


def test_a_built_site_has_no_orphans_for_marks_that_are_shown(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor for those that nobody sees: the plugin has taken both out of the pages."""
    monkeypatch.chdir(project.root)
    project.page("faq.md", "# FAQ\n\nAn old key stays good for 24 hours [@keys.md#rotate].\n")
    project.page("quiet.md", "# Quiet\n\nAn old key stays good for 24 hours [@!keys.md#rotate].\n")
    assert project.cited("accept", "faq.md#claims", "quiet.md#claims", "--by", "Ann").code == 0
    assert project.build("--strict").code == 0
    result = project.cited_here("check", "--site", "site", "--strict")
    assert result.code == 0, result.output


def test_a_mark_has_its_own_line(project: Project) -> None:
    """Not that of the front matter, where an answer cites the same; blanks within it are no snippet's."""
    answer = "answers:\n  - question: How long?\n    text: Keys last 90 days [@keys.md#life].\n"
    project.page("keys.md", "# Keys\n\n## Life\n\nKeys last 90 days.\n")
    project.page(
        "index.md", f"---\n{answer}---\n# Q\n\nThree months [@ keys.md#life ].\n\nA quarter [@keys.md#life].\n"
    )
    found = json.loads(project.cited("check", "--json").output)["findings"]
    places = [(detail["place"]["file"], detail["place"]["line"]) for item in found for detail in item["details"]]
    assert places == [("docs/index.md", 8), ("docs/index.md", 10)]
