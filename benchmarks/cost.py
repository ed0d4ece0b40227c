"""What the plugin costs a build: `python -m benchmarks.cost SITES_DIR --pages 2000 --questions 30`.

A site of real pages (`benchmarks.large`) is built without the plugin, then with it: cold (no index, no records), as a
fresh clone has it (records, no index), warm (nothing changed), and with one page, one question and one option changed.
Each build is a process of its own. It prints medians of CPU seconds, the median of their ratios to the plain build of
the same round, the peak of memory, the size of the cache, and the seconds of each stage. With `--instructions`, it
counts those in place of seconds: the same in every round, whatever else the machine does.

Every module is byte-compiled before, ours too, as it is where pip has installed it.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable

from benchmarks.large import Cost, Site, build, measured, options

COMPILED_FIRST = 500
"""Pages up to which a build is made for nothing first; in a longer one, two seconds of compiling make no difference."""
_STAGE = re.compile(r"cited: (.+) took ([\d.]+) s")


def variants(site: Site) -> dict[str, Callable[[int], None]]:
    """Name of each build → what is done before it, in this order, by the number of the round."""
    docs = site.folder / "docs"
    page = next(path for path in sorted(docs.rglob("*.md")) if path.parent != docs)
    asking = docs / "questions-0.md"

    def cold(_: int) -> None:
        site.plugins({})
        site.forget(".cache", "answers")

    def page_changed(number: int) -> None:
        page.write_text(f"{page.read_text(encoding='utf-8')}\n\nThis is change {number} of it.\n", encoding="utf-8")

    def question_changed(number: int) -> None:
        text = asking.read_text(encoding="utf-8")
        asking.write_text(text.replace("?", " now?" if number % 2 == 0 else " today?", 1), encoding="utf-8")

    return {
        "plain": lambda _: site.plugins(None),
        "cold": cold,
        "fresh clone": lambda _: site.forget(".cache"),
        "warm": lambda _: None,
        "one page changed": page_changed,
        "one question changed": question_changed,
        "one option changed": lambda number: site.plugins({"cite_threshold": 0.3 - number % 3 / 10}),
    }


def main() -> None:
    parser = options(__doc__, pages=200, questions=30)
    parser.add_argument("--only", nargs="*", default=(), help="names of builds; plain and cold are always among them")
    arguments = parser.parse_args()
    with measured(arguments) as site:
        measure(site, arguments.rounds, {"plain", "cold", *arguments.only}, counted=arguments.instructions)


def measure(site: Site, rounds: int, only: set[str], *, counted: bool = False) -> None:
    """Build and print."""
    steps = {name: step for name, step in variants(site).items() if name in only or only == {"plain", "cold"}}
    costs: dict[str, list[Cost]] = {name: [] for name in steps}
    if site.pages <= COMPILED_FIRST:
        site.plugins({})
        build(site)  # for nothing, so that every file is compiled and in the system's cache
    for number in range(rounds):
        for name, step in steps.items():
            step(number)
            costs[name].append(build(site, counted=counted)[0])
    unit = "10⁹ instructions" if counted else "CPU s"
    print(f"| build | {unit} | over plain | plugin | peak MB | over plain |\n|---|---|---|---|---|---|")
    for name, values in costs.items():
        pairs = list(zip(values, costs["plain"], strict=True))
        over = 100 * (statistics.median(value.cpu / plain.cpu for value, plain in pairs) - 1)
        added = statistics.median(value.cpu - plain.cpu for value, plain in pairs)
        memory = statistics.median(value.memory - plain.memory for value, plain in pairs)
        cpu, peak = (statistics.median(getattr(value, field) for value in values) for field in ("cpu", "memory"))
        print(f"| {name} | {cpu:.2f} | {over:+.1f}% | {added:+.2f} | {peak:.0f} | {memory:+.0f} |")
    site.plugins({})
    site.forget(".cache", "answers")
    _, log = build(site, "-v")
    stages = ", ".join(f"{stage} {seconds} s" for stage, seconds in _STAGE.findall(" ".join(log.split())))
    print(f"\ncache {site.cache():.1f} MB; stages of a cold build: {stages}")


if __name__ == "__main__":
    main()
