"""What a project silences is set aside with its reason; what silences nothing is itself a finding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mkdocs_cited.base.errors import UnreadableError
from mkdocs_cited.findings import Triage, read_baseline, write_baseline
from mkdocs_cited.model.declaration import Suppression
from mkdocs_cited.model.finding import CATALOGUE, Finding, Place, Suppressed, found
from tests.projects import Project

TODAY = "2026-11-21"
PLACE = Place("answers/faq/limits.md", 20)
ALTERED = found("altered-number", PLACE, "60 is not there", answer="faq.md#limits", claim="It is 60.")
OTHER = found("altered-number", PLACE, "70 is not there", answer="faq.md#limits", claim="It is 70.")
ELSEWHERE = replace(ALTERED, answer="guide.md#limits")


class Applied(NamedTuple):
    """What was shown, silenced, and told of suppressions that silence nothing."""

    shown: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    unused: tuple[Finding, ...]


def apply(findings: Iterable[Finding], suppressions: Iterable[Suppression], today: str) -> Applied:
    """Sort findings, the suppressions' own apart."""
    report = Triage(today, {}, tuple(suppressions)).sort(findings)
    shown = tuple(item for item in report.shown if item.slug != "unused-suppression")
    unused = tuple(item for item in report.shown if item.slug == "unused-suppression")
    return Applied(shown, report.suppressed, unused)


@pytest.mark.parametrize(
    ("suppression", "silenced"),
    [
        (Suppression("altered-number", "why"), (ALTERED, OTHER, ELSEWHERE)),
        (Suppression("altered-number", "why", "limits"), (ALTERED, OTHER, ELSEWHERE)),
        (Suppression("altered-number", "why", "faq.md#limits"), (ALTERED, OTHER)),
        (Suppression("altered-number", "why", "faq.md#limits", claim=OTHER.fingerprint), (OTHER,)),
        (Suppression("altered-number", "why", "faq.md#other"), ()),
        (Suppression("altered-quote", "why", "faq.md#limits"), ()),
        (Suppression("altered-number", "why", expires=date.fromisoformat(TODAY)), (ALTERED, OTHER, ELSEWHERE)),
        (Suppression("altered-number", "why", expires=date(2026, 11, 20)), ()),
    ],
    ids=["slug", "id", "key", "claim", "another answer", "another slug", "its last day", "expired"],
)
def test_what_a_suppression_silences(suppression: Suppression, silenced: tuple[Finding, ...]) -> None:
    """A slug, on one answer or on all, or one very finding; through the day on which it expires."""
    result = apply([ALTERED, OTHER, ELSEWHERE], [suppression], TODAY)
    assert tuple(item.finding for item in result.suppressed) == silenced
    assert {item.reason for item in result.suppressed} <= {"why"}
    assert set(result.shown) == {ALTERED, OTHER, ELSEWHERE} - set(silenced)
    assert bool(result.unused) is not bool(silenced)


def test_a_suppression_that_silences_nothing() -> None:
    """Is shown where it is written."""
    place = Place("docs/faq.md", 7)
    idle = Suppression("altered-quote", "why", "faq.md#limits", place=place)
    late = Suppression("altered-number", "why", "limits", expires=date(2026, 1, 31))
    assert [(str(f.place), f.message, f.tip, f.answer) for f in apply([ALTERED], [idle, late], TODAY).unused] == [
        (
            "docs/faq.md:7",
            "the suppression of `altered-quote` for `faq.md#limits` silences nothing",
            "delete it",
            "faq.md#limits",
        ),
        (
            "mkdocs.yml:1",
            "the suppression of `altered-number` for `limits` expired on 2026-01-31",
            "delete it, or write a later date with the reason why",
            "",
        ),
    ]


def test_a_baseline_is_not_written_of_a_part(project: Project) -> None:
    """It would lack the other findings, and the next check would show them all."""
    baseline = project.root / "cited-baseline.yml"
    baseline.write_text("as it was", encoding="utf-8")
    result = project.cited("check", "--since", "HEAD", "--write-baseline")
    assert result.code == 2
    assert "run `mkdocs-cited check --write-baseline` without names and `--since`" in result.output
    assert baseline.read_text(encoding="utf-8") == "as it was"


@pytest.mark.parametrize("decided", [False, True], ids=["words prove it", "a decision lapsed"])
def test_a_value_that_changes_again_is_told_again(project: Project, decided: bool) -> None:
    """What a baseline silences is one value in the place of another, and not every one to come."""
    claim = "You stay logged in for 48 hours" if decided else "A login is valid for 48 hours"
    page = "# Keys\n\n## Login\n\nA login is valid for {} hours.\n"
    project.page("keys.md", page.format(48))
    project.page("login.md", f"# Login\n\n{claim} [@keys.md#login].\n")
    if decided:
        assert project.cited("accept", "login.md", "--all", "--by", "Ann").code == 0
    project.page("keys.md", page.format(24))
    assert project.build().code == 1
    assert project.cited("check", "--write-baseline").code == 0
    assert project.build("--strict").code == 0
    project.page("keys.md", page.format(24) + "\nMore of it.\n")
    assert project.build("--strict").code == 0
    project.page("keys.md", page.format(12))
    result = project.build()
    assert result.code == 1
    assert "12" in result.output
    known = project.root / "cited-baseline.yml"
    old = re.sub(r"(fingerprint: \w+)-\w+", r"\1", known.read_text(encoding="utf-8"))
    known.write_text(old, encoding="utf-8")  # as 0.2 wrote it
    assert project.build().code == 0


def test_a_claim_that_waits_is_told_again_when_its_passage_changes(project: Project) -> None:
    """Nobody has read the new one either."""
    project.page("keys.md", "# Keys\n\n## Login\n\nYou may log in whenever you like.\n")
    project.page("login.md", "# Login\n\nA login is possible at any time [@keys.md#login].\n")
    assert project.cited("check", "--write-baseline").code == 0
    assert project.build("--strict").code == 0
    project.page("keys.md", "# Keys\n\n## Login\n\nNobody may log in at night.\n")
    result = project.build("--strict")
    assert result.code == 1
    assert "A login is possible at any time." in result.output


def test_a_baseline_silences_what_was_there(tmp_path: Path) -> None:
    """Findings of the day on which it was written, by answer and claim, on whatever line they stand later."""
    path = tmp_path / "baseline.yml"
    assert write_baseline(path, [OTHER, ALTERED, ALTERED])
    assert (
        path.read_text(encoding="utf-8")
        == f"""\
# Findings that were there when the baseline was written; each is silent until it is gone, or its claim or passage
# changes.
# Written by `mkdocs-cited check --write-baseline`.
version: 1
findings:
  - answer: faq.md#limits
    slug: altered-number
    claim: It is 60.
    fingerprint: {ALTERED.fingerprint}
  - answer: faq.md#limits
    slug: altered-number
    claim: It is 70.
    fingerprint: {OTHER.fingerprint}
"""
    )
    baseline = read_baseline(path, "baseline.yml")
    moved = replace(ALTERED, place=Place("answers/faq/limits.md", 99))
    result = apply([moved, ELSEWHERE], baseline, TODAY)
    assert [item.finding for item in result.suppressed] == [moved]
    assert result.shown == (ELSEWHERE,)
    assert [(str(f.place), f.message) for f in result.unused] == [
        (
            "baseline.yml:1",
            "findings of the baseline that are gone or have changed: 1, such as `altered-number` for `faq.md#limits`",
        )
    ]
    assert not write_baseline(path, [ALTERED, OTHER])


def test_a_baseline_that_is_written_anew_keeps_what_it_still_silences(tmp_path: Path) -> None:
    """What is gone goes, what is new comes, and what another suppression silences is not its business."""
    path = tmp_path / "baseline.yml"
    write_baseline(path, [ALTERED, OTHER])
    mine = Suppression("altered-number", "on purpose", "guide.md#limits")
    new = found("altered-quote", PLACE, "not there", answer="faq.md#limits", claim="It is 60.")
    result = apply([ALTERED, ELSEWHERE, new], [mine, *read_baseline(path, "baseline.yml")], TODAY)
    assert (result.shown, len(result.unused)) == ((new,), 1)
    write_baseline(path, [*result.shown, *result.unused], result.suppressed)
    again = apply([ALTERED, ELSEWHERE, new], [mine, *read_baseline(path, "baseline.yml")], TODAY)
    assert (again.shown, again.unused) == ((), ())
    assert {item.claim for item in read_baseline(path, "baseline.yml")} == {ALTERED.fingerprint, new.fingerprint}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expected `object`, got `null`"),
        ("version: 1\nfindings: [\n", "baseline.yml: this is not a baseline: "),
        ("version: 2\nfindings: []\n", "`$.version`"),
        ("version: 1\nfindings: [{slug: x}]\n", "missing required field `answer`"),
        ("version: 1\nfindings: []\nmore: 1\n", "unknown field `more`"),
        ("\xff", "baseline.yml: this is not a baseline: "),
    ],
)
def test_a_file_that_is_no_baseline(tmp_path: Path, text: str, message: str) -> None:
    """The program cannot run with it, and says what to run instead."""
    (tmp_path / "baseline.yml").write_bytes(text.encode("latin-1"))
    with pytest.raises(UnreadableError) as caught:
        read_baseline(tmp_path / "baseline.yml", "baseline.yml")
    assert message in caught.value.message
    assert caught.value.tip == "delete it, then write it again: `mkdocs-cited check --write-baseline`"


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    """The same."""
    with pytest.raises(UnreadableError, match=r"baseline\.yml: the baseline cannot be read: No such file"):
        read_baseline(tmp_path / "baseline.yml", "baseline.yml")


findings = st.lists(
    st.builds(
        found,
        st.sampled_from(sorted(set(CATALOGUE) - {"unused-suppression"})),
        st.just(PLACE),
        st.text(st.characters()),
        answer=st.text(max_size=10),
        claim=st.text(st.characters()),
    ),
    max_size=5,
)


@given(findings)
def test_a_baseline_silences_exactly_what_it_was_written_of(
    tmp_path_factory: pytest.TempPathFactory, given_: list[Finding]
) -> None:
    """Whatever claims and messages say."""
    path = tmp_path_factory.mktemp("baseline") / "baseline.yml"
    write_baseline(path, given_)
    result = apply(given_, read_baseline(path, "baseline.yml"), TODAY)
    assert (result.shown, result.unused) == ((), ())
