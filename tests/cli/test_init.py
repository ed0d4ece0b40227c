"""`init`, `add` and `rename`: a site is set up and grows without a text editor, and nothing of it is lost."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from mkdocs.config import load_config

from mkdocs_cited.cli import main
from mkdocs_cited.mkdocs_host.configuration import with_plugin
from tests.cli.test_names import FAQ
from tests.pipeline.test_update import honest
from tests.projects import Project, Result
from tests.servers.messages import MessagesServer
from tests.servers.script import say_json


@pytest.fixture
def bare(project: Project) -> Project:
    """A site without the plugin, in a repository on GitHub."""
    project.write("mkdocs.yml", "site_name: Try # a comment\nplugins:\n  - search\n\ntheme: mkdocs\n")
    project.page("keys.md", "# Keys\n\n## How do I rotate a key?\n\nOpen the settings and press Rotate.\n")
    project.page("logs.md", "# Logs\n\n## How do I delete the logs?\n\nRun `client logs --delete`.\n")
    subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)
    (project.root / ".github").mkdir()
    return project


def run(project: Project, *words: str) -> Result:
    """A command in the project's folder."""
    before = Path.cwd()
    os.chdir(project.root)
    try:
        result = CliRunner().invoke(main, words)
    finally:
        os.chdir(before)
    return Result(result.exit_code, result.output)


def test_one_command_sets_a_site_up(bare: Project) -> None:
    """Plugin and workflow, each shown first, and then the next commands."""
    before = bare.tree()
    shown = run(bare, "init")
    assert (shown.code, "+  - cited" in shown.output) == (2, True)  # nobody is there to agree
    assert bare.tree() == before
    done = run(bare, "init", "--yes")
    assert done.code == 0, done.output
    assert "mkdocs-cited facts" in done.output
    assert "mkdocs-cited add 'How do I …?'" in done.output
    assert (bare.root / "mkdocs.yml").read_text(encoding="utf-8") == (
        "site_name: Try # a comment\nplugins:\n  - search\n  - cited\n\ntheme: mkdocs\n"
    )
    workflow = yaml.safe_load((bare.root / ".github/workflows/answers.yml").read_text(encoding="utf-8"))
    assert "mkdocs-cited check --strict" in workflow["jobs"]["check"]["steps"][-1]["run"]
    assert bare.build().code == 0
    before = bare.tree()
    assert run(bare, "init", "--yes").code == 0
    assert bare.tree() == before


def test_a_repository_on_gitlab(bare: Project) -> None:
    """Its file is its owner's: the workflow is a file to include."""
    bare.write(".gitlab-ci.yml", "stages: [test]\n")
    assert "write `include: .gitlab/answers.yml` into .gitlab-ci.yml" in run(bare, "init", "--yes").output
    assert (bare.root / ".github/workflows/answers.yml").is_file()  # for a mirror there
    assert "check-answers" in yaml.safe_load((bare.root / ".gitlab/answers.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("site_name: A", "site_name: A\n\nplugins:\n  - search\n  - cited\n"),
        ("plugins: [search, tags]\n", "plugins: [search, tags, cited]\n"),
        ("plugins: [x]\nplugins:\n  - y\n", "plugins: [x]\nplugins:\n  - y\n  - cited\n"),
        ("plugins:\n- search\n- tags:\n    a: !ENV [X, 1]\n# theme\ntheme: x\n",
         "plugins:\n- search\n- tags:\n    a: !ENV [X, 1]\n- cited\n# theme\ntheme: x\n"),
        ("plugins:\n  - search\n  - cited:\n      enabled: true\n", ""),
        ("plugins: []\n", "plugins: [cited]\n"),
        ("plugins: {}\n", "plugins: {cited: {}}\n"),
        ("plugins:\n  search:\n  # tags\nx: 1\n", "plugins:\n  search:\n  cited: {}\n  # tags\nx: 1\n"),
        ("plugins:\n  tags:\n    a: 1\n", "plugins:\n  tags:\n    a: 1\n  cited: {}\n"),
    ],
)  # fmt: skip
def test_the_plugin_is_added_as_a_person_would(before: str, after: str) -> None:
    """Every other character stays; nothing is done where it is there."""
    assert with_plugin(Path("mkdocs.yml"), before.encode()).decode() == (after or before)


@pytest.mark.parametrize(
    ("parent", "own", "names"),
    [
        ("plugins: {search: {}, redirects: {}}\n", "", ["search", "redirects", "cited"]),
        ("plugins: {search: {}}\n", "plugins:\n  redirects: {}\n", ["search", "redirects", "cited"]),
        ("plugins: [search, redirects]\n", "plugins: [search]\n", ["search", "cited"]),
        ("plugins: [search, cited]\n", "", ["search", "cited"]),
        ("theme: mkdocs\n", "", ["search", "cited"]),
        ("plugins: [search, redirects]\n", "", ["search", "redirects"]),
    ],
)
def test_no_plugin_of_a_parent_is_lost(project: Project, parent: str, own: str, names: list[str]) -> None:
    """MkDocs merges mappings with those of the parent. A list would replace it, so that its owner adds to it."""
    project.write("base.yml", parent)
    project.write("mkdocs.yml", f"INHERIT: base.yml\nsite_name: Try\n{own}")
    result = project.cited("init", "--yes")
    assert (result.code == 0) is ("cited" in names), result.output
    if result.code:
        assert "add `- cited` to that one, or write all of it here" in result.output
    assert [*load_config(str(project.root / "mkdocs.yml")).plugins] == names


@pytest.mark.parametrize("text", ["? [a]:\nplugins: [search", "plugins: search\n", "plugins:\n"])
def test_a_configuration_that_cannot_be_added_to(project: Project, text: str) -> None:
    """It is left as it is, and what to do is said."""
    project.write("mkdocs.yml", text)
    result = project.cited("init", "--yes")
    assert (result.code, "→" in result.output) == (2, True), result.output
    assert (project.root / "mkdocs.yml").read_text(encoding="utf-8") == text


def test_a_question_is_added(project: Project) -> None:
    """Behind the page's others; what `ask` proposes is this very command."""
    project.page("faq.md", FAQ)
    proposed = project.cited("ask", "How do I rotate an API key?").output
    assert "mkdocs-cited add 'How do I rotate an API key?'" in proposed
    result = project.cited("add", "How do I rotate an API key?", "--page", "docs/faq.md")
    assert result.code == 0, result.output
    assert result.output.endswith("  → mkdocs-cited review faq.md\n")
    page = (project.root / "docs/faq.md").read_text(encoding="utf-8")
    assert "\n  - question: How do I rotate an API key?\n---\n" in page
    assert project.cited("add", "How do I rotate an API key?").code == 2  # it is there
    result = project.cited("add", "Who paints the moon?", "--page", "new.md")
    assert result.code == 0
    assert (project.root / "docs/new.md").read_text(encoding="utf-8").endswith("\n# New\n")
    for mistyped in ("faq", "docs/faq.markdown"):
        refused = project.cited("add", "Why?", "--page", mistyped)
        assert (refused.code, "did you mean `faq.md`?" in refused.output) == (2, True)
    assert "a question has 1 to 2,000 characters" in project.cited("add", " ").output
    project.page("fqa.md", "")
    assert project.cited("add", "Why?", "--page", "fqa.md").code == 0
    assert (project.root / "docs/fqa.md").read_text(encoding="utf-8").endswith("---\n\n# Fqa\n")
    assert "wrote docs/other.md" in project.cited("add", "Why?", "--page", "other.md").output
    assert "to add it to a page" not in project.cited("ask", "Who paints the moon?").output


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("---\nanswers: [{question: Why?}]\n---\n", "`answers` is written in a way that cannot be added to"),
        ("---\nanswers:\n  - question: Why: not?\n---\n", "the front matter is not valid YAML"),
        ("Title: My title\nauthors: Ann\n\n", "make it front matter first: a line `---` above and below it"),
    ],
)
def test_what_cannot_be_added_to(project: Project, front: str, said: str) -> None:
    """It is left as it is, and what to write by hand is said."""
    project.page("faq.md", f"{front}# FAQ\n")
    before = project.tree()
    result = project.cited("add", "How do I rotate a key?", "--page", "faq.md")
    assert (result.code, said in result.output, project.tree() == before) == (2, True, True)


def test_a_record_follows_the_id_that_its_page_gives_it_now(project: Project) -> None:
    """With all that is known of it; nothing is left behind."""
    project.page("faq.md", FAQ.replace("# FAQ", "# FAQ\n\n    <!-- answer: retries -->"))
    project.taken("retries")
    record = (project.root / "answers/faq/retries.md").read_bytes()
    page = (project.root / "docs/faq.md").read_text(encoding="utf-8")
    project.write("docs/faq.md", page.replace("id: retries", "id: tries").replace("answer: retries", "answer: tries"))
    assert "2 unchanged" in project.cited("update").output
    assert (project.root / "answers/faq/tries.md").read_bytes() == record
    assert not (project.root / "answers/faq/retries.md").exists()
    assert project.cited("check", "--strict").code == 0


def test_a_configuration_that_nothing_can_use(project: Project) -> None:
    """All that is wrong with it is told, each with its place."""
    project.configure({"cite_treshold": 0.5, "context_budget": "many"})
    told = project.cited("check")
    assert told.code == 2
    assert told.output.startswith(
        "mkdocs-cited: mkdocs.yml:10: `cite_treshold` is not an option of cited\n  → did you "
    )
    assert "\nmkdocs.yml:11: " in told.output
    project.configure({"provider": "nobody", "records_dir": "../x"})
    assert [line.partition(" there")[0] for line in project.cited("check").output.splitlines()][::2] == [
        "mkdocs-cited: mkdocs.yml:10:",
        "mkdocs.yml:11: records_dir: `../x` leads out of the project",
    ]


def test_init_names_records_that_git_ignores(bare: Project) -> None:
    """No pull request would show them."""
    bare.write(".gitignore", "answers/\n")
    assert "git ignores answers/" in run(bare, "init", "--yes").output


def test_what_an_option_names_and_is_not_there(project: Project) -> None:
    """Each is told at the line of its option."""
    suppression = {"slug": "partial-claim", "reason": "Rounded."}
    glob = {"glob": "nothing.md"}
    project.configure({"files": ["nothing.md"], "suppress": [suppression], "extra_sources": [glob]})
    lines = (project.root / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    found = json.loads(project.cited("check", "--json").output)["findings"]
    told = {item["slug"]: lines[item["place"]["line"] - 1].strip() for item in found}
    assert told == {
        "invalid-declaration": "files:",
        "unused-suppression": "- slug: partial-claim",
        "unreadable-source": "- glob: nothing.md",
    }


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("site_name: Try\nplugins:\n  - search\n", "\n  - cited: {provider: anthropic, reviewer: anthropic}\n"),
        ("site_name: Try\nplugins: [search]\n", "[search, cited: {provider: anthropic, reviewer: anthropic}]"),
    ],
)
def test_a_model_writes_the_first_answers(bare: Project, api: MessagesServer, before: str, line: str) -> None:
    """It proposes the questions; what the answers will cost is told before they are written."""
    bare.write("mkdocs.yml", before)
    bare.page("keys.md", "# Keys\n\n## About keys\n\nThe number of keys is 11 for every project.\n")

    def answer(body: dict[str, Any]) -> Any:
        if "questions" in json.dumps(body["output_config"]):
            return say_json({"questions": ["What is the number of keys?", " ", "x" * 999]})
        return honest(body)

    api.answer_with(answer)
    shown = run(bare, "init", "--provider", "anthropic")
    assert (shown.code, api.requests) == (2, []), shown.output
    done = run(bare, "init", "--provider", "anthropic", "--yes")
    assert done.code == 0, done.output
    assert line in (bare.root / "mkdocs.yml").read_text(encoding="utf-8")
    told = [
        "a model proposes questions by the headings of the site (",
        "5 answers from a model: about $0.",
        "the questions cost 1 model call, ",
        "1 answer from a model: about $0.",
        "faq.md",
    ]
    places = [done.output.index(words) for words in told]
    assert places == sorted(places)
    assert "faq.md#what-is-the-number-of-keys: wrote, accepted" in done.output
    assert "The number of keys is 11" in (bare.root / "answers/faq/what-is-the-number-of-keys.md").read_text("utf-8")
    assert len(api.requests) == 3


def test_a_model_that_cannot_be_asked_writes_nothing(bare: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing key is told before anything is written; so is a plugin with another provider."""
    for variable in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    before = bare.tree()
    refused = run(bare, "init", "--provider", "anthropic", "--yes")
    assert (refused.code, "export ANTHROPIC_API_KEY" in refused.output) == (3, True), refused.output
    assert bare.tree() == before
    bare.write("mkdocs.yml", "site_name: Try\nplugins: [search, cited]\n")
    refused = run(bare, "init", "--provider", "anthropic", "--yes")
    assert (refused.code, "write `provider: anthropic`" in refused.output) == (2, True), refused.output


def test_a_question_goes_into_a_page_that_asks_nothing_yet(bare: Project) -> None:
    """`add` writes it there without being told the page."""
    bare.page("faq.md", "# FAQ\n\nAsk us.\n")
    assert run(bare, "init", "--yes").code == 0
    text = "Press Rotate [@keys.md#how-do-i-rotate-a-key]."
    assert run(bare, "add", "How is a key rotated?", "--text", text).code == 0
    assert "How is a key rotated?" in (bare.root / "docs/faq.md").read_text(encoding="utf-8")


def test_a_configuration_in_a_folder_below_is_named(bare: Project) -> None:
    """As in repositories that have `docs/mkdocs.yml`."""
    (bare.root / "mkdocs.yml").rename(bare.root / "docs" / "mkdocs.yml")
    refused = run(bare, "init")
    assert (refused.code, "name it: `-f docs/mkdocs.yml`" in refused.output) == (2, True), refused.output
