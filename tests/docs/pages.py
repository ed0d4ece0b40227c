"""The documentation as its tests read it: pages, and the code blocks in them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.roots import DOCS, ROOT

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[\w-]+)(?: title=\"(?P<title>[^\"]*)\")?[^\n]*\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced code block of the documentation."""

    page: Path
    line: int
    language: str
    title: str
    code: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


def pages() -> list[Path]:
    """Everything that users read."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def blocks(*languages: str) -> list[Block]:
    """The code blocks in these languages, in page order."""
    return [block for block in every_block() if block.language in languages]


def every_block() -> Iterator[Block]:
    """All code blocks, in page order."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for match in _FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield Block(page, line, match["language"], match["title"] or "", textwrap.dedent(match["code"]))
