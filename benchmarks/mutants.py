"""Wrong claims made from right ones, by kind: each differs by one small change, and is wrong beyond dispute.

A maker takes a claim, what its passages say, and random draws; it returns the changed text, or nothing where its
kind does not apply. It matches text by patterns of its own, not by those of the reviewers that it tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Material(Struct, frozen=True):
    """What a maker may use."""

    claim: str
    said: str
    """All that the cited passages say, their headings included."""

    def says(self, words: str) -> bool:
        """Whether the passages hold these words, in any case."""
        return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", self.said, re.IGNORECASE) is not None


def seeded(seed: int, *purpose: str) -> Random:
    """Repeatable random draws for one purpose: other purposes and other claims do not change them."""
    return Random("\x1f".join((str(seed), *purpose)).encode("utf-8", "surrogatepass"))  # noqa: S311


def shuffled(items: Sequence[T], draws: Random) -> list[T]:
    """The items in a random order."""
    return draws.sample(items, len(items))


Maker = Callable[[Material, Random], str | None]


def mutant(kind: str, material: Material, draws: Random) -> str | None:
    """A wrong claim of a kind that changes words; `None` where the kind does not apply to this claim."""
    made = MAKERS[kind](material, draws)
    return made if made and made != material.claim else None


_FIGURE = re.compile(r"(?<![\w.,:/#+=$€£-])\d{1,3}(?:,\d{3})+(?![\w.,-]*\d)|(?<![\w.,:/#+=-])\d{1,6}(?![\w-]|[.,:/]\d)")


def _figure(material: Material, draws: Random) -> str | None:
    """Another number: one more, double, ten times, a half."""
    for match in shuffled(list(_FIGURE.finditer(material.claim)), draws):
        before = material.claim[: match.start()].rstrip().lower()
        if before.endswith(("version", "python", "v", "step", "section", "figure", "rfc", "iso", "http", "example")):
            continue
        value = int(match[0].replace(",", ""))
        figures = (value + 1, value * 2, value * 10, value // 2, value + 3)
        others = [f"{other:,}" if "," in match[0] else str(other) for other in figures if other not in (value, 0)]
        others = [other for other in others if not material.says(other)]
        if others:
            return _replaced(material.claim, match.span(), draws.choice(others))
    return None


_UNITS: tuple[tuple[str, ...], ...] = (
    ("milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years"),
    ("millisecond", "second", "minute", "hour", "day", "week", "month", "year"),
    ("ms", "s", "min", "h"),
    ("KB", "MB", "GB", "TB"),
    ("KiB", "MiB", "GiB", "TiB"),
    ("kilobytes", "megabytes", "gigabytes", "terabytes"),
    ("bits", "bytes"),
    ("Sekunden", "Minuten", "Stunden", "Tage", "Wochen", "Monate", "Jahre"),
)
_UNIT = re.compile(r"(?<=\d)[ -]?([A-Za-z]{1,12})(?![\w-])")


def _unit(material: Material, draws: Random) -> str | None:
    """The same number of something else."""
    for match in shuffled(list(_UNIT.finditer(material.claim)), draws):
        row = next((row for row in _UNITS if match[1] in row), ())
        others = [unit for unit in row if unit != match[1] and not re.search(rf"\d ?{unit}\b", material.said)]
        if others:
            return _replaced(material.claim, match.span(1), draws.choice(others))
    return None


_VERSION = re.compile(
    r"(?<![\w.-])v\d{1,4}(?:\.\d{1,4}){0,3}(?![\w-]|\.\d)|(?<![\w.-])\d{1,4}(?:\.\d{1,4}){2,3}(?![\w-]|\.\d)"
    r"|(?:(?<=[Vv]ersion )|(?<=Python ))\d{1,4}(?:\.\d{1,4})?(?![\w.-]*\d)"
)
"""`v2`, `1.4.2`, `version 3.1`, `Python 3`; a bare `1.5` may be a decimal."""


def _version(material: Material, draws: Random) -> str | None:
    """The next major, the next minor or the minor after that."""
    for match in shuffled(list(_VERSION.finditer(material.claim)), draws):
        prefix = "v" if match[0].startswith("v") else ""
        parts = [int(part) for part in match[0].removeprefix("v").split(".")]
        others = []
        for at, step in ((0, 1), (len(parts) - 1, 1), (len(parts) - 1, 2)):
            changed = [part + step * (number == at) for number, part in enumerate(parts)]
            others.append(prefix + ".".join(map(str, changed)))
        others = [other for other in others if other not in material.said]
        if others:
            return _replaced(material.claim, match.span(), draws.choice(others))
    return None


_IDENTIFIER = re.compile(
    r"(?<![\w./@-])(?:--[a-z][a-z0-9]+(?:-[a-z0-9]+)*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+"
    r"|[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z][\w-]*\.(?:ya?ml|json|toml|py|conf|md|txt|ini|sh|lua|js|ts))(?![\w/@]|-\w|\.\w)"
)
"""A long flag, a constant, a snake_case or camelCase name, a file name."""


def _identifier(material: Material, draws: Random) -> str | None:
    """Another flag, option, variable, function or file, which the passages do not name."""
    for match in shuffled(list(_IDENTIFIER.finditer(material.claim)), draws):
        other = _bent(match[0])
        if not material.says(other):
            return _replaced(material.claim, match.span(), other)
    return None


def _bent(identifier: str) -> str:
    stem, dot, suffix = identifier.partition(".")
    if identifier.startswith("--"):
        return "--no-" + identifier[2:] if not identifier.startswith("--no-") else "--" + identifier[5:]
    joint = "_" if "_" in stem else "-" if "-" in stem else ""
    extra = "EXTRA" if stem.isupper() else "extra" if joint or not re.search("[A-Z]", stem) else "Extra"
    return f"{stem}{joint or ('-' if dot else '')}{extra}{dot}{suffix}"


_AUXILIARY = re.compile(
    r"(?<![\w-])(?<!\b[Tt]o )(is|are|can|will|must|should|does|do|has|have|was|were|could|would)(?= [a-z])"
)
_NEGATED = re.compile(
    r"(?<![\w-])(?:(is|are|can|will|must|should|does|do|has|was|were|could|would) not|(can)not"
    r"|(is|are|does|do|will)n['’]t|never|nicht|niemals)(?![\w-])",
    re.IGNORECASE,
)
_UNSAFE_TO_NEGATE = re.compile(
    r"\b(?:not|no|never|cannot|only|nor|neither|none|without|unless|nicht|kein\w*|nie)\b|n['’]t\b", re.IGNORECASE
)


def _negation(material: Material, draws: Random) -> str | None:
    """The opposite: a `not` put in behind a verb, or taken out."""
    claim = material.claim
    negated = [
        match for match in _NEGATED.finditer(claim) if not re.match(r" (?:only|just|necessarily)", claim[match.end() :])
    ]
    if negated:
        match = draws.choice(negated)
        verb = next(filter(None, match.groups()), "")
        replacement = verb or {"never": "always", "niemals": "immer"}.get(match[0].lower(), "")
        return re.sub(r" {2,}", " ", _replaced(claim, match.span(), replacement))
    if _UNSAFE_TO_NEGATE.search(claim):
        return None
    main = _AUXILIARY.search(claim)
    if not main or claim.startswith(("If", "When", "Once")):
        return None
    return _replaced(claim, main.span(1), "cannot" if main[1] == "can" else f"{main[1]} not")


_CLAUSES = (
    "and no restart is needed", "and this cannot be undone", "and it is encrypted before it is stored",
    "and a notice is sent by mail", "and administrators are exempt from this", "and it costs nothing extra",
    "and it needs a paid licence", "and every attempt is written to the audit log",
)  # fmt: skip


def _added(material: Material, draws: Random) -> str | None:
    """The claim and a clause that its passages do not say."""
    said = material.said.lower()
    new = [clause for clause in _CLAUSES if not any(word in said for word in clause.split()[1:] if len(word) > 5)]
    if not new or len(material.claim) > 240:
        return None
    return f"{material.claim.rstrip('.。 ')}, {draws.choice(new)}."


def _replaced(text: str, span: tuple[int, int], by: str) -> str:
    return text[: span[0]] + by + text[span[1] :]


MAKERS: Mapping[str, Maker] = {
    "figure": _figure,
    "unit": _unit,
    "version": _version,
    "identifier": _identifier,
    "negation": _negation,
    "added clause": _added,
}
"""How each kind that changes words is made."""
KINDS = (*MAKERS, "swapped citation")
"""Every kind of mutant. The last one changes a claim's citation instead of its words: `mutation` makes it."""
