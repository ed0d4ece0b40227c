"""The one stemmer (Snowball), and the words of a text as a search knows them: lower-case and stemmed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
"""A character of Chinese, Japanese or Korean."""
_STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip


def stems(text: str, language: str = "en") -> list[str]:
    """The words of `text` in order, lower-case and stemmed (Snowball); CJK as overlapping pairs of characters.

    Names keep their parts: `max_sources` gives `max`, `sourc`. Languages without a stemmer keep their words whole.
    `language` is a code, as `en`.
    """
    stem = stemmer(language)
    if text.isascii():  # where nothing has another form or is CJK
        return [stem(word.removesuffix("'s")) for word in _WORD.findall(text.lower())]
    out: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text).lower()):
        word = match[0]
        if not word.isascii() and CJK.search(word):
            out.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            out.append(stem(word.replace("’", "'").removesuffix("'s")))
    return out


@lru_cache(maxsize=32)
def stemmer(language: str) -> Callable[[str], str]:
    """What makes the stem of a word in lower case; the word itself in languages without a stemmer."""
    name = _STEMMERS.get(language)
    if name is None:
        return str
    import Stemmer

    # whose own cache would cost more than it saves with this one
    stemmer = Stemmer.Stemmer(name, 0)
    return lru_cache(maxsize=16384)(lambda word: str(stemmer.stemWord(word)))
