"""Answers in other people's vocabularies: schema.org, and a list that a search box can load."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any
from urllib.parse import urljoin

import msgspec
from markupsafe import Markup

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.render.cited import cited_passage, is_private
from mkdocs_cited.render.links import LinkOf
from mkdocs_cited.render.plain import as_markdown, as_text


def json_ld(answers: Sequence[Answer], link_of: LinkOf, address: str, site_url: str) -> Markup:
    """schema.org's `FAQPage` with the answers of one page that readers may rely on, as a data block.

    https://schema.org/FAQPage. A data block is not run, so a content security policy lets it through; `<` is escaped so
    that it cannot end early.

    Args:
        answers: of the page, in its order.
        link_of: the way to a quote.
        address: of the page, relative to the site's root.
        site_url: what addresses are made whole with.
    """
    ready = [answer for answer in answers if answer.content and answer.ok]
    if not ready:
        return Markup()
    page = urljoin(site_url, address)
    graph = _filled(
        {
            "@context": "https://schema.org",
            "@type": "FAQPage",
            "url": page,
            "dateModified": max(answer.changed_on for answer in ready),
            "mainEntity": [_question(answer, link_of, page, site_url) for answer in ready],
        }
    )
    data = msgspec.json.encode(graph).decode()
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return Markup(f'<script type="application/ld+json">{safe}</script>\n')  # noqa: S704 -- escaped above


def questions(
    answers: Iterable[Answer],
    url_of: dict[str, str],
    link_of: LinkOf,
    queries_of: Callable[[Answer], Sequence[str]],
) -> list[dict[str, Any]]:
    """All questions that have an answer, for a search or chat front end; addresses relative to the site's root."""
    return [
        {
            "question": answer.question,
            "queries": list(queries_of(answer)),
            "answer": as_markdown(answer, link_of),
            "text": as_text(answer),
            "url": f"{url_of.get(answer.page, '')}#cited-{answer.id}",
            "page": answer.page,
            "id": answer.id,
            "sources": [
                {"sid": source.sid, "label": source.label, "href": link_of(*cited_passage(answer, source)).target}
                for source in answer.sources
            ],
        }
        for answer in sorted(answers, key=lambda item: item.key)
        if answer.content and answer.ok
    ]


def _question(answer: Answer, link_of: LinkOf, page: str, site_url: str) -> dict[str, Any]:
    """A `Question`; its `acceptedAnswer` is plain text, with what it rests on as `citation`."""
    cited: dict[str, str] = {}
    for source in answer.sources:
        passage, quote = cited_passage(answer, source)
        if not is_private(passage):
            cited.setdefault(urljoin(site_url, link_of(passage, quote).target), source.label)
    address = f"{page}#cited-{answer.id}"
    return {
        "@type": "Question",
        "name": answer.question,
        "url": address,
        "acceptedAnswer": _filled(
            {
                "@type": "Answer",
                "text": as_text(answer),
                "url": address,
                "dateCreated": answer.written_on,
                "dateModified": answer.changed_on,
                "citation": [{"@type": "WebPage", "name": name, "url": url} for url, name in cited.items()],
            }
        ),
    }


def _filled(thing: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in thing.items() if value}
