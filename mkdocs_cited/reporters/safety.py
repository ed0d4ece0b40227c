"""Texts of documentation and models, made harmless for the readers of a report: terminals, XML, Markdown, JSON.

Every function keeps what a person can read, and leaves nothing that a program would take for a command.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from mkdocs_cited.base.terminal import without_commands, without_marks
from mkdocs_cited.base.text import encodable

_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Control characters, bidirectional overrides and isolates (which make a line read otherwise than it is), lone
surrogates, and the rest of what XML 1.0 §2.2 refuses. A line feed and a tab are left."""
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&~$@#]|^(?:[-+=]|\d{1,9}[.)])")
"""What starts something in Markdown: inline anywhere, a list or a rule at the start of a line."""
_TICKS = re.compile("`+")
_PARTS = re.compile(r"`([^`\n]+)`")


def printable(text: str) -> str:
    """The text without anything that steers a terminal or that XML refuses; each such character becomes one other.

    Lengths and offsets stay as they are.
    """
    return without_marks(_UNSEEN.sub("�", text), lambda _: "�")


def one_line(text: str) -> str:
    """`printable` text on one line, without commands to what keeps a job's log; offsets stay as they are."""
    if not text.isprintable():  # most texts are, and this asks it faster than a pattern
        text = printable(_BREAKS.sub(" ", text))
    return without_commands(text)


def dumps(value: Any) -> str:
    """The JSON text of a value, indented by two, with a line feed at its end; always valid UTF-8."""
    return (
        encodable(json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=2))
        + "\n"
    )


def markdown(text: str) -> str:
    """Plain text as one line of Markdown that shows just this text: no markup, no HTML, nobody mentioned.

    A zero-width space behind `@` and `#` keeps GitHub and GitLab from turning them into mentions and references.
    """
    return markdown_inline(one_line(text).strip())


def markdown_inline(text: str) -> str:
    """Plain text between other things on a line: with its spaces."""
    return _MARKDOWN.sub(_escape, text)


def markdown_code(text: str) -> str:
    """Text as a code span (CommonMark §6.1): its fence is longer than any run of backticks inside."""
    inside = one_line(text).strip()
    if not inside:
        return ""
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(inside)), default=0))
    space = ""
    if "`" in (inside[0], inside[-1]):
        space = " "
    return f"{ticks}{space}{inside}{space}{ticks}"


def markdown_message(text: str) -> str:
    """A message of ours as Markdown: what is in single backticks becomes code, all else stays plain text."""
    line = one_line(text).strip()
    out, end = [], 0
    for match in _PARTS.finditer(line):
        out += [markdown_inline(line[end : match.start()]), markdown_code(match[1])]
        end = match.end()
    return "".join((*out, markdown_inline(line[end:])))


def _escape(match: re.Match[str]) -> str:
    found = match[0]
    if found in "&<>":
        return {"&": "&amp;", "<": "&lt;", ">": "&gt;"}[found]
    if found in "@#":
        return f"\\{found}&#8203;"
    return f"{found[:-1]}\\{found[-1]}"
