"""What pages write: a question with its options, the address in `[@…]` with the path and the part of a file that it
names, and the comments in whose place answers go, `<!-- answer: limits -->`.

Nothing here asks the disk. Where a path leads, and which passages are there, is found in `sources.cited`.
"""

from __future__ import annotations

import datetime
import re
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.text import digest, language_of
from mkdocs_cited.model.finding import Place

AUTHORED = "authored"
"""The provider whose text lives in the declaration, so that its record holds people's verdicts only."""

CLAIMS = "claims"
"""The id under which the marked claims of a page are declared."""


class AnswerFormat(StrEnum):
    """The shape that the question asks for; empty lets the provider choose."""

    ANY = ""
    PROSE = "prose"
    STEPS = "steps"
    LIST = "list"
    TABLE = "table"


class Length(StrEnum):
    """How much of the docs an answer repeats."""

    SHORT = "short"
    """At most 40 words of prose, 60 with a list, table or code."""
    NORMAL = "normal"
    """At most 80 words of prose, 110 with a list, table or code."""
    FULL = "full"
    """At most 150 words of prose, 300 with a list, table or code."""


PROSE = "prose"
"""What the text of a page's marked claims is: its words are the page's own. Answers are `markdown`."""


class Suppression(Struct, frozen=True):
    """A finding that the project silences on purpose."""

    slug: str
    """The finding: `partial-claim`."""
    reason: str
    """Why, for those who come later."""
    answer: str = ""
    """Key (`faq.md#limits`) or id of the answer; empty for all."""
    expires: datetime.date | None = None
    """The last day on which it holds; none for no end. Example: `"2027-06-30"`"""
    claim: str = ""
    """Fingerprint of one finding (a baseline names each); empty for every finding of the slug."""
    place: Place | None = None
    """Where it is written, for the finding that it is not needed."""


class ProseClaim(Struct, frozen=True):
    """A sentence, list item or cell of a page that carries a citation."""

    place: Place
    """Where it begins."""
    quiet: bool = False
    """Whether readers see nothing of its citation."""
    around: str = ""
    """What its page has around it, as Markdown: headings and boxes over it, what leads into it, its neighbours."""
    under: str = ""
    """What stands over it and counts, as `Passage.under`."""


class Declaration(Struct, frozen=True):
    """One entry of `answers:` in a page's front matter, or the marked claims of a page."""

    page: str
    """Path of the page under `docs_dir`."""
    id: str
    """Unique on its page; ASCII."""
    question: str
    place: Place
    """Where the entry is."""
    locale: str = "en"
    queries: tuple[str, ...] = ()
    """Other phrasings."""
    sources: tuple[str, ...] = ()
    """Globs of pages it may be answered from; empty for the whole site in the same language."""
    provider: str = ""
    """Empty for the option's."""
    format: AnswerFormat = AnswerFormat.ANY
    length: Length | None = None
    """None for the option's."""
    text: str = ""
    """The author's own text, for `authored`."""
    text_place: Place | None = None
    """Where the first line of `text` is."""
    text_verbatim: bool = False
    """Whether each line of `text` is one line of the file (a literal block), so that lines can be counted on."""
    prose: tuple[ProseClaim, ...] = ()
    """Of a page's marked claims: one for each block of `text`."""
    around: str = ""
    """Of an answer that has a marker: headings and boxes over its place, as Markdown."""
    under: str = ""
    """What stands over that place and counts, as `Passage.under`."""

    @property
    def language(self) -> str:
        """The code of its language."""
        return language_of(self.locale)

    @property
    def key(self) -> str:
        """The answer's name over the whole site: path of the page and id, `faq.md#limits`."""
        return f"{self.page}#{self.id}"

    @property
    def target(self) -> str:
        """What its text is: `prose` or `markdown`."""
        return PROSE if self.prose else "markdown"

    @property
    def phrasings(self) -> tuple[str, ...]:
        """The question and its other phrasings."""
        return (self.question, *self.queries)

    def prose_claim(self, text: str, offset: int) -> ProseClaim | None:
        """The sentence of the page that has this offset in the text of all its claims; None of an answer."""
        block = text.count("\n\n", 0, offset)
        if self.prose:
            return self.prose[min(block, len(self.prose) - 1)]
        return None

    @property
    def hash(self) -> str:
        """Digest of everything in it that can change the answer; its place cannot."""
        length = ("length", self.length) if self.length else ()
        return digest(
            "declaration-1",
            self.question,
            self.locale,
            *self.queries,
            "sources",
            *self.sources,
            "provider",
            self.provider,
            self.format,
            self.text,
            # as declarations of 0.2 have them, whose records hold
            "cite",
            "True",
            self.target,
            "",
            *length,
        )


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


def is_mark(written: str) -> bool:
    """True if what stands between `[@` and `]`, with an `!` in front where it is quiet, is a citation of ours: one of
    its targets is.

    The keys of Pandoc and bibtex are not: `smith04, p. 3`, `Jarse.2023`, `doi:10.7554/eLife.32822`.
    """
    return any(map(_is_address, targets_of(written)))


def _is_address(target: str) -> bool:
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
    return ending in ENDINGS and "," not in path
