"""A question put to the docs at once, and its answer as JSON: what `ask` and the preview's box have in common."""

from __future__ import annotations

from typing import Any

import msgspec

from mkdocs_cited import providers
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import slugify
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import OFFLINE
from mkdocs_cited.render.links import LinkOf
from mkdocs_cited.render.sidecar import answer_data

LONGEST_QUESTION = 2_000
"""Characters."""


def declared(question: str, locale: str) -> Declaration:
    """The question as a declaration of no page.

    Raises:
        UsageError: it is empty or too long.
    """
    question = question.encode("utf-8", "replace").decode()  # JSON can spell halves of characters
    if not question.strip() or len(question) > LONGEST_QUESTION:
        raise UsageError(f"a question has 1 to {LONGEST_QUESTION:,} characters", tip='mkdocs-cited ask "How do I …?"')
    return Declaration("", slugify(question), question, Place(""), locale)


def asked(declaration: Declaration, pipeline: Pipeline) -> Answer:
    """The answer to a declaration. Where the run may call no model, a provider that needs none writes it."""
    name = declaration.provider or pipeline.settings.provider
    if not pipeline.run.calls_models and providers.FAMILY.get(name).calls_model:
        declaration = replace(declaration, provider=OFFLINE)
    return pipeline.ask(declaration)


def answer_object(answer: Answer, links: LinkOf) -> dict[str, Any]:
    """The object of `cited.json`, with `context` and `citations` as chat front ends want them."""
    data = answer_data(answer, "", links, asked=True)
    cited = [item for item in data.sources if item.passage]
    return {
        **msgspec.to_builtins(data),
        "context": [item.text for item in data.consulted],
        "citations": {item.passage: {"page": item.page, "snippet": item.quote, "source": item.href} for item in cited},
    }
