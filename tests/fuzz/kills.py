"""Kills at random times: no record is lost or half written, and the next build is as if nothing had been.

`python -m tests.fuzz.kills [COUNT [SEED]]`; needs a system with `fork`.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from random import Random

from mkdocs_cited.records import Record, Store
from tests.fuzz.sites import QUESTIONS, STATES, change, said, site
from tests.projects import Project


def main(count: int = 200, seed: int = 0) -> int:
    """Kill builds that write records; how many times something was wrong afterwards."""
    dice, failed, ended = Random(seed), 0, 0
    with site() as project:
        wanted = {}
        for state in STATES:
            change(project, state)
            project.build("--strict")
            wanted[state] = said(project)
        started = time.perf_counter()
        change(project, STATES[0])
        project.build("--strict")
        longest = time.perf_counter() - started
        for number in range(count):
            state = STATES[number % 2]
            change(project, state)
            ended += _killed(project, dice.random() * longest * 1.1)
            problem = _problem(project, wanted[state])
            if problem:
                failed += 1
                print(f"{number}: {problem}")
    print(f"kills: {count - failed} passed, {failed} failed ({count - ended} while at work)")
    return failed


def _killed(project: Project, seconds: float) -> bool:
    """Build in a process of its own and kill it after some seconds; whether it was done before."""
    child = os.fork()
    if not child:
        try:
            project.build("--strict")
        finally:
            os._exit(0)
    time.sleep(seconds)
    done, _ = os.waitpid(child, os.WNOHANG)
    if not done:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return bool(done)


def _problem(project: Project, wanted: list[tuple[str, str, str]]) -> str:
    """What is wrong with the records as the kill left them, or with the next build; empty for nothing."""
    store = Store(project.root)
    for name in QUESTIONS:
        record = store.read(f"faq.md#{name}")
        if not isinstance(record, Record) or not record.content:
            return f"{name}: {record}"
    try:
        result = project.build("--strict")
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if result.code:
        return result.output
    if said(project) != wanted:
        return f"other answers: {said(project)}"
    left = [path.name for path in project.root.rglob("*.tmp") if path.is_file() and "answers" in path.parts]
    return f"left behind: {left}" if len(left) > len(QUESTIONS) else ""


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
