"""Colours and `--json`."""

from __future__ import annotations

import json

import jsonschema
import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.docs.commands import command_objects
from tests.projects import Project

WRONG = """
    ---
    answers:
      - question: For how many days is a key valid?
        id: valid
        text: A key is valid for 60 days [@guide/install.md#keys].
      - {question: How often does the client retry a failed request?, id: retries}
    ---
    # FAQ
"""


@pytest.fixture
def wrong(project: Project) -> Project:
    """A project with one wrong answer and one right one."""
    project.page("faq.md", WRONG)
    project.taken("retries")
    return project


def run(project: Project, *words: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    result = CliRunner().invoke(main, [*words, "-f", str(project.root / "mkdocs.yml")])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colours(wrong: Project, environment: dict[str, str], coloured: bool) -> None:
    """What the environment says outranks the stream; a pipe has none by itself."""
    arguments = ["check", "-f", str(wrong.root / "mkdocs.yml")]
    result = CliRunner().invoke(main, arguments, env={"NO_COLOR": None, "FORCE_COLOR": None, **environment})
    assert ("\x1b[" in result.output) is coloured


def test_only_some_pages_are_told(wrong: Project) -> None:
    """`check NAMES` reports and counts those alone."""
    wrong.page("zz.md", WRONG)
    assert run(wrong, "check", "docs/faq.md")[1].count("altered-number\n") == 1
    assert run(wrong, "check")[1].count("altered-number\n") == 2
    assert run(wrong, "check", "faq.md", "--write-baseline")[0] == 2


def test_json(wrong: Project) -> None:
    """Of every command that shows something, as the published schema says it is."""
    schema = command_objects()
    for words in (
        ("check", "--json"),
        ("find", "key", "--json"), ("ask", "How often is a request retried?", "--json"),
        ("verify", "A key is valid for 90 days.", "--json"),
    ):  # fmt: skip
        _, output, _ = run(wrong, *words)
        found, name = json.loads(output), " ".join(words[:-1])
        name = name.partition(" ")[0] if words[0] in ("find", "verify") else name
        if name in schema["$defs"]:
            jsonschema.validate(found, {**schema, "$ref": f"#/$defs/{name.replace(' ', '%20')}"})
        assert found, words


UNTOLD = """
    ---
    answers:
      - question: Who can use an old key?
        id: old
        text: Nobody is ever able to use an old key again [@guide/install.md#keys].
    ---
    # More
"""


def test_what_comes_after_a_rejection(wrong: Project) -> None:
    """The check, which says who has decided and how to take it back: the build fails until the sentence is mended."""
    wrong.page("more.md", UNTOLD)
    told = run(wrong, "reject", "old", "--claims", "1", "--by", "Ann")[1]
    assert told.endswith(f"rejected 1\n  → mkdocs-cited check -f {wrong.root / 'mkdocs.yml'}\n")
    output = " ".join(wrong.cited("check", "old").output.split())
    assert "Ann has decided so" in output
    assert "`mkdocs-cited accept more.md#old --claims 1" in output
