"""The passages that `[@path#part]` names, or why it names none."""

from __future__ import annotations

from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.code import needs_extra
from mkdocs_cited.model.address import address_of
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Corpus, Page, Passage, Refused, SourceType
from mkdocs_cited.sources.headings import before_sub_headings

_FEW = 5
"""Addresses that a message lists."""


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
    page = corpus.named(
        address.path,
        on=declaration.page,
        file=declaration.place.file,
        locale=declaration.locale,
    )
    if isinstance(page, Refused):
        return page
    return _passages(corpus, page, address.anchor)


def _passages(corpus: Corpus, page: Page, anchor: str) -> tuple[Passage, ...] | Refused:
    """What an address names in a document."""
    src = page.src
    fitting = corpus.several(src, anchor) if anchor else ()
    if fitting:
        several = ", ".join(f"`#{name}`" for name in fitting[:_FEW])
        tip = f"name another one (`[@{src}#{fitting[1]}]`), or give the first an id of its own: `## Heading {{#id}}`"
        return Refused(f"`{src}#{anchor}` fits {len(fitting)} things: {several}", tip)
    passages = tuple(corpus.section(src, anchor)) if anchor else _lead(corpus, page)
    named = corpus.passage(f"{src}#{anchor}") if anchor and not passages else None
    if named is not None:
        return (named,)
    return passages or _nothing(corpus, page, anchor)


def _lead(corpus: Corpus, page: Page) -> tuple[Passage, ...]:
    """The text of a page or Markdown file before its first sub-heading; the whole of another file."""
    passages = tuple(corpus.section(page.src, ""))
    if page.type in (
        SourceType.FILE,
        SourceType.NOTE,
    ) and not page.file.lower().endswith((".md", ".markdown")):
        return passages
    positions = before_sub_headings(corpus.sections(page.src))
    return tuple(
        passage for passage in passages if passage.section.position in positions
    )


def _nothing(corpus: Corpus, page: Page, anchor: str) -> Refused:
    """What is said of an address that names no passage of a document."""
    anchors = tuple(corpus.anchors(page.src))
    if not anchor:
        known = ", ".join(f"`#{name}`" for name in anchors[:_FEW])
        message = f"`{page.src}` has no text before its first sub-heading"
        return Refused(
            message,
            f"name the heading: {known}" if known else "cite a page that has text",
        )
    if anchor in anchors:
        return Refused(
            f"`{page.src}#{anchor}` has no text to cite",
            "cite a section that has a text",
        )
    what = "key, name or heading"
    if page.type in (SourceType.PAGE, SourceType.ARCHIVE):
        what = "heading"
    if anchors:
        tip = did_you_mean(anchor, anchors)
    elif page.type is SourceType.FILE:
        tip = 'quote its line, `#"TTL = (\\d+)"`, or mark a region in it: `--8<-- [start:name]`'
        if needs_extra(page.file):
            tip += "; `pip install 'mkdocs-cited[code]'` reads names of this language"
    else:
        tip = f"it has none: cite the page, `[@{page.src}]`"
    return Refused(f"`{page.src}` has no {what} `#{anchor}`", tip)
