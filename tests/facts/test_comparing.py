"""Values are compared as values, and what is not surely different is not decided."""

from __future__ import annotations

import pytest

from mkdocs_cited.code.interface import Computed, Duration, Entries, Items, Reference, Value, scalar
from mkdocs_cited.facts.comparing import is_same


@pytest.mark.parametrize(
    ("docs", "code"),
    [
        (300, 300.0),
        (0, 0),
        (Duration(300), 300),
        (Duration(5), 5000),
        (300, Duration(300)),
        (Duration(60), Duration(60)),
        (True, True),
        (True, "yes"),
        (False, "0"),
        (None, ""),
        (None, Items(())),
        ("INFO", "info"),
        ("3600", "1h"),
        ("rgba(0, 0)", "rgba(0,0)"),
        ("/var/x", "/var/x/"),
        (r"C:\k\x", r"C:\\k\\x"),
        ("x:1.2", "x:1.2@sha256:abc1"),
        (Items(("a", "b")), Items(("b", "a"))),
        (Items(("a", "b")), "a,b"),
        (Items(("2ms", "1s")), Items((Duration(0.002), Duration(1)))),
        (Items(()), Items(("",))),
        ("5", 5),
        (5, "5"),
        (Entries((("a", True),)), Entries((("a", True),))),
    ],
)
def test_the_same(docs: Value, code: Value) -> None:
    """In any writing, unit and order."""
    assert is_same(docs, code) is True


@pytest.mark.parametrize("written", ["644", "0644"])
def test_permissions(written: str) -> None:
    """In digits to the base of eight, as one says them."""
    assert is_same(scalar(written), 0o644, written) is True
    assert is_same(scalar("645"), 0o644, "645") is False


@pytest.mark.parametrize(
    ("docs", "code"),
    [
        (300, 301),
        (1, 3),
        (1000, 1024),
        (1_048_576, 1_000_000),
        (Duration(300), 299),
        (Duration(300), Duration(60)),
        (True, False),
        (None, 5),
        ("a", "b"),
        ("\ue7de", "F"),
        ("→", "⇒"),
        (Items(("a", "b")), Items(("a",))),
        (Entries((("a", True),)), Entries((("a", False),))),
    ],
)
def test_different(docs: Value, code: Value) -> None:
    """No unit makes them one."""
    assert is_same(docs, code) is False


@pytest.mark.parametrize(
    ("docs", "code"),
    [
        (5, Computed()),
        (5, None),
        (Items(()), Entries((("a", None),))),
        (Items(()), Items(("a",))),
        (r"a: \"b\"", 'a: "b"'),
        (5, 5000),
        (2, 120),
        ("1.1", "1.10"),
        (Entries((("a", True),)), Entries((("a", True), ("b", 1)))),
        (True, 5),
        ("a", 5),
        ("<host>:80", "x:80"),
        ("?", "all"),
        ("_default values in the file_", "x"),
        (r"a:\n b", "a:\nb"),
        ("0.0.0.0:80", "127.0.0.1:80"),
        ("conf.yml", "/etc/conf.yml"),
        ("a", Items(("a", "b"))),
        ("x", Reference("LIMIT")),
    ],
)
def test_undecided(docs: Value, code: Value) -> None:
    """What only a run can tell, a factor of a unit, another type, a placeholder, a part."""
    assert is_same(docs, code) is None


def test_units_of_data() -> None:
    """16 MB may be meant in either way; a number without a unit is that number."""
    assert is_same(16_000_000, 16 * 1024**2, "16 MB") is True
    assert is_same(16_000_000, 16 * 1024**2, "16000000") is False
    assert is_same(512, 4096, "4096 bits") is True
    assert is_same(2, 16, "2") is False


def test_a_value_that_the_docs_cut() -> None:
    """What follows is not said."""
    assert is_same(Items(("a", "b")), Items(("a", "b", "c")), '["a", "b", ...]') is None
    assert is_same(Items(("a", "b")), Items(("a", "c")), '["a", "b"]') is False


def test_versions() -> None:
    """A text of the code with a point is no number."""
    assert is_same(1.1, "1.10", "1.1") is None
    assert is_same(0.5, "0.5", "0.5") is True


def test_names_of_constants() -> None:
    """The docs may name the constant, or the variant, that is the default."""
    assert is_same("x", Reference("ssl.CERT_NONE"), "ssl.CERT_NONE") is True
    assert is_same("bar", Reference("CursorKind::Bar"), "bar") is True
