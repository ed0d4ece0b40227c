"""One answer as the block that is in its page: text, footnotes, and what else a reader or author is shown.

Templates give it its shape; here is decided what they get to see. A note's text is never among it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import unquote, urljoin

from markupsafe import Markup, escape
from msgspec import Struct, field

from mkdocs_cited.answer_text.dialect import is_whole, passable
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Passage, Source, SourceType
from mkdocs_cited.render import markdown
from mkdocs_cited.render.cited import (
    PROSE,
    Group,
    byline,
    cited_passage,
    grouped,
    last_review,
    without_quiet,
)
from mkdocs_cited.render.labels import Context, Labels
from mkdocs_cited.render.links import Link, relative, to_all
from mkdocs_cited.render.quotes import ColoursOf, Quote, beginning, quoted

_POINTERS = 3
"""Closest sections that an abstention leads to."""
_FAILING = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.PARTIAL)
_WORST = (*_FAILING, Verdict.UNCHECKED)
_NOTICES = {Status.PENDING: "pending", Status.STALE: "stale", Status.MISSING: "missing", Status.FAILED: "failed"}


class Note(Struct, frozen=True, kw_only=True):
    """What a template sees of one footnote, or of one of the nearest passages."""

    n: int
    label: str
    href: str
    """Empty where there is nothing to link to."""
    address: str
    """What is printed for `href`: whole where the site's address is known, with the section's anchor."""
    quotes: tuple[Quote, ...] = ()
    """Of its passages, in the order of their page; none of a maintainers' note."""
    byline: str = ""
    as_of: str = ""
    """Of an external page, the line that says on which day its text was fetched; else empty."""
    id: str = ""
    detail: str = ""
    """Path and lines of a file of the repository; else empty."""
    private: bool = False
    """Whether it is a maintainers' note, of which only the name may be known."""
    verdict: str = ""
    """Worst verdict of the claims that cite it, of those that this page tells; empty for none."""
    back: str = ""
    """Address of its first use in the text."""


class Check(Struct, frozen=True):
    """A claim with what was said of it, as a template sees it."""

    text: Markup
    """The claim; what its passages do not carry is marked."""
    verdict: str
    reason: str
    notes: tuple[tuple[str, str, str], ...]
    """(number as shown, where it leads, accessible name) of its footnotes."""


class AnswerRenderer(Struct, frozen=True):
    """Renders the answers of one build."""

    settings: Settings
    context: Context
    serve: bool = False
    """Whether this is an author's preview: findings and states are shown in the page."""
    colours_of: ColoursOf = lambda passage: ""
    """How pages highlight the code that they are quoted for."""
    before: Mapping[str, int] = field(default_factory=dict)
    """Key of an answer → how many footnotes its page has before its own, where the page counts them together."""
    several: Collection[str] = ()
    """Keys of the answers that are not the only one of their page."""

    def render(self, answer: Answer, *, base: str, locale: str = "en") -> str:
        """The block of one answer.

        Args:
            answer: the answer.
            base: address, relative to the site's root, of the page it is in.
            locale: language of that page.
        """
        labels, prefix = Labels(locale), f"cited-{answer.id}"
        checked = self.serve or self.settings.render.fact_check
        answer = without_quiet(answer)
        groups, body = self._numbered(answer), markdown.Body("", ())
        marks = self._marks(groups, base, labels)
        if answer.content:
            passages = [cited_passage(answer, source)[0] for source in answer.sources]
            body = markdown.to_html(
                answer.content,
                answer.target if answer.target != PROSE else "markdown",
                prefix=prefix,
                marks=marks,
                resolve=_resolver(answer.page, self.context.addresses, base),
                coloured={passage.text: html for passage in passages if (html := self.colours_of(passage))},
            )
        notes = [self._note(answer, group, base, labels, body.used) for group in groups if self._has_notes]
        if answer.target == PROSE and not (notes or self.serve):
            return ""
        return self.context.filled(
            "answer",
            labels,
            key=answer.key,
            question=answer.question,
            status=answer.status.value,
            body=Markup(body.html) if answer.target != PROSE else "",  # noqa: S704 -- it has passed the sanitiser
            notes=notes,
            nearest=self._nearest(answer, base, labels),
            denied=answer.denied,
            notice=self._notice(answer),
            gravity=gravity(answer.findings, failed=answer.status in (Status.FAILED, Status.MISSING)),
            reason=_untold(answer) if self.serve else "",
            findings=answer.findings if self.serve else (),
            panel=self._folds(answer),
            meta=self._meta(answer, labels),
            copy=self.settings.render.copy_link and bool(answer.content),
            feedback=self.settings.render.feedback and answer.status is Status.ACCEPTED,
            checks=_checks(answer, marks, prefix, undecided=self.serve) if checked else (),
            proposal=answer.proposal if self.serve else "",
            id=prefix,
        ).strip()

    def _numbered(self, answer: Answer) -> tuple[Group, ...]:
        """The footnotes of an answer, with the numbers that its page gives them."""
        by = self.before.get(answer.key, 0)
        return tuple(replace(group, n=group.n + by) for group in grouped(answer))

    def marks(self, answer: Answer, *, base: str, locale: str = "en") -> list[str]:
        """The citations of a page's marked claims, one for each block of its text; empty for quiet ones."""
        seen = without_quiet(answer)
        marks = self._marks(self._numbered(seen), base, Labels(locale))
        found = iter(markdown.numbers_of_blocks(seen.content, prefix=f"cited-{answer.id}", marks=marks))
        blocks = answer.content.split("\n\n")
        return ["" if number in answer.quiet else next(found, "") for number in range(len(blocks))]

    @property
    def _has_notes(self) -> bool:
        return self.settings.footnotes != "none"

    def _marks(self, groups: Sequence[Group], base: str, labels: Labels) -> dict[int, markdown.Mark]:
        return {
            part.source.sid: markdown.Mark(
                group.n,
                f"[{group.n}]",
                labels("source", n=group.n, label=group.parts[0].source.label),
                "" if self._has_notes else self._link(group).href(base) or "#",
            )
            for group in groups
            for part in group.parts
        }

    def _link(self, group: Group) -> Link:
        return to_all(self.context.links, [(part.passage, part.quote) for part in group.parts])

    def _folds(self, answer: Answer) -> bool:
        """Whether the list of footnotes is folded up; the same for all answers of a page."""
        return self.settings.footnotes == "folded" or (self.settings.footnotes == "auto" and answer.key in self.several)

    def _note(self, answer: Answer, group: Group, base: str, labels: Labels, used: Sequence[int]) -> Note:
        passage, source, prefix = group.parts[0].passage, group.parts[0].source, f"cited-{answer.id}"
        claims = [item for item in answer.claims if not group.sids.isdisjoint(item.claim.sids)]
        verdicts = {item.judgement.verdict for item in claims}
        told = _WORST if self.serve or self.settings.render.unconfirmed else _FAILING
        private = passage.is_private
        return Note(
            n=group.n,
            id=markdown.note_id(prefix, group.n),
            label=source.label,
            detail=source.detail if passage.page.type is SourceType.FILE else "",
            href=self._link(group).href(base),
            address="" if private else urljoin(self.context.url, passage.url),
            quotes=() if private else _quotes(group),
            byline="" if private else byline(passage.page, labels),
            as_of=_as_of(passage, labels),
            private=private,
            verdict=next((verdict.value for verdict in told if verdict in verdicts), ""),
            back=f"#{markdown.use_id(prefix, group.n)}" if group.n in used else "",
        )

    def _nearest(self, answer: Answer, base: str, labels: Labels) -> list[Note]:
        """Links to the closest sections, each once, with the first sentence of what was found there."""
        if answer.status is not Status.ABSTAINED or (self.settings.on_abstain != "pointers" and not self.serve):
            return []
        return [
            Note(
                n=source.sid,
                label=source.label,
                href=self.context.links(passage, "").href(base),
                address=urljoin(self.context.url, passage.url),
                quotes=(beginning(passage),),
                byline=byline(passage.page, labels),
                as_of=_as_of(passage, labels),
            )
            for source in closest(answer.consulted)
            for passage in (source.passage,)
        ]

    def _notice(self, answer: Answer) -> str:
        """Key of the label that tells an author, in the preview, why an answer would not do, that some of its claims
        wait for a person, or that there are findings; empty if there is nothing to tell."""
        if not self.serve or answer.status is Status.ABSTAINED:
            return ""  # the box that says that there is no answer tells of the findings too
        if answer.ok:
            waits = any(item.slug == "unconfirmed-claim" for item in answer.findings)
            return "waiting" if waits else "findings" if answer.findings else ""
        wrong = any(item.severity == "error" and item.slug != "unapproved-answer" for item in answer.findings)
        if answer.status is Status.PENDING and wrong:
            return "failed"  # it waits for its author, not for an approval
        return _NOTICES.get(answer.status, "failed")

    def _meta(self, answer: Answer, labels: Labels) -> list[str]:
        """The lines under an answer that the options ask for."""
        options, lines = self.settings.render, []
        date, people = last_review(answer)
        if options.reviewed and date:
            lines.append(labels("checked_on", date=date))
        if options.reviewed and answer.reviewed:
            name = ", ".join(people) or labels("machine", name=answer.reviewer or "lexical")
            lines.append(labels("reviewed_by", name=name))
        if options.disclosure and answer.model:
            lines.append(options.disclosure)
        return lines


def _checks(answer: Answer, marks: Mapping[int, markdown.Mark], prefix: str, *, undecided: bool) -> list[Check]:
    """The claims of an answer; those that wait only for authors (`undecided`). What was said of a private note is left
    out."""
    return [
        _check(item, marks, prefix)
        for item in answer.claims
        if undecided or item.judgement.verdict is not Verdict.UNCHECKED
    ]


def _check(item: ReviewedClaim, marks: Mapping[int, markdown.Mark], prefix: str) -> Check:
    judgement = item.judgement
    private = any(evidence.passage.is_private for evidence in item.evidence)
    cited = dict.fromkeys(marks[sid] for sid in item.claim.sids if sid in marks)
    return Check(
        text=_with_missing(item),
        verdict=judgement.verdict.value,
        reason="" if private else judgement.reason,
        notes=tuple((mark.text, mark.href or f"#{markdown.note_id(prefix, mark.note)}", mark.label) for mark in cited),
    )


def _with_missing(item: ReviewedClaim) -> Markup:
    text, out, at = item.claim.text, Markup(), 0
    for start, end in sorted(item.judgement.missing):
        if at <= start < end <= len(text):
            out += escape(text[at:start]) + Markup("<mark>{}</mark>").format(text[start:end])
            at = end
    return out + escape(text[at:])


def gravity(findings: Sequence[Finding], *, failed: bool = False) -> str:
    """The kind of admonition for findings; all themes have these three."""
    worst = max((finding.severity.rank for finding in findings), default=Severity.INFO.rank)
    if failed or worst >= Severity.ERROR.rank:
        return "danger"
    return "warning" if worst >= Severity.WARNING.rank else "note"


def _untold(answer: Answer) -> str:
    """Why there is no text, or why it does not hold, unless a finding says just that."""
    told = any(answer.reason in f"{finding.message} {finding.tip}" for finding in answer.findings)
    return "" if told else answer.reason


def closest(consulted: Sequence[Source]) -> list[Source]:
    """The best source of each of the closest sections that readers may see."""
    sections: dict[tuple[str, int], Source] = {}
    for source in consulted:
        if not source.passage.is_private:
            sections.setdefault((source.passage.page.src, source.passage.section.position), source)
    return list(sections.values())[:_POINTERS]


def _as_of(passage: Passage, labels: Labels) -> str:
    return labels("as_of", date=passage.page.fetched) if passage.page.fetched else ""


def _quotes(group: Group) -> tuple[Quote, ...]:
    """What is quoted of each passage of a footnote."""
    cited: dict[str, list[str]] = {}
    for part in group.parts:
        cited.setdefault(part.passage.id, []).append(part.quote)
    passages = {part.passage.id: part.passage for part in group.parts}
    return tuple(quoted(passage, *cited[name]) for name, passage in passages.items())


def _resolver(page: str, pages: Mapping[str, str], base: str) -> markdown.Resolve:
    """Links as authors write them, relative to the page's Markdown file, become addresses as the browser sees them."""

    def resolve(target: str) -> str | None:
        path, mark, anchor = target.partition("#")
        if passable(target) is None or not path or is_whole(target):
            return passable(target)
        source = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(path)))
        if source.startswith(".."):
            return None
        return relative(pages.get(source, source), base, mark + anchor)

    return resolve
