"""`leaked-markup`: markup that only the machinery may see stands in the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mkdocs_cited.answer_text.markdown import prose
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.review.interface import Audit, Rule

_LEAKS = re.compile(
    r"(?P<tag></?(?:cite|citation|citations|antml|search_result|document)\b)"
    r"|(?P<number>\[\[ ?/?(?:S ?[:\d]|USAGE\b)|【\d{1,4}[†:])"
    r"|(?P<target>\[@)"
    r"|(?P<note>\[\^(?!\d{1,4}\])[^\]\s]{0,40}\]?)"
    r"|(?P<definition>(?<![^\n])\[\^\d{1,4}\]:)",
    re.IGNORECASE,
)
_EVERYWHERE = ("tag", "number")
"""What has no meaning of its own in data and diagrams either."""
_WHAT = {
    "tag": ("a tag of the model's own citations", "take the tag out; a citation is a number such as `[^1]`"),
    "number": ("a citation that was not resolved", "number a source that the declaration's `cite` lists"),
    "target": ("a citation that was not resolved", "write `[@page.md#anchor]` with a page and anchor of the site"),
    "note": (
        "a footnote that no source has",
        "cite a source by its number (`[^1]`); put a regular expression in backticks",
    ),
    "definition": ("a footnote's text", "take it out: the plugin writes the footnotes from the sources"),
}


class LeakedMarkup(Rule):
    """No citation tag, unresolved citation or footnote of another kind reaches the reader. Code may show them."""

    slug = "leaked-markup"

    def check(self, audit: Audit) -> Iterator[Finding]:
        prosaic = audit.declaration.target == "markdown"
        text = prose(audit.content) if prosaic else audit.content
        seen = set()
        for match in _LEAKS.finditer(text):
            if not prosaic and match.lastgroup not in _EVERYWHERE:
                continue
            what, tip = _WHAT[match.lastgroup or "tag"]
            line = text.count("\n", 0, match.start())
            if (line, match.lastgroup) not in seen:  # an opening tag has a closing one
                seen.add((line, match.lastgroup))
                shown = text[match.start() : match.start() + 40].split("\n")[0].strip()
                message = f"`{shown}` in the answer `{audit.declaration.key}` is {what}"
                yield found(self.slug, audit.place(match.start()), message, tip=tip, answer=audit.declaration.key)
