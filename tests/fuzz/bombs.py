"""Inputs that are long or deep in one way, for every door: each has a bound of processor time in proportion to its size."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fuzz.entries import ENTRIES, Entry
from tests.fuzz.runner import attempt

UNITS = (
    "a", "a ", "1", "1,", "1 2 ", "`", "``", "`a`", "*", "**a", "_a ", "[", "[a](", "![", "](", "(", "<", "<a ", "<p>", "</p>",
    "<!--", "<div><b>", "a=b ", "<p a=b>", "&", "&amp;", "> ", "- ", "1. ", "# ", "|", "|-|\n", "\n", "\r", "a\n", "a: b\n",
    "- a\n", " ", "\t", "[^1]", "[[S:1]]", "[[S:1,", "[@a.md#b] ", "{", "{a: ", "[a, ", "&a ", "*a ", "\\", "'", '"', ":::", "~~~\n",
    "```\n", "---\n", ".", ". ", "? ", "not ", "no. ", "1.2.", "5 GB ", "a.b", "--a ", "a-", "/", "//", "http://a ", "é", "日本", "。",
    "\u0301", "\u200b", "\u202e", "👩\u200d", "x" * 99 + " ", "Das ist nicht ", "<td>", "<li>", "<dl><dt>a<dd>", "<code>", "<pre>",
)  # fmt: skip
"""What is said again and again."""


def bombs(size: int) -> Iterator[str]:
    """One bomb of about so many characters for each unit; opened and closed for those that nest."""
    for unit in UNITS:
        yield unit * (size // len(unit))
    yield "<div>" * (size // 11) + "</div>" * (size // 11)
    yield "[" * (size // 2) + "]" * (size // 2)
    yield "---\nanswers:\n" + "  - question: Why?\n" * (size // 20) + "---\n"
    yield (
        "---\nversion: 1\nquestion: a\ncitations:\n"
        + "  - {sid: 1, passage: a, hash: b}\n" * (size // 35)
        + "---\n\na\n"
    )
    yield "<p " + " ".join(f"a{n}=b" for n in range(size // 8)) + ">x</p>"
    yield "x: &a [b]\n" + "".join(
        f"x{n}: &a{n} [*a{n - 1 if n else ''}, *a{n - 1 if n else ''}]\n" for n in range(size // 20)
    )


DOORS = tuple(entry for entry in ENTRIES if entry.name != "options")
"""All but mkdocs.yml, which MkDocs itself reads without bounds, and whose author may run code anyway."""


def broken_by(entry: Entry, size: int) -> tuple[str, str]:
    """The first bomb of this size that breaks an entry point, and the traceback; two empty texts where none does."""
    for text in bombs(size):
        problem = attempt(entry, text)
        if problem:
            return text, problem
    return "", ""
