"""The exceptions of the package. What a *check* reports is a finding (`model.finding`), never one of these.

Exit codes of the command line follow the class: `UsageError` is 2, every other `CitedError` is 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.base.terminal import harmless

_WORDS = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`float | null`": "a number",
    "`str`": "text",
    "`bool`": "`true` or `false`",
    "`array`": "a list",
    "`object`": "names with values",
    "`null`": "nothing",
    r" matching regex '\\S'": " that is not empty",
    "Invalid enum value": "there is no such value:",
    "Object missing required field": "there is no",
    "Expected": "expected",
}
"""What msgspec says → how authors of YAML would say it."""


class CitedError(Exception):
    """The program could not do its work. The message names the place and the thing; `tip` names the next step.

    Both end up before people, often through a program that prints them as they are: they steer no terminal.
    """

    def __init__(self, message: str, *, tip: str = "") -> None:
        super().__init__(harmless(message))
        self.message = harmless(message)
        self.tip = harmless(tip)

    def __str__(self) -> str:
        if self.tip:
            return f"{self.message}\n  → {self.tip}"
        return self.message


class UsageError(CitedError):
    """The caller's words are off: an option, an argument, the configuration file."""


def gathered(errors: Sequence[UsageError]) -> UsageError:
    """All that is off, as one error: one run shows everything there is to fix."""
    *others, last = errors
    return UsageError("\n".join([*map(str, others), last.message]), tip=last.tip)


class UnreadableError(CitedError):
    """A file that we own (record, baseline, cache) cannot be read; it is left as it is."""


def in_words(problem: str) -> str:
    """msgspec's message as authors of YAML would say it."""
    for name, words in _WORDS.items():
        problem = problem.replace(name, words)
    return problem
