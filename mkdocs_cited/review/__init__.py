"""The family of those who check answers: claims, rules, reviewers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs_cited.base.families import Family

if TYPE_CHECKING:
    from mkdocs_cited.review.interface import Reviewer

OFFLINE = "lexical"
"""The reviewer that always reads."""

FAMILY: Family[Reviewer] = Family(
    "reviewer",
    "mkdocs_cited.reviewers",
    "mkdocs_cited.review.interface:Reviewer",
    {
        "anthropic": "mkdocs_cited.review.anthropic:Anthropic",
        "lexical": "mkdocs_cited.review.lexical:Lexical",
    },
)
"""Every reviewer by name."""
