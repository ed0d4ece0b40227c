"""The words that the rendering adds to a page, in its language, and the templates that it fills in.

The words are in `labels.json`, the templates in `templates/`; a site's own `cited/*.html` come first.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import jinja2
import msgspec

from mkdocs_cited.base.errors import readable
from mkdocs_cited.base.html import with_code
from mkdocs_cited.base.text import language_of


class Labels:
    """The words for one language; English for one that we have none of."""

    def __init__(self, locale: str) -> None:
        self._words = _all().get(language_of(locale), _all()["en"])

    def __call__(self, key: str, **values: object) -> str:
        """A label with its values put in. Values are put in as they are, whatever braces they hold.

        Raises:
            KeyError: there is no such label.
        """
        return self._words[key].format(**values)


def filled(
    template: str,
    labels: Labels,
    loader: jinja2.BaseLoader | None,
    **values: object,
) -> str:
    """A template with these values, and its words as `label`. The loader has a site's own."""
    found = environment(loader).get_template(f"cited/{template}.html")
    return found.render(values, label=labels)


def asset(name: str) -> str:
    """The text of a style sheet or script of this package."""
    path = files("mkdocs_cited.render").joinpath("assets", name)
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _all() -> dict[str, dict[str, str]]:
    data = files("mkdocs_cited.render").joinpath("labels.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, str]])


# an environment keeps the templates that it compiled, which takes longer than to render them
@lru_cache(maxsize=4)
def environment(loader: jinja2.BaseLoader | None) -> jinja2.Environment:
    """An environment in which everything that is not marked safe is escaped; `loader` as in `filled`."""
    ours = jinja2.PackageLoader("mkdocs_cited.render")
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([loader, ours]) if loader else ours,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_readable,
    )
    made.filters["code"] = with_code
    return made


def _readable(value: object) -> object:
    """What a template puts out, without characters that steer instead of being read."""
    if isinstance(value, str):
        return type(value)(readable(value))
    return value
