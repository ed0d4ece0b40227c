"""Damage: texts and JSON values changed in the ways that break readers. What reads them stands in `entries`."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from typing import Any

LONGEST = 20_000
"""Characters of a mutated text: time in proportion to length is measured by `bombs`, not here."""

ODD_TEXT = (
    "", " ", "\n", "\t", "\r", "\r\n", "\x00", "\x07", "\x0b", "\x0c", "\x1b[31m", "\x1b]8;;x\x07", "\x7f", "\x85",
    "\xa0", "\xad", "\u0301", "\u061c", "\u200b", "\u200d", "\u2028", "\u2029", "\u202e", "\u2066", "\u2069", "\ufdd0",
    "\ufdd1", "\ufeff", "\ufffd", "\ufffe", "\uffff", "\ud800", "\udfff", "\U0001f469\u200d\U0001f680", "\U0010ffff",
    "ß", "İ", "ﬁ", "日本語", "ไทย", "עברית", "٣", "½", "²", "Ⅳ", "−1", "1e999", "9" * 40, "0x1F", "NaN", "-0", ".nan",
    "---\n", "...\n", "```", "~~~", "`", "``", "*", "**", "_", "[", "]", "(", ")", "[^1]", "[^0]", "[^99999]",
    "[[S:1]]",
    "[[S:1,2-9]]", "[@a.md#b]", "[@", "![x](", "[x](<", "](", "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "&",
    "&#0;", "&#xd800;", "&lt;", "{", "}", "{{", "}}", "{%", "%}", "--8<--", "${x}", "$(x)", "\\", "\\\n", "'", '"',
    "'''",
    "|", "| a | b |\n|---|---|\n", "- ", "1. ", "> ", "    ", "# ", ":   ", ": ", ":", ",", "%", "%0A", "%3A", "%zz",
    "::error::x", "##[error]", "&a", "*a", "<<: *a", "!!python/object:x", "!!int ''", "!!bool maybe", "!!set {a}",
    "? a",
    "@", "#", "//", "javascript:x", "HTTPS://evil.example", "//evil.example", "data:text/html,x", "../../x",
    "/etc/passwd",
    "<script>x</script>", "<img src=x onerror=y>", "<a href='javascript:x'>", "<!-- answer: x -->", "not", "never",
    "1.2.3",
    "5 MB", "3-4", "2026-13-45", "12:61", "--flag", "a_b.c()", "é", "e\u0301", ".", "..", "…", "e.g. ", "Dr. ", "? ",
    "! ",
)  # fmt: skip

ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.5, 2**31, 2**63, 10**40, float("1e308"), float("nan"), float("inf"), "", " ", "x",
    "\ud800", "\x00", "\x1b[8m", "9" * 5000, "x" * 5000, [], [None], [[]], {}, {"type": "text"}, {"": None}, [1, "a",
    {}],
)  # fmt: skip


class Mutator:
    """A source of damage, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def text(self, seeds: Sequence[str]) -> str:
        """One of the seeds with one to a dozen changes."""
        rng = self.random
        text = rng.choice(seeds)
        for _ in range(rng.choice((0, 1, 1, 2, 3, 5, 12))):
            text = self._changed(text, seeds)[:LONGEST]
        return text

    def value(self, seed: Any) -> Any:
        """A JSON value with one to three of its parts replaced, left out, doubled or renamed."""
        rng, value = self.random, copy.deepcopy(seed)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            places = list(_places(value))
            if not places:
                return rng.choice(ODD_VALUES)
            holder, key = rng.choice(places)
            match rng.randrange(6):
                case 0:
                    del holder[key]
                case 1 if isinstance(holder[key], str):
                    holder[key] = self.text([holder[key]])
                case 2 if isinstance(holder, list):
                    holder.insert(key, copy.deepcopy(holder[key]))
                case 3 if isinstance(holder, dict):
                    holder[rng.choice(ODD_TEXT)] = holder.pop(key)
                case _:
                    holder[key] = copy.deepcopy(rng.choice(ODD_VALUES))
        return value

    def _changed(self, text: str, seeds: Sequence[str]) -> str:
        rng = self.random
        at, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        near = min(end, at + rng.choice((1, 2, 8, 40, 400)))
        match rng.randrange(9):
            case 0 | 1 | 2:
                return text[:at] + rng.choice(ODD_TEXT) + text[at:]
            case 3:
                return text[:at] + rng.choice(ODD_TEXT) + text[near:]
            case 4:
                return text[:at] + text[near:]
            case 5:
                return text[:near] + text[at:near] * rng.choice((1, 2, 20)) + text[near:]
            case 6:
                other = rng.choice(seeds)
                start = rng.randrange(len(other) + 1)
                return text[:at] + other[start : start + rng.choice((4, 40, 400))] + text[at:]
            case 7:
                return text[:at] + rng.choice(ODD_TEXT) * rng.choice((3, 30, 300)) + text[at:]
            case _:
                lines = text.split("\n")
                first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[first], lines[second] = lines[second], lines[first]
                return "\n".join(lines)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(container, key or index) of everything in a JSON value."""
    todo = [value]
    while todo:
        holder = todo.pop()
        items = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, inner in list(items):
            yield holder, key
            todo.append(inner)
