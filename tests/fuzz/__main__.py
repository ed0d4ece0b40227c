"""`python -m tests.fuzz`: the attack at any length. Exits 1 when a door broke, and keeps the input as a fixture."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import warnings

from tests.fuzz import bombs, hostile, replies
from tests.fuzz.entries import ENTRIES
from tests.fuzz.runner import attack, keep

BESIDES = ("kills", "caches")
"""Modules with a `main(count, seed)` of their own."""


def main() -> int:
    """Run what the arguments ask for."""
    arguments = _arguments()
    warnings.simplefilter("ignore")
    entries = [entry for entry in ENTRIES if arguments.only in entry.name]
    started, done, broken = time.monotonic(), 0, 0
    each = max(1, arguments.count // max(1, len(entries)))
    for entry in entries:
        tally = attack(entry, each, arguments.seed, seconds=arguments.seconds / len(entries))
        done += tally.inputs
        broken += len(tally.failures)
        print(f"{entry.name:28} {tally.inputs:9,} inputs  {len(tally.failures)} broke it")
        for text, problem in tally.failures:
            print(f"  {keep(entry, text)}\n{problem}", file=sys.stderr)
        sys.stdout.flush()
    print(f"{done:,} inputs in {time.monotonic() - started:.0f} s; {broken} broke a door")
    for entry in bombs.DOORS if arguments.bombs else ():
        if arguments.only in entry.name:
            text, problem = bombs.broken_by(entry, arguments.bombs)
            print(f"{entry.name:28} bombs of {arguments.bombs:,} characters: {repr(text[:12]) if problem else 'none'}")
            broken += bool(problem)
            print(problem, file=sys.stderr)
    if not arguments.only:
        ended = replies.main(arguments.replies, arguments.seed)
        print(
            f"{ended.total()} replies of the API: {', '.join(f'{count} {kind}' for kind, count in ended.most_common())}"
        )
        ended = hostile.main(arguments.replies, arguments.seed)
        print(f"{ended.total()} hostile answers: {', '.join(f'{count} {kind}' for kind, count in ended.most_common())}")
        for name in BESIDES:
            if importlib.util.find_spec(f"tests.fuzz.{name}"):
                importlib.import_module(f"tests.fuzz.{name}").main(arguments.besides, arguments.seed)
    return 1 if broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="inputs over all doors at most, as many for each")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of processor time over all doors at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="doors whose name holds this")
    parser.add_argument("--replies", type=int, default=1_000, help="replies of the API")
    parser.add_argument("--bombs", type=int, default=5_000, help="characters of a bomb; 0 for none")
    parser.add_argument("--besides", type=int, default=200, help="kills, and damaged caches")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
