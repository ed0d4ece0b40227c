"""`altered-identifier`: a flag, file or name of the claim does not stand in its passage, or not in that place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from mkdocs_cited.base.languages import language_of
from mkdocs_cited.language.identifiers import METHODS, identifiers, is_name, stands_in
from mkdocs_cited.language.quantities import counts, quantities
from mkdocs_cited.language.words import Token, tokenize
from mkdocs_cited.model.answer import Evidence
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.lexical.slots import Slots
from mkdocs_cited.review.passages import related

_COMPARED = 200
"""Names of a passage that are compared with one that it lacks."""


class AlteredIdentifier(Rule):
    """Flags, options, paths, environment variables, functions and headers of a claim stand in a passage it cites.

    Freer names (`JSON`, `POST`, `maxAge`, Linux) may be the claim's own, unless another stands between the same
    words in the passage.
    """

    slug = "altered-identifier"

    def check(self, audit: Audit) -> Iterator[Finding]:
        for claim in audit.claims:
            evidence = audit.evidence(claim)
            if not evidence:
                continue
            language = language_of(evidence[0].passage.page.locale)
            for token, rival in _altered(claim.text, evidence, language):
                other = f", its passage says `{rival}`" if rival else ", its passage does not"
                yield found(
                    self.slug,
                    audit.place(claim.start),
                    f"the claim says `{token.text}`{other}",
                    tip="copy the name from the passage, or cite the passage that has it",
                    answer=audit.declaration.key,
                    claim=claim.text,
                    marks=((token.start, token.end),),
                    related=tuple(related("the cited passage", item.passage) for item in evidence),
                )


def _altered(text: str, evidence: Sequence[Evidence], language: str) -> Iterator[tuple[Token, str]]:
    """Yield the names of a claim that are not the passages', each with the passages' own, where that can be told."""
    said = "\n".join(f"{item.passage.text}\n{item.heading}" for item in evidence)
    told = set()
    for token in identifiers(text, language):
        if not stands_in(token.text, said):
            told.add(token.start)
            known = {other.text: None for other in identifiers(said, language)}
            near = get_close_matches(token.text, list(known)[:_COMPARED], n=1, cutoff=0.6)
            yield token, near[0] if near else ""
    tokens, figures = tokenize(text, language), _figures(text, language)
    mine = Slots(tokens)
    passages = [item.passage.text for item in evidence]
    theirs = [(Slots(tokenize(each, language)), each, _figures(each, language)) for each in passages]
    methods = [token.text for token in tokenize(said, language) if token.text in METHODS]
    for at, token in enumerate(tokens):
        if not is_name(token, text) or at in figures or token.start in told:
            continue
        rival = _in_its_place(at, mine, theirs)
        if not rival and token.text in METHODS and methods and token.text not in methods:
            rival = methods[0]
        if rival:
            yield token, rival


def _figures(text: str, language: str) -> set[int]:
    found = (*quantities(text, language), *counts(text, language))
    return {at for figure in found for at in range(figure.first, figure.last + 1)}


def _in_its_place(at: int, mine: Slots, theirs: Sequence[tuple[Slots, str, set[int]]]) -> str:
    """Return another name that stands between the same words in a passage, unless this one does there as well.

    `theirs` are the passages: their words, their text, and the tokens of their figures.
    """
    rivals = []
    for slots, text, figures in theirs:
        for place in mine.alike(at, at, slots):
            other = slots.tokens[place]
            if slots.right(place) != mine.right(at) or place in figures:
                continue
            if _plain(other) == _plain(mine.tokens[at]):
                return ""
            if is_name(other, text):
                rivals.append(other.text)
    return rivals[0] if rivals else ""


def _plain(token: Token) -> str:
    """A name as names are compared: in any case but for flags, and APIs as API."""
    text = token.text.strip("`'\"()[]")
    if text.endswith("s") and text[:-1].isupper() and len(text) > 2:
        text = text[:-1]
    return text if text.startswith("-") else text.lower()
