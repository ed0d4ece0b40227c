"""Answers of a model that was talked into mischief: whatever of one is published does nothing and leads nowhere.

What they hold stands in `payloads.yml`; they come through the real SDK, and go through the renderer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import yaml
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited.model.answer import Abstention, Draft, Fault
from mkdocs_cited.providers.interface import Outcome
from mkdocs_cited.render import markdown
from tests.fuzz.replies import Api
from tests.providers.site import RATE, request
from tests.servers.script import Quote, say

PAYLOADS: tuple[str, ...] = tuple(yaml.safe_load(Path(__file__).with_name("payloads.yml").read_text(encoding="utf-8")))
SHAPES = ("{}", "Sixty a minute. {} And so on.", "- One\n- {}\n", "| a | b |\n|---|---|\n| {} | x |\n", "<p>{}</p>")
_ACTIVE = "script, iframe, object, embed, form, input, svg, math, base, meta, link, style"


def answers() -> Iterator[str]:
    """Each piece of mischief in each shape."""
    for shape in SHAPES:
        for payload in PAYLOADS:
            yield shape.replace("{}", payload)


def outcome_of(api: Api, text: str) -> Outcome:
    """What the provider makes of it, with an honest cited sentence before it."""
    api.server.answer_with([say(Quote("The limit is 60 requests per minute.", 0), f"\n\n{text}")])
    return api.patient.write(request(RATE))


def check(outcome: Outcome) -> str:
    """The kind of an outcome.

    Raises:
        AssertionError: what would be published does something, leads elsewhere, or cites what it may not.
    """
    assert isinstance(outcome, (Draft, Fault, Abstention))
    if not isinstance(outcome, Draft):
        return type(outcome).__name__
    assert {citation.sid for citation in outcome.citations} == {1}
    marks = {1: markdown.Mark(1, "Source 1")}
    html = markdown.to_html(outcome.content, markdown.Numbers("cited-q", marks))
    tree = LexborHTMLParser(html)
    assert tree.css_first(_ACTIVE) is None, html
    for node in tree.root.traverse() if tree.root else ():
        for name, value in node.attributes.items():
            assert not name.startswith("on"), html
            led = name in ("href", "src", "srcset", "style", "action", "background", "data")
            assert not (led and "evil" in (value or "").lower()), html
            assert not (led and "script:" in (value or "").lower()), html
    assert "data-cited-slot=" not in html.replace("&lt;div data-cited-slot=", "")
    assert "<!--" not in html
    return "Draft"


def main(count: int, seed: int = 0) -> Counter[str]:
    """Say so many of them; how many ended as what. The order is always the same."""
    with Api() as api:
        return Counter(check(outcome_of(api, answer)) for answer in islice(answers(), seed % 7, seed % 7 + count))
