"""Answers that fall short before anyone reads them: missing, out of date, unapproved, without a text; with the finding.

Whether an answer is one of these is decided by the pipeline; whether its text is right, by the review.
"""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Abstention, Answer, Fault, Status
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.records.freshness import Moved
from mkdocs_cited.records.record import Broken, Record, to_draft
from mkdocs_cited.records.store import Store


def broken(declaration: Declaration, record: Broken) -> Answer:
    """An answer whose record cannot be read."""
    return Answer.of(
        declaration,
        Status.FAILED,
        findings=(record.finding(declaration.key),),
        reason=record.reason,
    )


def missing(declaration: Declaration, provider: str, tip: str = "") -> Answer:
    """An answer that nobody has written yet, and that this run may not ask for; `tip` is what would let it."""
    message = f"“{declaration.question}” has no answer yet, and this run may not ask `{provider}`"
    tip = tip or declaration.update_tip
    finding = found(
        "missing-answer", declaration.place, message, tip=tip, answer=declaration.key
    )
    return Answer.of(
        declaration, Status.MISSING, findings=(finding,), reason="not written yet"
    )


def stale(
    declaration: Declaration, record: Record, corpus: Corpus, reasons: Sequence[str]
) -> Answer:
    """An answer that depends on what is no longer there; its text goes on rendering."""
    message = (
        f"the answer to “{declaration.question}” is out of date: {'; '.join(reasons)}"
    )
    finding = found(
        "stale-answer",
        declaration.place,
        message,
        tip=declaration.update_tip,
        answer=declaration.key,
    )
    return replace(
        as_before(declaration, record, corpus, (finding,)), reason="; ".join(reasons)
    )


def followed(declaration: Declaration, moved: Moved) -> Finding:
    """The finding that passages which an answer cites are elsewhere now, and are followed."""
    places = "; ".join(f"{old} to {new}" for old, new in moved.places)
    message = f"what the answer to “{declaration.question}” cites has moved, and is followed: {places}"
    return found(
        "moved-source",
        declaration.place,
        message,
        tip=declaration.update_tip,
        answer=declaration.key,
    )


def failed(
    declaration: Declaration, fault: Fault, record: Record | None, corpus: Corpus
) -> Answer:
    """An answer whose provider could not write: the build fails, and what was accepted before goes on rendering."""
    finding = found(
        "provider-error",
        declaration.place,
        fault.reason,
        tip=fault.tip,
        answer=declaration.key,
    )
    if record is None or not record.content:
        answer = Answer.of(declaration, Status.FAILED, findings=(finding,))
    else:
        answer = as_before(declaration, record, corpus, (finding,))
    return replace(answer, spend=fault.spend, reason=fault.reason)


def abstained(
    declaration: Declaration,
    outcome: Abstention,
    unknown: tuple[str, ...] = (),
    *,
    denied: bool = False,
) -> Answer:
    """An answer without a text.

    Args:
        unknown: words of the question that appear nowhere in the docs.
        denied: whether a model or a person says that the docs hold none; words alone cannot decide.
    """
    said = "no passage is near enough to quote for"
    if denied:
        said = "the docs do not answer"
    message = f"{said} “{declaration.question}”: {outcome.reason}"
    if unknown:
        words = ", ".join(f"“{word}”" for word in unknown)
        message += f"; {words} {'appears' if len(unknown) == 1 else 'appear'} nowhere in the docs"
    review = f"`mkdocs-cited review {declaration.key}`"
    if denied:
        slug, tip = "not-documented", "document it, or remove the question"
    else:
        slug, tip = (
            "unreviewed-quote",
            f"run {review}: search in other words, write it, or say it is not documented",
        )
    findings = []
    if denied or not declaration.expects_no_answer:
        findings.append(
            found(slug, declaration.place, message, tip=tip, answer=declaration.key)
        )
    answer = Answer.of(
        declaration, Status.ABSTAINED, findings=tuple(findings), reason=outcome.reason
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
    message = f"“{declaration.question}” shows a quotation that nobody has reviewed"
    tip = f"run `mkdocs-cited review {declaration.key}` to take it, or another passage"
    return found(
        "unreviewed-quote", declaration.place, message, tip=tip, answer=declaration.key
    )


def unpublished(answer: Answer, reason: str) -> Answer:
    """The answer without its text, which waits and is not published."""
    return replace(
        answer,
        status=Status.PENDING,
        content="",
        claims=(),
        citations=(),
        sources=(),
        pointers=(),
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


def replaceable(
    declaration: Declaration,
    record: Record,
    proposal: Record,
    store: Store,
    corpus: Corpus,
) -> Answer:
    """The text of a record that a proposal would replace, and only a person may let it."""
    old = as_before(declaration, record, corpus, (unapproved(declaration, store),))
    return replace(old, proposal=proposed(proposal), reason="waits for approval")


def lost(
    declaration: Declaration, record: Record, proposal: Record, corpus: Corpus
) -> Answer:
    """The text of a record whose question today's writer would leave without a text: whether it goes, a person says."""
    reason = proposal.reason or "the docs do not answer the question"
    message = f"“{declaration.question}” would be left without its answer: {reason}"
    tip = f"document it, or run `mkdocs-cited accept {declaration.key}`: the page then says that it is not documented"
    finding = found(
        "stale-answer", declaration.place, message, tip=tip, answer=declaration.key
    )
    old = as_before(declaration, record, corpus, (finding,))
    return replace(old, proposal=proposed(proposal), reason=reason)


def proposed(proposal: Record) -> str:
    """The text of a proposal; what is to be said of one without a text."""
    return (
        proposal.content
        or f"No answer: {proposal.reason or 'the docs do not answer the question'}"
    )


def unapproved(declaration: Declaration, store: Store) -> Finding:
    """The finding that a text, a proposal or the record's own, waits for a person."""
    proposal = store.path(declaration.key, proposal=True)
    path = (
        proposal if (store.root / proposal).is_file() else store.path(declaration.key)
    )
    message = f"the answer to “{declaration.question}” waits for a person's approval"
    tip = f"read it, then run `mkdocs-cited accept {declaration.key}`"
    return found(
        "unapproved-answer", Place(path), message, tip=tip, answer=declaration.key
    )
