"""What stands in `[@…]`: which of them are ours, and the path and the part of a file that each names; and the comments
in whose place answers go, `<!-- answer: limits -->`.

Nothing here asks the disk. Where a path leads, and which passages are there, is found in `sources.cited`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

ENDINGS = frozenset(
    "md markdown mdown mkdn mkd rst txt html htm ipynb yml yaml json jsonc json5 toml ini cfg conf env properties "
    "xml csv py pyi go rs ts tsx js jsx mjs cjs java kt rb php cs cpp hpp sh bash tf tfvars hcl sql proto graphql "
    "lua swift scala dockerfile mk cmake gradle example lock".split()
)
"""Endings by which a path is known for one where no such file is there. `[@Jarse.2023]` has none of them."""
MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""Endings of what MkDocs makes pages of."""
WEB = "web:"
"""How the name of an external page begins (`extra_sources` of the type `web`)."""
ATTRIBUTE = "data-cited-mark"
"""The attribute of the element that a mark becomes in a page until its number is written."""
MARKER = re.compile(
    r"<!--[ \t]{0,20}answer:[ \t]{0,20}(?P<id>[^\s<>]{1,200}?)[ \t]{0,20}-->"
)
"""Where an answer goes; the group is the answer's id."""
SLOT = re.compile(rf"(?P<alone><p>\s{{0,20}})?{MARKER.pattern}(?(alone)\s{{0,20}}</p>)")
"""Where it goes in HTML: the comment, with the paragraph that holds nothing else. Code cannot match, since there `<` is
escaped."""
WRITTEN = re.compile(r"\[@(?P<shown>[^\[\]]+)\]|<!--\s*cite:(?P<hidden>[^<>]+)-->")
"""A mark as Markdown writes it; one of the groups is what it says. `sources.marks` reads those of HTML."""
_KEY_OF_A_FILE = re.compile(r"[^\s#,]*#[^\s\d]")
"""`values#cache`, `#rotate`; `octocat#12` is an issue."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PART = re.compile(r'(?:[^;"]|"[^"]*"|")+')


class Address(Struct, frozen=True):
    """A path, and what it names there."""

    path: str
    """As it is written, with `/`; empty for the page itself."""
    anchor: str
    """An id, a key, a name, a quoted text; empty for the text before the first sub-heading."""

    @property
    def pattern(self) -> str:
        """The words between the quotation marks of `#"…"` or `#"…".*`; empty where the anchor is a name."""
        written = self.anchor.removesuffix(".*")
        quoted = len(written) > 2 and written.startswith('"') and written.endswith('"')
        if quoted:
            return written[1:-1]
        return ""


def address_of(target: str) -> Address:
    """`../values.yaml#cache.ttl` in its parts."""
    path, _, anchor = target.partition("#")
    return Address(path.strip().replace("\\", "/"), anchor.strip())


def targets_of(written: str) -> tuple[str, ...]:
    """The targets of a mark, which `;` divides: what stands between `[@` and `]`, without an `@` or `!` of each."""
    parts = (part.strip().lstrip("@!").strip() for part in _PART.findall(written))
    return tuple(part for part in parts if part)


def is_mark(written: str, exists: Callable[[str], bool] | None = None) -> bool:
    """True if what stands between `[@` and `]` is a citation of ours: one of its targets is.

    The keys of Pandoc and bibtex are not: `smith04, p. 3`, `Jarse.2023`, `doi:10.7554/eLife.32822`.

    Args:
        written: with an `!` in front where it is quiet.
        exists: whether there is a file or page that a path without a known ending names.
    """
    return any(_is_address(target, exists) for target in targets_of(written))


def _is_address(target: str, exists: Callable[[str], bool] | None) -> bool:
    if target.startswith(
        ("./", "../", "/", ".\\", "..\\", WEB)
    ) or _KEY_OF_A_FILE.match(target):
        return True
    path, part, _ = target.partition("#")
    path = path.partition("?")[0].strip().strip("<>")
    if path.endswith("/"):
        return True
    if _SCHEME.match(path):
        return bool(part) and path.startswith(("https:", "http:"))
    ending = path.rpartition(".")[2].lower()
    if ending in ENDINGS and "," not in path:
        return True
    return exists is not None and exists(path)
