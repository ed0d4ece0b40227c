"""What people wrote and decided is never lost, by whatever hands, processes and crashes the records go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.model.answer import Answer, Claim, Decision, Judgement, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.records import Approval, Broken, Record, Store, edited, text_hash
from tests import forks
from tests.records.site import confirmed
from tests.records.strategies import unplaced

PAGE = "guide/faq.md"
KEY = f"{PAGE}#limits"
FILE = "answers/guide/faq/limits.md"
TODAY = "2026-11-21"


def made(content: str, key: str = KEY) -> Record:
    """A record whose text a program wrote."""
    return Record(key, "What are the limits?", content, "quote", generated=text_hash(content))


def claim(text: str) -> ReviewedClaim:
    return ReviewedClaim(Claim(text, (1,)), (), Judgement(Verdict.UNCHECKED))


def decide(store: Store, text: str, by: str = "Ann") -> Record | Broken:
    """Confirm a claim of the answer with that claim alone."""
    declared = Declaration(PAGE, "limits", "What are the limits?", Place("docs/guide/faq.md", 3))
    answer = replace(Answer.of(declared, Status.ACCEPTED), claims=(claim(text),), provider="quote")
    return store.decide(answer, declared, [confirmed(claim(text), by=by)], TODAY)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def by_hand(store: Store, old: str, new: str, file: str = FILE) -> None:
    """Edit a file as a person would."""
    path = store.root / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def files(store: Store) -> dict[str, str]:
    """Every file of the project but the lock, with its text."""
    paths = (path for path in store.root.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path.relative_to(store.root).as_posix(): path.read_text(encoding="utf-8") for path in sorted(paths)}


def test_a_record_is_written_once(store: Store) -> None:
    """The same record again leaves file and time alone, so that `mkdocs serve` does not build for ever."""
    assert store.read(KEY) is None
    assert store.write(made("One.\n"))
    os.utime(store.root / FILE, (1, 1))
    assert not store.write(made("One."))
    assert (store.root / FILE).stat().st_mtime == 1
    assert unplaced(store.read(KEY)) == made("One.")
    assert list(files(store)) == [FILE]


def test_a_text_that_a_program_wrote_is_replaced(store: Store) -> None:
    """Nobody has touched it."""
    store.write(made("One."))
    assert store.write(made("Two."))
    assert unplaced(store.read(KEY)) == made("Two.")


def test_a_text_that_a_person_edited_is_never_replaced(store: Store) -> None:
    """Another text waits beside it; a review of the edited one is kept."""
    store.write(made("One."))
    by_hand(store, "One.", "One, or so.")
    assert not store.write(made("Two."))
    current = store.read(KEY)
    assert isinstance(current, Record)
    assert (current.content, edited(current)) == ("One, or so.", True)
    assert unplaced(store.proposal(KEY)) == made("Two.")
    assert store.write(replace(current, model="m"))
    assert unplaced(store.read(KEY)) == replace(current, place=Place(""), model="m")


def test_an_unreadable_record_is_left_as_it_is(store: Store) -> None:
    """Whatever is asked of the store."""
    path = store.root / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(b"---\nversion: 1\nquestion: \xff\n---\n")
    assert store.read(KEY) == Broken(FILE, "is not UTF-8 at byte 25", 3)
    assert not store.write(made("One."))
    store.propose(made("One."))
    with pytest.raises(CitedError, match="the record is not UTF-8 at byte 25"):
        store.accept(KEY, "Ann", TODAY)
    with pytest.raises(CitedError, match="the record is not UTF-8 at byte 25"):
        decide(store, "One.")
    assert path.read_bytes() == b"---\nversion: 1\nquestion: \xff\n---\n"


def test_a_folder_in_the_place_of_a_record(store: Store) -> None:
    """Is a broken record, not a traceback."""
    (store.root / FILE).mkdir(parents=True)
    assert store.read(KEY) == Broken(FILE, "cannot be read: it is a folder")


def test_accepting_a_proposal(store: Store) -> None:
    """The proposal becomes the record, with the name, the date and the hash of the text that was accepted."""
    store.write(made("One."))
    store.propose(replace(made("Two."), reason="a figure was altered"))
    assert list(files(store)) == [FILE, "answers/guide/faq/limits.new.md"]
    accepted = store.accept(KEY, "Ann", TODAY)
    assert unplaced(accepted) == replace(made("Two."), approval=Approval("Ann", TODAY, text_hash("Two.")))
    assert list(files(store)) == [FILE]


def test_accepting_what_stands_there(store: Store) -> None:
    """Without a proposal, the text is approved; an edited one is nobody's draft any more."""
    store.write(made("One."))
    by_hand(store, "One.", "One, or so.")
    accepted = store.accept(KEY, "Ann", TODAY)
    assert isinstance(accepted, Record)
    assert (accepted.approved, edited(accepted)) == (True, False)
    by_hand(store, "One, or so.", "One, or two.")
    changed = store.read(KEY)
    assert isinstance(changed, Record)
    assert (changed.approved, edited(changed)) == (False, True)


def test_accepting_nothing(store: Store) -> None:
    """Says that there is nothing."""
    assert store.accept(KEY, "Ann", TODAY) is None


def test_a_proposal_that_was_edited_is_accepted_as_it_reads(store: Store) -> None:
    """People may mend a proposal before they take it."""
    store.propose(made("Two."))
    by_hand(store, "Two.", "Two and a half.", "answers/guide/faq/limits.new.md")
    accepted = store.accept(KEY, "Ann", TODAY)
    assert isinstance(accepted, Record)
    assert (accepted.content, accepted.approved) == ("Two and a half.", True)


def test_rejecting_a_proposal(store: Store) -> None:
    """It is gone, and the accepted text stays."""
    store.write(made("One."))
    store.propose(made("Two."))
    store.reject(KEY)
    assert list(files(store)) == [FILE]


def test_what_people_said_meanwhile_is_kept(store: Store) -> None:
    """A build that read the record before a person decided a claim does not undo the decision."""
    decision = Decision(claim="One.", verdict=Verdict.UNCHECKED, reviewer="anthropic-1")
    before = replace(made("One."), claims=(decision,))
    store.write(before)
    decide(store, "One.")
    store.accept(KEY, "Ann", TODAY)
    store.write(replace(before, model="m"), before)
    after = store.read(KEY)
    assert isinstance(after, Record)
    assert [item.by or item.reviewer for item in after.claims] == ["anthropic-1", "Ann"]
    assert after.approved
    assert after.model == "m"


def test_a_person_decides_while_a_model_reads_another_claim(store: Store) -> None:
    """What they said of a claim that nobody had decided stays, and so does what they said anew of one."""
    read = replace(made("One. Two."), claims=(said("Two.", "Ann", Verdict.SUPPORTED),))
    store.write(read)
    anew = (said("One.", "Ann", Verdict.UNSUPPORTED), said("Two.", "Ann", Verdict.UNSUPPORTED))
    store.write(replace(read, claims=anew), read)
    by_model = Decision(claim="Three.", verdict=Verdict.SUPPORTED, reviewer="anthropic-1")
    store.write(replace(read, claims=(*read.claims, by_model)), read)
    after = store.read(KEY)
    assert isinstance(after, Record)
    assert after.claims == (by_model, *anew)


def said(claim: str, by: str, verdict: Verdict) -> Decision:
    """A decision of a person."""
    return Decision(claim=claim, verdict=verdict, by=by, date=TODAY)


def test_orphans(store: Store) -> None:
    """Records and proposals whose declaration is gone are findings until they are removed."""
    other = "old.md#gone"
    store.write(made("One."))
    store.write(made("One.", other))
    store.propose(made("Two.", "old.md#never"))
    assert [(f.slug, f.place.file, f.answer) for f in (orphan.finding() for orphan in store.orphans({KEY}))] == [
        ("orphan-record", "answers/old/gone.md", other),
        ("orphan-record", "answers/old/never.new.md", "old.md#never"),
    ]
    assert store.all_keys() == sorted([KEY, "old.md#never", other])
    assert {key: unplaced(store.read(key)) for key in (KEY, other)} == {KEY: made("One."), other: made("One.", other)}
    for orphan in store.orphans({KEY}):
        store.remove(orphan.key)
    assert store.orphans({KEY}) == []
    assert list(files(store)) == [FILE]
    assert not (store.root / "answers/old").exists()


def test_an_id_in_another_case_has_its_record_where_case_does_not_count(store: Store) -> None:
    """There both names are one file, as a link makes them here: no orphan, so nothing that `prune` may delete."""
    store.write(made("One.", "faq.md#Keys"))
    assert [item.key for item in store.orphans({"faq.md#keys"})] == ["faq.md#Keys"]
    os.link(store.root / "answers/faq/Keys.md", store.root / "answers/faq/keys.md")
    assert store.orphans({"faq.md#keys"}) == []


def test_a_record_and_its_proposal_move_together(store: Store) -> None:
    """Neither does where one of them would be written over another, and no folder is left empty."""
    store.write(made("One."))
    store.propose(made("Two."))
    store.propose(made("Three.", "new.md#limits"))
    before = files(store)
    with pytest.raises(CitedError, match=r"answers/new/limits.new.md exists already"):
        store.move(KEY, "new.md#limits")
    assert files(store) == before
    store.remove("new.md#limits")
    store.move(KEY, "new.md#limits")
    assert list(files(store)) == ["answers/new/limits.md", "answers/new/limits.new.md"]
    assert not (store.root / FILE).parent.exists()


def test_a_record_is_not_in_its_own_way(store: Store) -> None:
    """Where case does not count, `Limits.md` is there already when `limits.md` gets that name."""
    store.write(made("One."))
    (store.root / FILE).with_name("Limits.md").hardlink_to(store.root / FILE)
    store.move(KEY, KEY.replace("limits", "Limits"))
    assert (store.root / FILE).with_name("Limits.md").is_file()


def test_other_files_in_the_folder_are_left_alone(store: Store) -> None:
    """A README is no orphan."""
    (store.root / "answers/guide").mkdir(parents=True)
    (store.root / "answers/README.md").write_text("Ours.", encoding="utf-8")
    (store.root / "answers/guide/.draft.md").write_text("Ours.", encoding="utf-8")
    assert store.orphans(()) == []
    assert store.all_keys() == []


@pytest.mark.parametrize("folder", ["..", "../answers", "/tmp/answers", "a/../../b", "", ".", "C:\\answers", "..\\x"])  # noqa: S108
def test_the_folder_must_be_in_the_project(tmp_path: Path, folder: str) -> None:
    """Anything else is a mistake in the options."""
    with pytest.raises(UsageError, match="leads out of the project"):
        Store(tmp_path, folder)


def test_links_that_lead_out_are_not_followed(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Neither for reading nor for writing."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "limits.md").write_text("---\nversion: 1\nquestion: Why?\n---\n", encoding="utf-8")
    (store.root / "answers/guide").mkdir(parents=True)
    (store.root / "answers/guide/faq").symlink_to(outside, target_is_directory=True)
    assert store.read(KEY) == Broken(FILE, "leads out of answers through a link")
    assert not store.write(made("One."))
    with pytest.raises(CitedError, match="leads out"):
        store.remove(KEY)
    assert (outside / "limits.md").exists()


def test_a_file_in_the_place_of_the_folder(store: Store) -> None:
    """Every record there is broken, and nothing is written."""
    (store.root / "answers").write_text("a file", encoding="utf-8")
    assert store.read(KEY) == Broken(FILE, "cannot be read: Not a directory")
    assert not store.write(made("One."))
    assert files(store) == {"answers": "a file"}


def _decide(root: Path, number: int, count: int) -> None:
    store = Store(root)
    for step in range(count):
        text = f"Claim {number} {step}."
        decide(store, text, f"Person {number}")


def test_processes_that_decide_at_once(store: Store) -> None:
    """No decision is lost, and a reader never finds half a record."""
    store.write(made("One."))
    writers = [forks.CONTEXT.Process(target=_decide, args=(store.root, number, 10)) for number in range(4)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert isinstance(store.read(KEY), Record)
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    record = store.read(KEY)
    assert isinstance(record, Record)
    assert {item.claim for item in record.claims} == {f"Claim {n} {step}." for n in range(4) for step in range(10)}
    assert list(files(store)) == [FILE]
