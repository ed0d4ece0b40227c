"""`altered-number`: the passage has another figure where the claim has this one."""

from __future__ import annotations

from mkdocs_cited.review.lexical.proofs import ProofKind
from mkdocs_cited.review.proven import ProvenRule


class AlteredNumber(ProvenRule):
    """Each figure of a claim is the passage's, in that form or an equal one: 0.5 s is 500 ms.

    A figure that follows from others is declared: the claim shows the arithmetic (`60 days: 45 + 15`), of figures
    that the passages state. A figure to which none of the passage's answers is no proof, and left to the reviewer.
    """

    slug = "altered-number"
    kind = ProofKind.FIGURE
    tip = "write the figure as the passage has it, or cite the passage that has it"
