"""Where templates come from: a site's own `cited/*.html` first, then those beside this file."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import jinja2
from markupsafe import Markup, escape

from mkdocs_cited.base.text import code_apart


@lru_cache(maxsize=4)  # an environment keeps the templates that it compiled, which takes longer than to render them
def environment(loader: jinja2.BaseLoader | None = None) -> jinja2.Environment:
    """An environment in which everything that is not marked safe is escaped.

    Args:
        loader: where a site's own templates are looked up first: that of the theme, its `custom_dir` included.
    """
    ours = jinja2.FunctionLoader(_template)
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([loader, ours]) if loader else ours,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.filters["code"] = _with_code
    return made


def _with_code(question: str) -> Markup:
    """The filter `code`: a question with what stands between backticks as code."""
    pieces = code_apart(question)
    return Markup("").join(Markup("<code>{}</code>").format(piece) if code else escape(piece) for piece, code in pieces)


def _template(name: str) -> str | None:
    path = files(__package__).joinpath(name)
    return path.read_text(encoding="utf-8") if path.is_file() else None
