"""One review session decides everything that waits: at a pseudo-terminal, through a pipe, and by command."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from mkdocs_cited.records import Record, Store
from tests import forks
from tests.installed import install
from tests.projects import Project

PASSAGE = "A client that receives 429 has to honour the header. It says how many seconds to wait."
FREE = "Whoever is turned away ought to come back at a better moment"
"""A free paraphrase: no reader of words can tell."""
HALVES = """
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.review.interface import Review, Reviewer

class Halves(Reviewer):
    id = "halves"
    version = "1"

    def review(self, cases, corpus):
        return Review(tuple(Judgement(Verdict.PARTIAL, "the passage names no team", self.id) for _ in cases))
"""
"""A reader that finds but a part of every claim."""
WORDS = (
    "apple bread cider dough elder fudge grape honey icing jelly"
    " kebab lemon mango nacho olive peach quince roast salad tofu"
).split()
PROMPT = b"q quit: "
DEADLINE = 120
"""Seconds after which a terminal that stays silent is a failure, and no test of speed."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with two authored answers, whose claims no reader can tell."""
    made = Project(tmp_path / "project", monkeypatch)
    made.page("index.md", "# Welcome\n\nThe client speaks to the server.\n")
    made.page("api.md", f"# API\n\n## Errors\n\n{PASSAGE}\n\n## Keys\n\nRotate a key on the settings page.\n")
    made.authored("api.md#errors", errors=[f"{FREE}.", f"{FREE}, says the team."], late=[f"{FREE}, and late."])
    made.belongs_to_ann()
    return made


def decide(project: Project, letters: str, *names: str) -> str:
    """A session through a pipe, a letter a line; what it printed."""
    arguments = ["review", "-f", str(project.root / "mkdocs.yml"), *names]
    result = CliRunner().invoke(main, arguments, input="".join(f"{letter}\n" for letter in letters))
    assert result.exit_code == 0, result.output
    return result.output


def test_a_claim_that_an_answer_does_not_have(project: Project) -> None:
    """Also where it is the first of several: nothing is confirmed."""
    refused = project.cited("accept", "faq.md#late", "--claims", "1,3-5")
    assert (refused.code, "has no such claim" in refused.output) == (2, True)
    assert waiting(project)["faq.md#late"] == 1


def test_a_person_picks_the_words_that_prove_a_claim(project: Project) -> None:
    """Where others have more words in common with it: those are stored, and only their change asks again."""
    page = "# HTTP\n\n## Pipelining\n\nHTTP lets a client send several requests at once. Lumen queues them.\n"
    project.page("http.md", page)
    project.authored("http.md#pipelining", pipes=["Requests of a client are answered one after the other."])
    arguments = ["review", "-f", str(project.root / "mkdocs.yml")]
    shown = CliRunner().invoke(main, arguments, input="w\n7\n2\n").output
    assert "   2  Lumen queues them.\n" in shown
    record = Store(project.root).read("faq.md#pipes")
    assert isinstance(record, Record)
    (decision,) = record.claims
    assert [item.text for item in decision.evidence] == ["Lumen queues them."]
    project.page("http.md", page.replace("several requests at once", "what it likes"))
    assert waiting(project) == {}
    project.page("http.md", page.replace("queues them", "answers them at once"))
    assert waiting(project) == {"faq.md#pipes": 1}


def waiting(project: Project) -> dict[str, int]:
    """Key → claims that wait, as a report for programs tells it: never decided, or decided on other words."""
    count: dict[str, int] = {}
    for item in json.loads(project.cited("check", "--format", "json").output)["findings"]:
        if item["slug"] in ("unconfirmed-claim", "changed-evidence"):
            count[item["answer"]] = count.get(item["answer"], 0) + max(1, len(item["details"]))
    return count


def slugs(project: Project) -> list[str]:
    """What a check finds, sorted."""
    return sorted(item["slug"] for item in json.loads(project.cited("check", "--format", "json").output)["findings"])


def decisions(project: Project, name: str) -> dict[str, str]:
    """Claim → verdict, of a record that holds nothing else."""
    record = Store(project.root).read(f"faq.md#{name}")
    assert isinstance(record, Record), record
    assert (record.content, record.citations) == ("", ())
    assert all(item.by for item in record.claims)
    return {item.claim: item.verdict.value for item in record.claims}


class Terminal:
    """`mkdocs-cited review` at a pseudo-terminal of some width."""

    def __init__(self, root: Path, width: int, *names: str) -> None:
        import pty

        self.screen, self.inner = pty.openpty()
        name = os.ttyname(self.inner)
        environment = {"TERM": "xterm-256color", "COLUMNS": str(width), "LINES": "50"}
        self.process = forks.started(
            forks.CITED, ["review", *names], root, files=(name, name, name), environment=environment
        )
        self.seen = b""

    def until(self, wanted: bytes) -> None:
        """Read until the screen ends in this."""
        end = time.monotonic() + DEADLINE
        while not self.seen.endswith(wanted):
            left = end - time.monotonic()
            assert left > 0, self.seen.decode("utf-8", "replace")
            if select.select([self.screen], [], [], left)[0]:
                self.seen += os.read(self.screen, 65_536)

    def press(self, key: str) -> None:
        """Press a key once the session asks for one."""
        self.until(PROMPT)
        self.seen += b"\n"
        os.write(self.screen, key.encode())

    def rest(self) -> str:
        """Everything that was on the screen, once the command has ended."""
        from tests.cli.terminal import rest_of

        self.seen += rest_of(self.screen, self.inner, self.process)
        assert self.process.exitcode == 0, self.seen.decode("utf-8", "replace")
        return self.seen.decode("utf-8", "replace")


terminal_only = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")


def test_the_order_is_a_readers(project: Project) -> None:
    """Pages as the navigation has them, and answers as they stand on their page; from the cache as from a rendering."""
    asking = (project.root / "docs/faq.md").read_text(encoding="utf-8")
    project.page("zoo.md", asking.replace("id: errors", "id: zebra").replace("id: late", "id: ape"))
    project.page("aunt.md", asking)
    project.configure(nav=["index.md", "zoo.md", {"More": ["aunt.md", "api.md"]}])
    expected = ["zoo.md#zebra 1", "zoo.md#zebra 2", "zoo.md#ape 1", "aunt.md#errors 1", "aunt.md#errors 2",
                "aunt.md#late 1", "faq.md#errors 1", "faq.md#errors 2", "faq.md#late 1"]  # fmt: skip
    for _ in ("rendered", "kept"):
        shown = re.findall(r" · (\S+) · claim (\d)", decide(project, "s" * 9))
        assert [" ".join(item) for item in shown] == expected
    listed = [line.partition("\t")[0] for line in project.cited("status").output.splitlines() if "\t" in line]
    assert listed == ["zoo.md#zebra", "zoo.md#ape", "aunt.md#errors", "aunt.md#late", "faq.md#errors", "faq.md#late"]


@terminal_only
def test_a_hundred_claims_take_a_hundred_keys(project: Project) -> None:
    """And no other command: the next build asks for none of them, under `--strict` neither."""
    project.authored(
        "api.md#errors",
        **{
            name: [f"{FREE}, says the {word} team of {name}." for word in WORDS]
            for name in ("ann", "bo", "cy", "di", "ed")
        },
    )
    assert sum(waiting(project).values()) == 100
    terminal = Terminal(project.root, 120)
    for _ in range(100):
        terminal.press("y")
    screen = terminal.rest()
    assert "100 of 100 · faq.md#ed · claim 20 of 20" in screen
    assert "confirmed 100" in screen
    result = project.build("--strict")
    assert result.code == 0, result.output
    assert waiting(project) == {}
    assert decide(project, "") == "nothing waits\n"


@terminal_only
def test_a_session_may_end_at_any_moment_and_goes_on_where_it_stopped(project: Project) -> None:
    """Decisions are stored as they are made, so a killed terminal loses none."""
    terminal = Terminal(project.root, 120)
    terminal.press("y")
    terminal.until(PROMPT)
    terminal.process.kill()
    terminal.process.join()
    assert decisions(project, "errors") == {f"{FREE}.": "supported"}
    terminal = Terminal(project.root, 60)
    terminal.press("x")
    terminal.press("\x1b[A")
    terminal.press("s")
    terminal.press("\x03")
    screen = terminal.rest()
    assert "1 of 2 · faq.md#errors · claim 2 of 2" in screen
    assert "that key has no meaning here" in screen
    assert waiting(project) == {"faq.md#errors": 1, "faq.md#late": 1}


@terminal_only
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_session_and_gives_the_terminal_back(project: Project, name: str) -> None:
    """A resized window ends nothing. What was decided is stored, and nobody sees a traceback."""
    import fcntl
    import struct
    import termios

    from tests.cli.terminal import rest_of

    sent, terminal = getattr(signal, name), Terminal(project.root, 120)
    before = termios.tcgetattr(terminal.inner)
    terminal.press("y")
    terminal.until(PROMPT)
    fcntl.ioctl(terminal.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 40, 0, 0))
    os.kill(terminal.process.pid or 0, signal.SIGWINCH)
    terminal.press("y")
    terminal.until(PROMPT)
    assert termios.tcgetattr(terminal.inner) != before
    os.kill(terminal.process.pid or 0, sent)
    terminal.process.join(DEADLINE)
    assert termios.tcgetattr(terminal.inner) == before
    assert terminal.process.exitcode == 128 + sent
    assert b"Traceback" not in terminal.seen + rest_of(terminal.screen, terminal.inner, terminal.process)
    assert len(decisions(project, "errors")) == 2


@terminal_only
def test_a_claim_is_shown_with_its_passages(project: Project) -> None:
    """With the words that differ marked, the place and the address."""
    terminal = Terminal(project.root, 120, "late")
    terminal.press("q")
    screen = terminal.rest()
    plain = re.sub(r"\x1b\[[\d;]*m", "", screen)
    assert re.search(r"^claim    Whoever is turned away ought to come", plain, re.MULTILINE)
    assert re.search(r"^passage  A client that receives 429", plain, re.MULTILINE)
    assert "docs/faq.md" in plain
    assert "API › Errors · docs/api.md:5" in plain
    assert re.search(r"\x1b\[[\d;]*31m[^\x1b]*Whoever", screen), "a word that the passage lacks is red"


def test_the_passage_that_says_most_of_the_claim_stands_first(project: Project) -> None:
    """However far down its section it stands: what carries the figures and words is among what is shown."""
    others = "\n\n".join(f"Whoever is turned away by part {number} comes back." for number in range(30))
    rows = "| Client | Waits |\n|---|---|\n| Ann | 20 s |\n| Bo | 35 s |\n"
    project.page("api.md", f"# API\n\n## Errors\n\n{PASSAGE}\n\n{others}\n\n{rows}\nNobody waits for long.\n")
    project.authored("api.md#errors", late=["Bo ought to be away for 35 s, give or take a better moment."])
    shown = decide(project, "q", "late")
    assert re.findall(r"^passage +(.*)", shown, re.MULTILINE)[0] == "Client: Bo · Waits: 35 s"


def test_a_claim_of_which_a_reader_finds_a_part_waits_too(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`partial-claim` is a person's to decide, and is told no more once it is; a reader of one's own said it."""
    (tmp_path / "halves.py").write_text(HALVES, encoding="utf-8")
    install(tmp_path, "halves-for-a-test", {"mkdocs_cited.reviewers": {"halves": "halves:Halves"}})
    monkeypatch.syspath_prepend(tmp_path)
    project.configure({"reviewer": "halves"})
    assert project.cited("update").output.endswith("→ mkdocs-cited review\n")
    assert slugs(project) == ["partial-claim", "partial-claim", "partial-claim"]
    output = decide(project, "yn", "errors")
    assert "hint     the passage names no team" in output
    assert "confirmed 1, rejected 1" in output
    assert slugs(project) == ["partial-claim", "unsupported-claim"], "the claim of the other answer still waits"


@terminal_only
def test_no_text_steers_the_terminal(project: Project) -> None:
    """A passage, a claim or a question with escape codes is shown with pictures of them."""
    project.page("api.md", f"# API\n\n## Errors\n\n{PASSAGE} So \x1b[2Jit\u202e \u200f5 [bold]says[/bold].\n")
    for width in (120, 60):
        terminal = Terminal(project.root, width)
        terminal.press("q")
        screen = terminal.rest()
        assert "\x1b[2J" not in screen
        assert not {"\u202e", "\u200f"} & set(screen)


def test_each_key_through_a_pipe(project: Project) -> None:
    """Confirm, reject, skip, all of an answer; a letter that means nothing is asked again; an end is a farewell."""
    output = decide(project, "xn", "errors")
    assert "that key has no meaning here" in output
    assert "the build fails until the claim or its passages change: docs/faq.md:6" in output
    assert decisions(project, "errors") == {f"{FREE}.": "unsupported"}
    result = project.cited("check")
    assert (result.code, "unsupported-claim" in result.output) == (1, True)
    assert "confirmed 1, skipped 1" in decide(project, "ys")
    assert "confirmed 1" in decide(project, "a", "late")
    assert waiting(project) == {}
    project.authored("api.md#errors", more=[f"{FREE}, {word}." for word in ("mostly", "partly", "rarely")])
    assert "confirmed 3" in decide(project, "a")


def test_a_new_paragraph_in_a_cited_section_asks_nobody_again(project: Project) -> None:
    """A decision is bound to the passages that carry the claim."""
    project.authored("api.md#errors", late=["Rotate a key on the settings page, or so they say, at any hour."])
    project.page("faq.md", (project.root / "docs/faq.md").read_text().replace("#errors", "#keys"))
    assert project.cited("accept", "faq.md", "--all").code == 0
    assert waiting(project) == {}
    keys = "Rotate a key on the settings page."
    project.page("api.md", f"# API\n\n## Errors\n\n{PASSAGE}\n\n## Keys\n\n{keys}\n\nUnused tokens are dull.\n")
    assert waiting(project) == {}
    project.page("api.md", f"# API\n\n## Errors\n\n{PASSAGE}\n\n## Keys\n\n{keys[:-1]} only.\n")
    assert waiting(project) == {"faq.md#late": 1}


def test_editing_in_the_middle(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The editor opens the file at the claim's line; what it then says is found anew, and asked after the rest."""
    script = project.write("editor.py", "import sys\nfrom pathlib import Path\npath = Path(sys.argv[-1])\n"
        "text = path.read_text()\nPath('called').write_text(' '.join(sys.argv[1:]))\n"
        f"path.write_text(text.replace('{FREE}, says the team', 'Rotate it at night, says the team'))\n")  # fmt: skip
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    monkeypatch.delenv("VISUAL", raising=False)
    output = decide(project, "yeyq")
    assert (project.root / "called").read_text() == str(project.root / "docs/faq.md")
    assert "Rotate it at night, says the team." in output
    assert "confirmed 2, edited 1, 1 still waiting" in output
    monkeypatch.setenv("EDITOR", "no-such-editor-at-all")
    result = CliRunner().invoke(main, ["review", "-f", str(project.root / "mkdocs.yml")], input="e\n")
    assert (result.exit_code, "`no-such-editor-at-all` cannot be run" in result.output) == (2, True)


def test_without_a_terminal(project: Project) -> None:
    """Claims by number, pages and globs as a whole; an authored answer is accepted like any other."""
    result = project.cited("accept", "faq.md#errors", "--claims", "1-2", "--by", "Bob")
    assert result.code == 0, result.output
    assert f"faq.md#errors: claim 2 confirmed by Bob: {FREE}, says the team." in result.output
    assert result.output.endswith("confirmed 2\n  → commit answers/\n")
    assert project.cited("accept", "late").code == 0
    assert waiting(project) == {}
    project.authored("api.md#errors", errors=[f"{FREE}, now."], late=[f"{FREE}, then."])
    assert waiting(project) == {"faq.md#errors": 1, "faq.md#late": 1}
    assert project.cited("accept", "docs/faq.md", "--all").code == 0
    assert waiting(project) == {}
    project.authored("api.md#errors", errors=[f"{FREE}, once more."])
    assert project.cited("accept", "*.md", "--all").code == 0
    assert waiting(project) == {}


def test_a_decision_outlives_moves_and_lapses_with_a_word(project: Project) -> None:
    """Of the passage to another page under the same headings, of the claim to another line; one changed word of either
    asks again, and so does one of a heading."""
    assert project.cited("accept", "faq.md", "--all").code == 0
    project.authored("api.md#errors", errors=[f"{FREE}, says the team.", f"{FREE}."], late=[f"{FREE}, and late."])
    assert waiting(project) == {}
    project.page("api.md", f"# API\n\n## Keys\n\nRotate a key on the settings page.\n\n## Errors\n\n{PASSAGE}\n")
    assert waiting(project) == {}
    project.page("api.md", "# API\n\nNothing is left.\n")
    project.page("moved.md", f"# API\n\n## Errors\n\n{PASSAGE}\n")
    text = (project.root / "docs/faq.md").read_text(encoding="utf-8")
    project.page("faq.md", text.replace("@api.md", "@moved.md"))
    assert waiting(project) == {}
    project.page("faq.md", text.replace("@api.md", "@moved.md").replace("and late", "and later"))
    assert waiting(project) == {"faq.md#late": 1}
    project.page("moved.md", f"# API\n\n## Errors\n\n{PASSAGE.replace('header', 'reply')}\n")
    assert waiting(project) == {"faq.md#errors": 2, "faq.md#late": 1}
    project.page("moved.md", f"# API\n\n## Errors before 2.0\n\n{PASSAGE}\n")
    project.page("faq.md", text.replace("@api.md#errors", "@moved.md#errors-before-20"))
    assert waiting(project) == {"faq.md#errors": 2, "faq.md#late": 1}


def test_a_claim_that_waits_again_says_why(project: Project) -> None:
    """Who had decided it, when, what the words were, and what they are."""
    page = f"# API\n\n## Errors\n\n{PASSAGE}\n"
    project.page("api.md", page)
    project.authored("api.md#errors", errors=[f"{FREE}."])
    assert project.cited("accept", "faq.md", "--all").code == 0
    assert "since" not in project.cited("check").output
    project.page("api.md", page.replace("header", "reply"))
    checked, session = (" ".join(text.split()) for text in (project.cited("check").output, decide(project, "q")))
    assert re.search(r"have changed in api.md#errors since Ann Lee confirmed it on \d{4}-\d\d-\d\d", checked)
    assert "was A client that receives 429 has to honour the header." in checked
    assert "is A client that receives 429 has to honour the reply." in checked
    assert "honour the reply" in session


def test_figures_that_no_passage_has_are_named(project: Project) -> None:
    """Who confirms them knows that no change of the passage will tell of them."""
    project.authored("api.md#errors", errors=["A client waits 10 or 25 seconds once it receives 429."])
    screen = decide(project, "q", "faq.md#errors")
    assert "not in the passage, written like this: 10, 25\n" in screen


def test_a_persons_word_outranks_a_proof(project: Project) -> None:
    """Who has read both may say that a figure which differs is right."""
    project.authored("api.md#errors", errors=["A client that receives 503 has to honour the header."])
    assert "altered-number" in project.cited("check").output
    result = project.cited("accept", "faq.md#errors", "--all")
    assert (result.code, "claim 1 was found wrong, and is not confirmed" in result.output) == (1, True)
    assert project.cited("accept", "faq.md#errors", "--claims", "1").code == 2
    result = project.cited("accept", "faq.md#errors", "--claims", "1", "--reason", "503 is sent by a proxy.")
    assert result.code == 0, result.output
    assert project.cited("check", "--strict").code == 0


def test_one_finding_an_answer(project: Project) -> None:
    """With the command to type; readers are told nothing of it unless the options say so."""
    result = project.cited("check")
    assert result.code == 0
    assert result.output.count("unconfirmed-claim") == 3  # one an answer, and the advice to explain it
    assert "2 of 2 claims wait for a person\n" in result.output
    assert "→ run `mkdocs-cited review faq.md#errors" in result.output
    assert project.cited("check", "--strict").code == 1
    assert project.build().code == 0
    answer = project.answers()["errors"]
    assert (answer["status"], answer["ok"], answer["review"]["pass"]) == ("waiting", False, False)
    issues = answer["review"]["issues"]
    assert [issue["claim"] for issue in issues] == [f"{FREE}.", f"{FREE}, says the team."]
    project.configure({"render": {"report": "cited/report.html"}})
    assert project.build().code == 0
    assert "2 not confirmed yet" in project.html("faq/index.html")
    report = project.html("cited/report.html")
    assert "<strong>3</strong> unconfirmed" in report


def test_a_baseline_silences_claims_one_by_one(project: Project) -> None:
    """Those that were there; a new one is told, and counted alone."""
    assert project.cited("check", "--write-baseline").code == 0
    assert waiting(project) == {}
    project.authored(
        "api.md#errors",
        errors=[f"{FREE}.", f"{FREE}, says the team.", f"{FREE}, they add."],
        late=[f"{FREE}, and late."],
    )
    assert waiting(project) == {"faq.md#errors": 1}
    assert "1 of 3 claims waits for a person" in project.cited("check").output


def test_status_says_what_needs_somebody_first(project: Project) -> None:
    """Nothing that fails a build is called accepted; the page that needs somebody comes first."""
    project.page("a.md", "---\nanswers:\n  - {id: fine, question: Where do I rotate a key?, text: "
        "'Rotate a key on the settings page [@api.md#keys].'}\n---\n# A\n")  # fmt: skip
    project.authored(
        "api.md#errors", late=[f"{FREE}."], errors=["A client that receives 503 has to honour the header."]
    )
    lines = project.cited("status").output.splitlines()
    rows = [tuple(line.split("\t")[:2]) for line in lines[:3]]
    assert rows == [("faq.md#errors", "failed"), ("faq.md#late", "waiting"), ("a.md#fine", "accepted")]
    assert lines[3:] == ["1 failed, 1 waiting, 1 accepted", "  → mkdocs-cited check"]


def test_a_figure_that_a_passage_has_is_not_said_to_be_missing(project: Project) -> None:
    """Also where the words to look at, which are marked, have it."""
    project.authored("api.md#errors", errors=["A client that receives 503 has to honour the header."])
    screen = decide(project, "q", "faq.md#errors")
    assert "not in the passage, written like this: 503\n" in screen
    project.authored("api.md#errors", errors=["A server sends 429, and a client that receives it honours the header."])
    assert "not in the passage" not in decide(project, "q", "faq.md#errors")


SIXTY = "{id: q, question: How long is a key valid?, text: 'A key is valid for 60 days [@keys.md#use].'}"


def test_what_the_build_finds_wrong_is_confirmed_for_a_reason_only(project: Project) -> None:
    """Also after a person has rejected it, and after the passage has changed: the build finds it wrong all the same."""
    project.page("keys.md", "# Keys\n\n## Use\n\nA key is valid for 90 days.\n")
    project.page("faq.md", f"---\nanswers:\n  - {SIXTY}\n---\n# FAQ\n")
    confirm = ("accept", "q", "--claims", "1", "--by", "Ann")
    refused = project.cited(*confirm)
    assert (refused.code, "claim 1 of faq.md#q was found wrong" in refused.output) == (2, True)
    assert project.cited("accept", "q").code == 1
    assert project.cited("reject", "q", "--claims", "1", "--by", "Ann", "--reason", "It is 90.").code == 0
    assert project.cited(*confirm).code == 2
    told = " ".join(project.cited("check").output.split())
    assert "`mkdocs-cited accept faq.md#q --claims 1 --reason '…'" in told
    assert project.cited(*confirm, "--reason", "Old keys.").code == 0
    assert project.cited("check", "--strict").code == 0
    project.page("keys.md", "# Keys\n\n## Use\n\nA key is valid for 80 days.\n")
    assert project.cited(*confirm).code == 2
    told = " ".join(project.cited("check").output.split())
    assert "`mkdocs-cited accept faq.md#q --claims 1 --reason '…'" in told
