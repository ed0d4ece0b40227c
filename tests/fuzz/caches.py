"""Damaged caches: whatever stands in `.cache`, the site is the same, and the build ends as it should.

`python -m tests.fuzz.caches [COUNT [SEED]]`
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.fuzz.sites import shown, site
from tests.projects import Project

Damage = Callable[[bytes, Random], bytes]


def cut(data: bytes, dice: Random) -> bytes:
    return data[: dice.randrange(len(data) or 1)]


def flip(data: bytes, dice: Random) -> bytes:
    out = bytearray(data or b"\0")
    for _ in range(dice.choice((1, 1, 3, 50))):
        out[dice.randrange(len(out))] ^= 1 << dice.randrange(8)
    return bytes(out)


def overwrite(data: bytes, dice: Random) -> bytes:
    at = dice.randrange(len(data) or 1)
    noise = dice.randbytes(dice.choice((1, 16, 512, 4096)))
    return data[:at] + noise + data[at + len(noise) :]


def swap(data: bytes, dice: Random) -> bytes:
    """Two pieces in each other's place: every byte is one that was there."""
    a, b, c = sorted(dice.randrange(len(data) or 1) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def reword(data: bytes, dice: Random) -> bytes:
    """Words for others of the same length: no format notices."""
    words = ((b"supported", b"unchecked"), (b"Restart", b"Destroy"), (b"5 times", b"9 times"), (b"request", b"<script"))
    old, new = dice.choice(words)
    return data.replace(old, new) if old in data else flip(data, dice)


def empty(data: bytes, dice: Random) -> bytes:
    return b""


def noise(data: bytes, dice: Random) -> bytes:
    return dice.randbytes(dice.randrange(1, 10_000))


def longer(data: bytes, dice: Random) -> bytes:
    return data + dice.randbytes(dice.randrange(1, 10_000))


DAMAGE: tuple[Damage, ...] = (cut, flip, flip, flip, overwrite, overwrite, swap, reword, empty, noise, longer)


def harm(cache: Path, dice: Random) -> str:
    """Damage one file of a cache, or put a folder in its place; what was done."""
    path = dice.choice(_files(cache))
    if dice.random() < 0.05:
        path.unlink()
        (path / "folder").mkdir(parents=True)
        return f"{path.name}: a folder"
    damage = dice.choice(DAMAGE)
    path.write_bytes(damage(path.read_bytes(), dice))
    return f"{path.name}: {damage.__name__}"


def _files(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file() and path.name != ".gitignore")


def main(count: int = 200, seed: int = 0) -> int:
    """Damage caches and build; how many builds came out otherwise."""
    dice, failed = Random(seed), 0
    with site() as project:
        project.build("--strict")
        project.build("--strict")
        wanted, cache = shown(project), project.root / ".cache/plugin/cited"
        for number in range(count):
            if not _files(cache):  # each was replaced by a folder, which nothing takes away but a person
                shutil.rmtree(cache)
                project.build("--strict")
            done = harm(cache, dice)
            problem = _problem(project, wanted)
            if problem:
                failed += 1
                print(f"{number}: {done}: {problem}")
                shutil.rmtree(cache)
                project.build("--strict")
    print(f"caches: {count - failed} passed, {failed} failed")
    return failed


def _problem(project: Project, wanted: dict[str, bytes]) -> str:
    """What is otherwise than it was in the next two builds; empty for nothing."""
    for _ in range(2):
        try:
            result = project.build("--strict")
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        if result.code:
            return result.output
        now = shown(project)
        if now != wanted:
            return f"differs: {sorted(path for path in {*now, *wanted} if now.get(path) != wanted.get(path))}"
    return ""


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
