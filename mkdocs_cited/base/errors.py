"""What people are told: exceptions with their next step, and text in which no character steers a terminal or a log.

What a *check* reports is a finding (`model.finding`), never an exception. Exit codes of the command line follow the
class: `UsageError` is 2, every other `CitedError` is 3.

Pages, records and models' answers may hold escape sequences that hide, recolour or overwrite what a person is about to
approve (ECMA-48), characters that let a line read otherwise than it is (UAX #9; CVE-2021-42574), and what the keeper of
a job's log takes for a command (`::error::`, `##vso[…]`). Whatever the package prints or logs goes through here:
`cli.output` is its only printer, `mkdocs_host` its only logger, and an error's message is shown text from the
start. The reporters have their own rules, each for its format: one of them writes such commands.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Sequence

_WORDS = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`float | null`": "a number",
    "`str`": "text",
    "`bool`": "`true` or `false`",
    "`bool | array`": "`true`, `false` or a list",
    "`array`": "a list",
    "`object`": "names with values",
    "`null`": "nothing",
    r" matching regex '\\S'": " that is not empty",
    "Invalid enum value": "there is no such value:",
    "Object missing required field": "there is no",
    "Invalid RFC3339 encoded date": "expected a date",
    "Expected": "expected",
}
"""What msgspec says → how authors of YAML would say it."""


NAMED: dict[str, str] = {}
"""How the site of this process was named, where not by the current folder: `-f` and `--site`, each with its value. Set
where a command or a build begins, and read by `command` alone."""
_OF_NO_SITE = ("cite", "explain", "facts")
"""Commands that have neither option."""
_OF_NO_FOLDER = ("add", "init", "mcp", "snapshot")
"""Commands that have `-f` and no `--site`."""
_PLAIN = re.compile(r"[\w@%+=:,./-][\w@%+=:,./#-]*", re.ASCII)
"""A word that a shell takes as it is. The `#` of a key is quoted only where a word begins."""


def command(name: str, *words: str) -> str:
    """A command of ours as a person pastes it into a shell, with the site that this process is about."""
    line = ["mkdocs-cited", name, *words]
    for option, value in NAMED.items():
        if name in _OF_NO_SITE or (option == "--site" and name in _OF_NO_FOLDER):
            continue
        line += [option, value]
    quoted = []
    for word in line:
        if not _PLAIN.fullmatch(word):
            word = shlex.quote(word)
        quoted.append(word)
    return " ".join(quoted)


class CitedError(Exception):
    """The program could not do its work. The message names the place and the thing; `tip` names the next step.

    Both end up before people, often through a program that prints them as they are: they steer no terminal.
    """

    def __init__(self, message: str, *, tip: str = "") -> None:
        self.message = harmless(message)
        super().__init__(self.message)
        self.tip = harmless(tip)

    def __str__(self) -> str:
        if self.tip:
            return f"{self.message}\n  → {self.tip}"
        return self.message


class UsageError(CitedError):
    """The caller's words are off: an option, an argument, the configuration file."""


def gathered(errors: Sequence[UsageError]) -> UsageError:
    """All that is off, as one error: one run shows everything there is to fix."""
    *others, last = errors
    return UsageError("\n".join([*map(str, others), last.message]), tip=last.tip)


class UnreadableError(CitedError):
    """A file that we own (record, baseline, cache) cannot be read; it is left as it is."""


def in_words(problem: str) -> str:
    """msgspec's message as authors of YAML would say it."""
    for name, words in _WORDS.items():
        problem = problem.replace(name, words)
    return problem


_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u2028\u2029"  # line ends for some programs and not for others
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides, isolates
    "\U000e0000-\U000e007f"  # tags, which nobody sees
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"  # no characters at all
)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_COLOUR = re.compile(
    r"(\x1b\[(?:[0-4]|9|3[1-7]|39|9[0-7])(?:;(?:[0-4]|9|3[1-7]|39|9[0-7])){0,4}m)"
)
"""Styles and foreground colours (ECMA-48 §8.3.117) without those that hide: concealed (8), black, backgrounds."""
_STARTS = re.compile(r"^([^\S\n]*)::", re.MULTILINE)
_COMMAND = re.compile(r"##(?=[a-z]{0,20}\[)", re.IGNORECASE)


def harmless(text: str) -> str:
    """The text with every steering character as its picture (`␛`) or its number (`⟨U+202E⟩`), and with no command to
    what reads a job's log; line ends stay."""
    return without_commands(starts_no_command(_unsteering(text)))


def harmless_line(text: str) -> str:
    """The same on one line."""
    return harmless(text).replace("\n", " ").replace("\t", " ")


def harmless_with_colours(text: str) -> str:
    """`harmless` text with the colours that a reporter gave it; what it prints of others was `harmless` before."""
    parts = _COLOUR.split(text)
    return "".join(
        part if number % 2 else _unsteering(part) for number, part in enumerate(parts)
    )


def readable(text: str) -> str:
    """The same for pages and names, which no program takes for a log; marks that prose does not need are left out."""
    return _unsteering(text, lambda _: "")


def harmless_json(text: str) -> str:
    """JSON text that says the same with steering characters and commands as escapes (RFC 8259 §7): both appear in
    strings only, and no line begins with one."""
    text = _STEERING.sub(lambda match: json.dumps(match[0])[1:-1], text)
    return _COMMAND.sub(r"#\\u0023", text)


def without_marks(text: str, instead: Callable[[re.Match[str]], str]) -> str:
    """The text without the marks of Hebrew and Arabic prose (UAX #9), unless it has letters of such prose: in others
    they only let figures and signs appear in another order."""
    if _RIGHT_TO_LEFT.search(text):
        return text
    return re.sub("[\u061c\u200e\u200f]", instead, text)


def starts_no_command(text: str) -> str:
    """Lines of a log of which GitHub takes none for a `::command::`, spaces before it or not; lengths stay."""
    return _STARTS.sub(r"\1∶:", text)


def without_commands(text: str) -> str:
    """`##[error]` (GitHub, Azure), `##vso[…]` and `##teamcity[…]` count anywhere in a line; lengths stay."""
    return _COMMAND.sub("#♯", text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return f"⟨U+{code:04X}⟩"


def _unsteering(text: str, mark: Callable[[re.Match[str]], str] = _spelled) -> str:
    if text.isprintable():  # most texts are, and this asks it faster than a pattern
        return text
    return without_marks(_STEERING.sub(_spelled, text.replace("\r\n", "\n")), mark)
