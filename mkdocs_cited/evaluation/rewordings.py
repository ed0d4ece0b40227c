"""Right claims in other words: small rewordings that change no meaning, to see whether the gate lets them through."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mkdocs_cited.evaluation.dice import Dice

_CHANGES: tuple[tuple[str, str], ...] = (
    (r"\bdo not\b", "don't"), (r"\bdoes not\b", "doesn't"), (r"\bis not\b", "isn't"), (r"\bare not\b", "aren't"),
    (r"\bcannot\b", "can't"), (r"\bdon['’]t\b", "do not"), (r"\bdoesn['’]t\b", "does not"),
    (r"\bisn['’]t\b", "is not"), (r"\bcan['’]t\b", "cannot"), (r"\byou['’]ll\b", "you will"),
    (r"\bit['’]s\b", "it is"), (r"\bin order to\b", "to"), (r"\ballows you to\b", "lets you"),
    (r"\benables you to\b", "lets you"), (r"\bis able to\b", "can"), (r"\bare able to\b", "can"),
    (r"\bmake sure\b", "ensure"), (r"\bensure\b", "make sure"), (r"\bfor example\b", "for instance"),
    (r"\be\.g\.", "for example"), (r"\bsuch as\b", "like"), (r"\bvia\b", "through"), (r"\bbegin\b", "start"),
    (r"\badditional\b", "further"), (r"\butilize\b", "use"), (r"\bprior to\b", "before"), (r"\bobtain\b", "get"),
    (r"\bneed to\b", "have to"), (r"\bhas to\b", "needs to"), (r"\bin case\b", "if"), (r"\btherefore\b", "thus"),
    (r"\bshows\b", "displays"), (r"\bpurchase\b", "buy"), (r"\bimmediately\b", "at once"), (r"\bfaster\b", "quicker"),
    (r"\bdirectory\b", "folder"), (r"\bdirectories\b", "folders"),
    (r"\bcurrently\b", "at present"), (r"\bseveral\b", "a number of"),
    (r"\b(\d{1,4}) seconds\b", r"\1 s"), (r"\b(\d{1,4}) minutes\b", r"\1 min"), (r"\b(\d{1,3})%", r"\1 percent"),
    (r"\bthree\b", "3"), (r"\bfour\b", "4"), (r"\bfive\b", "5"), (r"\bten\b", "10"),
    (r"(?<![\w.,])(\d)(\d{3})(?![\w.,])(?= (?:bytes|files|requests|seconds|rows|points|series))", r"\1,\2"),
)  # fmt: skip
_OPENERS = re.compile(
    r"^(?:Note that|Please note that|Also,|However,|Additionally,|In addition,|Furthermore,|Therefore,|Moreover,) "
)
_IF = re.compile(r"^(If|When) ([^,.;:]{6,100}), (?:then )?((?!please)[a-z][^,;:]{8,140})\.$")


def rewording(claim: str, dice: Dice) -> str | None:
    """The claim with up to three harmless changes, or `None` where none fits."""
    made = _turned(claim) if dice.below(2) else claim
    changes = [(pattern, by) for pattern, by in _CHANGES if re.search(pattern, made)]
    for pattern, by in _first(dice.order(changes), 3):
        made = re.sub(pattern, by, made, count=1)
    opened = _OPENERS.sub("", made)
    if opened != made:
        made = opened[:1].upper() + opened[1:]
    made = made if made != claim else _turned(claim)
    return made if made != claim else None


def _turned(claim: str) -> str:
    """`If x, y.` as `Y if x.`"""
    match = _IF.match(claim)
    first = match[3].split()[0] if match else ""
    if not match or not first.isalpha() or first in ("it", "they", "this", "that", "these"):
        return claim
    main = match[3]
    return f"{main[:1].upper()}{main[1:]} {match[1].lower()} {match[2]}."


def _first(changes: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """At most so many changes, none of which undoes another."""
    taken: list[tuple[str, str]] = []
    for pattern, by in changes:
        if len(taken) < most and not any(re.search(pattern, other) for _, other in taken):
            taken.append((pattern, by))
    return taken
