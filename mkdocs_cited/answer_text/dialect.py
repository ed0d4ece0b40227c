"""The Markdown that answers are written in, and the only parser of it: what is reviewed and what is shown are one tree.

CommonMark 0.31 with tables, and `[^1]` for a citation's number. Nothing vanishes from it: HTML is
text with tags in it, and there are no link definitions, so that `[^1]: text` and `[1]: text` are words like all others.
Where a token stands in the content is found in `markdown`, how it looks in a page is decided in `render.markdown`.
"""

from __future__ import annotations

from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from mkdocs_cited.answer_text.marks import MARKER

LONGEST = 200_000
"""Characters of one answer that are read as Markdown; a longer one is a single paragraph of plain text."""
MARK = "cited_mark"
"""Type of the token of a citation's number; its content is the number."""


def tokens(content: str) -> list[Token]:
    """The block tokens of an answer, in order; the caller may change them. Addresses are as written: nothing has
    checked them."""
    if len(content) > LONGEST:
        inline = Token("inline", "", 0, map=[0, 1], content=content, children=[Token("text", "", 0, content=content)])
        return [Token("paragraph_open", "p", 1, map=[0, 1]), inline, Token("paragraph_close", "p", -1)]
    return PARSER.parse(content)


def words(inline: Iterable[Token]) -> str:
    """The text of inline tokens, without any markup: what an image is called."""
    return "".join(
        words(token.children or ()) if token.type == "image" else _text(token) for token in inline if token.nesting == 0
    )


def _text(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.markup if token.type == MARK else token.content


def _mark(state: StateInline, silent: bool) -> bool:
    """`[^1]` in running text; code never comes here."""
    match = MARKER.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        token = state.push(MARK, "sup", 0)
        token.content, token.markup = match[1], match[0]
    state.pos = match.end()
    return True


def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark").enable("table")
    # A block of HTML is read as a paragraph with tags, so that nothing hides in it; escapes stay tokens of their own.
    md.disable(["html_block", "reference", "text_join"])
    md.inline.ruler.before("link", MARK, _mark)
    md.validateLink = lambda url: True  # type: ignore[method-assign]  # rules must see the links that are refused
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]  # … as they are written
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return md


PARSER = _parser()
