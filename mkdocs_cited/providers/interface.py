"""What a provider is: it turns a question and its sources into a draft, an abstention, or a fault."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from mkdocs_cited.model.answer import Abstention, Draft, Fault
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Source

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client


class Move(Struct, frozen=True):
    """Where the words of a citation that leads nowhere are now."""

    to: str
    """An address that can be cited in place of the old one."""
    followed: bool = False
    """Whether it is the same passage beyond doubt, so that nobody has to decide anything."""


class Request(Struct, frozen=True):
    """One question to answer."""

    declaration: Declaration
    sources: tuple[Source, ...]
    """What selection took, numbered in rank order."""
    corpus: Corpus
    """For looking further: tools, and the targets that an author names."""
    previous: Draft | None = None
    """The draft that fell short, when this asks for a correction."""
    findings: tuple[Finding, ...] = ()
    """What was wrong with it."""
    order: tuple[str, ...] = ()
    """Paths of the site's pages as the navigation has them; empty where that is not known."""
    moved: Callable[[str, str], Move | None] | None = None
    """Where the words are now that an author cites by an address that leads nowhere, for a sentence."""


Outcome = Draft | Abstention | Fault


class Provider(ABC):
    """Writes answers. Made once a run; must give the same outcome for the same request if it can."""

    id: ClassVar[str]
    version: ClassVar[str] = "1"
    """Changes whenever its output may change for the same request: part of the record."""
    calls_model: ClassVar[bool] = False
    """Whether it reaches out of the process: never during `serve` or under `update: never`."""
    corrects: ClassVar[bool] = False
    """Whether it can do better when it is told what was wrong."""

    def __init__(self, settings: Settings, access: Client | None = None) -> None:
        """`access` leads to the models of a run; it is handed to those that call one."""
        self.settings = settings
        self.access = access

    @property
    def model(self) -> str:
        """The model that would write now; empty for none."""
        return ""

    def check(self) -> Fault | None:
        """Why it could not write at all, such as a missing key; sends nothing."""
        return None

    def notices(self) -> tuple[str, ...]:
        """What every output of the run must say: that a model has no price, for one."""
        return ()

    @abstractmethod
    def write(self, request: Request) -> Outcome:
        """Answer one question. A fault is returned, not raised. One that calls a model is asked by several threads."""
