"""Plain operations on text that every level shares: normalising, digests, sentences, slugs, globs.

What asks whether two texts *agree* lives in `review`, not here.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

_BASE_32 = ["".join(pair) for pair in itertools.product("abcdefghijklmnopqrstuvwxyz234567", repeat=2)]
_NOT_WORD = re.compile(r"[^\w]+")
MARKER = re.compile(r"\[\^(\d{1,4})\]")
"""A citation marker in an answer's Markdown: `[^1]`."""


def collapse(text: str) -> str:
    """Runs of white space become one space, ends are trimmed: how a browser shows a paragraph."""
    return " ".join(text.split())


def shorten(text: str, most: int = 120) -> str:
    """The text, or its start up to a word's end and `…`, within `most` characters: for messages."""
    if len(text) <= most:
        return text
    start = text[: most - 1]
    return (start.rpartition(" ")[0] or start).rstrip(" ,;:") + "…"


def digest(*parts: str, length: int = 16) -> str:
    """A lower-case base-32 SHA-256 of the parts, `length` characters (5 bits each, at most 51).

    Parts are length-prefixed, so that `("ab", "c")` and `("a", "bc")` differ.
    """
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    hashed = hashlib.sha256(b"".join([b"%d:%b" % (len(data), data) for data in encoded])).digest()
    # Two characters at a time: `base64` goes byte by byte in Python, and every passage has a digest.
    pairs = -(-length // 2)
    size = -(-pairs * 10 // 8)
    number = int.from_bytes((hashed + b"\0")[:size]) >> (size * 8 - pairs * 10)
    return "".join([_BASE_32[number >> shift & 1023] for shift in range(pairs * 10 - 10, -1, -10)])[:length]


def slugify(text: str, *, fallback: str = "answer") -> str:
    """An ASCII id made of the words of `text`; a short digest of it when it has no such words (CJK)."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    words = _NOT_WORD.sub("-", ascii_text.lower().replace("_", "-").replace("'", "")).strip("-")
    letters = sum(char.isalnum() for char in text)
    kept = sum(char.isalnum() for char in words)
    if not words or kept * 2 < letters:
        return f"{fallback}-{digest(text, length=8)}"
    if len(words) > 60:
        words = words[:60].rpartition("-")[0] or words[:60]
    return words


def glob_matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether a `/`-separated path is named by globs. Later patterns win; a leading `!` takes away.

    `*` and `?` stay within a folder, `**` crosses folders, and a pattern that ends in `/` names all below it.
    With only `!` patterns, everything else is named.
    """
    if not patterns:
        return True
    named = all(pattern.startswith("!") for pattern in patterns)
    for pattern in patterns:
        taken = not pattern.startswith("!")
        if _glob(pattern.removeprefix("!"))(path):
            named = taken
    return named


_FEW = 2
"""Wildcards of any length up to which a regular expression is fast: at most the square of a path's length."""
_PART = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]", re.DOTALL)
_AS_REGEX = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> Callable[[str], object]:
    pattern = pattern.removeprefix("./").removeprefix("/")
    if pattern.endswith("/"):
        pattern += "**"
    parts = _PART.findall(pattern)
    if sum(part[0] == "*" for part in parts) > _FEW:
        return lambda path: _spells(parts, path)
    return re.compile("".join(_AS_REGEX.get(part) or re.escape(part) for part in parts), re.DOTALL).fullmatch


def _spells(parts: Sequence[str], path: str) -> bool:
    """Whether the parts of a glob spell a path, in time of both lengths' product: where each may end is gathered."""
    ends = {0}
    for part in parts:
        ends = _ends(part, path, ends)
    return len(path) in ends


def _ends(part: str, path: str, starts: set[int]) -> set[int]:
    """Where a part of a glob may end that begins at one of these places."""
    if part == "?":
        return {at + 1 for at in starts if path[at : at + 1] not in ("", "/")}
    if part[0] != "*":
        return {at + 1 for at in starts if path[at : at + 1] == part}
    ends = set(starts)
    inside = False  # whether the part, or a folder of `**/`, has begun before this place and may go on
    for at, char in enumerate(path):
        if char == "/" and part != "**":
            if inside and part == "**/":
                ends.add(at + 1)
            inside = False
        elif inside or at in ends:
            inside = True
            if part != "**/":
                ends.add(at + 1)
    return ends


@lru_cache(maxsize=256)
def language_of(locale: str) -> str:
    """The primary subtag of a BCP 47 tag: `pt-BR` → `pt`, empty → `en`."""
    return re.split(r"[-_]", locale or "en", maxsplit=1)[0].lower() or "en"


def strip_markers(text: str) -> str:
    """The text without its `[^1]` markers, and without the space that stood before them."""
    return re.sub(r"[ \t]?\[\^\d{1,4}\]", "", text)


def sentences(text: str, locale: str = "en") -> tuple[tuple[int, int], ...]:
    """Offsets of the sentences of plain text, in code points, white space around them left out.

    Cut by sentencex, with its faults on technical prose repaired: numbers of list items (`1. Open it.`), ordinals
    and abbreviations of documentation (`die 2. Stufe`, `incl. SSL`), names (`.NET`), inches (`a 3" disk`), single
    letters at an end (`press q. Then …`), and Japanese and Chinese, where a digit or a particle follows. Linear in
    the length of the text.
    """
    language = language_of(locale)
    shown = _without_inches(_OTHER_SPACE.sub(" ", text))
    spans: list[tuple[int, int]] = []
    for start, end in _boundaries(shown, language):
        if spans and _one_sentence(text, spans[-1], start, language):
            start = spans.pop()[0]
        spans.append((start, end))
    return tuple(piece for span in spans for piece in _split_further(text, span, language))


_OTHER_SPACE = re.compile(r"[^\S \n]")
"""White space of several bytes before a full stop makes sentencex 1.0 panic."""
_CHUNK = 5_000
"""Most characters that sentencex is given at once, for its time grows with the square of some texts."""
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[A-Za-z])[.)\]]+")
_ABBREVIATED = {
    "en": frozenset("incl. excl. max. min. approx. resp. esp. ver. no. dr. mr. mrs. ms. prof. st.".split()),
    "de": frozenset("inkl. exkl. max. min. mind. evtl. zzgl. ggf. bzw. ca. nr. abs. vgl. dr. prof. hr. fr.".split()),
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
_INITIALS = re.compile(r"(?:[A-Za-z]\.){2,}")
_CJK_END = re.compile(r"[。！？．]+[」』）】〕》〉”’]*")
_OPENING, _SHUTTING = "「『（【〔《〈“", "」』）】〕》〉”"


def _boundaries(text: str, language: str) -> Iterator[tuple[int, int]]:
    """What sentencex says, trimmed."""
    begin = 0
    while begin < len(text):
        end = len(text)
        if end - begin > _CHUNK:
            end = begin + _CHUNK
            end = max(text.rfind(". ", begin, end), text.rfind("。", begin, end), begin + _CHUNK // 2) + 1
        for start, stop in _cut(text[begin:end], language):
            start, stop = begin + start, begin + stop
            shown = text[start:stop]
            if stripped := shown.strip():
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


def _one_sentence(text: str, before: tuple[int, int], start: int, language: str) -> bool:
    """Whether a boundary was seen where none is."""
    piece = text[before[0] : before[1]]
    if _ENUMERATOR.fullmatch(piece):
        return True
    last = piece[-40:].rsplit(None, 1)[-1]
    abbreviated = last.lower().lstrip("([")
    if abbreviated in _ABBREVIATED.get(language, ()):
        return abbreviated not in ("no.", "nr.") or text[start].isdigit()
    if start == before[1] and (last == "." or (piece[-1] in _SHUTTING and _PARTICLE.match(text, start))):
        return True
    ordinal = _ORDINAL.search(piece[-40:]) if language == "de" else None
    return ordinal is not None and ordinal[1].lower() in _BEFORE_ORDINAL


def _split_further(text: str, span: tuple[int, int], language: str) -> Iterator[tuple[int, int]]:
    """Cut where sentencex saw one sentence and two stand."""
    start, end = span
    if language in ("ja", "zh"):
        depth = at = 0
        for match in _CJK_END.finditer(text, start, end):
            inside = text[max(at, start) : match.end()]
            at = match.end()
            depth += sum(map(inside.count, _OPENING)) - sum(map(inside.count, _SHUTTING))
            goes_on = match[0][-1] in _SHUTTING and _PARTICLE.match(text, match.end())
            if depth <= 0 and match.end() < end and not goes_on:
                yield start, match.end()
                start, depth = _skip_space(text, match.end()), 0
    elif language == "en":
        for match in _LETTER_END.finditer(text, start, end):
            word = text[max(start, match.start() - 20) : match.start() + 2].rsplit(None, 1)[-1]
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
    if '"' not in text:
        return text
    out, within = [], False
    for at, char in enumerate(text):
        if char == '"' and not within and at and text[at - 1].isdigit():
            char = "″"
        elif char == '"':
            within = not within
        out.append(char)
    return "".join(out)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip


def stems(text: str, language: str = "en") -> list[str]:
    """The words of `text` in order, lower-case and stemmed (Snowball); CJK as overlapping pairs of characters.

    Names keep their parts: `max_sources` gives `max`, `sourc`. Languages without a stemmer keep their words whole.
    """
    out: list[str] = []
    stem = stemmer(language)
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text).lower()):
        word = match[0]
        if _CJK.search(word):
            out.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            out.append(stem(word.replace("’", "'").removesuffix("'s")))
    return out


@lru_cache(maxsize=32)
def stemmer(language: str) -> Callable[[str], str]:
    """What makes the stem of a word in lower case; the word itself in languages without a stemmer."""
    name = _STEMMERS.get(language_of(language))
    if name is None:
        return str
    import Stemmer  # the same holds for it

    stemmer = Stemmer.Stemmer(name)
    return lru_cache(maxsize=65536)(lambda word: str(stemmer.stemWord(word)))
