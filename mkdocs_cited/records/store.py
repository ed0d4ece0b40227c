"""The folder of the records: reads, writes, proposals and what people decide about them.

A text that a person edited or approved, or that cannot be read, is never overwritten here.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import check_inside, inside, locked, write_atomically
from mkdocs_cited.base.values import replace
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Verdict
from mkdocs_cited.model.declaration import AUTHORED, Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.records.format import PROPOSAL, decode, encode, key_of, path_of
from mkdocs_cited.records.record import (
    MOST_REJECTED,
    Absent,
    Approval,
    Broken,
    Record,
    canonical,
    has_a_persons_word,
    text_hash,
)

LOCK = ".cache/plugin/cited/records.lock"
"""The lock of all writers, relative to the project."""


Stored = Mapping[str, bytes | None]
"""Paths of an answer's record and proposal → their bytes at one moment; None where there was no such file."""


class Store(Struct, frozen=True):
    """The records of one project."""

    root: Path
    """Folder of `mkdocs.yml`."""
    records_dir: str = "answers"
    """Folder of the records, relative to `root` and inside it."""

    def __post_init__(self) -> None:
        check_inside(
            self.records_dir,
            what="records_dir",
            tip="write a folder next to mkdocs.yml, such as `answers`",
        )

    def path(self, key: str, *, proposal: bool = False) -> str:
        """Path of a record or its proposal relative to the project, with `/`."""
        return str(
            PurePosixPath(
                self.records_dir.replace("\\", "/"), path_of(key, proposal=proposal)
            )
        )

    def read(self, key: str) -> Record | Broken | Absent:
        """The record of an answer; never raises."""
        return self._read(key, proposal=False)

    def proposal(self, key: str) -> Record | Broken | Absent:
        """What waits next to a record; a proposal that says the same as its record is none."""
        waiting = self._read(key, proposal=True)
        if isinstance(waiting, Record):
            current = self.read(key)
            if isinstance(current, Record) and waiting.says == current.says:
                return Absent(self.path(key, proposal=True))
        return waiting

    def write(self, record: Record) -> bool:
        """Write a record, keeping what people said of it meanwhile; propose it over a text that has a person's word,
        unless that is the text of an authored answer, which is in its page.

        Returns:
            True if the file has changed. One that cannot be read is left alone.
        """
        record = replace(record, content=canonical(record.content))
        if self._holds(record):
            return False  # without the lock: most builds change nothing, and must not wait for that
        with self._lock():
            current = self.read(record.key)
            if isinstance(current, Broken):
                return False
            if isinstance(current, Record):
                changed = (
                    current.content != record.content and record.provider != AUTHORED
                )
                if changed and has_a_persons_word(current):
                    self._propose(record, current)
                    return False
                record = _with_peoples_words(record, current)
            written = self._put(record)
            waiting = self._read(record.key, proposal=True)
            if isinstance(waiting, Record) and waiting.says == record.says:
                self._delete(self.path(record.key, proposal=True))  # it waits no longer
            return written

    def propose(self, record: Record) -> None:
        """Let a text wait next to the accepted one, unless a person turned it down before."""
        with self._lock():
            self._propose(record, self.read(record.key))

    def accept(self, key: str, by: str, on: str) -> Record | Broken | Absent:
        """Make the proposal the record, or approve the text that is there; the record as it is now.

        Args:
            by: the person's name.
            on: ISO 8601 date.
        """
        with self._lock():
            waiting, current = self.proposal(key), self.read(key)
            if isinstance(current, Broken):
                return current
            chosen = current if isinstance(waiting, Absent) else waiting
            if not isinstance(chosen, Record):
                return chosen
            if chosen is waiting and isinstance(current, Record):
                chosen = _with_peoples_words(chosen, current)
            # An abstention has its reason for good; that of a text was why it had to wait.
            reason = chosen.reason if chosen.abstained else ""
            return self._approve(replace(chosen, reason=reason), by, on)

    def take(self, record: Record, by: str, on: str) -> Record | Broken:
        """Write an answer that a person has made, approved by them; a proposal that waited next to it is deleted.

        Args:
            record: the answer.
            by: the person's name.
            on: ISO 8601 date.
        """
        with self._lock():
            current = self.read(record.key)
            if isinstance(current, Broken):
                return current
            if isinstance(current, Record):
                record = _with_peoples_words(record, current)
            return self._approve(record, by, on)

    def _approve(self, record: Record, by: str, on: str) -> Record:
        """Write a record with a person's approval; no proposal waits next to it any more."""
        approval = Approval(by, on, text_hash(record.content))
        approved = replace(record, approval=approval, generated=approval.text)
        self._put(approved)
        self._delete(self.path(record.key, proposal=True))
        return approved

    def reject(self, key: str) -> Record | Broken | Absent:
        """Delete a proposal and remember in the record that its text is not wanted; the record as it is now."""
        with self._lock():
            waiting, current = self._read(key, proposal=True), self.read(key)
            if (
                isinstance(waiting, Record)
                and isinstance(current, Record)
                and waiting.content != current.content
            ):
                rejected = dict.fromkeys(
                    (*current.rejected, text_hash(waiting.content))
                )
                self._put(replace(current, rejected=tuple(rejected)[-MOST_REJECTED:]))
            self._delete(self.path(key, proposal=True))
            return self.read(key)

    def decide(
        self,
        answer: Answer,
        declaration: Declaration,
        claims: Sequence[ReviewedClaim],
        verdict: Verdict,
        by: str,
        on: str,
        reason: str = "",
    ) -> Record | Broken:
        """Put a person's verdict on some claims of an answer into its record, which is begun where there is none and
        written once; the record as it is now."""
        with self._lock():
            current = self.read(answer.key)
            if isinstance(current, Broken):
                return current
            before = current if isinstance(current, Record) else None
            record = Record.for_decisions(answer, declaration, before, on)
            said = Counter(item.claim.text for item in answer.claims)
            for claim in claims:
                is_twin = said[claim.claim.text] > 1
                record = record.decided(claim, verdict, by, on, reason, is_twin=is_twin)
            self._put(record)
            return record

    def stored(self, key: str) -> Stored:
        """The files of an answer now, to be put back later."""
        with self._lock():
            stored: dict[str, bytes | None] = {}
            for proposal in (False, True):
                name = self.path(key, proposal=proposal)
                file = self._inside(name)
                stored[name] = file.read_bytes() if file.is_file() else None
            return stored

    def put_back(self, stored: Stored) -> None:
        """Restore what was stored before, record and proposal."""
        with self._lock():
            for name, content in stored.items():
                if content is None:
                    self._delete(name)
                else:
                    self._write(name, content)

    def move(self, old: str, new: str) -> bool:
        """Give a record and its proposal another key, as they are; whether there was one.

        Raises:
            CitedError: something exists already, or cannot be moved.
        """
        with self._lock():
            files = [
                [self.path(key, proposal=each) for key in (old, new)]
                for each in (False, True)
            ]
            pairs = [
                (self._inside(source), self._inside(target), target)
                for source, target in files
            ]
            pairs = [pair for pair in pairs if pair[0].is_file()]
            for (
                source,
                target,
                name,
            ) in pairs:  # before the first is moved: the two stay together
                # another case of letters, where none counts
                if target.exists() and not target.samefile(source):
                    raise CitedError(
                        f"{name} exists already",
                        tip="delete the one that is not wanted",
                    )
            for source, target, _ in pairs:
                target.parent.mkdir(parents=True, exist_ok=True)
                source.rename(target)
                self._drop_empty(source.parent)
            return bool(pairs)

    def remove(self, key: str) -> None:
        """Delete a record and its proposal, and the folders that this empties."""
        with self._lock():
            for proposal in (False, True):
                self._delete(self.path(key, proposal=proposal))

    def keys(self, *, proposals: bool = False) -> list[str]:
        """The keys of all records, or of all proposals, in order."""
        folder = self.root / self.records_dir
        files = (
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*.md")
            if path.is_file()
        )
        wanted = (file for file in files if file.endswith(PROPOSAL) == proposals)
        return sorted(filter(None, map(key_of, wanted)))

    def orphan_keys(self, declared: Collection[str]) -> list[str]:
        """The keys of records and proposals whose declaration is gone. Where case does not count, the file of an id
        that is written in another case now is that of a declared answer. What is no record may be anybody's."""
        by_name = {key.casefold(): key for key in declared}
        others = {*self.keys(), *self.keys(proposals=True)}.difference(declared)
        gone = [
            key
            for key in others
            if not self._is_one_file(key, by_name.get(key.casefold()))
        ]
        return sorted(filter(self._is_held, gone))

    def _is_held(self, key: str) -> bool:
        """Whether there is a record or proposal of a key that can be read."""
        return any(
            isinstance(self._read(key, proposal=proposal), Record)
            for proposal in (False, True)
        )

    def _is_one_file(self, key: str, other: str | None) -> bool:
        paths = [self.root / self._existing(name) for name in (key, other) if name]
        return (
            len(paths) == 2
            and all(path.exists() for path in paths)
            and paths[0].samefile(paths[1])
        )

    def moved(
        self, declared: Collection[str], asked: Iterable[Declaration] = ()
    ) -> dict[str, tuple[str, str]]:
        """Key of each orphan whose question has probably moved → the two arguments of `mkdocs-cited rename`.

        They are the old and the new page where another page declares the same id without a record, of several the
        first by name; else the old and the new key, where a declaration without a record asks the same question.
        """
        unrecorded = sorted(
            set(declared).difference(self.keys(), self.keys(proposals=True))
        )
        page_of: dict[str, str] = {}
        for key in unrecorded:
            page, _, name = key.rpartition("#")
            page_of.setdefault(name, page)
        by_question = {
            item.question: item.key for item in asked if item.key in unrecorded
        }
        found: dict[str, tuple[str, str]] = {}
        for key in self.orphan_keys(declared):
            page, _, name = key.rpartition("#")
            record = self.read(key)
            if name in page_of:
                found[key] = page, page_of[name]
            elif isinstance(record, Record) and record.question in by_question:
                found[key] = key, by_question[record.question]
        return found

    def orphans(
        self, declared: Collection[str], asked: Iterable[Declaration] = ()
    ) -> list[Finding]:
        """A finding for each record or proposal whose declaration is gone."""
        findings, moved = [], self.moved(declared, asked)
        for key in self.orphan_keys(declared):
            page, _, name = key.rpartition("#")
            tip = f"run `mkdocs-cited prune`; or give the question that it answers `id: {name}`"
            if key in moved:
                command = shlex.join(("mkdocs-cited", "rename", *moved[key]))
                tip = f"{moved[key][1]} declares it: run `{command}`, which keeps what people decided"
            message = f"{page} asks no question `{name}` any more"
            findings.append(
                found(
                    "orphan-record",
                    Place(self._existing(key)),
                    message,
                    tip=tip,
                    answer=key,
                )
            )
        return findings

    def _existing(self, key: str) -> str:
        path = self.path(key)
        return path if (self.root / path).exists() else self.path(key, proposal=True)

    def _lock(self) -> AbstractContextManager[None]:
        return locked(self.root / LOCK)

    def _read(self, key: str, *, proposal: bool) -> Record | Broken | Absent:
        file = self.path(key, proposal=proposal)
        try:
            path = self._inside(file)
            if path.exists() and not path.is_file():  # a pipe would never end
                return Broken(file, "is not a file")
            data = path.read_bytes()
            return decode(key, data.decode("utf-8"), file)
        except FileNotFoundError:
            return Absent(file)
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            return Broken(file, f"is not UTF-8 at byte {error.start}", line)
        except CitedError:
            return Broken(file, f"leads out of {self.records_dir} through a link")
        except (OSError, ValueError) as error:
            return Broken(
                file, f"cannot be read: {getattr(error, 'strerror', None) or error}"
            )

    def _holds(self, record: Record) -> bool:
        """Whether a record's very bytes are on the disk."""
        try:
            return (self.root / self.path(record.key)).read_bytes() == encode(
                record
            ).encode()
        except OSError:
            return False

    def _put(self, record: Record, *, proposal: bool = False) -> bool:
        return self._write(
            self.path(record.key, proposal=proposal), encode(record).encode()
        )

    def _write(self, file: str, content: bytes) -> bool:
        """Write a file of the records; what a crash leaves is in the cache."""
        return write_atomically(
            self._inside(file), content, scratch=(self.root / LOCK).parent
        )

    def _propose(self, record: Record, current: Record | Broken | Absent) -> None:
        turned_down = (
            isinstance(current, Record)
            and text_hash(record.content) in current.rejected
        )
        if not turned_down and not isinstance(
            self._read(record.key, proposal=True), Broken
        ):
            self._put(record, proposal=True)

    def _delete(self, file: str) -> None:
        path = self._inside(file)
        try:
            path.unlink(missing_ok=True)
            self._drop_empty(path.parent)
        except FileNotFoundError:
            return
        except OSError as error:
            raise CitedError(
                f"{path}: cannot be deleted: {error.strerror}",
                tip="check the permissions",
            ) from error

    def _drop_empty(self, below: Path) -> None:
        """Delete a folder of records and those around it, as far as they are empty."""
        folder = inside(self.root, self.records_dir, what="records_dir")
        for parent in (below, *below.parents):
            if (
                parent == folder
                or folder not in parent.parents
                or any(parent.iterdir())
            ):
                break
            parent.rmdir()

    def _inside(self, file: str) -> Path:
        """The path of a record's file with links resolved.

        Raises:
            CitedError: a link leads it out of the records' folder, or that folder out of the project.
        """
        folder = inside(self.root, self.records_dir, what="records_dir")
        name = (
            PurePosixPath(file)
            .relative_to(PurePosixPath(self.records_dir.replace("\\", "/")))
            .as_posix()
        )
        return inside(folder, name, what="the record", where=self.records_dir)


def _with_peoples_words(record: Record, current: Record) -> Record:
    """The record with what people said of the one in its place: decisions, rejections, the approval of this text."""
    claims = list(record.claims)
    made = {item.claim for item in claims}
    decided = {(item.claim, item.by, item.date) for item in claims if item.by}
    for item in current.claims:
        if (
            item.by
            and (item.claim, item.by, item.date) not in decided
            and (item.claim in made or not made)
        ):
            claims.append(item)
    same = record.content == current.content
    return replace(
        record,
        claims=tuple(claims),
        rejected=tuple(dict.fromkeys((*current.rejected, *record.rejected)))[
            -MOST_REJECTED:
        ],
        approval=record.approval or (current.approval if same else None),
    )
