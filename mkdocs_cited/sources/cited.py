"""The passages that `[@path#part]` names, or why it names none, with a tip: the heading or key that is nearest.

A path leads where Markdown links lead: relative to the page first, then to the folder of the docs; `/` is the folder of
the docs. What a part names *in* a file is found in `addressed`.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from mkdocs_cited.base.errors import command
from mkdocs_cited.base.text import closest, did_you_mean, tag_of
from mkdocs_cited.code import needs_extra
from mkdocs_cited.model.declaration import MARKDOWN, WEB, Declaration, address_of
from mkdocs_cited.model.source import Corpus, Page, Passage, Refused, SourceType
from mkdocs_cited.sources.files import Repository
from mkdocs_cited.sources.names import MOST_NAMED, before_sub_headings

_MOST_COMPARED = 5000
"""Paths among which the nearest is looked for."""
_PAGES = (SourceType.PAGE, SourceType.ARCHIVE)


def cited(
    target: str, declaration: Declaration, corpus: Corpus
) -> tuple[Passage, ...] | Refused:
    """The passages that a citation names.

    Args:
        target: what stands behind the `@`, as `keys.md#rotate`.
        declaration: the answer or marks that it is written in, from whose page its path leads.
        corpus: what may be cited.
    """
    address = address_of(target)
    page = corpus.named(address.path, declaration)
    if isinstance(page, Refused):
        return page
    if not address.anchor:
        return _lead(corpus, page) or _nothing(corpus, page, "")
    fault = corpus.fault(page.src, address.anchor)
    if fault:
        return fault
    passages = tuple(corpus.section(page.src, address.anchor))
    return passages or _nothing(corpus, page, address.anchor)


def _lead(corpus: Corpus, page: Page) -> tuple[Passage, ...]:
    """The text of a page or Markdown file before its first sub-heading; the whole of another file."""
    passages = tuple(corpus.section(page.src, ""))
    is_file = page.type in (SourceType.FILE, SourceType.NOTE)
    if is_file and not page.file.lower().endswith(MARKDOWN):
        return passages
    positions = before_sub_headings(corpus.sections(page.src))
    return tuple(
        passage for passage in passages if passage.section.position in positions
    )


def _nothing(corpus: Corpus, page: Page, anchor: str) -> Refused:
    """Why an address names no passage of a document."""
    src, anchors = page.src, corpus.anchors(page.src)
    if not anchor:
        tip = "cite a page that has text"
        if anchors:
            names = ", ".join(f"`#{name}`" for name in anchors[:MOST_NAMED])
            tip = f"name the heading: {names}"
        return Refused(f"`{src}` has no text before its first sub-heading", tip)
    if anchor in anchors:
        tip = "cite a section that has a text"
        return Refused(f"`{src}#{anchor}` has no text to cite", tip)
    what = "key, name or heading"
    if page.type in _PAGES:
        what = "heading"
    if anchors:
        tip = did_you_mean(anchor, anchors)
    elif page.type is SourceType.FILE:
        tip = 'quote its line, `#"TTL = (\\d+)"`, or mark a region in it: `--8<-- [start:name]`'
        if needs_extra(page.file):
            tip += "; `pip install 'mkdocs-cited[code]'` reads names of this language"
    else:
        tip = f"it has none: cite the page, `[@{src}]`"
    return Refused(f"`{src}` has no {what} `#{anchor}`", tip)


class Reach:
    """The pages, and the files that marks may name."""

    def __init__(self, pages: Iterable[Page], repository: Repository) -> None:
        self._repository = repository
        self._docs = repository.docs_dir
        self._pages: dict[str, Page] = {}
        """Those of the site and of the web, by their paths below the folder of the docs."""
        self._files: dict[str, Page] = {}
        """Those that `extra_sources` names, by their paths in the project."""
        for page in pages:
            if page.type in (SourceType.FILE, SourceType.NOTE):
                self._files[page.file] = page
            else:
                self._pages[_composed(page.src)] = page

    def page(self, path: str, declaration: Declaration) -> Page | Refused:
        """The document that a path means.

        Args:
            path: as the author wrote it; empty for the page itself.
            declaration: what it is written in: on a page, in a file of the project, and in a language, of which a
                translation is meant.
        """
        if path.startswith(WEB):
            if path in self._pages:
                return self._pages[path]
            message = f"there is no snapshot of `{path}` that can be read"
            name = path.removeprefix(WEB)
            tip = f"run `{command('snapshot', name)}`, once `extra_sources` names it"
            close = closest(path, [src for src in self._pages if src.startswith(WEB)])
            if close:
                tip = f"did you mean `{close}`?"
            return Refused(message, tip)
        refused = []
        for place in self._places(unquote(path), declaration):
            for name in (_translated(place, declaration), place):
                page = self._pages.get(_composed(name))
                if page:
                    return page
            in_project = posixpath.normpath(posixpath.join(self._docs, place))
            found = self._files.get(in_project) or self._repository.page(in_project)
            if isinstance(found, Page):
                return found
            refused.append(found)
        return self._unknown(path, refused[0], declaration)

    def _places(self, path: str, declaration: Declaration) -> Iterator[str]:
        """Where a path may lead, the likeliest first, relative to the folder of the docs."""
        on, file = declaration.page, declaration.place.file
        if not path:
            yield on
            return
        if not path.startswith("/"):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(on), path))
            # a page may be elsewhere on the disk than in the site
            beside = posixpath.join(posixpath.dirname(file), path)
            if not posixpath.isabs(file):
                yield posixpath.relpath(beside, self._docs)
        # as sites before 0.3 wrote it
        yield posixpath.normpath(path.lstrip("/"))

    def _unknown(
        self, path: str, refused: Refused, declaration: Declaration
    ) -> Refused:
        """Why there is nothing at a path that is written in a declaration; `refused` is what is said of the place that
        it leads to most likely."""
        if refused.tip:
            return refused
        file = declaration.place.file
        known = [src for src in self._pages if src != declaration.page]
        for name in self._repository.known():
            beside = posixpath.relpath(name, posixpath.dirname(file))
            if name != file and beside != path:  # git may track what is deleted
                known.append(beside)
        close = closest(path, known[:_MOST_COMPARED])
        tip = "write its path from the folder of this page, as in a link"
        if close:
            tip = f"did you mean `{close}`?"
        return Refused(f"`{path}` leads nowhere: {refused.message}", tip)


def _composed(path: str) -> str:
    """A path with its accents in their letters (NFC), as most keyboards write it and some disks do not."""
    return unicodedata.normalize("NFC", path)


def _translated(place: str, declaration: Declaration) -> str:
    """A page in the language of the one that names it, where both say theirs in their names: in `index.de.md`,
    `keys.md` is `keys.de.md`, as links are to mkdocs-static-i18n."""
    stem, _, suffix = declaration.page.removesuffix(".md").rpartition(".")
    if not stem or tag_of(suffix) != declaration.locale or not place.endswith(".md"):
        return place
    return f"{place.removesuffix('.md')}.{suffix}.md"
