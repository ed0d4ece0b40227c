"""One answer as the block that is in its page: text, footnotes, and what else a reader or author is shown.

Templates give it its shape; here is decided what they get to see. A note's text is never among it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import unquote

from markupsafe import Markup
from msgspec import Struct, field

from mkdocs_cited.answer_text.dialect import is_whole, passable
from mkdocs_cited.base.text import digest
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.finding import Finding, Severity
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Passage, Source, SourceType
from mkdocs_cited.render import markdown
from mkdocs_cited.render.checks import Check, checked, counted, doubts_about, doubts_of
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
from mkdocs_cited.render.quotes import ColoursOf, quoted_together

_POINTERS = 3
"""Closest sections that an abstention leads to."""
_LONGEST_NAME = 12
"""Characters of an answer's id that its notes bear."""
_STATES = {
    Status.QUOTED: "quoted",
    Status.PENDING: "pending",
    Status.STALE: "stale",
    Status.MISSING: "missing",
    Status.FAILED: "failed",
}
"""Statuses that readers are told of, and the labels that tell it."""


class Note(Struct, frozen=True, kw_only=True):
    """What a template sees of one footnote."""

    n: int
    id: str
    label: str
    href: str
    """Empty where there is nothing to link to."""
    details: tuple[str, ...] = ()
    """What else is known of the source: that it is a maintainers' note, of which only the name may be known; path and
    lines of a file; the day as of which an external page is quoted; author and date."""
    doubts: Sequence[str] = ()
    """What keeps sentences that cite it from being proven."""
    quotes: tuple[Markup, ...] = ()
    """Of its passages, in the order of their page; none of a maintainers' note, and none of words that are gone."""
    back: tuple[str, ...] = ()
    """Addresses of its uses in the text."""


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
        labels = Labels(locale)
        answer = without_quiet(answer)
        prose = answer.target == PROSE
        groups = self._numbered(answer)
        marks = self._marks(groups, base, labels)
        body = self._body(answer, marks, base, labels)
        notes = []
        if self._has_notes:
            notes = [
                self._note(answer, group, base, labels, body.used) for group in groups
            ]
        if prose and not (notes or self.serve):
            return ""
        notice = self._notice(answer)
        state = ""
        if not notice:
            state = _STATES.get(answer.status, "")
        return self.context.filled(
            "answer",
            labels,
            key=answer.key,
            status=answer.status.value,
            body="" if prose else Markup(body.html),  # noqa: S704 -- it has passed the sanitiser
            state=labels(state) if state else "",
            heads=self._heads(answer, notes, labels),
            notes=notes,
            checks=self._checks(answer, marks, labels),
            fold=self._folds(answer),
            meta=self._meta(answer, labels),
            nearest=self._nearest(answer, base),
            denied=answer.denied,
            notice=notice,
            gravity=gravity(
                answer.findings, failed=answer.status in (Status.FAILED, Status.MISSING)
            ),
            reason=_untold(answer) if self.serve else "",
            findings=answer.findings if self.serve else (),
            proposal=answer.proposal if self.serve else "",
            id=f"cited-{answer.id}",
        ).strip()

    def _body(
        self,
        answer: Answer,
        marks: Mapping[int, markdown.Mark],
        base: str,
        labels: Labels,
    ) -> markdown.Body:
        """The text of an answer as HTML."""
        if not answer.content:
            return markdown.Body("", {})
        passages = [cited_passage(answer, source)[0] for source in answer.sources]
        return markdown.to_html(
            answer.content,
            "markdown" if answer.target == PROSE else answer.target,
            prefix=_prefix(answer),
            marks=marks,
            doubts=doubts_of(answer, labels),
            resolve=_resolver(answer.page, self.context.addresses, base),
            coloured=self._coloured(passages),
        )

    def _coloured(self, passages: Iterable[Passage]) -> dict[str, str]:
        """Code that pages highlight → its HTML with the colours."""
        found = {passage.text: self.colours_of(passage) for passage in passages}
        return {code: html for code, html in found.items() if html}

    def _numbered(self, answer: Answer) -> tuple[Group, ...]:
        """The footnotes of an answer, with the numbers that its page gives them."""
        by = self.before.get(answer.key, 0)
        return tuple(replace(group, n=group.n + by) for group in grouped(answer))

    def marks(self, answer: Answer, *, base: str, locale: str = "en") -> list[str]:
        """The citations of a page's marked claims, one for each block of its text; empty for quiet ones."""
        seen = without_quiet(answer)
        labels = Labels(locale)
        marks = self._marks(self._numbered(seen), base, labels)
        doubts = doubts_of(seen, labels)
        found = markdown.numbers_of_blocks(
            seen.content, prefix=_prefix(answer), marks=marks, doubts=doubts
        )
        for number in sorted(answer.quiet):
            found.insert(number, "")
        return found

    @property
    def _has_notes(self) -> bool:
        return self.settings.footnotes != "none"

    def _marks(
        self, groups: Sequence[Group], base: str, labels: Labels
    ) -> dict[int, markdown.Mark]:
        marks = {}
        for group in groups:
            name = labels("source", n=group.n, label=group.parts[0].source.label)
            href = ""
            if not self._has_notes:
                href = self._link(group).href(base) or "#"
            for part in group.parts:
                marks[part.source.sid] = markdown.Mark(group.n, name, href)
        return marks

    def _link(self, group: Group) -> Link:
        return to_all(
            self.context.links, [(part.passage, part.quote) for part in group.parts]
        )

    def _folds(self, answer: Answer) -> bool:
        """True if the list of footnotes is folded up; the same for all answers of a page."""
        return self.settings.footnotes == "folded" or (
            self.settings.footnotes == "auto" and answer.key in self.several
        )

    def _note(
        self,
        answer: Answer,
        group: Group,
        base: str,
        labels: Labels,
        used: Mapping[int, int],
    ) -> Note:
        passage, source, prefix = (
            group.parts[0].passage,
            group.parts[0].source,
            _prefix(answer),
        )
        details: tuple[str, ...] = (labels("note"),)
        quotes: tuple[Markup, ...] = ()
        if not passage.is_private:
            details = _details(source, passage, labels)
            quotes = () if self._is_gone(answer, group) else _quotes(group)
        uses = range(1, used.get(group.n, 0) + 1)
        return Note(
            n=group.n,
            id=markdown.note_id(prefix, group.n),
            label=source.detail if _is_path(source) else source.label,
            href=self._link(group).href(base),
            details=details,
            doubts=doubts_about(answer, group.sids, labels)
            if self.settings.render.checks != "none"
            else [],
            quotes=quotes,
            back=tuple(f"#{markdown.use_id(prefix, group.n, use)}" for use in uses),
        )

    def _is_gone(self, answer: Answer, group: Group) -> bool:
        """True if words that an answer out of date cites are not on their page any more."""
        if answer.status is not Status.STALE:
            return False
        return not all(
            part.quote in part.passage.text
            and self.context.links(part.passage, part.quote).exact
            for part in group.parts
        )

    def _nearest(self, answer: Answer, base: str) -> list[tuple[str, str]]:
        """Names and addresses of the closest sections, each once."""
        if answer.status is not Status.ABSTAINED or (
            self.settings.on_abstain != "pointers" and not self.serve
        ):
            return []
        near = closest(answer.consulted)
        return [
            (source.label, self.context.links(source.passage, "").href(base))
            for source in near
        ]

    def _heads(
        self, answer: Answer, notes: Sequence[Note], labels: Labels
    ) -> list[str]:
        """The line under an answer: how many sources it has, and how many of its sentences are checked."""
        name = labels("page_sources" if answer.target == PROSE else "sources")
        heads = [f"{name} ({len(notes)})"] if notes else []
        if self.settings.render.checks != "none" and answer.status is not Status.QUOTED:
            heads += counted(answer, labels)
        return heads

    def _checks(
        self, answer: Answer, marks: Mapping[int, markdown.Mark], labels: Labels
    ) -> list[Check]:
        """The claims of an answer. What was said of a private note is left out."""
        if not (self.serve or self.settings.render.checks == "claims"):
            return []
        return [checked(item, marks, labels) for item in answer.claims]

    def _notice(self, answer: Answer) -> str:
        """Key of the label that tells an author, in the preview, why an answer would not do, that some of its claims
        wait for a person, or that there are findings; empty if there is nothing to tell."""
        if not self.serve or answer.status is Status.ABSTAINED:
            return ""  # the box that says that there is no answer tells of the findings too
        if answer.ok:
            if any(item.slug == "unconfirmed-claim" for item in answer.findings):
                return "waiting"
            if answer.findings:
                return "findings"
            return ""
        wrong = any(
            item.severity == "error" and item.slug != "unapproved-answer"
            for item in answer.findings
        )
        if answer.status is Status.PENDING and wrong:
            return "failed"  # it waits for its author, not for an approval
        return _STATES.get(answer.status, "failed")

    def _meta(self, answer: Answer, labels: Labels) -> list[str]:
        """The lines under an answer that the options ask for."""
        options, lines = self.settings.render, []
        date, people = last_review(answer)
        if options.reviewed and people and answer.status is not Status.STALE:
            said = labels("reviewed_by", name=", ".join(people))
            lines.append(f"{said}, {date}" if date else said)
        if options.disclosure and answer.model:
            lines.append(options.disclosure)
        return lines


def gravity(findings: Sequence[Finding], *, failed: bool = False) -> str:
    """The kind of admonition for findings; all themes have these three."""
    worst = max(
        (finding.severity.rank for finding in findings), default=Severity.INFO.rank
    )
    if failed or worst >= Severity.ERROR.rank:
        return "danger"
    if worst >= Severity.WARNING.rank:
        return "warning"
    return "note"


def _untold(answer: Answer) -> str:
    """Why there is no text, or why it does not hold, unless a finding says just that."""
    told = any(
        answer.reason in f"{finding.message} {finding.tip}"
        for finding in answer.findings
    )
    if told:
        return ""
    return answer.reason


def closest(consulted: Sequence[Source]) -> list[Source]:
    """The best source of each of the closest sections that readers may see."""
    sections: dict[tuple[str, int], Source] = {}
    for source in consulted:
        if not source.passage.is_private:
            sections.setdefault(
                (source.passage.page.src, source.passage.section.position), source
            )
    return list(sections.values())[:_POINTERS]


def _prefix(answer: Answer) -> str:
    """What the ids of an answer's notes and numbers begin with: its own id, unless that is a whole question, since it
    is repeated four times a number."""
    name = (
        answer.id
        if len(answer.id) <= _LONGEST_NAME
        else digest("notes", answer.key, length=6)
    )
    return f"cited-{name}"


def _is_path(source: Source) -> bool:
    """True if a source is a file that has no other name than its path."""
    return source.detail.startswith(f"{source.label}:")


def _details(source: Source, passage: Passage, labels: Labels) -> tuple[str, ...]:
    """What is told of a source besides its name."""
    page, details = passage.page, []
    if page.type is SourceType.FILE and not _is_path(source):
        details.append(source.detail)
    if page.fetched:
        details.append(labels("as_of", date=page.fetched))
    written = byline(page, labels)
    if written:
        details.append(written)
    return tuple(details)


def _quotes(group: Group) -> tuple[Markup, ...]:
    """What is quoted of the passages of a footnote."""
    passages = {part.passage.id: part.passage for part in group.parts}
    cited: dict[str, list[str]] = {}
    for part in group.parts:
        cited.setdefault(part.passage.id, []).append(part.quote)
    return quoted_together((passage, cited[name]) for name, passage in passages.items())


def _resolver(page: str, pages: Mapping[str, str], base: str) -> markdown.Resolve:
    """Links as authors write them, relative to the page's Markdown file, become addresses as the browser sees them."""

    def resolve(target: str) -> str | None:
        path, mark, anchor = target.partition("#")
        if passable(target) is None or not path or is_whole(target):
            return passable(target)
        source = posixpath.normpath(
            posixpath.join(posixpath.dirname(page), unquote(path))
        )
        if source.startswith(".."):
            return None
        return relative(pages.get(source, source), base, mark + anchor)

    return resolve
