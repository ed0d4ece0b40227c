"""Names of languages: BCP 47 tags and what is read off them. What a language does lives in `language`."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=256)
def language_of(locale: str) -> str:
    """The primary subtag of a BCP 47 tag: `pt-BR` → `pt`, empty → `en`."""
    return re.split(r"[-_]", locale or "en", maxsplit=1)[0].lower() or "en"
