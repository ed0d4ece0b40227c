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
from mkdocs_cited.records.record import Broken
from tests.fuzz.sites import QUESTIONS, STATES, change, said, site
from tests.projects import Project, Result

COMMANDS = (("build",), ("update",), ("accept", "own.md", "--all", "--by", "Ann"), ("check", "--strict"))


def main(count: int = 200, seed: int = 0) -> int:
    """Kill commands at work; how many times something was wrong afterwards."""
    dice, failed, ended = Random(seed), 0, 0
    with site() as project:
        wanted, longest = {}, 0.0
        for state in STATES:
            change(project, state)
            started = time.perf_counter()
            project.build()
            longest = max(longest, time.perf_counter() - started)
            wanted[state] = said(project)
        for number in range(count):
            state = STATES[number // len(COMMANDS) % 2]
            change(project, state)
            _ask(project, number)
            command = COMMANDS[number % len(COMMANDS)]
            ended += _killed(project, command, dice.random() * longest * 0.6)
            problem = _problem(project, wanted[state])
            if problem:
                failed += 1
                print(f"{number}: {command[0]}: {problem}")
    print(f"kills: {count - failed} passed, {failed} failed ({count - ended} while at work)")
    return failed


def _ask(project: Project, number: int) -> None:
    """A claim that nobody has decided yet."""
    text = f"Nobody has to try again by hand, said clerk number {number} [@guide/install.md#with-pip]."
    project.page("own.md", f"---\nanswers:\n  - id: own\n    question: Who retries?\n    text: {text!r}\n---\n# Own\n")


def _run(project: Project, command: tuple[str, ...]) -> Result:
    return project.build() if command[0] == "build" else project.cited(*command)


def _killed(project: Project, command: tuple[str, ...], seconds: float) -> bool:
    """Run a command in a process of its own and kill it after some seconds; whether it was done before."""
    child = os.fork()
    if not child:
        try:
            _run(project, command)
        finally:
            os._exit(0)
    time.sleep(seconds)
    done, _ = os.waitpid(child, os.WNOHANG)
    if not done:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return bool(done)


def _problem(project: Project, wanted: list[tuple[str, str, str]]) -> str:
    """What is wrong with the records as the kill left them, or with the next commands; empty for nothing."""
    store = Store(project.root)
    for name in QUESTIONS:
        record = store.read(f"faq.md#{name}")
        if not isinstance(record, Record) or not record.content:
            return f"{name}: {record}"
    if isinstance(store.read("own.md#own"), Broken):
        return "the decisions are broken"
    try:
        for command in (("update",), COMMANDS[2], ("check", "--strict"), ("build", "--strict")):
            result = _run(project, command)
            if result.code:
                return f"{command[0]}: {result.output}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if [answer for answer in said(project) if answer[0] != "own"] != [one for one in wanted if one[0] != "own"]:
        return f"other answers: {said(project)}"
    left = [path.name for path in project.root.rglob("*.tmp") if path.is_file() and "answers" in path.parts]
    return f"left behind: {left}" if len(left) > len(QUESTIONS) else ""


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
