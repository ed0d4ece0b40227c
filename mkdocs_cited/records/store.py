"""The folder of the records: reads, writes, proposals and what people decide about them.

A text that a person edited or approved, or that cannot be read, is never overwritten here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import AbstractContextManager
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError, command
from mkdocs_cited.base.files import (
    check_inside,
    inside,
    locked,
    read_bounded,
    write_atomically,
)
from mkdocs_cited.base.text import letters
from mkdocs_cited.model.answer import Answer, Decision
from mkdocs_cited.model.declaration import AUTHORED, CLAIMS, Declaration
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.records.format import decode, encode, key_of, path_of
from mkdocs_cited.records.record import (
    Approval,
    Broken,
    Record,
    canonical,
    edited,
    text_hash,
)

LOCK = ".cache/plugin/cited/records.lock"
"""The lock of all writers, relative to the project."""


class Orphan(Struct, frozen=True):
    """A record or proposal whose question is gone."""

    key: str
    file: str
    """Path relative to the project."""
    moved: str = ""
    """Key of the question without a record that is the same: of another page, or with another id. Empty for none."""

    def finding(self) -> Finding:
        """The finding `orphan-record`."""
        page, _, name = self.key.rpartition("#")
        tip = f"run `{command('prune')}`; or give the question that it answers `id: {name}`"
        message = f"{page} asks no question `{name}` any more"
        if name == CLAIMS:
            message = f"{page} has no citation behind a sentence any more, on which people decided"
            tip = f"run `{command('prune')}`, or write the citations again"
        if self.moved:
            tip = f"it is that of {self.moved} now: run `{command('update')}`, which keeps what people decided"
        place = Place(self.file)
        return found("orphan-record", place, message, tip=tip, answer=self.key)


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
        return str(self._dir / path_of(key, proposal=proposal))

    @property
    def _dir(self) -> PurePosixPath:
        return PurePosixPath(self.records_dir.replace("\\", "/"))

    def read(self, key: str, *, proposal: bool = False) -> Record | Broken | None:
        """The record of an answer, or what waits next to it, if there is one; never raises."""
        file = self.path(key, proposal=proposal)
        try:
            text = read_bounded(self._inside(file)).decode("utf-8")
            return decode(key, text, file)
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            return Broken(file, f"is not UTF-8 at byte {error.start}", line)
        except CitedError:
            return Broken(file, f"leads out of {self.records_dir} through a link")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            return Broken(file, f"cannot be read: {reason}")

    def proposal(self, key: str) -> Record | Broken | None:
        """What waits next to a record, if anything does; never raises."""
        return self.read(key, proposal=True)

    def write(self, record: Record, before: Record | None = None) -> bool:
        """Write a record, keeping what people said of it meanwhile; propose it over a text that has a person's word,
        unless that is the text of an authored answer, which is in its page.

        Args:
            record: what is written.
            before: what it was made from, as it was read.

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
            if current:
                changed = (
                    current.content != record.content and record.provider != AUTHORED
                )
                has_approval = current.content and current.approved
                if changed and (has_approval or edited(current)):
                    self._propose(record)
                    return False
                record = _with_peoples_words(record, current, before)
            written = self._put(record)
            waiting = self.proposal(record.key)
            if isinstance(waiting, Record):
                said = (waiting.content, waiting.citations)
                if said == (record.content, record.citations):  # it waits no longer
                    self._delete(self.path(record.key, proposal=True))
            return written

    def propose(self, record: Record) -> None:
        """Let a text wait next to the accepted one."""
        with self._lock():
            self._propose(record)

    def accept(self, key: str, by: str, on: str) -> Record | None:
        """Make the proposal the record, or approve the text that is there; the record as it is now, if there is one.

        Args:
            by: the person's name.
            on: ISO 8601 date.

        Raises:
            CitedError: the record or the proposal cannot be read.
        """
        with self._lock():
            chosen = self._current(key, proposal=True) or self._current(key)
            if chosen is None:
                return None
            if not chosen.abstained:
                # An abstention has its reason for good; that of a text was why it had to wait.
                chosen = replace(chosen, reason="")
            return self._approve(chosen, by, on)

    def take(self, record: Record, by: str, on: str) -> Record:
        """Write an answer that a person has made, approved by them; a proposal that waited next to it is deleted.

        Args:
            record: the answer.
            by: the person's name.
            on: ISO 8601 date.

        Raises:
            CitedError: the record that is there cannot be read.
        """
        with self._lock():
            return self._approve(record, by, on)

    def _approve(self, record: Record, by: str, on: str) -> Record:
        """Write a record with a person's approval, and with what people said of the one in its place; no proposal waits
        next to it any more."""
        current = self._current(record.key)
        if current:
            record = _with_peoples_words(record, current)
        accepted = text_hash(record.content)
        approval = Approval(by, on, accepted)
        approved = replace(record, approval=approval, generated=accepted)
        self._put(approved)
        self._delete(self.path(record.key, proposal=True))
        return approved

    def reject(self, key: str) -> None:
        """Delete a proposal."""
        with self._lock():
            self._delete(self.path(key, proposal=True))

    def decide(
        self,
        answer: Answer,
        declaration: Declaration,
        decisions: Iterable[Decision],
        on: str,
    ) -> Record:
        """Put a person's decisions on claims of an answer into its record, which is begun where there is none and
        written once; the record as it is now.

        Raises:
            CitedError: the record cannot be read.
        """
        with self._lock():
            before = self._current(answer.key)
            record = Record.for_decisions(answer, declaration, before, on)
            said = Counter(item.claim.text for item in answer.claims)
            for decision in decisions:
                record = record.decided(decision, is_twin=said[decision.claim] > 1)
            self._put(record)
            return record

    def _current(self, key: str, *, proposal: bool = False) -> Record | None:
        """A record or proposal that a person's word is to change, if there is one.

        Raises:
            CitedError: it cannot be read, and is left as it is.
        """
        read = self.read(key, proposal=proposal)
        if isinstance(read, Broken):
            finding = read.finding()
            raise CitedError(f"{finding.place}: {finding.message}", tip=finding.tip)
        return read

    def move(self, old: str, new: str) -> None:
        """Give a record and its proposal another key, as they are.

        Raises:
            CitedError: something exists already, or cannot be moved.
        """
        with self._lock():
            moves = []
            for proposal in (False, True):
                source = self._inside(self.path(old, proposal=proposal))
                name = self.path(new, proposal=proposal)
                target = self._inside(name)
                if not source.is_file():
                    continue
                # the same file in another case of letters, where none counts
                if target.exists() and not target.samefile(source):
                    raise CitedError(
                        f"{name} exists already",
                        tip="delete the one that is not wanted",
                    )
                moves.append((source, target))
            # none before both can be: the two stay together
            for source, target in moves:
                target.parent.mkdir(parents=True, exist_ok=True)
                source.rename(target)
                self._drop_empty(source.parent)

    def remove(self, key: str) -> None:
        """Delete a record and its proposal, and the folders that this empties."""
        with self._lock():
            for proposal in (False, True):
                self._delete(self.path(key, proposal=proposal))

    def all_keys(self) -> list[str]:
        """The keys of all records and proposals, in order."""
        folder = self.root / self.records_dir
        keys = set()
        for path in folder.rglob("*.md"):
            if path.is_file():
                keys.add(key_of(path.relative_to(folder).as_posix()))
        return sorted(keys - {""})

    def orphans(
        self, declared: Collection[str], asked: Iterable[Declaration] = ()
    ) -> list[Orphan]:
        """The records and proposals whose declaration is gone, in order. What is no record may be anybody's.

        Args:
            declared: keys of all questions. Where case does not count, the file of an id that is written in another
                case now is that of a declared answer.
            asked: the questions, as far as they are known.
        """
        keys = self.all_keys()
        recorded = set(keys)
        unrecorded = [item for item in asked if item.key not in recorded]
        orphans = []
        for key in keys:
            if key in declared or self._has_other_case(key, declared):
                continue
            file = self._existing(key)
            record = self.read(key, proposal=file != self.path(key))
            if not isinstance(record, Record):
                continue
            moved = ""
            for item in unrecorded:
                if _is_of(record, item):
                    moved = item.key
                    unrecorded.remove(item)
                    break
            orphans.append(Orphan(key, file, moved))
        return orphans

    def _has_other_case(self, key: str, declared: Iterable[str]) -> bool:
        """True if the file of a key is that of a declared one, as the disk takes names in any case."""
        file = self.root / self._existing(key)
        for other in declared:
            if other.casefold() == key.casefold():
                named = self.root / self._existing(other)
                if named.exists() and file.samefile(named):
                    return True
        return False

    def _existing(self, key: str) -> str:
        """Path of a record, relative to the project; of its proposal where there is no record."""
        path = self.path(key)
        if (self.root / path).exists():
            return path
        return self.path(key, proposal=True)

    def _lock(self) -> AbstractContextManager[None]:
        return locked(self.root / LOCK)

    def _holds(self, record: Record) -> bool:
        """True if a record's very bytes are on the disk."""
        path = self.root / self.path(record.key)
        try:
            return path.read_bytes() == encode(record).encode()
        except OSError:
            return False

    def _put(self, record: Record, *, proposal: bool = False) -> bool:
        """Write a record or proposal; true if its file has changed. What a crash leaves is in the cache."""
        path = self._inside(self.path(record.key, proposal=proposal))
        scratch = (self.root / LOCK).parent
        return write_atomically(path, encode(record).encode(), scratch=scratch)

    def _propose(self, record: Record) -> None:
        """Write a proposal, unless one is there that cannot be read."""
        if not isinstance(self.proposal(record.key), Broken):
            self._put(record, proposal=True)

    def _delete(self, file: str) -> None:
        """Delete a file of the records, if it is there, and the folders that this empties."""
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
        root = self._folder()
        for folder in (below, *below.parents):
            if root not in folder.parents or any(folder.iterdir()):
                break
            folder.rmdir()

    def _folder(self) -> Path:
        return inside(self.root, self.records_dir, what="records_dir")

    def _inside(self, file: str) -> Path:
        """The path of a record's file with links resolved.

        Raises:
            CitedError: a link leads it out of the records' folder, or that folder out of the project.
        """
        name = str(PurePosixPath(file).relative_to(self._dir))
        folder = self._folder()
        return inside(folder, name, what="the record", where=self.records_dir)


def _with_peoples_words(
    record: Record, current: Record, before: Record | None = None
) -> Record:
    """The record with what people said of the one in its place since it was read as `before`: decisions, and the
    approval of this text."""
    said = _by_people(current)
    claims = record.claims
    if before is None or said != _by_people(before):
        anew = {item.claim for item in said}
        left = []
        for item in claims:
            if not item.by or item.claim not in anew or item in said:
                left.append(item)
        claims = tuple(dict.fromkeys([*left, *said]))
    approval = record.approval
    if record.content == current.content:
        approval = approval or current.approval
    return replace(record, claims=claims, approval=approval)


def _by_people(record: Record) -> list[Decision]:
    return [item for item in record.claims if item.by]


def _is_of(record: Record, declaration: Declaration) -> bool:
    """True if a record answers a question, or has decisions on the marked sentences of a page."""
    if declaration.prose:
        stated = letters(declaration.text)
        return any(letters(item.claim) in stated for item in record.claims)
    return record.question == declaration.question
