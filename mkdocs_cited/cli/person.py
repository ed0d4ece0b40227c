"""Who decides at the command line, and what they have stored: decisions, answers, approvals."""

from __future__ import annotations

import datetime
import getpass
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.git import git_or_nothing
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.output import command
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Passage
from mkdocs_cited.records import Record

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site


class Person(Struct, frozen=True):
    """Who decides, and where decisions are stored."""

    site: Site
    name: str

    @classmethod
    def of(cls, site: Site, by: str | None) -> Person:
        """Who works here: the name that is given, or by which git knows its user, else the login.

        Raises:
            UsageError: none is known.
        """
        try:
            return cls(
                site,
                by
                or git_or_nothing(site.root, "config", "user.name")
                or getpass.getuser(),
            )
        except (OSError, KeyError, ImportError) as error:
            raise UsageError(
                "your name is not known",
                tip="give `--by NAME`, or set git's `user.name`",
            ) from error

    def says(
        self,
        answer: Answer,
        claims: Sequence[ReviewedClaim],
        verdict: Verdict,
        reason: str = "",
    ) -> None:
        """Store a verdict on claims of an answer.

        Raises:
            CitedError: the answer's record cannot be read, and was left as it is.
        """
        declaration = next(
            item for item in self.site.declarations if item.key == answer.key
        )
        today = datetime.date.today().isoformat()
        self.site.store.decide(
            answer, declaration, claims, verdict, self.name, today, reason
        )

    def takes(
        self,
        declaration: Declaration,
        passages: Sequence[Passage],
        text: str = "",
        queries: Sequence[str] = (),
    ) -> Record:
        """Record passages as the answer to a question, with this person's approval.

        Args:
            declaration: the question.
            passages: what is quoted, in order.
            text: the person's own words, which cite the passages as `[^1]`, …; empty for the passages' own.
            queries: other words by which they were found.

        Raises:
            CitedError: the record cannot be read, and was left as it is.
        """
        answer = self.site.readonly_pipeline().taken(declaration, passages, text)
        return self._records(replace(answer, queries=tuple(queries)), declaration)

    def denies(self, declaration: Declaration) -> Record:
        """Record that the docs do not answer a question.

        Raises:
            CitedError: the record cannot be read, and was left as it is.
        """
        from mkdocs_cited.pipeline.run import OFFLINE  # `--help` need not wait for it

        reason = "the docs do not answer it"
        answer = Answer.of(declaration, Status.ABSTAINED, reason=reason)
        return self._records(replace(answer, provider=OFFLINE), declaration)

    def _records(self, answer: Answer, declaration: Declaration) -> Record:
        today = datetime.date.today().isoformat()
        record = Record.of(answer, declaration, None, today)
        return self.site.store.take(record, self.name, today)

    def accepts(self, key: str) -> Record:
        """Accept a proposal, or approve the recorded text.

        Raises:
            CitedError: there is neither, or the record cannot be read.
        """
        today = datetime.date.today().isoformat()
        done = self.site.store.accept(key, self.name, today)
        if done is None:
            raise CitedError(
                f"{key}: there is nothing to accept",
                tip=f"run `{command('update', key)}` first",
            )
        return done
