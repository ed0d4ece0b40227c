"""What users say and what documentation calls it: related words for looking up, never for judging what is said."""

from __future__ import annotations

from functools import cache
from importlib import resources

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.language.stems import stemmer


def related(term: str, language: str) -> tuple[str, ...]:
    """The terms that documentation may use where a question says `term`; English only. Both are stems."""
    return _table().get(term, ()) if language_of(language) == "en" else ()


@cache
def _table() -> dict[str, tuple[str, ...]]:
    stem = stemmer("en")
    found: dict[str, dict[str, None]] = {}
    for line in resources.files(__package__).joinpath("everyday.txt").read_text(encoding="utf-8").splitlines():
        said, _, called = line.partition("#")[0].partition(":")
        names = [stem(word) for word in called.split()]
        for word in said.split():
            key = stem(word)
            found.setdefault(key, {}).update(dict.fromkeys(name for name in names if name != key))
    return {key: tuple(names) for key, names in found.items()}
