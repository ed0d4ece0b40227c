"""Text fragments: the part of a link that makes a browser find, show and highlight one passage of a page.

The syntax and the search are those of https://wicg.github.io/scroll-to-text-fragment/. A fragment is only handed out
when the browser's search, done here on the content's text, finds the passage and nothing before it. Themes put
navigation and banners around the content later: `astray` tries the links again on the pages as they were built.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from urllib.parse import quote, unquote

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.render.page_text import PageText, fold, read

LONGEST_EXACT = 90
"""Characters of a passage that are named in full; of a longer one, its first and last words are."""
LONGEST_TERM = 200
"""Characters of one term at most; longer addresses break in mails and chats."""


class Directive(Struct, frozen=True):
    """The four terms of a text fragment; `end`, `prefix` and `suffix` may be empty."""

    start: str
    end: str = ""
    prefix: str = ""
    suffix: str = ""

    def __str__(self) -> str:
        """The directive that follows the anchor: `:~:text=prefix-,start,end,-suffix`."""
        terms = [f"{encode(self.prefix)}-"] if self.prefix else []
        terms += [encode(term) for term in (self.start, self.end) if term]
        terms += [f"-{encode(self.suffix)}"] if self.suffix else []
        return f":~:text={','.join(terms)}"


def parse(text: str) -> Directive:
    """The directive that is written as `:~:text=…`."""
    terms = text.removeprefix(":~:text=").split(",")
    prefix = unquote(terms.pop(0)[:-1]) if terms[0].endswith("-") else ""
    suffix = unquote(terms.pop()[1:]) if terms[-1].startswith("-") else ""
    start, end = (*map(unquote, terms), "", "")[:2]
    return Directive(start, end, prefix, suffix)


def encode(term: str) -> str:
    """Percent-encode a term. `quote()` leaves the hyphen, which has a meaning here."""
    return quote(term, safe="").replace("-", "%2D")


def directive(page: PageText, start: int, end: int, *, careful: bool = False) -> Directive | None:
    """The shortest fragment that leads to a range of a page's text, or `None` when none surely does.

    Args:
        page: the page's content.
        start: offset in `page.text` of the passage's first character.
        end: offset behind its last character.
        careful: whether words before or behind it are named wherever there are some: the same words may also be above
            the content, or in an answer.
    """
    if page.within("hidden", start, end):
        return None
    fitting: Iterable[Directive] = (item for item in _candidates(page, start, end) if search(page, item) == start)
    if careful:
        fitting = sorted(fitting, key=lambda item: not (item.prefix or item.suffix))
    return next(iter(fitting), None)


def search(page: PageText, wanted: Directive) -> int | None:
    """Where a browser would find a directive: the offset of its first term, or `None`.

    Follows "find a range from a text directive" of the specification. Comparing is looser here (accents do not
    count) and word boundaries stricter, so that what is found here is found in the browser.
    """
    text, prefix, first = page.folded, fold(wanted.prefix), fold(wanted.start)
    ends_word = bool(wanted.end) or not wanted.suffix
    at = 0
    while True:
        if prefix:
            found = _find(text, prefix, at, starts_word=True, ends_word=False)
            if found < 0:
                return None
            at = found + 1
            match = _skip_space(text, found + len(prefix))
            if not text.startswith(first, match) or (ends_word and not _is_boundary(text, match + len(first))):
                continue
        else:
            match = _find(text, first, at, starts_word=True, ends_word=ends_word)
            if match < 0:
                return None
            at = match + 1
        if _closes(text, wanted, match + len(first)):
            return match


def _closes(text: str, wanted: Directive, at: int) -> bool:
    """Whether end and suffix follow a match of the first term: the first end that the suffix follows counts."""
    last, suffix = fold(wanted.end), fold(wanted.suffix)
    while True:
        if last:
            found = _find(text, last, at, starts_word=True, ends_word=not suffix)
            if found < 0:
                return False
            at = found + len(last)
        after = _skip_space(text, at)
        if not suffix or (text.startswith(suffix, after) and _is_boundary(text, after + len(suffix))):
            return True
        if not last:
            return False


def _candidates(page: PageText, start: int, end: int) -> Iterator[Directive]:
    """Fragments to try, the plainest first: the whole text, then a range, then with words around it."""
    start, end = _trimmed(page.text, start, end)
    plain: list[Directive] = []
    whole = page.text[start:end]
    if len(whole) <= LONGEST_EXACT and "\n" not in whole and not page.within("opaque", start, end):
        plain.append(Directive(whole))
    for least in (20, 40, 80, 180):
        first = _first_term(page, start, end, least)
        if first is None:
            break
        last = _last_term(page, first, end, least)
        plain.append(Directive(page.text[start:first], page.text[last:end] if last is not None else ""))
    yield from plain
    for least in (8, 24, 60):
        before = _before(page, start, least)
        if before:
            yield from (Directive(item.start, item.end, before) for item in plain)
    # Behind a range a suffix tells nothing: the browser takes the first start, and looks for a later end.
    if len(whole) <= LONGEST_TERM and "\n" not in whole and not page.within("opaque", start, end):
        for least in (8, 24, 60):
            after = _after(page, end, least)
            if after:
                yield Directive(whole, "", "", after)


def _first_term(page: PageText, start: int, end: int, least: int) -> int | None:
    """End of the first words of a range: whole, on one line, `least` characters where there are as many."""
    line = page.text.find("\n", start, end)
    stop = min(line if line >= 0 else end, start + LONGEST_TERM)
    at = next((at for at in range(min(start + least, stop), stop) if _is_boundary(page.text, at)), stop)
    while at > start and not _is_boundary(page.text, at):
        at -= 1
    at = _rtrim(page.text, start, at)
    return at if at > start and not page.within("opaque", start, at) else None


def _last_term(page: PageText, first: int, end: int, least: int) -> int | None:
    """Start of the last words of a range, behind the first ones; `None` when they are one with these."""
    line = page.text.rfind("\n", first, end)
    stop = max(line + 1, first, end - LONGEST_TERM)
    at = next((at for at in range(max(end - least, stop), stop, -1) if _is_boundary(page.text, at)), stop)
    while at < end and (page.text[at].isspace() or not _is_boundary(page.text, at)):
        at += 1
    return at if at < end and not page.within("opaque", at, end) else None


def _before(page: PageText, start: int, least: int) -> str:
    """The words that are before a range on their line, at least so many characters where there are."""
    end = _rtrim(page.text, 0, start)
    at = _last_term(page, page.text.rfind("\n", 0, end) + 1, end, least) if end else None
    return page.text[at:end] if at is not None else ""


def _after(page: PageText, end: int, least: int) -> str:
    start = _skip_space(page.text, end)
    at = _first_term(page, start, len(page.text), least) if start < len(page.text) else None
    return page.text[start:at] if at is not None else ""


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A range grown to whole words and shorn of white space."""
    start = min(_skip_space(text, start), end)
    end = _rtrim(text, start, end)
    while start > 0 and not _is_boundary(text, start) and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and not _is_boundary(text, end) and text[end].isalnum():
        end += 1
    return start, end


def _rtrim(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _find(text: str, term: str, at: int, *, starts_word: bool, ends_word: bool) -> int:
    """First place of a term at or behind `at` whose ends are, where asked, not inside a word; -1 if none."""
    while (found := text.find(term, at)) >= 0:
        if (not starts_word or _is_boundary(text, found)) and (not ends_word or _is_boundary(text, found + len(term))):
            return found
        at = found + 1
    return -1


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _is_boundary(text: str, at: int) -> bool:
    """Whether a word surely ends or starts here. In scripts without spaces only a dictionary knows more."""
    if at <= 0 or at >= len(text):
        return True
    left, right = text[at - 1], text[at]
    return not (_in_word(left) and _in_word(right)) and not _joins(left, right, text, at)


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or "̀" <= char <= "ͯ"


def _joins(left: str, right: str, text: str, at: int) -> bool:
    """Whether a sign between two letters or digits makes them one word: `3.5`, `don't`, `a.b` (Unicode UAX #29)."""
    if left in ".,:'’" and _in_word(right):
        return at >= 2 and _in_word(text[at - 2])
    if right in ".,:'’" and _in_word(left):
        return at + 1 < len(text) and _in_word(text[at + 1])
    return False


_WORD = re.compile(r"[a-z0-9]{2,}")
_GAP = r"(?:<[^<>]*>|&#?\w{1,10};|[^a-z0-9<&]|(?<![a-z0-9])[a-z0-9](?![a-z0-9]))*"
"""What may be between two words of a text in its HTML: tags, signs, and words of one letter."""
_MARK = ":~:text="


def astray(html: str, fragments: Iterable[str]) -> frozenset[str]:
    """Those fragments (`#id:~:text=…`) whose words a browser would find above the element that their id names.

    Args:
        html: the whole page, as it is served.
        fragments: as they are in links to it.
    """
    html = html[max(0, html.find("<body")) :]
    lower, texts = html.lower(), dict[int, PageText]()

    def is_astray(fragment: str) -> bool:
        anchor, mark, text = fragment.removeprefix("#").partition(_MARK)
        end = _element(html, unquote(anchor))
        return any(is_above(mark + words, end) for words in text.split("&text="))

    def is_above(directive: str, end: int) -> bool:
        wanted = replace(parse(directive), end="")
        words = [word for word in _WORD.findall(wanted.start.lower()) if fold(word).isascii()]
        if not re.compile(_GAP.join(map(re.escape, words))).search(lower, 0, max(0, end)):
            return False  # nearly all: the words do not follow each other there, and nothing is parsed
        if end not in texts:
            texts[end] = read(html[:end])
        return search(texts[end], wanted) is not None

    return frozenset(filter(is_astray, fragments))


def without(text: str, fragments: Collection[str]) -> str:
    """A text with links (HTML, JSON, Markdown) without the words of these fragments; the ids stay."""
    if _MARK not in text:
        return text
    for fragment in fragments:
        words, end = "text=" + re.escape(fragment.partition(_MARK)[2]), r"(?=[\"'\s<>)\\]|$)"
        text = re.sub(rf":~:{words}{end}|&(?:amp;)?{words}(?=&|{end})|(?<=:~:){words}&(?:amp;)?", "", text)
    return text


def _element(html: str, anchor: str) -> int:
    """Offset of the tag with this id; -1 if there is none. Minifiers take the quotes away."""
    match = re.search(rf"""\sid=["']?{re.escape(anchor)}["'\s>]""", html)
    return html.rfind("<", 0, match.start()) if match else -1
