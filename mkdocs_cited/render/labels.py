"""The words that the rendering adds to a page, in its language, and the templates that it fills in.

The words are in `labels.json`, the templates in `templates/`; a site's own `cited/*.html` come first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import jinja2
import msgspec
from markupsafe import Markup, escape
from msgspec import Struct

from mkdocs_cited.base.terminal import readable
from mkdocs_cited.base.text import code_apart, language_of
from mkdocs_cited.render.links import LinkOf


class Labels:
    """The words for one language; what it lacks is English."""

    def __init__(self, locale: str) -> None:
        self.language = language_of(locale)
        self._words: Mapping[str, str] = {
            **_all()["en"],
            **_all().get(self.language, {}),
        }

    def __call__(self, key: str, **values: object) -> str:
        """A label with its values put in. Values are put in as they are, whatever braces they hold.

        Raises:
            KeyError: there is no such label.
        """
        return re.sub(
            r"\{(\w+)\}", lambda match: str(values[match[1]]), self._words[key]
        )


class Context(Struct, frozen=True):
    """What all that is rendered of one site has in common."""

    links: LinkOf
    addresses: Mapping[str, str]
    """Path under `docs_dir` of each page → its address."""
    loader: jinja2.BaseLoader | None = None
    """Where a site's own `cited/*.html` are looked up first: the theme's, its `custom_dir` included."""


def filled(
    template: str,
    labels: Labels,
    loader: jinja2.BaseLoader | None = None,
    **values: object,
) -> str:
    """A template with these values, and its words as `label`; `loader` as in `Context`."""
    found = environment(loader).get_template(f"cited/{template}.html")
    return found.render(values, label=labels)


@lru_cache(maxsize=1)
def _all() -> dict[str, dict[str, str]]:
    data = files("mkdocs_cited.render").joinpath("labels.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, str]])


# an environment keeps the templates that it compiled, which takes longer than to render them
@lru_cache(maxsize=4)
def environment(loader: jinja2.BaseLoader | None = None) -> jinja2.Environment:
    """An environment in which everything that is not marked safe is escaped; `loader` as in `Context`."""
    ours = jinja2.FunctionLoader(_template)
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([loader, ours]) if loader else ours,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_readable,
    )
    made.filters["code"] = _with_code
    return made


def _readable(value: object) -> object:
    """What a template puts out, without characters that steer instead of being read."""
    if isinstance(value, str):
        return type(value)(readable(value))
    return value


def _with_code(question: str) -> Markup:
    """The filter `code`: a question with what is between backticks as code."""
    pieces = code_apart(question)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if code else escape(piece)
        for piece, code in pieces
    )


def _template(name: str) -> str | None:
    path = files("mkdocs_cited.render").joinpath("templates", name)
    if path.is_file():
        return path.read_text(encoding="utf-8")
    return None
