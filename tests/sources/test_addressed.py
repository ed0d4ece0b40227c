"""Addresses name keys, names, headings and regions of files, which are parsed and never executed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.code import PythonText, definitions
from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.addressed import AddressedFile
from tests.hangs import guarded

CASES = yaml.safe_load(Path(__file__).with_name("addressed.yml").read_text(encoding="utf-8"))
VALUES = yaml.safe_load(Path(__file__).with_name("values.yml").read_text(encoding="utf-8"))


def find(root: Path, file: str, address: str) -> tuple[Passage, ...]:
    return AddressedFile(root, Page(file, "", file, type=SourceType.FILE, file=file)).section(address)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["file"])
def test_addresses_lead_to_passages(tmp_path: Path, case: dict[str, Any]) -> None:
    """The cases of `addressed.yml`."""
    (tmp_path / case["file"]).write_text(case["text"], encoding="utf-8")
    for address, expected in case["addresses"].items():
        found = find(tmp_path, case["file"], address)
        assert [f"{item.lines[0]}-{item.lines[1]} {item.text}" for item in found] == expected, address
        assert all(item.id.startswith(f"{case['file']}#") for item in found)


@pytest.mark.parametrize("case", VALUES, ids=lambda case: case["file"])
def test_only_what_holds_at_run_time_is_a_value(tmp_path: Path, case: dict[str, Any]) -> None:
    """The cases of `values.yml`: what may be another value when the program runs is none."""
    (tmp_path / case["file"]).write_text(case["text"], encoding="utf-8")
    for address, expected in case["values"].items():
        found = find(tmp_path, case["file"], address)
        assert (found[0].value or "()" if found else None) == expected, address


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.json", '{"a": %s}' % ("9" * 5_000)),
        ("a.yml", f"a: {'9' * 5_000}"),
        ("a.toml", f"a = 0x{'F' * 5_000}"),
        ("a.toml", f"a = {'9' * 5_000}"),
        ("a.py", f"a = 0x{'F' * 5_000}"),
        ("a.go", "package a\nconst a = 1e999 * time.Second"),
        ("a.env", f"a={'9' * 400}s"),
        ("a.py", f"a = timedelta(seconds={'9' * 400})"),
    ],
)
def test_no_number_stops_it(tmp_path: Path, file: str, text: str) -> None:
    """Python writes and reads no more than 4,300 digits, a `float` has 308, and infinity has no unit."""
    (tmp_path / file).write_text(text)
    assert all(len(item.value) < 500 for item in find(tmp_path, file, "a"))


def test_what_is_stated_is_code_to_readers(tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text("a:\n  b: 30s\n")
    (passage,) = find(tmp_path, "v.yaml", "a.b")
    assert [passage.text[start:end] for start, end in passage.code_spans] == ["a.b", "30s"]
    assert passage.value == "30s"


def test_files_are_read_in_another_process(tmp_path: Path) -> None:
    (tmp_path / "v.yaml").write_text("a: 1\n")
    file = AddressedFile(tmp_path, Page("v.yaml", "", "v.yaml", type=SourceType.FILE, file="v.yaml"))
    assert file.names == ("a",)
    assert pickle.loads(pickle.dumps(file)).section("a")  # noqa: S301 -- our own


@pytest.mark.parametrize(
    "text",
    ["a: &x [*x]\n", "&a [" * 5000, "a: " * 50_000, "x = " * 50_000, "(" * 100_000, "a = 1\n" * 6_000,
     "x = " + "1 + " * 20_000 + "1", "x = 9 ** 9 ** 9", "[a]\n" * 30_000,
     "/*" * 900_000, '"\\"' * 600_000, 'A="\n' * 49_000, "a=1\n" * 49_000],
)  # fmt: skip
def test_no_file_hangs(text: str) -> None:
    """Bombs, depth, and what would be large if it were executed."""
    with guarded():
        for suffix in (".yaml", ".json", ".toml", ".env", ".py"):
            definitions(text, f"a{suffix}")
        python = PythonText(text)
        for blocks in python.blocks.values():
            assert all(isinstance(python.statements(block.lines), str) for block in blocks)


@given(
    st.text(alphabet="ab:=-[]{}\"'#\n\t .,0&*!|>", max_size=200), st.sampled_from([".yaml", ".json", ".toml", ".env"])
)
def test_no_text_stops_it(text: str, suffix: str) -> None:
    for item in definitions(text, f"a{suffix}"):
        assert 1 <= item.line <= item.end_line <= text.count("\n") + 2


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("size", "`a.py#size` fits 2 things: `#A.size`, `#B.size`"),
        ('"size = (.)"', '`a.py#"size = (.)"` fits 2 things: line 2, line 4 → … cite all of them: `#"size = (.)".*`'),
        ('"(a)(b)"', "no line of `a.py` has `(a)(b)` → … with one group"),
        ('"[a"', '`a.py#"[a"` cannot be looked for: missing ]'),
        ("A.size", ""),
        ("X", ""),
        ('"size = (.)".*', ""),
    ],
)
def test_why_nothing_or_no_one_thing_is_found(tmp_path: Path, address: str, says: str) -> None:
    """With the address of each, so that it can be refused; one name that is set twice is one."""
    (tmp_path / "a.py").write_text("class A:\n    size = 1\nclass B:\n    size = 2\nX = 1\nX = 2\n")
    page = Page("a.py", "", "a.py", type=SourceType.FILE, file="a.py")
    fault = AddressedFile(tmp_path, page).fault(address)
    message, _, tip = says.partition(" → … ")
    assert (message in fault.message and tip in fault.tip) if fault else not says


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("a.py", "X = 1\nY = = 2\n", "invalid syntax (line 2)"),
        ("a.json", '{\n\t"X": {"t": 30', "did not find expected ',' or '}' (line 2)"),
        ("a.yaml", "b: 1\n---\nX: 2\na: [b\n", "did not find expected ',' or ']' (line 5)"),
        ("a.yaml", "a: 1\n<<<<<<< HEAD\nX: 2\n=======\n", "it has the markers of an unfinished merge (line 2)"),
        ("a.toml", "[a]\nX = \n", "Invalid value (at line 2, column 5)"),
        ("a.ini", "[b]\nc = 1\n[a\nd = 1\n", "there is no `]` behind the section (line 3)"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_told_with_its_line(tmp_path: Path, file: str, text: str, reason: str) -> None:
    """In place of a name that it does not have."""
    (tmp_path / file).write_text(text)
    page = Page(file, "", file, type=SourceType.FILE, file=file)
    fault = AddressedFile(tmp_path, page).fault("X")
    assert fault is not None
    assert fault.message == f"`{file}` cannot be parsed: {reason}"
