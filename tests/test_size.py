"""The package stays small: lines, modules and imports have numbers that only go down.

`python -m tests.test_size` writes the numbers of today into this file where they are lower. A feature that needs more
lines takes them out somewhere else first.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest

from tests.test_levels import LEVEL, ROOT, graph, modules, room

LINES: dict[tuple[str, ...], tuple[int, int]] = {
    ("base",): (800, 887),
    ("model", "settings"): (1_850, 1_923),
    ("language", "review"): (4_200, 4_301),
    ("anthropic_client",): (1_200, 1_307),
    ("local_models",): (500, 500),
    ("answer_text",): (1_100, 1_174),
    ("declarations",): (1_200, 1_548),
    ("findings",): (400, 369),
    ("sources",): (2_600, 2_985),
    ("records",): (1_100, 1_279),
    ("search",): (2_200, 2_326),
    ("providers",): (2_000, 2_002),
    ("render",): (2_900, 2_797),
    ("reporters",): (1_050, 1_049),
    ("pipeline",): (1_100, 1_135),
    ("evaluation",): (600, 599),
    ("mkdocs_host",): (2_000, 2_122),
    ("site_host", "extension"): (550, 673),
    ("cli",): (2_650, 3_196),
}
"""Packages → the budget of their lines of Python, docstrings included, and their lines of today."""
ALL_LINES = (32_500, 32_172)
MODULES = (230, 195)
CLI_FILES = (16, 14)
IMPORTS = (4 * len(LEVEL), 88)
"""Imports from package to package: four for each, and those of today."""


def lines() -> dict[str, int]:
    """Package → its lines."""
    counted: dict[str, int] = defaultdict(int)
    for path in modules():
        counted[room(path)] += len(path.read_text(encoding="utf-8").splitlines())
    return dict(counted)


def imported() -> set[tuple[str, str]]:
    """(package, another that it imports), for all of them."""
    named = ((name.split(".")[1], target.split(".")[1]) for name, targets in graph().items() for target in targets)
    return {(here, there) for here, there in named if here != there}


def counts() -> dict[str, int]:
    """Today's numbers, by the name of their constant."""
    return {
        "ALL_LINES": sum(lines().values()),
        "MODULES": len(modules()),
        "CLI_FILES": len(list((ROOT / "cli").glob("*.py"))),
        "IMPORTS": len(imported()),
    }


@pytest.mark.parametrize("names", LINES, ids=" and ".join)
def test_lines(names: tuple[str, ...]) -> None:
    """A package has no more lines than its budget, or than it had where that is more."""
    assert sum(lines()[name] for name in names) <= max(LINES[names])


def test_every_package_has_a_budget() -> None:
    """A new package takes its lines from others."""
    assert sorted(name for names in LINES for name in names) == sorted(LEVEL)


@pytest.mark.parametrize("name", ["ALL_LINES", "MODULES", "CLI_FILES", "IMPORTS"])
def test_the_whole(name: str) -> None:
    """All lines, all modules, the files of the commands, and what packages know of each other."""
    assert counts()[name] <= max(globals()[name])


def main(*, grow: bool = False) -> None:
    """Write the numbers of today into this file; higher ones only with `grow`."""
    path = Path(__file__)
    text = path.read_text(encoding="utf-8")

    def today(match: re.Match[str], number: int) -> str:
        before = int(match[2])
        return f"{match[1]}{number if grow or number < before else before:_})"

    for names in LINES:
        key = re.escape("(" + ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "") + "): (")
        number = sum(lines()[name] for name in names)
        text = re.sub(rf"({key}[\d_]+, )([\d_]+)\)", partial(today, number=number), text)
    for name, number in counts().items():
        text = re.sub(rf"(?m)^({name} = \(.*, )([\d_]+)\)", partial(today, number=number), text)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(grow="--grow" in sys.argv)
