"""A record's text holds the record exactly, stays the same for the same record, and says what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct, structs
from msgspec.structs import replace

from mkdocs_cited.model.answer import Decision, Excerpt, Spend, Verdict
from mkdocs_cited.records import Approval, Broken, Record, RecordedCitation, decode, encode, text_hash
from tests.records import strategies

GOLDEN = Path(__file__).parent / "golden"

CODE = "import limits\n\nlimits.default()"
TEXT = "Each key may send 60 requests a minute.[^1] Ask for more:[^2]\n\n```python\nimport limits\n```"
FULL = Record(
    "guide/faq.md#limits",
    "What are the rate limits?",
    TEXT,
    provider="anthropic",
    model="claude-sonnet-5-5",
    prompt_version="3",
    written_on="2026-11-21",
    declaration="q6f2dk3bq5jv7hyn",
    generated=text_hash(TEXT),
    retries=1,
    citations=(
        RecordedCitation(1, "api/limits.md#rate", "Each key: 60 requests a minute."),
        RecordedCitation(2, "api/limits.md#more", CODE),
    ),
    claims=(
        Decision(
            claim="Each key may send 60 requests a minute.",
            verdict=Verdict.SUPPORTED,
            reviewer="anthropic-1-claude-opus-5-5",
            evidence=(
                Excerpt(at="api/limits.md#rate", under="Rate · Plan, Limit", text="Each key | 60 requests a minute."),
            ),
        ),
        Decision(
            claim="Ask for more:",
            verdict=Verdict.SUPPORTED,
            by="Ann Lee",
            date="2026-11-21",
            reason="It is so.",
            evidence=(Excerpt(at="api/limits.md#more", text="limits.default()"),),
        ),
    ),
    approval=Approval("Ann Lee", "2026-11-21", text_hash(TEXT)),
    spend=Spend(2, 5120, 310, 4096, 0.0123),
)
SMALL = Record(
    "faq.md#why",
    "Why?",
    "It is checked.[^1]",
    "quote",
    written_on="2026-11-21",
    generated=text_hash("It is checked.[^1]"),
)


@pytest.mark.parametrize(("name", "record"), [("full", FULL), ("small", SMALL)])
def test_golden(name: str, record: Record) -> None:
    """The committed files are what is written, and are read as what was written."""
    text = (GOLDEN / f"{name}.md").read_text(encoding="utf-8")
    assert encode(record) == text
    assert strategies.unplaced(decode(record.key, text)) == record


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case["case"])
        for case in yaml.safe_load_all((GOLDEN / "broken.yml").read_text(encoding="utf-8"))
        if case
    ],
)
def test_broken(case: dict[str, Any]) -> None:
    """A file that is no record says so, with the line and what is wrong; nothing is raised."""
    broken = decode("faq.md#limits", case["file"], "answers/faq/limits.md")
    assert isinstance(broken, Broken)
    assert f"{broken.line}: the record {broken.reason}" == case["finding"]
    finding = broken.finding("faq.md#limits")
    assert (finding.slug, str(finding.place)) == ("broken-record", f"answers/faq/limits.md:{broken.line}")


@given(strategies.record)
@example(FULL)
def test_round_trip(record: Record) -> None:
    """Whatever text a record holds comes back: exactly, but for half characters, and for line ends and blank lines
    around the answer, which mean nothing in Markdown."""
    assert strategies.unplaced(decode(record.key, encode(record))) == _kept(record)


@given(strategies.record)
def test_equal_records_have_equal_bytes(record: Record) -> None:
    """Reading and writing a record again changes nothing."""
    text = encode(record)
    again = decode(record.key, text)
    assert isinstance(again, Record)
    assert encode(again) == text


@given(strategies.record)
def test_line_ends_of_other_systems_change_nothing(record: Record) -> None:
    """A checkout with CRLF, or an editor's byte-order mark, reads as the same record."""
    text = encode(record)
    assert decode(record.key, "\ufeff" + text.replace("\n", "\r\n")) == decode(record.key, text)


def test_the_text_starts_on_the_line_that_is_said() -> None:
    """Findings in the prose of a record point at its lines."""
    record = decode(FULL.key, encode(FULL))
    assert isinstance(record, Record)
    assert encode(FULL).split("\n")[record.place.line - 1] == TEXT.split("\n")[0]


def test_a_change_of_one_value_changes_one_line() -> None:
    """Diffs are small: a moved passage is one line, another verdict one more."""
    moved = replace(FULL.citations[0], at="api/rates.md#rate")
    decided = replace(FULL.claims[0], verdict=Verdict.PARTIAL)
    other = replace(FULL, citations=(moved, FULL.citations[1]), claims=(decided, FULL.claims[1]))
    lines = zip(encode(FULL).split("\n"), encode(other).split("\n"), strict=True)
    assert [new for old, new in lines if old != new] == ["    at: api/rates.md#rate", "    verdict: partial"]


@given(st.text())
@example("---\n" + "[" * 100_000 + "\n---\n")
@example("---\na: &a [*a]\n---\n")
def test_no_text_raises(text: str) -> None:
    """Whatever stands in a file, it is a record or it is broken."""
    assert isinstance(decode("a.md#b", text), Record | Broken)
    assert isinstance(decode("a.md#b", f"---\nversion: 1\n{text}\n---\n{text}"), Record | Broken)


def _kept(value: Any) -> Any:
    """What may be expected back: half characters replaced, the text's line ends unified and its blank edges gone."""
    if isinstance(value, Struct):
        kept = {field.name: _kept(getattr(value, field.name)) for field in structs.fields(value)}
        if isinstance(value, Record):
            kept["content"] = kept["content"].replace("\r\n", "\n").replace("\r", "\n").strip("\n")
        return type(value)(**kept)
    if isinstance(value, tuple):
        return tuple(_kept(item) for item in value)
    if type(value) is str:
        # Two halves that meet are a character; one alone is not.
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value
