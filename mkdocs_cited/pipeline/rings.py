"""Marked sentences that prove each other: what leads back to itself is proven by nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mkdocs_cited.base.text import letters
from mkdocs_cited.model.answer import Answer, ReviewedClaim
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, found

Node = tuple[str, str]
"""A page, and the letters of a marked sentence on it."""


def rings(
    answers: Sequence[Answer], declarations: Sequence[Declaration]
) -> Iterator[Finding]:
    """A finding for each marked sentence whose citations lead back to it by way of other marked sentences."""
    prose = {item.key: item for item in declarations if item.prose}
    claims: dict[Node, tuple[Declaration, ReviewedClaim]] = {}
    by_page: dict[str, list[Node]] = {}
    for answer in answers:
        declaration = prose.get(answer.key)
        if declaration is None:
            continue
        for item in answer.claims:
            node = (declaration.page, letters(item.claim.text))
            if node[1]:
                claims[node] = (declaration, item)
                # a file of the repository is cited by its path in the project
                for name in {declaration.page, declaration.place.file}:
                    by_page.setdefault(name, []).append(node)
    cited = {node: list(_cited(item, by_page)) for node, (_, item) in claims.items()}
    for node, (declaration, item) in claims.items():
        pages = _way_back(node, cited)
        if pages:
            way = " → ".join(pages)
            message = f"“{item.claim.text}” cites a sentence that cites it back: {way}"
            yield found(
                "circular-proof",
                declaration.place,
                message,
                tip="cite a passage that has no mark",
                answer=declaration.key,
                claim=item.claim.text,
            )


def _cited(
    item: ReviewedClaim, by_page: Mapping[str, Sequence[Node]]
) -> Iterator[Node]:
    """The marked sentences within what a claim quotes: others of the same passage prove nothing of it."""
    for evidence in item.evidence:
        text = ""
        if evidence.shown:
            text = letters(evidence.quote)
        page = evidence.passage.page
        for node in by_page.get(page.src, by_page.get(page.file, ())):
            if node[1] in text:
                yield node


def _way_back(start: Node, cited: Mapping[Node, Sequence[Node]]) -> list[str]:
    """The pages by which a sentence leads back to itself; nothing where it does not."""
    todo = [(node, [start[0]]) for node in cited[start]]
    seen: set[Node] = set()
    while todo:
        node, way = todo.pop()
        if node == start:
            return [*way, start[0]]
        if node not in seen:
            seen.add(node)
            todo += [(other, [*way, node[0]]) for other in cited[node]]
    return []
