"""`altered-identifier`: a flag, option, file or name of the claim does not stand in its passage."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.identifiers import identifiers, stands_in
from mkdocs_cited.review.interface import Audit, Rule
from mkdocs_cited.review.passages import related
from mkdocs_cited.text import language_of


class AlteredIdentifier(Rule):
    """Flags, options, paths, environment variables, functions and headers of a claim stand in a passage it cites."""

    slug = "altered-identifier"

    def check(self, audit: Audit) -> Iterator[Finding]:
        for claim in audit.claims:
            evidence = audit.evidence(claim)
            if not evidence:
                continue
            language = language_of(evidence[0].passage.page.locale)
            said = "\n".join(f"{item.passage.text}\n{item.heading}" for item in evidence)
            for token in identifiers(claim.text, language):
                if stands_in(token.text, said):
                    continue
                known = {other.text: None for other in identifiers(said, language)}
                near = get_close_matches(token.text, list(known)[:200], n=1, cutoff=0.6)
                other = f", its passage says `{near[0]}`" if near else ", its passage does not"
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
