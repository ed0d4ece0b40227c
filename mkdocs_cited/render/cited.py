"""What the citations of an answer are: passages, footnotes that they share, and what of them may be shown.

Passages of one section share a footnote, as in an encyclopedia. In records and `cited.json` each passage has a number
of its own, its `sid`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.answer_text.markdown import MARKER
from mkdocs_cited.model.answer import PERSON, Answer, Status, Verdict
from mkdocs_cited.model.declaration import ATTRIBUTE
from mkdocs_cited.model.source import Passage, Source

_MARK = re.compile(f'<span {ATTRIBUTE}="([^"<>]+)"></span>')
"""The element of a mark, with the number of its claim; in a built page with what was written there."""
_REVIEWER = re.compile(rf"(?:{PERSON}:|[^-]+-[^-]+-)(?P<name>.+)")
"""A person, or the name and version of a reviewer and its model."""


def reviewers_of(answer: Answer) -> list[str]:
    """Who found claims of an answer supported, or approved it: names of people and of models, in order."""
    names = set()
    if answer.accepted_by and answer.status is Status.ACCEPTED:
        names.add(answer.accepted_by)
    for item in answer.claims:
        by = _REVIEWER.fullmatch(item.judgement.reviewer)
        if by and item.judgement.verdict is Verdict.SUPPORTED:
            names.add(by["name"])
    return sorted(names)


class Part(Struct, frozen=True):
    """A cited passage, with what is quoted of it."""

    source: Source
    passage: Passage
    quote: str


class Group(Struct, frozen=True):
    """The passages of one footnote."""

    n: int
    """Its number on the page, by first appearance in the text, from 1."""
    parts: tuple[Part, ...]
    """In the order of their page."""


def grouped(answer: Answer, first: int = 1) -> tuple[Group, ...]:
    """The footnotes of an answer, numbered from `first`."""
    cited = {citation.sid: citation for citation in answer.citations}
    places = defaultdict(list)
    for source in sorted(answer.sources, key=lambda source: source.sid):
        part = Part(source, source.passage, "")
        citation = cited.get(source.sid)
        if citation is not None:
            around = {passage.id: passage for passage in source.context}
            passage = around.get(citation.passage, source.passage)
            part = Part(source, passage, citation.quote)
        places[part.passage.section.where].append(part)
    groups = []
    for n, parts in enumerate(places.values(), first):
        parts.sort(key=lambda part: part.passage.position)
        groups.append(Group(n, tuple(parts)))
    return tuple(groups)


def without_quiet(answer: Answer) -> Answer:
    """The claims of a page whose citations readers see; the others are blank in its content."""
    blocks = answer.content.split("\n\n")
    for number in answer.quiet:
        blocks[number] = " " * len(blocks[number])
    content = "\n\n".join(blocks)
    sids = set(map(int, MARKER.findall(content)))
    claims = []
    for item in answer.claims:
        if content[item.claim.start : item.claim.end].strip():
            claims.append(item)
    return replace(
        answer,
        content=content,
        sources=tuple(item for item in answer.sources if item.sid in sids),
        citations=tuple(item for item in answer.citations if item.sid in sids),
        claims=tuple(claims),
    )


def with_numbers(
    html: str, numbers: Sequence[str], places: Sequence[int | None]
) -> str:
    """A page with the citations of its own claims.

    Args:
        html: the page, with an element for each mark.
        numbers: the citations of each claim.
        places: of a built page, the claim whose citations are shown for each mark (`PageHtml.marks`).
    """
    left = iter(places)

    def shown(match: re.Match[str]) -> str:
        claim = int(match[1]) if match[1].isdigit() else next(left, None)
        if claim is None:
            return match[0]
        if 0 <= claim < len(numbers):
            return numbers[claim]
        return ""

    return _MARK.sub(shown, html)
