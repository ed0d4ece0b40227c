"""The one sentence cutter: where sentences of plain text begin and end. Words are in `words` and `stems`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise


def sentences(text: str, language: str = "en") -> tuple[tuple[int, int], ...]:
    """Offsets of the sentences of plain text, in code points, white space around them left out.

    Cut by sentencex, with its faults on technical prose repaired: numbers of list items (`1. Open it.`), ordinals
    and abbreviations of documentation (`die 2. Stufe`, `incl. SSL`), names (`.NET`), inches (`a 3" disk`), single
    letters at an end (`press q. Then …`), and Japanese and Chinese, where a digit or a particle follows. Linear in
    the length of the text.
    """
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if start >= end:
        return ()
    if (
        text.isascii()
        and language in _PLAIN_ENDS
        and not (_END.search(text, 0, end - 1) or _ITEM.search(text))
    ):
        return ((start, end),)
    shown = _without_inches(_OTHER_SPACE.sub(" ", text))
    spans: list[tuple[int, int]] = []
    for start, end in _boundaries(shown, language):
        if spans and _one_sentence(text, spans[-1], start, language):
            start = spans.pop()[0]
        spans.append((start, end))
    if language in _CUT_FURTHER and _CUT_FURTHER[language].search(text):
        return tuple(
            piece for span in spans for piece in _split_further(text, span, language)
        )
    return tuple(spans)


_PLAIN_ENDS = frozenset(("en", "de", "fr", "es", "it", "nl", "pt"))
"""Languages in which nothing else of ASCII ends a sentence than what `_END` and `_ITEM` look for."""
_END = re.compile(r"[.!?](?![a-z0-9])|\n")
"""What may end a sentence, as no sign does that a small letter or digit follows (`mkdocs.yml`, `1.2`); in most passages
it is at their end only."""
_ITEM = re.compile(r"\b\w{1,3}[)\]]")
"""What may begin an item: `2) Then`."""
_OTHER_SPACE = re.compile(r"[^\S \n]")
"""White space of several bytes before a full stop makes sentencex 1.0 panic."""
_CHUNK = 5_000
"""Most characters that sentencex is given at once, for its time grows with the square of some texts."""
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z])[.)\]]+")
_ABBREVIATED = {
    "en": frozenset(
        "incl. excl. max. min. approx. resp. esp. ver. no. dr. mr. mrs. ms. prof. st.".split()
    ),
    "de": frozenset(
        "inkl. exkl. max. min. mind. evtl. zzgl. ggf. bzw. ca. nr. abs. vgl. dr. prof. hr. fr.".split()
    ),
    "fr": frozenset("m. mm. mme. dr. max. min. env. art. fig.".split()),
    "es": frozenset("sr. sra. dr. máx. mín. aprox. núm. art. fig.".split()),
}
_BEFORE_ORDINAL = frozenset(
    "der die das den dem des am im zum zur vom beim ins jeder jede jedes diese dieser dieses ein eine einen einem"
    " einer eines".split()
)
_ORDINAL = re.compile(r"(\w+) \d{1,3}\.$")
_PARTICLE = re.compile(r"[とっはがをにのもでやな]")
_LETTER_END = re.compile(r"(?:(?<=\s)[ghj-oq-uw-z]|(?<=/)[a-z])\. (?=[A-Z])")
"""A key, a unit or a variable at the end of a sentence; the other letters number items, and `p.`, `v.` shorten."""
_NAME = re.compile(r"\W{0,3}[A-Za-z_]\w*\.[A-Za-z]\w")
"""A name in code whose dot ends nothing: `*influxql.Call`, `client.Limits`; a space left out reads the same."""
_INITIALS = re.compile(r"(?:[A-Za-z]\.){2,}")
_CJK_END = re.compile(r"[。！？．]+[」』）】〕》〉”’]*")
_CUT_FURTHER = {"en": _LETTER_END, "ja": _CJK_END, "zh": _CJK_END}
"""Language → where sentencex may have seen one sentence where there are two."""
_OPENING, _SHUTTING = "「『（【〔《〈“", "」』）】〕》〉”"


def _boundaries(text: str, language: str) -> Iterator[tuple[int, int]]:
    """What sentencex says, trimmed."""
    begin = 0
    while begin < len(text):
        end = len(text)
        if end - begin > _CHUNK:
            end = begin + _CHUNK
            end = (
                max(
                    text.rfind(". ", begin, end),
                    text.rfind("。", begin, end),
                    begin + _CHUNK // 2,
                )
                + 1
            )
        for start, stop in _cut(text[begin:end], language):
            start, stop = begin + start, begin + stop
            shown = text[start:stop]
            stripped = shown.strip()
            if stripped:
                start += len(shown) - len(shown.lstrip())
                yield start, start + len(stripped)
        begin = end


def _cut(text: str, language: str) -> list[tuple[int, int]]:
    """What sentencex says; all as one sentence where it breaks down, for no text may stop a build."""
    import sentencex  # a build that changes nothing cuts no sentence

    try:
        pieces = sentencex.get_sentence_boundaries(language, text)
    except BaseException as fault:
        if type(fault).__name__ != "PanicException":  # pyo3's, which is no `Exception`
            raise
        return [(0, len(text))]
    return [(piece["start_index"], piece["end_index"]) for piece in pieces]


def _one_sentence(
    text: str, before: tuple[int, int], start: int, language: str
) -> bool:
    """True if a boundary was seen where none is."""
    piece = text[before[0] : before[1]]
    if _ENUMERATOR.fullmatch(piece):
        return True
    last = piece[-40:].rsplit(None, 1)[-1]
    if start == before[1] and _NAME.match(last + text[start : start + 40]):
        return True
    abbreviated = last.lower().lstrip("([")
    if abbreviated in _ABBREVIATED.get(language, ()):
        return abbreviated not in ("no.", "nr.") or text[start].isdigit()
    if start == before[1] and (
        last == "." or (piece[-1] in _SHUTTING and _PARTICLE.match(text, start))
    ):
        return True
    ordinal = _ORDINAL.search(piece[-40:]) if language == "de" else None
    return ordinal is not None and ordinal[1].lower() in _BEFORE_ORDINAL


def _split_further(
    text: str, span: tuple[int, int], language: str
) -> Iterator[tuple[int, int]]:
    """Cut where sentencex saw one sentence and there are two."""
    start, end = span
    if language in ("ja", "zh"):
        depth = at = 0
        for match in _CJK_END.finditer(text, start, end):
            inside = text[max(at, start) : match.end()]
            at = match.end()
            depth += sum(map(inside.count, _OPENING)) - sum(
                map(inside.count, _SHUTTING)
            )
            goes_on = match[0][-1] in _SHUTTING and _PARTICLE.match(text, match.end())
            if depth <= 0 and match.end() < end and not goes_on:
                yield start, match.end()
                start, depth = _skip_space(text, match.end()), 0
    elif language == "en":
        for match in _LETTER_END.finditer(text, start, end):
            word = text[max(start, match.start() - 20) : match.start() + 2].rsplit(
                None, 1
            )[-1]
            if not _INITIALS.fullmatch(word):
                yield start, match.start() + 2
                start = match.end()
    yield start, end


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _without_inches(text: str) -> str:
    """The text with the `"` of inches replaced, for it opens no quotation."""
    inches, within, at = [], False, -1
    while (at := text.find('"', at + 1)) >= 0:
        if not within and at and text[at - 1].isdigit():
            inches.append(at)
        else:
            within = not within
    if inches:
        return "″".join(
            text[start + 1 : end] for start, end in pairwise((-1, *inches, len(text)))
        )
    return text
