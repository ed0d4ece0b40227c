"""`leaked-note`: the answer says in a note's own words what only the note says."""

from __future__ import annotations

from collections.abc import Iterator

from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule


class LeakedNote(Rule):
    """A note helps to write and to review; of it, nothing but its name is published. Findings do not repeat it."""

    slug = "leaked-note"

    def check(self, audit: Audit) -> Iterator[Finding]:
        if audit.notes is None:
            return
        for item in audit.notes.repeated(audit.content):
            words = len(audit.content[item.start : item.end].split())
            much = f"{words} words" if words > 1 else "a word"
            message = (
                f"the answer `{audit.declaration.key}` repeats {much} of the note {item.note}, which is not published"
            )
            tip = "say it in words of your own, or put it on a page; the answer is withheld until then"
            yield found(self.slug, audit.place(item.start), message, tip=tip, answer=audit.declaration.key)
