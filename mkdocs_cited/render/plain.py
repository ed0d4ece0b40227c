"""What leaves a page for programs: answers as text and Markdown, for `llms.txt`, feeds and front ends."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

import nh3

from mkdocs_cited.answer_text.dialect import MARKER, strip_markers
from mkdocs_cited.answer_text.markdown import Block, BlockKind, RunKind, blocks
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Source
from mkdocs_cited.render.cited import cited_passage
from mkdocs_cited.render.links import LinkOf

ANSWERS = "cited.md"
"""Path of the answers as plain Markdown in the site."""
_LLMS_HEADING = "# Questions and answers"
_LONGEST_QUOTE = 240
_STEP = re.compile(r"(\d{1,9})[.)][ \t]+[*_`]*$")
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


def all_as_markdown(answers: Iterable[Answer], link_of: LinkOf, *, site_url: str = "") -> str:
    """Every answer under its question, for `llms.txt` and the like; in order of keys."""
    ready = sorted((item for item in answers if item.content), key=lambda item: item.key)
    return "\n".join(
        f"## {collapse(item.question)}\n\n{as_markdown(item, link_of, site_url=site_url)}" for item in ready
    )


def as_text(answer: Answer) -> str:
    """The answer's words alone: no numbers, no markup, a line for each block, code as it is."""
    content = answer.content
    if answer.target == "html":
        return collapse(html.unescape(nh3.clean(strip_markers(content), tags=set())))
    if answer.target != "markdown":
        return strip_markers(content).strip()
    return "\n".join(filter(None, (_block_text(block, content) for block in blocks(content))))


def _block_text(block: Block, content: str) -> str:
    if block.kind is BlockKind.CODE:
        return block.code.rstrip("\n")
    shown = ""
    for run in block.runs:
        shown = shown.rstrip(" \t") if run.kind is RunKind.MARKER else shown + run.text
    shown = collapse(shown)
    if not shown or block.kind is not BlockKind.ITEM:
        return shown
    step = _STEP.search(content, max(0, block.runs[0].start - 20), block.runs[0].start)
    return f"{step[1]}. {shown}" if step else f"- {shown}"


def in_llms(
    name: str, text: str, answers: str, entries: Iterable[Mapping[str, str]] = (), *, site_url: str = ""
) -> str:
    """A site's `llms.txt` with an entry for each answer, or its `llms-full.txt` with the answers; once, however often.

    Args:
        name: of the file, which tells the two apart.
        text: what an `llms.txt` plugin wrote.
        answers: what `all_as_markdown` made.
        entries: what `sidecar.questions` made.
        site_url: what addresses are made whole with.
    """
    if _LLMS_HEADING in text:
        return text
    if "full" in name:
        return f"{text.rstrip()}\n\n{_LLMS_HEADING}\n\n{answers}"
    lines = [f"- [All questions, answered with their sources]({urljoin(site_url, ANSWERS)})"]
    lines += [_entry(item["question"], urljoin(site_url, item["url"]), item["text"]) for item in entries]
    return "\n".join((text.rstrip(), "", f"#{_LLMS_HEADING}", "", *lines, ""))


def _entry(question: str, address: str, text: str) -> str:
    """A line as https://llmstxt.org has them: name, address, what is there."""
    name = collapse(question).replace("[", "(").replace("]", ")")
    return f"- [{name}]({address}): {shorten(collapse(text), _LONGEST_ENTRY)}"


def _line(answer: Answer, source: Source, link_of: LinkOf, site_url: str) -> str:
    passage, quote = cited_passage(answer, source)
    if passage.is_private:
        return f"[{source.sid}] {source.label}"
    target = link_of(passage, quote).target
    shown = shorten(collapse(quote), _LONGEST_QUOTE)
    address = urljoin(site_url, target) if target else ""
    parts = (f"[{source.sid}] {source.label}:", f"“{shown}”" if shown else "", f"<{address}>" if address else "")
    return " ".join(filter(None, parts))
