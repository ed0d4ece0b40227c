"""The contents of pages, with what is learnt by looking at them: once for as long as they stay as they are.

A preview renders every page again and again, and nearly all of them come out the same: to compare a page with what it
was costs a tenth of reading it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mkdocs_cited.mkdocs_host import build_cache

if TYPE_CHECKING:
    from mkdocs_cited.sources.unclosed_tags import UnclosedTag


class Contents:
    """What is known of the content at each address."""

    def __init__(self) -> None:
        self._known: dict[str, _Content] = {}

    def digest(self, url: str, html: str) -> str:
        """What tells the content of a page from any other."""
        return self._at(url, html).digest

    def unclosed_tags(self, url: str, html: str) -> tuple[UnclosedTag, ...]:
        """The tags of a page that swallow what follows."""
        return self._at(url, html).unclosed_tags

    def _at(self, url: str, html: str) -> _Content:
        known = self._known.get(url)
        if known is None or known.html != html:
            known = self._known[url] = _Content(html)
        known.html = html  # and not what is as long and no longer needed
        return known


class _Content:
    def __init__(self, html: str) -> None:
        self.html = html

    @cached_property
    def digest(self) -> str:
        return build_cache.digest(self.html)

    @cached_property
    def unclosed_tags(self) -> tuple[UnclosedTag, ...]:
        from mkdocs_cited.sources.unclosed_tags import unclosed_tags

        return unclosed_tags(self.html)
