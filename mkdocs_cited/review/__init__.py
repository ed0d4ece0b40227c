"""The family of those who check answers: claims, rules, reviewers."""

from mkdocs_cited.extensions import Family
from mkdocs_cited.review.interface import ENTRY_POINTS, Reviewer

__all__ = ["BOTH", "FAMILY", "OFFLINE", "Reviewer"]

OFFLINE = "lexical"
"""The reviewer that always reads."""

BOTH = "both"
"""The option's word for `anthropic` with an offline reader that counts as much."""

FAMILY: Family[Reviewer] = Family(
    "reviewer",
    ENTRY_POINTS,
    Reviewer,  # type: ignore[type-abstract]  # the interface itself is what members are held against
    {
        "anthropic": "mkdocs_cited.review.anthropic:Anthropic",
        "lexical": "mkdocs_cited.review.lexical:Lexical",
    },
    words=(BOTH,),
)
"""Every reviewer by name."""
