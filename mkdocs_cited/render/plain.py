"""What leaves a page for programs: answers as text and Markdown, for `llms.txt`, feeds and front ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urljoin

from mkdocs_cited.answer_text.dialect import MARKER, strip_markers
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Source
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.links import LinkOf

ANSWERS = "cited.md"
"""Path of the answers as plain Markdown in the site."""
_LLMS_HEADING = "# Questions and answers"
_LONGEST_QUOTE = 240
_LONGEST_ENTRY = 200
"""Characters of an answer in `llms.txt`."""


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


def all_as_markdown(
    answers: Iterable[Answer], link_of: LinkOf, *, site_url: str = ""
) -> str:
    """Every answer under its question, for `llms.txt` and the like; in order of keys."""
    ready = sorted(
        (item for item in answers if item.content), key=lambda item: item.key
    )
    return "\n".join(
        f"## {collapse(item.question)}\n\n{as_markdown(item, link_of, site_url=site_url)}"
        for item in ready
    )


def in_llms(
    name: str,
    text: str,
    answers: str,
    entries: Iterable[Mapping[str, Any]] = (),
    *,
    site_url: str = "",
) -> str:
    """A site's `llms.txt` with an entry for each answer, or its `llms-full.txt` with the answers; once, however often.

    Args:
        name: of the file, which tells the two apart.
        text: what an `llms.txt` plugin wrote.
        answers: what `all_as_markdown` made.
        entries: the answers of `cited.json`.
        site_url: what addresses are made whole with.
    """
    if _LLMS_HEADING in text:
        return text
    if "full" in name:
        return f"{text.rstrip()}\n\n{_LLMS_HEADING}\n\n{answers}"
    lines = [
        f"- [All questions, answered with their sources]({urljoin(site_url, ANSWERS)})"
    ]
    lines += [
        _entry(item, site_url)
        for item in entries
        if item["ok"] and item["target"] != "prose"
    ]
    return "\n".join((text.rstrip(), "", f"#{_LLMS_HEADING}", "", *lines, ""))


def _entry(answer: Mapping[str, Any], site_url: str) -> str:
    """A line as https://llmstxt.org has them: name, address, and how the answer begins."""
    name = collapse(answer["question"]).replace("[", "(").replace("]", ")")
    address = urljoin(site_url, f"{answer['url']}#{answer['anchor']}")
    begins, *_ = strip_markers(answer["content"]).strip().split("\n\n")
    return f"- [{name}]({address}): {shorten(collapse(begins), _LONGEST_ENTRY)}"


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
