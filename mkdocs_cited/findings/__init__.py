"""What checks report, for people: explanations (a Markdown file a slug), suppressions, and what of it is shown."""

from __future__ import annotations

from importlib.resources import files

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.finding import CATALOGUE


def explain(slug: str) -> str:
    """What a finding means, an example that fails, the same example fixed, and how to silence it, as Markdown.

    Raises:
        UsageError: no finding has this slug.
    """
    if slug not in CATALOGUE:
        raise UsageError(f"`{slug}` is not a finding of cited", tip=did_you_mean(slug, CATALOGUE))
    return files(__name__).joinpath("explanations", f"{slug}.md").read_text(encoding="utf-8")
