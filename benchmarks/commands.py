"""What the commands cost on a large site, and how long they are silent: `python -m benchmarks.commands SITES_DIR`.

The site is made by `benchmarks.large`, and built once. Then each command runs at a terminal (a pty): as the first one
after a build, with everything as the last command left it, and after one page has changed. What is counted is processor
time, which a busy machine distorts least: of the whole command, and between any two signs of life.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.large import Site, build, measured, options

COMMANDS = {
    "status": ("status",),
    "check": ("check",),
    "review": ("review",),
    "update --dry-run": ("update", "--dry-run"),
    "find": ("find", "How is a snapshot verified?"),
    "ask": ("ask", "How is a snapshot verified?"),
    "verify": ("verify", "A snapshot is a copy of the repository."),
    "doctor": ("doctor",),
}
RUN = "from mkdocs_cited.cli import main; main()"
SMALLEST = 4096
"""Bytes that are read from the terminal at once."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What one command took."""

    cpu: float
    """Seconds of processor time, those of its processes included."""
    seconds: float
    """Of the clock, which a second process can make fewer."""
    silence: float
    """The most of them between two signs of life, the start and the end among them."""
    memory: float
    """Most memory held, in MB."""


def run(site: Site, words: tuple[str, ...]) -> Taken:
    """Run a command at a terminal."""
    environment = {**site.environment, "TERM": "xterm"}
    command = [sys.executable, "-c", RUN, *words, "-f", str(site.folder / "mkdocs.yml")]
    process, terminal = pty.fork()
    if not process:  # in the same folder as the build, and with the same variables: pages may depend on both
        os.execve(command[0], command, environment)  # noqa: S606 -- the point is to start it at a terminal
    began, heard, silence = time.monotonic(), 0.0, 0.0
    while True:
        select.select([terminal], [], [])
        now = _used(process)
        try:
            said = os.read(terminal, SMALLEST)
        except OSError:  # the other end is closed
            said = b""
        silence, heard = max(silence, now - heard), max(now, heard)
        if not said:
            break
    os.close(terminal)
    _, _, used = os.wait4(process, 0)
    cpu = used.ru_utime + used.ru_stime
    return Taken(cpu, time.monotonic() - began, max(silence, cpu - heard), used.ru_maxrss / 1024)


def _used(process: int) -> float:
    """Processor time of a running process, in seconds (`proc(5)`); 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def states(site: Site) -> dict[str, Callable[[], object]]:
    """Name of each state of the cache → what brings it about."""
    cache, kept = site.folder / ".cache", site.folder.parent / "kept"
    page = next(path for path in sorted((site.folder / "docs").rglob("*.md")) if path.parent.name != "docs")
    text = page.read_text(encoding="utf-8")
    build(site)
    shutil.copytree(cache, kept, copy_function=shutil.copy2)

    def after_a_build() -> None:
        page.write_text(text, encoding="utf-8")
        shutil.rmtree(cache)
        shutil.copytree(kept, cache, copy_function=shutil.copy2)

    def changed() -> None:
        page.write_text(f"{page.read_text(encoding='utf-8')}\n\nThis is a change of it.\n", encoding="utf-8")

    return {"after a build": after_a_build, "warm": lambda: None, "one page changed": changed}


def main() -> None:
    parser = options(__doc__, pages=2000, questions=100)
    parser.add_argument("--only", nargs="*", default=list(COMMANDS), choices=list(COMMANDS), help="names of commands")
    parser.add_argument("--states", nargs="*", help="names of states of the cache; all by default")
    arguments = parser.parse_args()
    with measured(arguments) as site:
        steps = states(site)
        print("| command | state | CPU s | s | longest silence, CPU s | peak MB |\n|---|---|---|---|---|---|")
        for name in arguments.only:
            for state, step in steps.items():
                if arguments.states is None or state in arguments.states:
                    taken = [(step(), run(site, COMMANDS[name]))[1] for _ in range(arguments.rounds)]
                    figures = (statistics.median(getattr(one, key) for one in taken) for key in Taken.__slots__)
                    print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.0f} |".format(name, state, *figures), flush=True)


if __name__ == "__main__":
    main()
