"""Whether an answer holds what its question expects: questions as tests of the docs.

What an expectation may be is read in `declarations`. An answer is held to it, written by a person or a program,
and nothing is asked again for it: a writer that is told what is expected would be no test.
"""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import blocks
from mkdocs_cited.answer_text.marks import strip_markers
from mkdocs_cited.base import patterns
from mkdocs_cited.base.text import collapse, did_you_mean, glob_matches, shorten
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import Declaration, Expectation, Expected
from mkdocs_cited.model.finding import Finding, Related, found
from mkdocs_cited.model.source import Corpus, Source, SourceType, pages_of

SLUG = "unmet-expectation"
_NEAREST = 3
"""Nearest sections that a finding names."""
BESIDE = "off-question"
"""The finding of an answer that is beside its question, and so is none."""


def unmet(declaration: Declaration, answer: Answer, corpus: Corpus) -> tuple[Finding, ...]:
    """A finding for each thing that the question expects and the answer does not have.

    An answer that is still to be written, or that could not be, has a finding of its own, and is held to nothing.
    """
    if answer.status in (Status.MISSING, Status.FAILED):
        return ()
    answered = bool(answer.content) and not any(finding.slug == BESIDE for finding in answer.findings)
    wants_none = any(item.kind is Expected.NO_ANSWER for item in declaration.expect)
    if declaration.expect and not answered and not wants_none:
        return (_unanswered(declaration, answer),)
    text = said(answer)
    return tuple(
        _finding(item, answer, message, tip)
        for item in declaration.expect
        for message, tip in _lacking(item, answer, text, corpus)
    )


def said(answer: Answer) -> str:
    """What a reader sees of an answer, a line a block, without its numbers."""
    if answer.target != "markdown":
        return strip_markers(answer.content)
    return "\n".join(strip_markers(block.text) for block in blocks(answer.content))


def _unanswered(declaration: Declaration, answer: Answer) -> Finding:
    expectation = declaration.expect[0]
    public = [source for source in answer.consulted if source.passage.type is not SourceType.NOTE][:_NEAREST]
    near = ", ".join(dict.fromkeys(source.passage.section.where for source in public))
    message = f"the docs do not answer “{answer.question}”, and are expected to: {answer.reason or 'it is beside it'}"
    tip = f"document it (nearest: {near})" if near else "document it"
    related = tuple(Related("one of the nearest passages", passage=item.passage.id) for item in public)
    return found(
        SLUG, expectation.place, message, tip=f"{tip}, or correct `expect`", answer=answer.key, related=related
    )


def _lacking(item: Expectation, answer: Answer, text: str, corpus: Corpus) -> Iterator[tuple[str, str]]:
    """(what the answer lacks, what to do), if it lacks anything."""
    depends_on = ", ".join(pages_of(source.passage for source in answer.sources)) or "nothing"
    tip = f"it depends on {depends_on}: correct that, or `expect`"
    match item.kind:
        case Expected.TEXT if not _holds(item.value, text, answer.content):
            yield f"does not say `{shorten(item.value, 80)}`", tip
        case Expected.PATTERN if not patterns.stands_in(item.value, text):
            yield f"holds nothing that matches `{shorten(item.value, 80)}`", tip
        case Expected.PAGE if not any(_names(item.value, source, corpus) for source in answer.sources):
            yield f"does not cite `{item.value}`; it cites {depends_on}", _page_tip(item.value, corpus)
        case Expected.NO_ANSWER if answer.content:
            yield f"is there, and the docs are expected not to answer; it cites {depends_on}", "correct `expect`"


def _finding(item: Expectation, answer: Answer, message: str, tip: str) -> Finding:
    message = f"the answer to “{answer.question}” {message}"
    return found(SLUG, item.place, message, tip=tip, answer=answer.key)


def _holds(words: str, text: str, markdown: str) -> bool:
    """Whether words stand in what a reader sees, or in the Markdown behind it; case and white space do not matter."""
    wanted = words.casefold()
    return any(wanted in collapse(seen).casefold() for seen in (text, strip_markers(markdown)))


def _names(page: str, source: Source, corpus: Corpus) -> bool:
    """Whether a page, a glob of pages or a section is what a source stands in."""
    src, _, anchor = page.partition("#")
    if not glob_matches(source.passage.page.src, (src,)):
        return False
    return not anchor or any(passage.id == source.passage.id for passage in corpus.section(src, anchor))


def _page_tip(page: str, corpus: Corpus) -> str:
    src, _, anchor = page.partition("#")
    known = [item.src for item in corpus.pages()]
    if not any(glob_matches(name, (src,)) for name in known):
        return f"there is no such page: {did_you_mean(src, known)}"
    if anchor and src in known and anchor not in corpus.anchors(src):
        return f"the page has no such section: {did_you_mean(anchor, corpus.anchors(src))}"
    return "say it there, narrow `sources`, or correct `expect`"
