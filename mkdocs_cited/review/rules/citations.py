"""What numbers an answer lacks, what numbers lead nowhere or to the wrong place, and sources that disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import (
    MARKER,
    BlockKind,
    RunKind,
    blocks,
    markers,
)
from mkdocs_cited.base.text import collapse, shorten
from mkdocs_cited.model.answer import Claim, Judgement, Verdict
from mkdocs_cited.model.finding import Finding, Related
from mkdocs_cited.model.source import Passage
from mkdocs_cited.review.interface import Audit, Rule, label, related

_BOX = re.compile(r"(?:===[!+]?|!!!|\?\?\?\+?) ")


class CitationInCode(Rule):
    """Numbers are behind code, never in it, where they would be shown as code and copied with it.

    Code that a cited passage shows letter by letter may hold them: documentation of Markdown does.
    """

    slug = "citation-in-code"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if audit.declaration.target != "markdown":
            return
        sources = [collapse(source.passage.text) for source in audit.sources]
        for start, code in _code(audit.content):
            match = MARKER.search(code)
            if match and not any(collapse(code) in source for source in sources):
                message = f"`{match[0]}` is inside the code “{shorten(collapse(code))}”"
                tip = "put it behind the code, or behind the sentence that leads to it"
                yield self.finding(audit, start, message, tip)


def _code(content: str) -> Iterator[tuple[int, str]]:
    """Every code block and piece of inline code, with its offset."""
    for block in blocks(content):
        if block.kind is BlockKind.CODE:
            yield block.start, block.code
        yield from (
            (run.start, run.text) for run in block.runs if run.kind is RunKind.CODE
        )


MOST_NAMED = 5
"""Claims that the message names."""
LONGEST = 80
"""Characters of each."""


class LowCoverage(Rule):
    """Cited claims ÷ claims is not below `min_coverage`.

    With `min_coverage: 1` every uncited claim is `missing-citation`, and there is no more to say.
    """

    slug = "low-coverage"

    def check(self, audit: Audit) -> Iterator[Finding]:
        least, uncited = audit.settings.min_coverage, audit.uncited
        cited, claims = len(audit.claims) - len(uncited), len(audit.claims)
        if least == 1 or cited >= least * claims:
            return
        named = ", ".join(
            f"“{shorten(collapse(claim.text), LONGEST)}”"
            for claim in uncited[:MOST_NAMED]
        )
        more = ""
        if len(uncited) > MOST_NAMED:
            more = f" and {len(uncited) - MOST_NAMED} more"
        says = f"{cited} of {claims} claims of `{audit.declaration.key}` cite a source ({cited / claims:.0%})"
        message = f"{says}; `min_coverage` asks for {least:.0%}; no source is cited for {named}{more}"
        yield self.finding(
            audit,
            uncited[0].start,
            message,
            "cite them, take them out, or lower `min_coverage`",
        )


class MissingCitation(Rule):
    """Every claim is cited, unless `min_coverage` lets some go uncited (`low-coverage`)."""

    slug = "missing-citation"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if audit.settings.min_coverage < 1:
            return
        code = {
            block.start
            for block in blocks(audit.content)
            if block.kind is BlockKind.CODE
        }
        for claim in audit.uncited:
            what, tip = (
                "",
                "cite the passage that supports it, or take the sentence out",
            )
            if claim.start in code:
                what = "the code "
                tip = "cite its passage in the sentence that introduces it"
            elif _BOX.match(claim.text):
                tip = "an answer is plain Markdown, without tabs and admonitions: write a heading or a list instead"
            message = f"no source is cited for {what}“{shorten(collapse(claim.text))}”"
            yield self.finding(audit, claim.start, message, tip, claim=claim.text)


class OrphanSource(Rule):
    """Each source of the answer has its number in the text: only a hand-edited record can lack it."""

    slug = "orphan-source"

    def check(self, audit: Audit) -> Iterator[Finding]:
        used = {sid for sid, _, _ in markers(audit.content)} | {
            sid for claim in audit.claims for sid in claim.sids
        }
        for citation in audit.citations:
            if citation.sid not in used:
                passage = audit.corpus.passage(citation.passage)
                message = f"source {citation.sid} of `{audit.declaration.key}` (`{citation.passage}`) is not cited"
                tip = f"put `[^{citation.sid}]` behind what it supports, or take the source out of the record"
                source = Related(
                    "the source",
                    passage=citation.passage,
                    text=passage.text if passage else "",
                )
                yield self.finding(audit, 0, message, tip, related=(source,))


class UnknownSource(Rule):
    """Each number of the text has a source, and the passage of each citation is on the site."""

    slug = "unknown-source"

    def check(self, audit: Audit) -> Iterator[Finding]:
        cited = {citation.sid for citation in audit.citations} & {
            source.sid for source in audit.sources
        }
        first: dict[int, int] = {}
        for sid, start, _ in markers(audit.content):
            first.setdefault(sid, start)
        for claim in audit.claims:  # data cites by pointers, not by numbers in the text
            for sid in claim.sids:
                first.setdefault(sid, claim.start)
        known = "it has no sources"
        if cited:
            known = f"its sources are {', '.join(map(str, sorted(cited)))}"
        for sid, start in first.items():
            if sid not in cited:
                lacks = f"the answer `{audit.declaration.key}` has no source {sid}"
                message = f"`[^{sid}]` leads to nothing: {lacks}; {known}"
                yield self._about(
                    audit,
                    start,
                    message,
                    "cite a source that the answer has, or take the number out",
                )
        for citation in audit.citations:
            if citation.sid in cited and audit.corpus.passage(citation.passage) is None:
                message = f"source {citation.sid} is the passage `{citation.passage}`, which the site does not have"
                tip = "cite a passage that is there, or run `mkdocs-cited update` to have the answer written again"
                yield self._about(audit, first.get(citation.sid, 0), message, tip)

    def _about(self, audit: Audit, offset: int, message: str, tip: str) -> Finding:
        return self.finding(audit, offset, message, tip, claim=audit.claim_at(offset))


_LONGEST = 400
"""Characters of a passage that a writer is told to cite: a line in the middle of its code may be what counts."""


class WrongCitation(Rule):
    """Names the passage that a judgement suggests (`review.better`) for a claim that its own do not support."""

    slug = "wrong-citation"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if not audit.judgements:
            return
        for claim, judgement in zip(audit.claims, audit.judgements, strict=True):
            finding = self.found(claim, judgement, audit)
            if finding:
                yield finding

    def found(self, claim: Claim, judgement: Judgement, audit: Audit) -> Finding | None:
        """The finding for one claim, if its judgement suggests a passage that the site has."""
        if (
            judgement.verdict is Verdict.SUPPORTED
            or not judgement.suggested
            or not claim.sids
        ):
            return None
        better = audit.corpus.passage(judgement.suggested)
        if better is None:
            return None
        reason = f" ({judgement.reason})" if judgement.reason else ""
        message = f"“{shorten(collapse(claim.text))}” is not supported by what it cites, but by {label(better)}{reason}"
        tip = f"cite the passage of `{label(better)}` that says “{shorten(collapse(better.text), _LONGEST)}”"
        cited = (
            related("the cited passage", item.passage)
            for item in audit.evidence(claim)
            if item.shown
        )
        shown = (related("the passage that supports it", better), *cited)
        return self.finding(
            audit,
            claim.start,
            message,
            tip,
            claim=claim.text,
            marks=judgement.missing,
            related=shown,
        )


class ConflictingSources(Rule):
    """Names both passages, so that the docs get fixed; an answer cannot be better than they are. A model sees them."""

    slug = "conflicting-sources"

    def check(self, audit: Audit) -> Iterator[Finding]:
        for first, second, matter in audit.conflicts:
            passages = audit.corpus.passage(first), audit.corpus.passage(second)
            if passages[0] and passages[1]:
                yield self._found(audit, passages[0], passages[1], matter)

    def _found(
        self, audit: Audit, first: Passage, second: Passage, matter: str
    ) -> Finding:
        key, tip = audit.declaration.key, "correct the page that is wrong"
        claims = (
            c
            for c in audit.claims
            if any(e.passage.id == first.id for e in audit.evidence(c))
        )
        start, text = next(((claim.start, claim.text) for claim in claims), (0, ""))
        message = (
            f"{label(first)} and {label(second)} disagree, and `{key}` depends on the first: "
            f"{shorten(matter, 300)}"
        )
        shown = (related("one passage", first), related("the other passage", second))
        return self.finding(audit, start, message, tip, claim=text, related=shown)
