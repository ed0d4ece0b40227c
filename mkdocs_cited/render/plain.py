"""An answer as plain Markdown that leaves the site: for terminals, chats, `llms.txt`, and other people's front ends."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urljoin

from mkdocs_cited.answer_text.marks import MARKER
from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.render.cited import cited_passage, is_private
from mkdocs_cited.render.links import LinkOf

ANSWERS = "cited.md"
"""Path of the answers as plain Markdown in the site."""
_LLMS_HEADING = "# Questions and answers"
_LONGEST_QUOTE = 240


def as_markdown(answer: Answer, link_of: LinkOf, *, site_url: str = "", heading: str = "Sources:") -> str:
    """The answer with `[1]` for its markers, and a footer that says where each number leads.

    Args:
        answer: an answer; for an abstention, its reason stands in place of the text.
        link_of: the way to a quote.
        site_url: what addresses are made whole with; without it they are relative to the site's root.
        heading: the line above the sources.
    """
    if not answer.content:
        return answer.reason
    text = MARKER.sub(lambda match: f"[{match[1]}]", answer.content.rstrip())
    lines = [_line(answer, source.sid, link_of, site_url) for source in answer.sources]
    return "\n".join([text, *(["", heading, "", *lines] if lines else []), ""])


def all_as_markdown(answers: Iterable[Answer], link_of: LinkOf, *, site_url: str = "") -> str:
    """Every answer under its question, for `llms.txt` and the like; in order of keys."""
    ready = sorted((item for item in answers if item.content), key=lambda item: item.key)
    return "\n".join(
        f"## {collapse(item.question)}\n\n{as_markdown(item, link_of, site_url=site_url)}" for item in ready
    )


def in_llms(name: str, text: str, answers: str, *, site_url: str = "") -> str:
    """A site's `llms.txt` with a link to the answers, or its `llms-full.txt` with the answers; once, however often.

    Args:
        name: of the file, which tells the two apart.
        text: what an `llms.txt` plugin wrote.
        answers: what `all_as_markdown` made.
        site_url: what the link's address is made whole with.
    """
    if _LLMS_HEADING in text:
        return text
    link = f"- [All questions, answered with their sources]({urljoin(site_url, ANSWERS)})\n"
    return f"{text.rstrip()}\n\n{_LLMS_HEADING}\n\n{answers if 'full' in name else link}"


def _line(answer: Answer, sid: int, link_of: LinkOf, site_url: str) -> str:
    source = next(item for item in answer.sources if item.sid == sid)
    passage, quote = cited_passage(answer, source)
    if is_private(passage):
        return f"[{sid}] {source.label}"
    target = link_of(passage, quote).target
    shown = collapse(quote)
    shown = f"{shown[:_LONGEST_QUOTE].rstrip()}…" if len(shown) > _LONGEST_QUOTE else shown
    address = urljoin(site_url, target) if site_url and target else target
    return " ".join(
        filter(None, (f"[{sid}] {source.label}:", f"“{shown}”" if shown else "", f"<{address}>" if address else ""))
    )
