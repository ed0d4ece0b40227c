"""A Python-Markdown extension that shows recorded answers, for hosts that run no plugins, such as Zensical.

It writes nothing, asks no model and has no index: what it shows was recorded by `mkdocs-cited update --site DIR`, and
whether the site shows it all is said by `mkdocs-cited check --site DIR`. Answers go into a page in two steps: their
headings while it is parsed, their HTML after.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from itertools import accumulate
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urlsplit
from weakref import WeakSet

from markdown import Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from msgspec import Struct, field

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.language_tags import tag_of
from mkdocs_cited.base.terminal import shown_line
from mkdocs_cited.declarations.in_markdown import Asked, Places
from mkdocs_cited.declarations.markers import SLOT
from mkdocs_cited.declarations.page import read_page
from mkdocs_cited.model.answer import Answer, Citation, Status
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Page, Passage, Section, Source, SourceType
from mkdocs_cited.records import Absent, Broken, Record, RecordedCitation, Store
from mkdocs_cited.render.answer import AnswerRenderer
from mkdocs_cited.render.labels import Context
from mkdocs_cited.render.links import Link, LinkOf, rooted
from mkdocs_cited.settings.parsing import parse
from mkdocs_cited.site_host import configuration
from mkdocs_cited.site_host.configuration import TIP, gate
from mkdocs_cited.site_host.pages import sources

_AFTER_RAW_HTML = 5
"""Priority of what runs when comments are comments again (Python-Markdown puts them back at 30)."""
_FIRST = 2_000
"""Priority of what runs before all else, and so before anything that is rendered within the page."""

_PLAIN = "!$'()*+,/:;=?@-._~"
"""What an address within double quotes holds as it is, besides letters and digits."""

log = logging.getLogger("mkdocs_cited")
_begun: WeakSet[Any] = WeakSet()
"""Pages whose Markdown is being rendered: what is rendered within them (docstrings, executed code) is no page."""


def makeExtension(**options: Any) -> Cited:  # noqa: N802 -- the name that Python-Markdown looks for
    """The extension, as `markdown_extensions: [mkdocs_cited.extension]` asks for it."""
    return Cited(**options)


class Cited(Places):
    """Answers in the pages of a host that hands its page over as Zensical does; elsewhere marks alone."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 -- Python-Markdown's name
        """Register the two halves around the places of answers."""
        super().extendMarkdown(md)
        reading, showing = _Reading(md), _Showing(md)
        reading.places, showing.reading = self, reading
        md.preprocessors.register(reading, "cited", _FIRST)
        md.postprocessors.register(showing, "cited", _AFTER_RAW_HTML)


class _Reading(Preprocessor):
    """Reads what was recorded for the page."""

    places: Places
    answers: PageAnswers | None = None

    def run(self, lines: list[str]) -> list[str]:
        """The lines as they are; the answers are noted."""
        context = self._context()
        if context is None or context.page in _begun:
            return lines
        _begun.add(context.page)
        try:
            self.answers = page_answers(context.page, context.config)
        except CitedError as error:
            said = f"{context.page.path}: no answer is shown: {error.message} ({error.tip})"
            log.error("cited: %s", shown_line(said))
            return lines
        if self.answers.asked or self.answers.problems:
            _warn_without_gate(folder_of(context.config))
        for message in self.answers.problems:
            log.warning("cited: %s", shown_line(message))
        self.places.heading, self.places.asked = self.answers.heading, self.answers.asked
        return lines

    def _context(self) -> Any:
        """What Zensical says of the page: a preprocessor with `page` (`path`, `url`) and `config`."""
        for item in self.md.preprocessors:
            if hasattr(getattr(item, "page", None), "path") and isinstance(getattr(item, "config", None), dict):
                return item
        return None


@cache
def _warn_without_gate(root: Path) -> None:
    """Say once that nothing fails where answers are wrong: here nobody but a check does."""
    if gate(root) is None:
        log.warning("cited: nothing in CI checks the answers: %s", TIP)


class _Showing(Postprocessor):
    """Puts the answers where their markers are."""

    reading: _Reading

    def run(self, text: str) -> str:
        """The page's HTML with its answers."""
        answers = self.reading.answers
        return text if answers is None else answers.shown_in(text)


class PageAnswers(Struct, frozen=True):
    """What one page shows."""

    heading: int = 2
    """Level of the headings of answers without a marker."""
    asked: tuple[Asked, ...] = ()
    """The answers that can be shown, in the order of the page."""
    blocks: Mapping[str, str] = field(default_factory=dict)
    """Id → HTML of its answer."""
    problems: tuple[str, ...] = ()
    """What cannot be shown, and why."""

    def shown_in(self, html: str) -> str:
        """A page's HTML with each answer in the place of its marker, and what styles and moves them at its end."""
        left = dict(self.blocks)

        def block(match: re.Match[str]) -> str:
            return left.pop(match[1] or match[2], match[0])

        shown = SLOT.sub(block, html)
        return f"{shown}\n{_assets()}" if len(left) < len(self.blocks) else shown


def page_answers(page: Any, config: Mapping[str, Any]) -> PageAnswers:
    """The answers of a page.

    Args:
        page: of the host: `path` (under the folder of the docs), and `meta`.
        config: of the host: `root_dir` and `docs_dir`.

    Raises:
        CitedError: the configuration or the options cannot be used.
    """
    root = folder_of(config)
    src, docs = PurePosixPath(page.path).as_posix(), str(config.get("docs_dir") or "docs")
    file = root / docs / src
    if not file.is_file() or b"answers" not in (data := file.read_bytes()):
        return PageAnswers()
    site = configuration.read(None, root)
    settings = parse(site.options, file=site.file)
    if not settings.enabled:
        return PageAnswers()
    locale = next(filter(None, map(tag_of, ((page.meta or {}).get("lang"), site.language))), "en")
    declared = read_page(src, f"{docs}/{src}", data, locale=locale)
    problems = [f"{finding.place}: {finding.message}" for finding in declared.findings]
    records: dict[str, tuple[Declaration, Record]] = {}
    store = Store(root, settings.records_dir)
    for item in declared.declarations:
        record = store.read(item.key)
        if isinstance(record, Record) and (record.content or record.abstained):
            records[item.id] = item, record
        problems += [f"{item.place}: “{item.question}” {short}" for short in _shortfalls(item, record, store)]
    folders = site.keys.get("use_directory_urls") is not False
    built = sources(root / docs, folders=folders)
    addresses = {name: dest.removesuffix("index.html") if folders else dest for name, dest in built.items()}
    site_url, blocks = rooted(str(site.keys.get("site_url") or "")), {}
    for name, (item, record) in records.items():
        links = links_of(record, str(site.keys.get("repo_url") or ""))
        several = {item.key} if len(records) > 1 else ()
        renderer = AnswerRenderer(settings, Context(links, addresses, site_url), several=several)
        # Links as authors write them, from the page's file: Zensical turns them into those from its address.
        blocks[name] = renderer.render(answer_of(record, item), base=src, locale=locale)
    asked = tuple(Asked(name, item.question) for name, (item, _) in records.items())
    return PageAnswers(settings.heading, asked, blocks, tuple(problems))


def folder_of(config: Mapping[str, Any]) -> Path:
    """The folder of a host's configuration."""
    return Path(str(config.get("root_dir") or ".")).resolve()


def _shortfalls(declaration: Declaration, record: Record | Absent | Broken, store: Store) -> Iterator[str]:
    """In what an answer's record falls short, as far as that is seen without the site's passages; and what to do."""
    update = "run `mkdocs-cited update --site DIR`"
    if isinstance(record, Broken):
        yield f"has a record that {record.reason}: {update}"
    elif isinstance(record, Absent) or not (record.content or record.abstained):
        yield f"has no record: {update}"
    else:
        if record.declaration and record.declaration != declaration.hash:
            yield f"has another declaration than its answer was written for: {update}"
        if waiting := len(record.unconfirmed):
            yield f"has {waiting} claim{'s' * (waiting > 1)} that nobody has confirmed: run `mkdocs-cited review`"
    if isinstance(store.proposal(declaration.key), Record):
        yield "has a proposal that waits: run `mkdocs-cited review`"


def answer_of(record: Record, declaration: Declaration) -> Answer:
    """A record as an answer, with no index to look its passages up in."""
    citations = sorted(record.citations, key=lambda item: item.sid)
    answer = Answer(
        declaration.key,
        declaration.page,
        declaration.id,
        declaration.question,
        Status.ABSTAINED if record.abstained else Status.ACCEPTED,
        content=record.content,
        target=declaration.target,
        sources=tuple(_source(item, declaration.locale) for item in citations),
        citations=tuple(Citation(item.sid, item.at, item.quote) for item in citations),
        provider=record.provider,
        model=record.model,
        pointers=record.pointers,
        consulted=tuple(_source(item, declaration.locale) for item in record.nearest),
    )
    return record.dated(answer)


def _source(citation: RecordedCitation, locale: str) -> Source:
    """A citation's passage as its footnote shows it: the label for a title, the link for an address."""
    src, _, anchor = citation.at.partition("#")
    label = citation.label or " › ".join(filter(None, (PurePosixPath(src).stem, anchor)))
    title, _, heading = label.partition(" › ")
    page = Page(src, citation.link.partition("#")[0], title, locale, citation.type)
    section = Section(page, anchor, heading or title, 0, (heading or title,))
    ends = list(accumulate(len(sentence) + 1 for sentence in citation.around))
    spans = tuple((end - len(sentence) - 1, end - 1) for end, sentence in zip(ends, citation.around, strict=True))
    text = " ".join(citation.around) or citation.quote
    passage = Passage(citation.at, section, citation.kind, text, page.type, "", sentences=spans)
    return Source(citation.sid, passage, citation.via)


def links_of(record: Record, repository: str = "") -> LinkOf:
    """The ways that were recorded; without one, no link: nobody has tried it. Only an external page, and a file of the
    repository at this address, has a whole address."""
    known = {(item.at, item.quote): item for item in (*record.citations, *record.nearest)}

    def link(passage: Passage, quote: str) -> Link:
        citation = known.get((passage.id, quote))
        if citation is None or citation.type is SourceType.NOTE or not citation.link:
            return Link(linked=False)
        url, _, fragment = citation.link.partition("#")
        ours = repository and url.startswith(f"{repository.rstrip('/')}/") and citation.type is SourceType.FILE
        if urlsplit(url).scheme and not (ours or citation.type is SourceType.WEB):
            return Link(linked=False)
        anchor, mark, text = fragment.partition(":~:")
        return Link(url, unquote(anchor), mark + text)

    return link


@lru_cache(maxsize=1)
def _assets() -> str:
    """Style sheet and script, in the page: an extension can write no files, and no `<style>` may be in a body."""
    folder = resources.files("mkdocs_cited.render") / "assets"
    style, script = ((folder / name).read_text(encoding="utf-8") for name in ("cited.css", "cited.js"))
    return f'<link rel="stylesheet" href="data:text/css,{quote(style, safe=_PLAIN)}">\n<script>{script}</script>'
