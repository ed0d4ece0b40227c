"""`cite` proposes marks for sentences whose proof is found; a person takes or leaves each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mkdocs_cited.cli import main
from tests.pipeline.test_update import honest
from tests.projects import Project
from tests.servers.messages import MessagesServer

PAGE = """---
title: Home
---
# Home

The TTL is 30 seconds. It is a fine day in town 7.

- `cache.retries` is 5 by default.
- The old key works for 24 hours.
"""
KEYS = "# Keys\n\n## Rotate a key {#rotate}\n\nThe old key works for 24 hours.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A page with three sentences that the project proves, and one that nothing does."""
    made = Project(tmp_path / "project", monkeypatch)
    made.configure({"extra_sources": [{"glob": "deploy/*.yaml"}]})
    made.write("deploy/values.yaml", "cache:\n  ttl: 30s\n  retries: 5\n")
    made.write("docs/index.md", PAGE)
    made.page("keys.md", KEYS)
    return made


def cite(project: Project, *words: str, keys: str = "") -> Result:
    """The command, with the keys that are pressed."""
    arguments = ["cite", "-f", str(project.root / "mkdocs.yml"), *words]
    return CliRunner().invoke(main, arguments, input="".join(f"{key}\n" for key in keys))


def test_each_is_taken_or_left(project: Project) -> None:
    """What is taken is written behind its sentence, all else stays; and it holds."""
    done = cite(project, "index.md", keys="yny")
    assert done.exit_code == 0, done.output
    assert "docs/index.md:6" in done.output
    assert "proof: cache.ttl is 30s" in done.output
    expected = PAGE.replace("30 seconds.", "30 seconds [@../deploy/values.yaml#cache.ttl].")
    expected = expected.replace("24 hours.", "24 hours [@keys.md#rotate].")
    assert (project.root / "docs/index.md").read_text(encoding="utf-8") == expected
    assert "wrote 2 marks\n  → mkdocs-cited check index.md" in done.output
    result = project.cited("check", "--strict")
    assert result.code == 0, result.output


def test_a_dry_run_shows_the_diff(project: Project) -> None:
    """Of all of them, and writes nothing; `--yes` writes the same, with the line ends of the file."""
    (project.root / "docs/index.md").write_bytes(PAGE.replace("\n", "\r\n").encode())
    before = project.tree()
    shown = cite(project, "docs/index.md", "--dry-run").output
    assert "-The TTL is 30 seconds. It is" in shown
    assert "+The TTL is 30 seconds [@../deploy/values.yaml#cache.ttl]. It is" in shown
    assert shown.endswith("would write 3 marks\n")
    assert project.tree() == before
    assert cite(project, "*.md", "--yes").exit_code == 0
    written = (project.root / "docs/index.md").read_bytes()
    assert written.count(b"[@") == 3
    assert written.count(b"\r\n") == PAGE.count("\n")


def test_as_json(project: Project) -> None:
    """They are listed with file, line and proof; a page that is not there is met with one that is."""
    first, *_ = found = json.loads(cite(project, "index.md", "--json").output)
    assert first == {
        "file": "docs/index.md", "line": 6, "sentence": "The TTL is 30 seconds.",
        "mark": "[@../deploy/values.yaml#cache.ttl]", "verdict": "supported",
        "proof": "cache.ttl is 30s, in deploy/values.yaml",
    }  # fmt: skip
    assert len(found) == 3
    refused = cite(project, "indx.md")
    assert (refused.exit_code, "did you mean `index.md`?" in refused.output) == (2, True)


def test_a_model_finds_what_is_said_in_other_words(project: Project, api: MessagesServer) -> None:
    """It is asked once a page, where the options name it and `--model` is given; a dry run asks nobody."""
    assert "no model reviews here" in cite(project, "index.md", "--model").output
    project.configure({"reviewer": "anthropic", "cite_threshold": 0.1})
    project.write("docs/index.md", "# Home\n\nFor 24 hours you may go on with the key from before.\n")
    api.answer_with(honest)
    told = cite(project, "index.md", "--model", "--dry-run").output
    assert "index.md: 1 sentences for the model" in told
    assert api.requests == []
    assert cite(project, "index.md", "--json").output == "[]\n"
    (item,) = json.loads(cite(project, "index.md", "--model", "--json").output)
    assert (item["mark"], item["verdict"], len(api.requests)) == ("[@keys.md#rotate]", "supported", 1)


def test_status_counts_the_sentences_that_nothing_proves(project: Project) -> None:
    """With the first few of each page by file and line; a mark takes its sentence off."""
    project.page(
        "plan.md", "---\ntitle: A\n---\n# A\n\n" + "".join(f"Plan {n} costs {n} USD.\n\n" for n in range(2, 7))
    )
    said = project.cited("status", "--unproven", "docs/plan.md").output
    assert "docs/plan.md:6\tPlan 2 costs 2 USD.\n" in said
    assert "and 2 more" in said
    assert "5 sentences with a figure that nothing proves, on 1 page\n  → mkdocs-cited cite plan.md" in said
    project.page("plan.md", "# A\n\nPlan 2 costs 2 USD [@index.md].\n")
    assert "every sentence with a figure has a mark" in project.cited("status", "--unproven", "plan.md").output
    assert project.cited("status", "--unproven", "--json").code == 2
