"""The words that the rendering adds to a page, in the page's language. They stand in `labels.json`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import msgspec

from mkdocs_cited.base.language_tags import language_of


class Labels:
    """The words for one language; what it lacks is English."""

    def __init__(self, locale: str) -> None:
        self.language = language_of(locale)
        self._words: Mapping[str, str] = {**_all()["en"], **_all().get(self.language, {})}

    def __call__(self, key: str, **values: object) -> str:
        """A label with its values put in. Values are put in as they are, whatever braces they hold.

        Raises:
            KeyError: there is no such label.
        """
        text = self._words[key]
        parts = text.split("{")
        out = [parts[0]]
        for part in parts[1:]:
            name, _, rest = part.partition("}")
            out.append(f"{values[name]}{rest}")
        return "".join(out)


def languages() -> tuple[str, ...]:
    """The languages there are labels for."""
    return tuple(sorted(_all()))


@lru_cache(maxsize=1)
def _all() -> dict[str, dict[str, str]]:
    data = files("mkdocs_cited.render").joinpath("labels.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, str]])
