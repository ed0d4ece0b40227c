"""The arithmetic between quantities: what two of them give, and whether a text shows the sum that it relies on."""

from __future__ import annotations

from collections.abc import Sequence

from mkdocs_cited.language.quantities.quantity import NAMED, Quantity, close

_MOST = 12
"""Figures of a passage that are tried with one another."""
_OPERATORS = {
    **dict.fromkeys(("+", "plus", "and another"), "+"),
    **dict.fromkeys(("-", "−", "–", "minus", "less"), "-"),
    **dict.fromkeys(("*", "×", "x", "·", "∙", "⋅", "times", "mal", "multiplied by"), "*"),
    **dict.fromkeys(("of", "of the", "von", "der"), "of"),
    **dict.fromkeys(("/", "÷", ":", "divided by", "geteilt durch"), "/"),
}
_LONGEST_OPERATOR = 15


def derives(target: Quantity, sources: Sequence[Quantity]) -> str:
    """Return the arithmetic by which two sources give the target, or an empty string.

    Sums, differences and products of two figures count, no more, so that
    chance does not explain everything.
    """
    if target.dimension in NAMED:
        return ""
    for index, a in enumerate(sources[:_MOST]):
        for b in sources[index + 1 : _MOST]:
            if (
                a.dimension == b.dimension
                and a.dimension not in NAMED
                and (not target.dimension or target.dimension == a.dimension)
            ):
                if close(a.base + b.base, target.base):
                    return f"{a.text} + {b.text} = {target.text}"
                if close(abs(a.base - b.base), target.base):
                    return f"the difference of {a.text} and {b.text} is {target.text}"
            found = _product(target, a, b) or _product(target, b, a)
            if found:
                return found
    return ""


def shown(text: str, own: Sequence[Quantity]) -> frozenset[int]:
    """Return which of a text's own quantities, by index, are the result of a sum that the text shows.

    `60 days (45 + 15)` and `6 x 4 disks, 24 in all` show it. The parts of a sum are figures like any other: they
    have to stand in the passage.
    """
    results = {}
    for chain in _chains(text, own):
        result = _worked_out([own[index] for index, _ in chain], [sign for _, sign in chain[1:]])
        if result is not None:
            results[tuple(index for index, _ in chain)] = result
    found = set()
    for at, quantity in enumerate(own):
        for parts, (dimension, base) in results.items():
            if at not in parts and quantity.dimension in (dimension, "") and close(base, quantity.base, 1e-6):
                found.add(at)
            elif at not in parts and not dimension and close(base, quantity.value, 1e-6):
                found.add(at)  # 45 + 15 = 60 days
    return frozenset(found)


def _chains(text: str, own: Sequence[Quantity]) -> list[list[tuple[int, str]]]:
    """Return the runs of quantities with nothing but a sign between them, each with the sign before it."""
    chains: list[list[tuple[int, str]]] = []
    current: list[tuple[int, str]] = []
    for at, quantity in enumerate(own):
        sign = ""
        if at:
            between = text[own[at - 1].end : quantity.start][: _LONGEST_OPERATOR + 2].strip().lower()
            sign = _OPERATORS.get(between, "")
            if not sign and quantity.value < 0 and not between:
                sign = "+"  # 60 -15
        if sign and current:
            current.append((at, sign))
        else:
            chains.append(current)
            current = [(at, "")]
    chains.append(current)
    return [chain for chain in chains if len(chain) > 1]


def _worked_out(parts: Sequence[Quantity], signs: Sequence[str]) -> tuple[str, float] | None:
    """Return dimension and value of `3 + 4 x 5`, products before sums; nothing where it makes no sense."""
    if any(part.dimension in NAMED for part in parts):
        return None
    terms: list[tuple[str, float, str]] = [(parts[0].dimension, parts[0].base, "+")]
    for part, sign in zip(parts[1:], signs, strict=True):
        if sign in "+-":
            terms.append((part.dimension, part.base, sign))
            continue
        dimension, base, before = terms[-1]
        if sign == "/":
            if not part.base:
                return None
            same = dimension == part.dimension
            if not same and part.dimension not in ("", "ratio"):
                return None
            terms[-1] = ("" if same else dimension, base / part.base, before)
        else:
            if not {dimension, part.dimension} & {"", "ratio"}:
                return None
            terms[-1] = (part.dimension if dimension in ("", "ratio") else dimension, base * part.base, before)
    dimension = next((each for each, _, _ in terms if each), "")
    if any(each not in ("", dimension) for each, _, _ in terms):
        return None
    factor = next((part.base / part.value for part in parts if part.dimension == dimension and part.value), 1.0)
    total = 0.0
    for each, base, sign in terms:
        scaled = base if each or not dimension else base * factor  # 45 + 15 days
        total += -scaled if sign == "-" else scaled
    return dimension, total


def _product(target: Quantity, factor: Quantity, other: Quantity) -> str:
    """Try `factor` as a bare number or a ratio: 6 x 4, 25 % of 16 GiB, 20 million x 3 minutes a million."""
    if factor.dimension not in ("", "ratio") or other.dimension != target.dimension:
        return ""
    for scale in (1.0, 1e3, 1e6, 1e9):
        if (
            factor.base >= scale
            and factor.base / scale not in (0.0, 1.0)
            and close(factor.base / scale * other.base, target.base, 1e-6)
        ):
            return f"{factor.text} x {other.text} = {target.text}"
        if scale == 1.0 and factor.dimension == "ratio" and close(factor.base * other.base, target.base, 1e-6):
            return f"{factor.text} of {other.text} = {target.text}"
    return ""
