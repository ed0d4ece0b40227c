"""What one run may do, and what all its answers share: options, passages, records, who writes, who judges, and where
citations lead whose file or heading has another name."""

from __future__ import annotations

import datetime
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from mkdocs_cited import providers, review
from mkdocs_cited.base.files import git_or_nothing, repository_of
from mkdocs_cited.base.text import letters
from mkdocs_cited.findings import Triage, read_baseline
from mkdocs_cited.model.answer import Answer, Decision
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.options import BASELINE, Settings, UpdateMode
from mkdocs_cited.model.report import Ledger
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.pipeline.examination import Examination
from mkdocs_cited.providers.interface import Move, Provider
from mkdocs_cited.records import Store
from mkdocs_cited.records.following import place_of
from mkdocs_cited.review.ensemble import Ensemble, ensemble
from mkdocs_cited.review.evidence import same_heading
from mkdocs_cited.search.meaning import ByMeaning, Encoder

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client import Client


_RENAME = re.compile(r"^R\d*\t([^\t\n]+)\t([^\t\n]+)$", re.MULTILINE)
_COMMITS = 200
"""Commits with renames that are looked through, the newest first."""
_ABOVE = re.compile(r"^(?:\.{1,2}/)+|^/")


class Moves:
    """Finds where dead addresses of one site lead now. git is asked once, and only if an address is dead."""

    def __init__(self, corpus: Corpus, root: Path) -> None:
        """`root` is the folder of `mkdocs.yml`."""
        self._corpus = corpus
        self._top = repository_of(root)

    def of(
        self,
        address: str,
        claim: str,
        decisions: Iterable[Decision],
        *,
        cited_by: str,
    ) -> Move | None:
        """What to cite in place of an address; `None` where that is not known.

        Args:
            address: as the author wrote it.
            claim: the sentence that cites it: of a heading that was renamed before, too, it is known what it cited.
            decisions: what was decided of the claims of the text that cites it.
            cited_by: the page of that text, whose own sentence has the same words and proves nothing.
        """
        path, _, anchor = address.partition("#")
        renamed = self._renamed(path)
        if renamed:
            return Move(f"{renamed}#{anchor}" if anchor else renamed, followed=True)
        texts = []
        pages = set()
        for decision in decisions:
            is_of_claim = letters(decision.claim) == letters(claim)
            for excerpt in decision.evidence:
                page, _, heading = excerpt.at.partition("#")
                page = self._renamed(page) or page
                if posixpath.basename(page) != posixpath.basename(path):
                    continue
                is_gone = heading not in self._corpus.anchors(page)
                if heading == anchor or (is_of_claim and is_gone):
                    texts.append(excerpt.text)
                    pages.add(page)
        found, exact = place_of(texts or [claim], self._corpus)
        if found is None:
            return None
        page, heading = found.page.src, found.section.anchor
        written = f"{path}#{heading}".rstrip("#")
        is_same_heading = anchor and same_heading(anchor, anchor, heading, "en")
        if page in pages and (exact or is_same_heading):
            return Move(written, followed=True)
        if not exact or page == cited_by or found.marked:
            return None
        # nobody decided: a sentence may repeat what it cites
        if not texts and posixpath.basename(page) == posixpath.basename(path):
            return Move(written)
        return Move(f"/{found.section.where}")

    def _renamed(self, path: str) -> str:
        """The path that git gives a file which was renamed, in the form in which the old one is written."""
        plain = _ABOVE.sub("", path)
        for old in self._renames:
            above = old.removesuffix(plain)
            is_named = plain and (above == "" or above.endswith("/"))
            if above == old or not is_named:
                continue
            new = old
            for _ in self._renames:  # it may have more than one
                new = self._renames.get(new, new)
            if new.startswith(above):
                return path.removesuffix(plain) + new.removeprefix(above)
        return ""

    @cached_property
    def _renames(self) -> dict[str, str]:
        """The path of each renamed file that is gone, from the top of the repository → its next one."""
        if self._top is None:
            return {}
        names = ("--name-status", "-M", "--diff-filter=R")
        newest = git_or_nothing(self._top, "diff", "HEAD", *names)
        older = git_or_nothing(
            self._top, "log", "--format=", *names, "-n", str(_COMMITS)
        )
        renames: dict[str, str] = {}
        for old, new in _RENAME.findall(f"{newest}\n{older}"):
            if not (self._top / old).exists():
                renames.setdefault(old, new)
        return renames


OFFLINE = "quote"
"""Who answers where no model may be called."""


def check_names(settings: Settings) -> Iterator[tuple[str, Callable[[], object]]]:
    """Each option that names who writes or reviews, and what raises a `UsageError` where nobody has that name."""
    yield "provider", partial(providers.FAMILY.check, settings.provider)
    yield "reviewer", partial(review.FAMILY.check, settings.reviewer)


class Run(Struct, frozen=True):
    """What one run may do."""

    update: UpdateMode
    """When records may change."""
    writes: bool = True
    """Whether anything may be written into the repository at all: not by `check`, `ask`, `--dry-run`."""
    calls_models: bool = True
    """Whether models may be asked: not during `serve`, unless the options say so."""
    batches: Path | None = None
    """Folder where batches are stored, when requests of models go in batches: at half the price, within a day."""
    only: frozenset[str] = frozenset()
    """Keys or ids of the answers that may change; empty for all."""
    order: tuple[str, ...] = ()
    """Paths of the site's pages as its navigation has them."""
    today: str = field(default_factory=lambda: datetime.date.today().isoformat())
    doing: Callable[[str], None] | None = None
    """Called with the key of each answer as it is begun, from the thread that resolves it."""
    progress: Callable[[Answer], None] | None = None
    """Called as each answer is resolved, from the thread that resolved it."""
    encoding: Callable[[int, int], None] | None = None
    """Called with (passages done, passages in all) while a local model makes vectors."""
    rewrote: Callable[[str], None] | None = None
    """Called with the key of each answer whose recorded text is replaced, from the thread that resolved it."""

    def may_change(self, declaration: Declaration) -> bool:
        """True if this answer's text may change in this run."""
        if self.update == "never":
            return False
        names = (declaration.key, declaration.id)
        return not self.only or not self.only.isdisjoint(names)


class Stages:
    """The stages over the passages of one site, under the rules of one run."""

    def __init__(
        self,
        settings: Settings,
        corpus: Corpus,
        store: Store,
        run: Run,
        declared: Iterable[Finding] = (),
    ) -> None:
        """Share these.

        Args:
            declared: findings on declarations, made as they were read.
        """
        self.settings = settings
        self.corpus = corpus
        self.store = store
        self.run = run
        known = store.root / BASELINE
        baseline = read_baseline(known, BASELINE) if known.exists() else ()
        self.ledger = Ledger(settings.anthropic.max_cost)
        """What this run spends."""
        self.triage = Triage(
            run.today,
            settings.severity,
            (*settings.suppress, *baseline),
        )
        self.declared = tuple(declared)
        self._providers: dict[str, Provider] = {}

    def is_sound(self, declaration: Declaration) -> bool:
        """True if a declaration says what its author means, as far as can be told: nothing is asked of a model, or
        stored, for one that is an error as it is."""
        own = [item for item in self.declared if item.answer == declaration.key]
        return not self.triage.errors(own)

    @cached_property
    def ensemble(self) -> Ensemble:
        """The reviewers that the options name."""
        may_call = self.run.calls_models and self.run.update != "never"
        return ensemble(self.settings, lambda: self.access, may_call=may_call)

    @cached_property
    def access(self) -> Client:
        """The way to models, one for all of this run."""
        # most runs ask no model
        from mkdocs_cited.anthropic_client import Batches, Client

        options = self.settings.anthropic
        if self.run.batches and not options.own_server:
            return Batches(options, self.ledger, self.run.batches)
        return Client(options, self.ledger)

    @cached_property
    def search_corpus(self) -> Corpus:
        """The corpus as writers search it: by meaning, too, where the options name an encoder and the run may use it.

        Raises:
            CitedError: the encoder cannot be fetched or run.
        """
        local = self.settings.local
        # a local model helps where answers are written, never where records are only checked
        if not local.encoder or self.run.update == "never":
            return self.corpus
        encoder = Encoder(local, self.store.root)
        return ByMeaning(self.corpus, encoder, progress=self.run.encoding)

    @cached_property
    def moves(self) -> Moves:
        """Where dead addresses lead now."""
        return Moves(self.corpus, self.store.root)

    @cached_property
    def examination(self) -> Examination:
        """How texts are examined."""
        return Examination(
            self.settings, self.corpus, self.ensemble, self.triage.errors
        )

    def provider(self, declaration: Declaration) -> Provider:
        """Who writes an answer.

        Raises:
            UsageError: there is no provider of that name.
        """
        name = declaration.provider
        if not name:
            name = AUTHORED if declaration.text else self.settings.provider
        if name not in self._providers:
            kind = providers.FAMILY.get(name)
            access = self.access if kind.calls_model else None
            self._providers[name] = kind(self.settings, access)
        return self._providers[name]
