"""A page of the site, without its text: what a build knows of it before anything is cut or indexed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from urllib.parse import urlsplit

from msgspec import Struct


class SourceType(StrEnum):
    """What kind of document a passage comes from."""

    PAGE = "page"
    """A page of the site."""
    DEFINITION = "definition"
    """A glossary, definition-list or abbreviation entry of a page."""
    FILE = "file"
    """A file of the repository that `extra_sources` names; cited by path and lines."""
    NOTE = "note"
    """A maintainers' note that `extra_sources` names: only its name may ever be published."""
    ARCHIVE = "archive"
    """A superseded page: used only by a declaration that names it."""
    WEB = "web"
    """A snapshot of an external page that `extra_sources` names, stored in the repository; cited by its address."""


class Page(Struct, frozen=True):
    """A page of the site, or a document of `extra_sources`, without its text."""

    src: str
    """Path under `docs_dir` (`guide/install.md`); for a file or note, its path in the repository; for an external page
    `web:NAME/HOST/PATH`."""
    url: str
    """Address relative to the site's root (`guide/install/`); for a file, a link into the repository or empty; for an
    external page, its own."""
    title: str
    locale: str = "en"
    """BCP 47 language of the page, as far as it is known."""
    type: SourceType = SourceType.PAGE
    """`page`, `file`, `note`, `archive` or `web`."""
    author: str = ""
    published: str = ""
    """ISO 8601 date, or empty."""
    modified: str = ""
    """ISO 8601 date, or empty."""
    file: str = ""
    """Path of the source file relative to the project, for findings: `docs/guide/install.md`."""
    fetched: str = ""
    """ISO 8601 date as of which the text of an external page holds; empty for what is our own."""

    @property
    def host(self) -> str:
        """The host of an external page; empty for what is our own."""
        return (urlsplit(self.url).hostname or "") if self.type is SourceType.WEB else ""


def main_locale(pages: Iterable[Page]) -> str:
    """The language of most pages of a site, for questions that no page asks; English without pages."""
    counted = Counter(page.locale for page in pages if page.type is SourceType.PAGE)
    return counted.most_common(1)[0][0] if counted else "en"
