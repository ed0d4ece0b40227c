"""Names of languages: BCP 47 tags and what is read off them. What a language does lives in `language`."""

from __future__ import annotations

import re
from functools import lru_cache

_TAG = re.compile(r"[A-Za-z]{1,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}")


def tag_of(value: object) -> str:
    """A value of a page's front matter as a language tag (the form of RFC 5646 §2.1, `_` taken for `-`); empty for
    everything else, paths and bombs among it."""
    return value if isinstance(value, str) and _TAG.fullmatch(value) else ""


@lru_cache(maxsize=256)
def language_of(locale: str) -> str:
    """The primary subtag of a BCP 47 tag: `pt-BR` → `pt`, empty → `en`."""
    return re.split(r"[-_]", locale or "en", maxsplit=1)[0].lower() or "en"
