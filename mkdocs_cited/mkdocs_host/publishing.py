"""Answers written into the pages of a built site, whatever built it, and taken out of those that show none any more."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import inside, write_atomically
from mkdocs_cited.base.html import original
from mkdocs_cited.mkdocs_host.answering import ASSET_FOLDER, asset_texts, assets
from mkdocs_cited.mkdocs_host.site import BuiltSite
from mkdocs_cited.model.report import Report
from mkdocs_cited.render.links import relative
from mkdocs_cited.site_host.pages import with_assets, without_empty


def publish(site: BuiltSite) -> tuple[Report, int]:
    """Write answers, ids and what they load into the pages, and what machines read beside them: what is wrong with the
    answers, and how many files have changed. Pages are read as their generator wrote them: twice is the same as once.

    Raises:
        CitedError: a file cannot be written, or is not UTF-8.
    """
    report = site.check_answers()
    changed = 0
    for name, text in _files(site):
        path = inside(site.folder, name, what="a file of the site", where="the site")
        changed += write_atomically(path, text.encode())
    return report, changed


def _files(site: BuiltSite) -> Iterator[tuple[str, str]]:
    """Path in the site and text of each file that may change."""
    published = site.published
    if published is None:
        return
    for page in site.build.pages:
        if not page.whole:
            continue
        html = published.pages.get(page.url)
        if _is_utf8(site, page.dest):
            if html is None:
                shown = original(page.whole)
            else:
                shown = (
                    _loading(html, page.url)
                    if published.is_seen
                    else without_empty(html)
                )
            yield page.dest, shown
        elif html is not None:
            message = f"{site.folder / page.dest}: this is not UTF-8, and nothing can be written into it"
            raise CitedError(message, tip="let the generator write UTF-8")
    yield from published.files.items()
    if published.pages and published.is_seen:
        yield from asset_texts(serving=False).items()


def _is_utf8(site: BuiltSite, path: str) -> bool:
    try:
        (site.folder / path).read_bytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def _loading(html: str, url: str) -> str:
    """A page that loads the style sheet and the script."""
    up = relative(f"{ASSET_FOLDER}/", url)
    return with_assets(
        without_empty(html), [f"{up}{name}" for name in assets(serving=False)]
    )
