"""An answer as plain Markdown, for a terminal."""

from __future__ import annotations

from urllib.parse import urljoin

from mkdocs_cited.answer_text.markdown import MARKER
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Source
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.links import LinkOf

_LONGEST_QUOTE = 240


def as_markdown(answer: Answer, link_of: LinkOf, *, site_url: str = "") -> str:
    """The answer with `[1]` for its markers, and a footer that says where each number leads.

    Args:
        answer: an answer; for an abstention, its reason is in place of the text.
        link_of: the way to a quote.
        site_url: what addresses are made whole with; without it they are relative to the site's root.
    """
    if not answer.content:
        return answer.reason
    text = MARKER.sub(lambda match: f"[{match[1]}]", answer.content.rstrip())
    lines = [_line(answer, source, link_of, site_url) for source in answer.sources]
    return "\n".join([text, *(["", "Sources:", "", *lines] if lines else []), ""])


def _line(answer: Answer, source: Source, link_of: LinkOf, site_url: str) -> str:
    passage, quote = cited_passage(answer, source)
    if passage.is_private:
        return f"[{source.sid}] {source.label}"
    target = link_of(passage, quote).target
    # it is plain text
    shown = (
        shorten(collapse(quote), _LONGEST_QUOTE)
        .replace("<", "&lt;")
        .replace("[", "\\[")
    )
    address = ""
    if target:
        address = urljoin(site_url, target)
    parts = (
        f"[{source.sid}] {source.label}:",
        f"“{shown}”" if shown else "",
        f"<{address}>" if address else "",
    )
    return " ".join(filter(None, parts))
