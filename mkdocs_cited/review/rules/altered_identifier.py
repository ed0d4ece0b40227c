"""`altered-identifier`: the passage has another flag, file or name where the claim has this one."""

from __future__ import annotations

from mkdocs_cited.review.lexical.proofs import ProofKind
from mkdocs_cited.review.proven import ProvenRule


class AlteredIdentifier(ProvenRule):
    """Flags, options, paths, environment variables and functions of a claim are those of its passages.

    Freer names (`JSON`, Linux) may be the claim's own, unless another stands between the same words in the passage.
    """

    slug = "altered-identifier"
    kind = ProofKind.IDENTIFIER
    tip = "copy the name from the passage, or cite the passage that has it"
