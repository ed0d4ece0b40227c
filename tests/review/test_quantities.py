"""Numbers that say the same in other words, and numbers that do not."""

from __future__ import annotations

import pytest

from mkdocs_cited.language.quantities import equal, quantities

SAME = [
    ("1,000 requests", "1000 requests"),
    ("0.5 s", "500 ms"),
    ("500ms", "half a second"),
    ("50 %", "0.5"),
    ("50%", "50 percent"),
    ("1 GiB", "1024 MiB"),
    ("2Gi", "2 GiB"),
    ("half an hour", "30 minutes"),
    ("a quarter of an hour", "15 minutes"),
    ("two weeks", "14 days"),
    ("one week", "7 days"),
    ("72 hours", "three days"),
    ("a year", "365 days"),
    ("hourly", "once per hour"),
    ("täglich", "once per day"),
    ("vier Stunden", "4 h"),
    ("eine halbe Stunde", "30 Minuten"),
    ("1.5 million", "1,500,000"),
    ("180K", "180,000"),
    ("version 2.8.6", "2.8.6"),
    ("twenty-five nodes", "25 nodes"),
]
OTHER = [
    ("3 ms", "3 seconds"),
    ("5 minutes", "5 hours"),
    ("90 days", "30 days"),
    ("1 GB", "1 GiB"),
    ("per second", "per minute"),
    ("2.8.6", "2.8.7"),
    ("3.4", "3.3"),
    ("429", "503"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_equal_forms(left: str, right: str) -> None:
    """Two ways to write one quantity are equal, whichever comes first."""
    (a,), (b,) = quantities(left), quantities(right)
    assert equal(a, b)
    assert equal(b, a)


@pytest.mark.parametrize(("left", "right"), OTHER)
def test_other_quantities(left: str, right: str) -> None:
    """A changed figure or unit is another quantity."""
    (a,), (b,) = quantities(left), quantities(right)
    assert not equal(a, b)
