"""A list of asked questions as a report: what the docs answer, in part, or not at all; as Markdown and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urljoin

from mkdocs_cited.model.explanation import Candidate, Explanation
from mkdocs_cited.model.source import Section
from mkdocs_cited.pipeline.gaps import Asked, Coverage
from mkdocs_cited.render.cited import is_private
from mkdocs_cited.reporters.safety import markdown, markdown_code, markdown_message, one_line, shorten

HEADINGS = {
    Coverage.NO: "Not answered",
    Coverage.PART: "Answered in part",
    Coverage.UNEXPECTED: "Answered, and expected not to be",
    Coverage.YES: "Answered",
    Coverage.OPEN: "Left open, as expected",
}
"""In the order of the report: what there is to do comes first."""
LONGEST = 300
"""Characters of a question or a reason."""


def totals(items: Sequence[Asked]) -> str:
    """`12 questions: 3 not answered, 2 answered in part, 7 answered`."""
    counts = Counter(item.coverage for item in items)
    parts = [f"{counts[kind]} {heading.lower()}" for kind, heading in HEADINGS.items() if counts[kind]]
    return f"{len(items)} {'question' if len(items) == 1 else 'questions'}: {', '.join(parts)}"


def as_markdown(items: Sequence[Asked], site_url: str) -> str:
    """The report: the gaps first, each with why, what came nearest, and the words that stand nowhere in the docs.

    Args:
        site_url: what addresses are made whole with; without it sections are named and not linked.
    """
    lines = ["# What the docs answer", "", f"{totals(items)}.", ""]
    for kind, heading in HEADINGS.items():
        chosen = [item for item in items if item.coverage is kind]
        if chosen:
            lines += [f"## {heading}", "", *_section(kind, chosen, site_url)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(kind: Coverage, items: Sequence[Asked], site_url: str) -> Iterator[str]:
    if kind in (Coverage.NO, Coverage.PART, Coverage.UNEXPECTED):
        for item in items:
            yield from _gap(item, site_url)
        return
    for item in items:
        rests_on = ", ".join(_linked(section, site_url) for section in _cited(item))
        yield f"- {_asked(item)}" + (f" ({rests_on})" if rests_on else "")
    yield ""


def _gap(item: Asked, site_url: str) -> Iterator[str]:
    yield f"### {_asked(item)}"
    yield ""
    if item.reason:
        yield f"- Why: {markdown_message(shorten(item.reason, LONGEST))}"
    near = "; ".join(f"{_linked(c.passage.section, site_url)} ({_score(c)})" for c in item.nearest)
    yield f"- Nearest: {near or 'nothing'}"
    if item.explanation.unknown:
        words = ", ".join(markdown_code(word) for word in item.explanation.unknown)
        yield f"- Nowhere in the docs: {words}"
    yield ""


def _asked(item: Asked) -> str:
    times = f" (asked {item.times} times)" if item.times > 1 else ""
    return f"{markdown(shorten(item.declaration.question, LONGEST))}{times}"


def _score(item: Candidate) -> str:
    lacks = ", ".join(f"“{markdown(word)}”" for word in item.lacks)
    return f"{item.relevance:.2f}, lacks {lacks}" if lacks else f"{item.relevance:.2f}"


def _linked(section: Section, site_url: str) -> str:
    address = urljoin(site_url, section.page.url) + (f"#{section.anchor}" if section.anchor else "")
    title = markdown(" › ".join(dict.fromkeys((section.page.title, section.title))))
    linked = site_url and not any(char in address for char in "<> \n")
    return f"[{title}](<{address}>)" if linked else f"{title} ({markdown_code(section.where)})"


def _cited(item: Asked) -> list[Section]:
    """The sections that an answer cites and that may be named, each once."""
    passages = (source.passage for source in item.answer.sources)
    return list(dict.fromkeys(passage.section for passage in passages if not is_private(passage)))


def as_line(item: Asked) -> tuple[str, str, str, str]:
    """Coverage, how often it was asked, question, and why or where, for a terminal."""
    where = ", ".join(dict.fromkeys(candidate.where for candidate in item.nearest[:1]))
    said = item.reason or ", ".join(section.where for section in _cited(item))
    unknown = f"; nowhere in the docs: {', '.join(item.explanation.unknown)}" if item.explanation.unknown else ""
    told = f"{said}; nearest: {where}{unknown}" if item.reason and where else said
    return item.coverage.value, f"{item.times}×", one_line(item.declaration.question), one_line(shorten(told, LONGEST))


def as_data(item: Asked) -> dict[str, Any]:
    """One question as JSON."""
    answer = item.answer
    return {
        "id": item.declaration.id,
        "question": item.declaration.question,
        "asked": item.times,
        "coverage": item.coverage.value,
        "failed": item.failed,
        "reason": item.reason,
        "status": answer.status.value,
        "content": answer.content,
        "cites": [source.passage.id for source in answer.sources],
        "findings": [{"slug": f.slug, "severity": f.severity.value, "message": f.message} for f in answer.findings],
        "nearest": [candidate_data(candidate) for candidate in item.nearest],
        "why": explanation_data(item.explanation),
    }


def explanation_data(explanation: Explanation) -> dict[str, Any]:
    """Why a question finds what it finds, as JSON."""
    return {
        "words": list(explanation.words),
        "unknown": list(explanation.unknown),
        "threshold": explanation.threshold,
        "enough": explanation.enough,
        "conclusion": explanation.conclusion,
        "candidates": [candidate_data(candidate) for candidate in explanation.candidates],
    }


def candidate_data(item: Candidate) -> dict[str, Any]:
    """One candidate as JSON."""
    passage, page = item.passage, item.passage.page
    return {
        "relevance": item.relevance,
        "reason": item.reason,
        "passage": passage.id,
        "page": page.src,
        "section": item.where,
        "url": page.url,
        "title": page.title,
        "kind": passage.kind.value,
        "text": "" if is_private(passage) else passage.text,
        "fate": item.fate.value,
        "says": list(item.says),
        "lacks": list(item.lacks),
        "q_relevance": [{"qid": score.phrasing, "score": score.score} for score in item.phrasings],
    }
