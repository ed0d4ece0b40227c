"""A question in a page's front matter, with its options."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.text import digest, language_of
from mkdocs_cited.model.finding import Place

AUTHORED = "authored"
"""The provider whose text lives in the declaration, so that its record holds people's verdicts only."""


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


class Target(StrEnum):
    """The language that the answer is written in; all but `markdown` need a model provider."""

    MARKDOWN = "markdown"
    JSON = "json"
    YAML = "yaml"
    PROSE = "prose"
    """The marked claims of a page: the text is the page's own, and no declaration can ask for it."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """A finding that the project silences on purpose."""

    slug: str
    """The finding: `partial-claim`."""
    reason: str
    """Why, for those who come later."""
    answer: str = ""
    """Key (`faq.md#limits`) or id of the answer; empty for all."""
    expires: str = ""
    """The last day on which it holds, in ISO 8601; empty for no end."""
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
    target: Target = Target.MARKDOWN
    schema: str = ""
    """JSON schema (as canonical JSON) of a structured answer."""
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
    def update_tip(self) -> str:
        """The next step where a model has yet to write or read the answer."""
        return f"run `mkdocs-cited update {self.key}` and commit the record"

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
            self.schema,
            *length,
        )
