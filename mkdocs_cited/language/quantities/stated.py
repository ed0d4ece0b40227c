"""The quantities of a passage, found again by what they say, in time that does not grow with how many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mkdocs_cited.language.quantities.quantity import NAMED, Quantity, equal

_MOST = 500
"""Quantities that are equal in more ways than by one number (months and days, 5G and 5 GB) and are tried one by one."""


class Stated:
    """Quantities to look others up in. Those that are written alike count once."""

    def __init__(self, figures: Iterable[Quantity]) -> None:
        self.figures = tuple({(figure.text, figure.dimension, figure.per): figure for figure in figures}.values())
        self._by_number: dict[str, list[Quantity]] = {}
        self._others = [figure for figure in self.figures if _is_special(figure)][:_MOST]
        for figure in self.figures:
            for key in _keys(figure):
                self._by_number.setdefault(key, []).append(figure)

    def __contains__(self, figure: Quantity) -> bool:
        """Whether one of them can say the same as a quantity."""
        return any(equal(figure, other) for other in self._near(figure))

    def _near(self, figure: Quantity) -> Iterator[Quantity]:
        for key in _keys(figure):
            yield from self._by_number.get(key, ())[:_MOST]
        yield from self.figures[:_MOST] if _is_special(figure) else self._others


def _keys(figure: Quantity) -> set[str]:
    """What equal quantities share at least one of."""
    return {figure.code or "-", f"{figure.value:.9g}", f"{figure.base:.9g}"}


def _is_special(figure: Quantity) -> bool:
    return figure.months > 0 or figure.dimension == "scaled" or (figure.dimension in NAMED - {"version", "address"})
