"""One answer as the block that is in its page: text, footnotes, and what else a reader or author is shown.

Templates give it its shape; here is decided what they get to see. A note's text is never among it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping, Sequence
from urllib.parse import unquote

import jinja2
from markupsafe import Markup
from msgspec import Struct

from mkdocs_cited.answer_text.markdown import is_whole, passable
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import PROSE
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Passage, Source, SourceType
from mkdocs_cited.render.cited import Group, grouped, without_quiet
from mkdocs_cited.render.labels import (
    Labels,
    checked,
    counted,
    doubts_of,
    filled,
)
from mkdocs_cited.render.links import LinkOf, relative, to_all
from mkdocs_cited.render.markdown import Mark, Numbers, note_id, to_html, use_id
from mkdocs_cited.render.quotes import places_of, quoted_together

_POINTERS = 3
"""Closest sections that an abstention leads to."""
_LONGEST_NAME = 12
"""Characters of an answer's id that its notes bear."""
_STATES = {
    Status.QUOTED: "quoted",
    Status.WAITING: "pending",
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
    details: Sequence[str]
    """What else is known of the source: that it is a maintainers' note, of which only the name may be known; path and
    lines of a file; the day as of which an external page is quoted; its date."""
    quotes: Sequence[Markup]
    """Of its passages, in the order of their page; none of a maintainers' note, and none of words that are gone."""
    back: Sequence[str]
    """Addresses of its uses in the text."""


class Host(Struct, frozen=True):
    """What a host knows of its site besides the pages."""

    name: str = ""
    loader: jinja2.BaseLoader | None = None
    """Where a site's own `cited/*.html` templates are found: the theme's, its `custom_dir` included."""
    with_fragments: bool = True
    """Whether links name the words that a browser highlights: what makes a PDF of the pages takes them for ids."""
    others: Collection[str] = ()
    """Keys of answers that the files for machines leave out: another language's have them."""


class Site(Struct, frozen=True):
    """What all that is rendered of one site has in common."""

    settings: Settings
    links: LinkOf
    addresses: Mapping[str, str]
    """Path under `docs_dir` of each page → its address."""
    host: Host
    serve: bool
    """Whether this is an author's preview: findings and states are shown in the page."""


class Block:
    """One answer in one page."""

    def __init__(
        self, site: Site, answer: Answer, base: str, *, locale: str, first: int
    ) -> None:
        """Number the footnotes of an answer.

        Args:
            site: the site.
            answer: the answer.
            base: address, relative to the site's root, of the page it is in.
            locale: language of that page.
            first: number of its first footnote.
        """
        self.site, self.base, self.labels = site, base, Labels(locale)
        self.is_prose = answer.target == PROSE
        if self.is_prose:
            answer = without_quiet(answer)
        self.answer = answer
        self.groups = grouped(answer, first)
        marks = {}
        for group in self.groups:
            label = group.parts[0].source.label
            name = self.labels("source", n=group.n, label=label)
            places = places_of(answer, group)
            for part in group.parts:
                sid = part.source.sid
                marks[sid] = Mark(group.n, name, places.get(sid, 0))
        name = answer.id
        if len(name) > _LONGEST_NAME:
            name = digest("notes", answer.key, length=6)
        self.prefix = f"cited-{name}"
        """What the ids of its notes and numbers begin with: its own id, unless that is a whole question, since it is
        repeated four times a number."""
        self.numbers = Numbers(
            self.prefix,
            marks,
            doubts_of(answer, self.labels),
            is_quotation=answer.status is Status.QUOTED,
        )

    def html(self, *, fold: bool) -> str:
        """The whole block; of a page's claims once their numbers are made, and nothing where there is no footnote.

        Args:
            fold: whether the list of footnotes is folded up.
        """
        answer, settings = self.answer, self.site.settings
        serve = self.site.serve
        if self.is_prose and not (self.groups or serve):
            return ""
        body = ""
        if answer.content and not self.is_prose:
            html = to_html(answer.content, self.numbers, self.resolved)
            body = Markup(html)  # noqa: S704 -- it has passed the sanitiser
        notice = state = ""
        if serve:
            notice = _notice(answer)
        wrong = _state(answer)
        if wrong and not notice:
            state = self.labels(wrong)
        checks = []
        if serve or settings.render.checks == "claims":
            checks = [
                checked(item, self.numbers.marks, self.labels) for item in answer.claims
            ]
        return filled(
            "answer",
            self.labels,
            self.site.host.loader,
            key=answer.key,
            status=answer.status.value,
            body=body,
            state=state,
            heads=self.heads(),
            notes=[self.note(group) for group in self.groups],
            checks=checks,
            fold=fold,
            disclosure=answer.model and settings.render.disclosure,
            nearest=self.nearest(),
            denied=answer.denied,
            notice=notice,
            gravity="danger" if answer.is_wrong else "warning",
            reason=_untold(answer) if serve else "",
            findings=answer.findings if serve else (),
            proposal=answer.proposal if serve else "",
            id=f"cited-{answer.id}",
        ).strip()

    def heads(self) -> list[str]:
        """The line under an answer: how many sources it has, and how many of its sentences are checked, by whom."""
        heads = []
        if self.groups:
            name = self.labels("page_sources" if self.is_prose else "sources")
            heads.append(f"{name} ({len(self.groups)})")
        is_quoted = self.answer.status is Status.QUOTED
        if self.site.settings.render.checks != "none" and not is_quoted:
            heads += counted(self.answer, self.labels)
        return heads

    def note(self, group: Group) -> Note:
        """A footnote, as the template sees it."""
        source, passage = group.parts[0].source, group.parts[0].passage
        links, prefix = self.site.links, self.prefix
        details = [self.labels("note")]
        quotes: Sequence[Markup] = ()
        if not passage.is_private:
            details = self.details(source, passage)
            if not self.is_gone(group):
                quotes = quoted_together(group, self.labels, self.site.host.loader)
        label = source.label
        if _is_path(source):
            label = source.detail
        uses = range(1, self.numbers.used[group.n] + 1)
        return Note(
            n=group.n,
            id=note_id(prefix, group.n),
            label=label,
            href=to_all(links, group).href(self.base),
            details=details,
            quotes=quotes,
            back=[f"#{use_id(prefix, group.n, use)}" for use in uses],
        )

    def details(self, source: Source, passage: Passage) -> list[str]:
        """What is told of a source besides its name."""
        page, details = passage.page, []
        if page.type is SourceType.FILE and not _is_path(source):
            details.append(source.detail)
        if page.fetched:
            details.append(self.labels("as_of", date=page.fetched))
        date = page.published[:10]
        if page.modified:
            date = self.labels("updated", date=page.modified[:10])
        if date:
            details.append(date)
        return details

    def is_gone(self, group: Group) -> bool:
        """True if words that an answer out of date cites are not on their page any more."""
        if self.answer.status is not Status.STALE:
            return False
        for part in group.parts:
            link = self.site.links(part.passage, part.quote)
            if part.quote not in part.passage.text or not link.exact:
                return True
        return False

    def nearest(self) -> list[tuple[str, str]]:
        """Names and addresses of the closest sections that readers may see, each once."""
        links: dict[str, tuple[str, str]] = {}
        for source in self.answer.consulted:
            if not source.passage.is_private:
                address = self.site.links(source.passage, "").href(self.base)
                where = source.passage.section.where
                links.setdefault(where, (source.label, address))
        return list(links.values())[:_POINTERS]

    def resolved(self, target: str) -> str | None:
        """A link's target as authors write it, relative to the page's Markdown file, as the browser sees it."""
        path, mark, anchor = target.partition("#")
        if passable(target) is None or not path or is_whole(target):
            return passable(target)
        folder = posixpath.dirname(self.answer.page)
        source = posixpath.normpath(posixpath.join(folder, unquote(path)))
        if source.startswith(".."):
            return None
        address = self.site.addresses.get(source, source)
        return relative(address, self.base, mark + anchor)


def _notice(answer: Answer) -> str:
    """Key of the label that tells an author, in the preview, why an answer would not do, that some of its claims
    wait for a person, or that there are findings; empty if there is nothing to tell."""
    slugs = {item.slug for item in answer.findings}
    if answer.status is Status.ABSTAINED:
        return ""  # the box that says that there is no answer tells of the findings too
    if answer.is_sound and "unconfirmed-claim" in slugs:
        return "waiting"
    if answer.is_sound:
        return "findings" if slugs else ""
    return _state(answer) or "failed"


def _state(answer: Answer) -> str:
    """Key of the label that tells readers what is wrong with an answer; empty for one that is published."""
    if answer.status is Status.WAITING and answer.is_wrong:
        return "failed"  # it waits for its author, not for an approval
    return _STATES.get(answer.status, "")


def _untold(answer: Answer) -> str:
    """Why there is no text, or why it does not hold, unless a finding says just that."""
    for finding in answer.findings:
        if answer.reason in f"{finding.message} {finding.tip}":
            return ""
    return answer.reason


def _is_path(source: Source) -> bool:
    """True if a source is a file that has no other name than its path."""
    return source.detail.startswith(f"{source.label}:")
