"""The one tokenizer: words, numbers, identifiers and CJK bigrams, with places and sentences. Stems are in `stems`.

Every pattern is one character class after another, so that time is linear in the length of the text. What a token
means is decided elsewhere.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from mkdocs_cited.language.lexicon import LANGUAGES, verb_of, word_class
from mkdocs_cited.language.stems import CJK, stemmer

_CHUNKS = (
    "(?<![0-9.,])[$€£]?[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]+)?(?![0-9])|"
    "[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]+"
    '|[^\\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af<>"“”„«»‹›()\\[\\]{}`,;!?…|*–—]+'
    "|[,;!?…()|–—]|\n"
)
_CHUNK = {
    "en": re.compile(_CHUNKS),
    "de": re.compile("(?<![0-9.,])[-−]?[0-9]{1,3}(?:[0-9]*|(?:\\.[0-9]{3})*),[0-9]+(?![0-9.,]*[0-9])|" + _CHUNKS),
}
"""In German, a comma is before decimals."""
_LONGEST = 150
"""Tokens after which a sentence is cut, full stop or not, so that no text makes the reading slow."""
_CONTINUES = " \t}])"
"""What opens a line of code that belongs to the line before it."""
_DATE = re.compile(r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])(?:-[0-3][0-9])?")
_SPAN = re.compile(r"([0-9][0-9,]*(?:\.[0-9]+)?)[-x×]([0-9][0-9,]*(?:\.[0-9]+)?[A-Za-z%]{0,6})")
"""A range or a format: `5-10s`, `1.2-1.5`, `1920x1080`."""
_NUMBER = re.compile(r"[-+~≈<>≤≥=$€£]*[0-9][0-9.,' \u202f]*")
_ABBREVIATIONS = frozenset("e.g i.e z.b d.h etc mr mrs dr st no nr vs bzw ca vgl jr".split())


class Token(Struct, frozen=True):
    """One token of a text."""

    text: str
    """As it is."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""
    kind: str
    """`word`, `number`, `identifier`, `cjk` or `mark` (punctuation)."""
    sentence: int
    """Number of its sentence, from 0."""
    name: bool = False
    """A capitalised word that does not open its sentence, or an abbreviation."""


def is_negation(token: Token) -> bool:
    """Whether a token negates."""
    lowered = token.text.lower()
    return lowered in word_class("negation") or lowered.endswith(("n't", "n’t"))


def stem(word: str, language: str = "en") -> str:
    """The Snowball stem of a lower-cased word, without a genitive's `'s`; that of the verb for forms like `kept`."""
    plain = word.removesuffix("'s").removesuffix("’s")
    return stemmer(language)(verb_of(plain, language))


@lru_cache(maxsize=4096)
def tokenize(text: str, language: str = "en") -> tuple[Token, ...]:
    """Cut a text into tokens, by the rules of English where the language is none of ours."""
    language = language if language in LANGUAGES else "en"
    tokens: list[Token] = []
    sentence = opened = 0
    opens = True
    for match in _CHUNK[language].finditer(text):
        chunk, start = match.group(), match.start()
        if chunk == "\n":
            if (text[start + 1 : start + 2] in _CONTINUES and text[start + 1 : start + 2]) or text[
                start - 1 : start
            ] == "\\":
                continue
            if not opens:
                sentence += 1
            opens = True
            continue
        if len(chunk) == 1 and chunk in ",;!?…()|–—":
            tokens.append(Token(chunk, start, start + 1, "mark", sentence))
            if chunk in "!?…" and not opens:
                sentence += 1
                opens = True
            continue
        if not chunk.isascii() and CJK.match(chunk):
            tokens.extend(_bigrams(chunk, start, sentence))
            opens = False
            if "。" in text[match.end() : match.end() + 1]:
                sentence += 1
            continue
        body = chunk.strip(".:'’‘。、") if chunk[0] not in ".-" or len(chunk) == 1 else chunk.rstrip(".:'’")
        if body[:1] == "=" and body.lstrip("=")[:1].isdigit():
            body = body.lstrip("=")
        if not body:
            continue
        offset = start + chunk.find(body)
        if len(tokens) - opened >= _LONGEST:
            sentence += 1
            opened = len(tokens)
        for token in _pieces(body, offset, sentence, opens, language):
            if opens:
                opened = len(tokens)
            tokens.append(token)
            opens = False
        stop = text[offset + len(body) : match.end()]
        if stop and stop[0] == "." and not _abbreviates(body, text, match.end()):
            sentence += 1
            opens = True
        elif stop and stop[0] == ":":
            tokens.append(Token(":", offset + len(body), offset + len(body) + 1, "mark", sentence))
    return tuple(tokens)


def _abbreviates(body: str, text: str, end: int) -> bool:
    """Tell whether the full stop after `body` does not end a sentence."""
    after = text[end : end + 3].lstrip()
    if not after:
        return False
    if after[0].islower():
        return True
    return body.lower() in _ABBREVIATIONS or (len(body) == 1 and body.isalpha() and body.isupper())


def _bigrams(chunk: str, start: int, sentence: int) -> list[Token]:
    pairs = [(at, min(at + 2, len(chunk))) for at in range(max(1, len(chunk) - 1))]
    return [Token(chunk[a:b], start + a, start + b, "cjk", sentence) for a, b in pairs]


def _pieces(body: str, start: int, sentence: int, opens: bool, language: str) -> list[Token]:
    """Classify one chunk, cutting `open-file` and `read/write` into their words."""
    lowered = body.lower()
    if body.isalpha():
        return [_word(body, lowered, start, sentence, opens, language)]
    if body[0] in "0123456789$€£~≈<>≤≥+" and _NUMBER.fullmatch(body):
        return [Token(body, start, start + len(body), "number", sentence)]
    span = None if body[:2] == "0x" else _SPAN.fullmatch(body)
    if span and not _DATE.fullmatch(body):
        places = [(span.start(group), span.end(group)) for group in (1, 2)]
        return [Token(body[a:b], start + a, start + b, "number", sentence) for a, b in places]
    if ("-" in body or "/" in body) and not _DATE.fullmatch(body) and body[0] not in "-/" and body[-1] not in "-/":
        parts = re.split("([-/])", body)
        words = parts[::2]
        if all(part and (part.isalpha() or part.isdigit()) for part in words) and not (
            any(part.isdigit() for part in words) and "/" in body
        ):
            capitals = sum(part[0].isupper() for part in words)
            if (capitals < 2 and not (len(words) > 2 and "/" in body)) or (
                len(words) == 2 and (("-" in body and opens) or ("/" in body and all(part.istitle() for part in words)))
            ):
                found, at = [], start
                for part in parts:
                    if part not in "-/":
                        if part.isdigit():
                            found.append(Token(part, at, at + len(part), "number", sentence))
                        else:
                            found.append(_word(part, part.lower(), at, sentence, opens and at == start, language))
                    at += len(part)
                return found
    letters = [c for c in body if c.isalnum()]
    if not letters:
        kind = "mark"
    elif lowered.replace("'", "").replace("’", "").isalpha():
        return [_word(body, lowered.replace("’", "'"), start, sentence, opens, language)]
    elif body[0].isdigit() or (body[0] in "$€£-+" and body[1:2].isdigit()):
        kind = "number" if _looks_measured(body) else "identifier"
    else:
        kind = "identifier"
    return [Token(body, start, start + len(body), kind, sentence)]


def _looks_measured(body: str) -> bool:
    """Tell `500ms`, `50%`, `2019-04-17`, `10:30` from `4+2`, `5f1c0a7e`."""
    rest = body.lstrip("-+$€£").lstrip("0123456789.,'")
    if not rest or rest == "+":
        return True
    if rest[0] in "-–:/" and not any(c.isalpha() for c in rest):
        return True
    return len(rest) <= 6 and all(c.isalpha() or c in "%°µ/$€£" for c in rest)


def _word(body: str, lowered: str, start: int, sentence: int, opens: bool, language: str) -> Token:
    inner = body[1:] != lowered[1:]
    kind = (
        "identifier"
        if inner and not body.isupper() and len(body) > 3 and "'" not in body and not body[1:2].isupper()
        else "word"
    )
    name = (body[0].isupper() and not opens and language != "de") or (body.isupper() and len(body) > 1)
    return Token(body, start, start + len(body), kind, sentence, name)
