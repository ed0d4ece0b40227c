"""Nothing that a command prints steers the terminal, whoever wrote it: pages, records, proposals, models, options."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import mkdocs_cited
from mkdocs_cited.base.errors import CitedError, harmless, harmless_json, harmless_line, harmless_with_colours
from mkdocs_cited.cli import main
from mkdocs_cited.records import Record, Store
from tests import forks
from tests.cli.terminal import COLOURS, at_a_terminal
from tests.projects import Project

PACKAGE = Path(mkdocs_cited.__file__).parent
HIDE, OVERRIDE, CSI, TAG, TITLE = "\x1b[8m", "\u202e", "\x9b8m", "\U000e0041", "\x1b]0;owned\x07"
HOSTILE = f"{HIDE}not {TITLE}{OVERRIDE}5{CSI} times{TAG} ##vso[task.complete]"
LINE = f"::error file=x::{HOSTILE}"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
COMMANDING = re.compile(r"^\s*::|##[a-z]*\[", re.MULTILINE | re.IGNORECASE)
"""What GitHub and Azure take for commands in the log of a job."""
PRINTING = re.compile(r"print|click\.(echo|secho|prompt|confirm|style)|sys\.std(out|err)\.write|.*get_terminal_writer")


def test_one_place_prints() -> None:
    """`cli.output` is the only module that prints, and `mkdocs_host` the only one on MkDocs that
    makes a logger."""
    for path in sorted(PACKAGE.rglob("*.py")):
        here = path.relative_to(PACKAGE).as_posix()
        logs = here in ("mkdocs_host/__init__.py", "extension/__init__.py")  # which runs where MkDocs does not
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called, where = ast.unparse(node.func), f"{path}:{node.lineno}"
                assert here == "cli/output.py" or not PRINTING.fullmatch(called), f"{where}: print through `cli.output`"
                makes = called in ("get_plugin_logger", "logging.getLogger")
                assert logs or not makes, f"{where}: log through `mkdocs_host.log`"
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "rich.console.Console":
                assert here == "reporters/console.py", f"{path}:{node.lineno}: rich prints in `cli.output` only"


@given(st.text() | st.text("\x1b[]();08m\x07\x9b\u202e\u2066\r\n\t\ud800a:#[ ", max_size=40))
def test_any_text(text: str) -> None:
    """What is shown has no steering character, nothing is lost without a sign, and it is shown once only."""
    plain = harmless(text)
    assert not STEERING.search(plain)
    assert not COMMANDING.search(plain)
    assert harmless(plain) == plain
    plain.encode()
    assert "\n" not in harmless_line(text)
    assert len(plain) >= len(text.replace("\r\n", "\n"))
    assert not STEERING.search(COLOURS.sub("", harmless_with_colours(text)))
    document = json.dumps([text], ensure_ascii=False)
    assert json.loads(harmless_json(document)) == [text]
    assert not STEERING.search(harmless_json(document))
    assert not COMMANDING.search(harmless_json(document))


def test_what_it_looks_like() -> None:
    """As a picture or by its number; colours stay, but none that hides."""
    assert harmless(f"a{HIDE}b{OVERRIDE}c\r\nd") == "a␛[8mb⟨U+202E⟩c\nd"
    assert harmless_with_colours(f"\x1b[1;31mred\x1b[0m{HIDE}\x1b[1;30;40mno") == "\x1b[1;31mred\x1b[0m␛[8m␛[1;30;40mno"
    assert harmless("a ::b::\n  ::error::##[error]") == "a ::b::\n  ∶:error::#♯[error]"
    assert harmless_json('["##[error]"]') == '["#\\u0023[error]"]'
    assert str(CitedError(f"`{HIDE}`", tip=OVERRIDE)) == "`␛[8m`\n  → ⟨U+202E⟩"


FAQ = "---\nanswers:\n  - {question: How often does the client retry a failed request?, id: retries}\n---\n# FAQ\n"


@pytest.fixture
def hostile(project: Project) -> Project:
    """A project whose page, record and waiting proposal hold what hides text."""
    install = project.root / "docs/guide/install.md"
    install.write_text(install.read_text("utf-8").replace("5 times", f"{HOSTILE} times"), "utf-8")
    project.page(
        f"guide/{TAG}{OVERRIDE}x.md", f"# {HOSTILE} requests\n\nThe client retries a failed request {HOSTILE}.\n"
    )
    project.page("faq.md", FAQ)
    assert project.build().code in (0, 1)
    project.taken("retries")
    store = Store(project.root)
    record = store.read("faq.md#retries")
    assert isinstance(record, Record)
    path = project.root / store.path("faq.md#retries")
    text = path.read_text("utf-8")
    path.with_suffix(".new.md").write_text(f"{text}\n{LINE} is proposed.\n", "utf-8")
    path.write_text(f"{text}\n{LINE} is edited.\n", "utf-8")
    return project


COMMANDS = (
    ("find", f"retry {HOSTILE}"), ("find", "failed request", "--json"), ("ask", "How often is a request retried?"),
    ("ask", f"How often is a {HOSTILE} retried?", "--json"), ("verify", f"A request is retried {HOSTILE}."),
    ("verify", "The client retries a failed request.", "--json"), ("status",),
    ("check",), ("check", "--format", "json"), ("check", "--format", "markdown"), ("check", "--format", "github"),
    ("check", "--format", "sarif"), ("accept", HOSTILE), ("accept", "retries", "--by", HOSTILE, "--claims", "99"),
    ("update", "--all"), ("update", HOSTILE), ("accept", "retries", "--by", HOSTILE), ("explain", HOSTILE),
    ("check", "--format", HOSTILE), (HOSTILE,),
    ("reject", HOSTILE), ("prune",),
    ("add", HOSTILE, "--page", "faq.md"), ("add", "Why?", "--page", f"{HOSTILE}.md"),
    ("cite", HOSTILE), ("cite", "**", "--json"),
    ("init",),
    ("check", HOSTILE), ("check", "--since", HOSTILE), ("review",),
    ("update", "--dry-run"), ("status", HOSTILE),
    ("snapshot", HOSTILE), ("answer", HOSTILE), ("answer", "retries", "--take", HOSTILE),
    ("facts",), ("facts", HOSTILE), ("publish", "--site", HOSTILE),
    ("ask", LINE), ("verify", LINE), ("accept", LINE), ("update", LINE), (LINE,), ("explain", LINE),
)  # fmt: skip


def test_marks_of_direction_belong_to_right_to_left_prose() -> None:
    """There they stay; elsewhere they would let figures appear in another order."""
    assert harmless("שלום\u200f!") == "שלום\u200f!"
    assert harmless("1\u200f-\u200e2\u061c") == "1⟨U+200F⟩-⟨U+200E⟩2⟨U+061C⟩"


def test_every_command_over_hostile_text(hostile: Project) -> None:
    """Every command, and every way in which one fails, spells out what would steer; no command is forgotten
    here but `mcp`, which prints the lines of a protocol."""
    assert {command for command, *_ in COMMANDS} >= set(main.commands) - {"mcp"}
    runner = CliRunner()
    said = ""
    for command, *options in COMMANDS:
        alone = command in ("explain", HOSTILE, LINE)
        where = [] if alone else ["-f", str(hostile.root / "mkdocs.yml")]
        result = runner.invoke(main, [command, *where, *options])
        assert result.exception is None or isinstance(result.exception, SystemExit), (command, result.exception)
        assert not STEERING.search(result.output), (command, options, result.output)
        assert "github" in options or not COMMANDING.search(result.output), (command, options, result.output)
        said += result.output
    assert "␛[8m" in said
    assert "⟨U+202E⟩" in said


@pytest.mark.parametrize("arguments", [["review", "--by", "Ann"], ["find", "failed request"]])
def test_at_a_real_terminal(hostile: Project, arguments: list[str]) -> None:
    """Where tables and colours are drawn, too; at the moment of approval above all."""
    text = at_a_terminal(hostile.root, *arguments, keys=b"q\n")
    assert not STEERING.search(COLOURS.sub("", text)), text
    assert "␛[8m" in text


def test_the_log_of_a_build(hostile: Project) -> None:
    """Findings and faults are said through one logger."""
    hostile.configure({"reports": {"json": "docs"}, "severity": {"not-found": "warning"}})
    page = (
        f"---\nanswers:\n  - {{question: How?, id: a, text: 'It is \"{TAG}{OVERRIDE}\" so [@x{OVERRIDE}.md].'}}\n---\n"
    )
    hostile.page("faq.md", page)
    result = hostile.build()
    assert result.code == 1
    assert not STEERING.search(result.output), result.output
    assert not COMMANDING.search(result.output), result.output


def test_a_pipe_that_is_closed(hostile: Project) -> None:
    """`| head` ends the command quietly."""
    code = "from mkdocs_cited.cli import main; main()"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-c", code, "find", "request"], cwd=hostile.root, stdout=write,
                          stderr=subprocess.PIPE, text=True)  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (3, "")


def test_columns_that_say_nothing(project: Project) -> None:
    """They are left out of a table, so that states and names need not be broken."""
    project.page("faq.md", FAQ)
    told = COLOURS.sub("", at_a_terminal(project.root, "status"))
    assert re.search(r"answer +state +\w+ +cites", told)
    assert "approved by" not in told
    project.page("faq.md", FAQ.replace("id: retries", "id: retries, text: 'It never retries.'"))
    told = COLOURS.sub("", at_a_terminal(project.root, "status", environment={"COLUMNS": "60"}))
    assert "missing-citation" in told


@pytest.mark.parametrize("width", [60, 120])
def test_long_names_fit(project: Project, width: int) -> None:
    """Long cells are folded, states are whole."""
    long = "operations/questions-about-the-scaling-of-servers-in-clusters.md"
    project.page(long, FAQ)
    told = COLOURS.sub("", at_a_terminal(project.root, "status", environment={"COLUMNS": str(width)}))
    lines = told[told.index("answer ") :].splitlines()
    assert "quoted" in lines[1]
    assert max(len(line) for line in lines) <= width


def test_warnings_of_mkdocs(project: Project) -> None:
    """They are `mkdocs build`'s to show: no command of ours speaks of them."""
    project.page("faq.md", FAQ + "\n[one](nowhere.md) [two](nowhere-else.md)\n")
    done = forks.run(forks.CITED, ["status"], project.root, environment={"MKDOCS_CITED_UPDATE": "never"})
    assert done.stderr == ""
