"""Numbers with their units: reading them, telling whether two say the same, and the arithmetic between them."""

from mkdocs_cited.language.quantities.arithmetic import derives, shown
from mkdocs_cited.language.quantities.figures import unit_of
from mkdocs_cited.language.quantities.quantity import NAMED, Quantity, close, equal, same
from mkdocs_cited.language.quantities.reading import counts, quantities
from mkdocs_cited.language.quantities.stated import Stated

__all__ = [
    "NAMED",
    "Quantity",
    "Stated",
    "close",
    "counts",
    "derives",
    "equal",
    "quantities",
    "same",
    "shown",
    "unit_of",
]
