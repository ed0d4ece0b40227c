"""A quote's words as Markdown on one line: escaped, with the code, links and images that the page shows in them.

Which words are quoted is `stretch`, how blocks are laid out `verbatim`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import quote as percent
from urllib.parse import unquote

from msgspec import Struct

from mkdocs_cited.answer_text.addresses import is_whole
from mkdocs_cited.answer_text.quoting import Quote
from mkdocs_cited.model.source import Corpus, Passage, PassageKind

_SPECIAL = re.compile(r"(?P<plain>(?<=\w)\[\d+\](?![\[(:]))|[\\`*\[\]<>~^$]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
"""What Markdown and its common extensions give a meaning within a line; `_` inside a word and a subscript (`args[0]`)
have none, and a bar has one in tables only."""
_LINE_START = re.compile(r"^(\s*)([-+#=]|:(?=\s)|\d{1,9}(?=[.)]\s))")
_CLOSES = frozenset(".,;:!?)]}»”’")


def escape(text: str, *, starts_line: bool = True) -> str:
    """Plain text as Markdown that shows just that text: no emphasis, links, HTML, lists, entities or rules."""
    text = _SPECIAL.sub(lambda match: match[0] if match["plain"] else f"\\{match[0]}", text)
    return _LINE_START.sub(r"\1\\\2", text) if starts_line else text


class Inline(Struct, frozen=True, dict=True):
    """Writes quotes into an answer of one page."""

    page: str
    """Path of the page under `docs_dir`, which links are relative to."""
    corpus: Corpus

    def of(self, quote: Quote) -> str:
        """A quote, what the page shows as code between backticks, and its links as links. A term stands out from what
        defines it."""
        passage, (start, end) = quote.passage, quote.range
        term = len(passage.lead)
        if passage.kind is not PassageKind.DEFINITION or start or not passage.text.startswith(f"{passage.lead} "):
            return self.range(passage, start, end)
        name = self.range(passage, 0, term)
        return f"{name if name.startswith('`') else f'**{name}**'}: {self.range(passage, term + 1, end)}"

    def range(self, passage: Passage, start: int, end: int) -> str:
        """A range of a passage's text."""
        out, done = [], start
        for first, last, address in passage.targets:
            if first < done or last > end or _cuts(passage, first, last):
                continue
            out.append(_plain(passage, done, first, self))
            out.append(f"[{_plain(passage, first, last, self)}]({self.target(address)})")
            done = last
        return "".join([*out, _plain(passage, done, end, self)])

    def target(self, address: str) -> str:
        """An address within the site as this page's author would write it: relative, with the page's file."""
        if is_whole(address):
            return percent(address, safe="/:?&=#%@!$',;+~*")
        path, mark, anchor = address.partition("#")
        source = self._sources.get(unquote(path), unquote(path))
        if source == self.page and mark:
            return f"#{anchor}"
        return percent(posixpath.relpath(source or ".", posixpath.dirname(self.page) or ".")) + mark + anchor

    @cached_property
    def _sources(self) -> dict[str, str]:
        return {page.url: page.src for page in self.corpus.pages()}


def _cuts(passage: Passage, first: int, last: int) -> bool:
    """Whether a range begins or ends within inline code: Markdown has no links there."""
    return any(start < first < end or start < last < end for start, end in passage.code_spans)


def _plain(passage: Passage, start: int, end: int, inline: Inline) -> str:
    """A range without links: code, and images where they stand."""
    out, done = [], start
    for first, last, markdown in sorted((*_codes(passage, start, end), *_images(passage, start, end, inline))):
        if first >= done:
            out += [escape(passage.text[done:first], starts_line=not done), markdown]
            done = last
    return "".join([*out, escape(passage.text[done:end], starts_line=not done)])


def _codes(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for first, last in passage.code_spans:
        code = passage.text[first:last]
        if start <= first and last <= end and code.strip():
            ticks = "`" * (1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
            pad = " " if code.startswith("`") or code.endswith("`") else ""
            yield first, last, f"{ticks}{pad}{code}{pad}{ticks}"


def _images(passage: Passage, start: int, end: int, inline: Inline) -> Iterator[tuple[int, int, str]]:
    """Images within the words; one behind the last of them is an illustration, which no words need,
    and one from elsewhere would not be shown."""
    for at, address, name in passage.images:
        if start <= at < end and name and not is_whole(address):
            space = "" if passage.text[at] in _CLOSES or passage.text[at].isspace() else " "
            yield at, at, f"![{escape(name, starts_line=False)}]({inline.target(address)}){space}"
