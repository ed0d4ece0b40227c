"""Answers that fall short whoever reads them, each with its finding: missing, out of date, unapproved, without a text;
and marked sentences that prove each other, since what leads back to itself is proven by nothing.

Whether an answer is one of these is decided by the pipeline; whether its text is right, by the review.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mkdocs_cited.base.errors import command
from mkdocs_cited.base.text import letters
from mkdocs_cited.model.answer import Abstention, Answer, Fault, ReviewedClaim, Status
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.records.following import to_draft
from mkdocs_cited.records.record import Broken, Record
from mkdocs_cited.records.store import Store

NOT_ANSWERED = "the docs do not answer the question"


def _found(slug: str, declaration: Declaration, message: str, tip: str = "") -> Finding:
    """A finding on the question; by default its tip is the command by which a model writes or reads the answer."""
    key = declaration.key
    tip = tip or f"run `{command('update', key)}` and commit the record"
    return found(slug, declaration.place, message, tip=tip, answer=key)


def broken(declaration: Declaration, record: Broken) -> Answer:
    """An answer whose record cannot be read."""
    return Answer.of(
        declaration,
        Status.FAILED,
        findings=(record.finding(declaration.key),),
        reason=record.reason,
    )


def missing(declaration: Declaration, provider: str, tip: str) -> Answer:
    """An answer that nobody has written yet, and that this run may not ask for; `tip` is what would let it."""
    message = f"“{declaration.question}” has no answer yet, and this run may not ask `{provider}`"
    finding = _found("missing-answer", declaration, message, tip)
    return Answer.of(
        declaration, Status.MISSING, findings=(finding,), reason="not written yet"
    )


def stale(
    declaration: Declaration, record: Record, corpus: Corpus, reason: str, tip: str
) -> Answer:
    """An answer that depends on what is no longer there; its text goes on rendering. `tip` is what would let it be
    written again."""
    message = f"the answer to “{declaration.question}” is out of date: {reason}"
    finding = _found("stale-answer", declaration, message, tip)
    return replace(as_before(declaration, record, corpus, (finding,)), reason=reason)


def followed(declaration: Declaration, moved: Sequence[tuple[str, str]]) -> Finding:
    """The finding that passages which an answer cites are elsewhere now, and are followed."""
    places = "; ".join(f"{old} to {new}" for old, new in moved)
    message = f"what the answer to “{declaration.question}” cites has moved, and is followed: {places}"
    return _found("moved-source", declaration, message)


def failed(
    declaration: Declaration, fault: Fault, record: Record | None, corpus: Corpus
) -> Answer:
    """An answer whose provider could not write: the build fails, and what was accepted before goes on rendering."""
    finding = _found("provider-error", declaration, fault.reason, fault.tip)
    if record is None or not record.content:
        answer = Answer.of(declaration, Status.FAILED, findings=(finding,))
    else:
        answer = as_before(declaration, record, corpus, (finding,))
    return replace(answer, spend=fault.spend, reason=fault.reason)


def abstained(
    declaration: Declaration,
    outcome: Abstention,
    unknown: tuple[str, ...],
    *,
    denied: bool,
) -> Answer:
    """An answer without a text.

    Args:
        unknown: words of the question that appear nowhere in the docs.
        denied: whether a model or a person says that the docs hold none; words alone cannot decide.
    """
    slug = "unreviewed-quote"
    said = "there is no quotation for"
    tip = f"run `{command('review', declaration.key)}`: search in other words, write it, or say it is not documented"
    if denied:
        slug = "not-documented"
        said = "there is no answer to"
        tip = "document it, or remove the question"
    message = f"{said} “{declaration.question}”: {outcome.reason}"
    if unknown:
        words = ", ".join(f"“{word}”" for word in unknown)
        message += f"; nowhere in the docs: {words}"
    answer = Answer.of(
        declaration,
        Status.ABSTAINED,
        findings=[_found(slug, declaration, message, tip)],
        reason=outcome.reason,
    )
    return replace(
        answer,
        provider=outcome.provider,
        model=outcome.model,
        consulted=outcome.nearest,
        unknown=unknown,
    )


def unreviewed(declaration: Declaration) -> Finding:
    """The finding that nobody has looked at a quotation yet."""
    message = f"nobody has reviewed the quotation for “{declaration.question}”"
    tip = f"run `{command('review', declaration.key)}` to take it, or another passage"
    return _found("unreviewed-quote", declaration, message, tip)


def unpublished(answer: Answer, reason: str) -> Answer:
    """The answer without its text, which waits and is not published."""
    return replace(
        answer,
        status=Status.WAITING,
        content="",
        claims=(),
        citations=(),
        sources=(),
        proposal=answer.content,
        reason=reason,
    )


def as_before(
    declaration: Declaration,
    record: Record,
    corpus: Corpus,
    findings: Sequence[Finding],
) -> Answer:
    """The text of a record that goes on rendering although it falls short, without another review."""
    return record.dated(
        Answer.of(declaration, Status.STALE, to_draft(record, corpus), findings)
    )


def lost(declaration: Declaration, reason: str) -> Finding:
    """The finding that today's writer would leave a question without a text: whether it goes, a person says."""
    message = f"“{declaration.question}” would be left without its answer: {reason or NOT_ANSWERED}"
    tip = f"document it, or run `{command('accept', declaration.key)}`: the page then says that it is not documented"
    return _found("stale-answer", declaration, message, tip)


def proposed(proposal: Record) -> str:
    """The text of a proposal; what is to be said of one without a text."""
    return proposal.content or f"No answer: {proposal.reason or NOT_ANSWERED}"


def unapproved(declaration: Declaration, store: Store) -> Finding:
    """The finding that a text, a proposal or the record's own, waits for a person."""
    path = store.path(declaration.key, proposal=True)
    if not (store.root / path).is_file():
        path = store.path(declaration.key)
    message = f"the answer to “{declaration.question}” waits for a person's approval"
    tip = f"read it, then run `{command('accept', declaration.key)}`"
    return found(
        "unapproved-answer", Place(path), message, tip=tip, answer=declaration.key
    )


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
