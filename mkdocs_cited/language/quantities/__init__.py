"""Numbers with their units: reading them, telling whether two say the same, and the arithmetic between them."""

from mkdocs_cited.language.quantities.figures import unit_of
from mkdocs_cited.language.quantities.quantity import NAMED, Quantity, close, equal, same
from mkdocs_cited.language.quantities.reading import counts, quantities

__all__ = [
    "NAMED",
    "Quantity",
    "close",
    "counts",
    "equal",
    "quantities",
    "same",
    "unit_of",
]
