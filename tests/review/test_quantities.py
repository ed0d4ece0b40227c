"""Numbers that say the same in another unit or form, numbers that may, and numbers that do not."""

from __future__ import annotations

import pytest

from mkdocs_cited.language.quantities import may_equal, quantities

SAME = [
    ("1,000", "1000"),
    ("0.5 s", "500 ms"),
    ("50%", "50 percent"),
    ("1 GiB", "1024 MiB"),
    ("2Gi", "2 GiB"),
    ("72 hours", "3 days"),
    ("12 months", "1 year"),
    ("10 per second", "600/min"),
    ("180K", "180,000"),
    ("v2.0", "v2"),
    ("1,00,000", "100000"),
    ("30m", "30 minutes"),
]
ALIKE = [
    ("50%", "0.5"),
    ("30", "30 seconds"),
    ("1800", "30 minutes"),
    ("v2.3", "2.3.1"),
    ("33.3%", "33%"),
    ("1 month", "30 days"),
    ("10M", "10 MB"),
    ("1 GB", "1 GiB"),
    ("10485760", "10 MB"),
    ("1024 KiB", "1 MB"),
    ("999", "$9.99"),
    (">= 3", "3"),
    ("1.20", "1.2"),
]
OTHER = [
    ("3 ms", "3 seconds"),
    ("5 minutes", "5 hours"),
    ("$5/month", "$5/year"),
    ("600/min", "600/h"),
    ("2.8.6", "2.8.7"),
    ("3.4", "3.3"),
    ("5 MB", "5 minutes"),
    ("5 MB", "6 MiB"),
    ("per second", "per minute"),
    ("-1", "1"),
    ("2026-11-26", "2026-11-27"),
    ("30", "60 seconds"),
]


def relation(left: str, right: str) -> tuple[bool, set[bool]]:
    """Whether two quantities are the same, and whether they may be, whichever comes first."""
    (one,), (other,) = quantities(left), quantities(right)
    return one.key == other.key, {may_equal(one, other), may_equal(other, one)}


@pytest.mark.parametrize(("left", "right"), SAME)
def test_the_same(left: str, right: str) -> None:
    """Units and spelling do not count."""
    assert relation(left, right) == (True, {True})


@pytest.mark.parametrize(("left", "right"), ALIKE)
def test_what_may_be_the_same(left: str, right: str) -> None:
    """A rounded number, a bare one, a bound: no error, and no proof."""
    assert relation(left, right) == (False, {True})


@pytest.mark.parametrize(("left", "right"), OTHER)
def test_other_quantities(left: str, right: str) -> None:
    """A changed figure, unit or period is another quantity."""
    assert relation(left, right) == (False, {False})
