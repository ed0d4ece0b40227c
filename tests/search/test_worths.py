"""What is worth most as an answer comes first, whatever is looked at closely on the way."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.source import Hit, Page, Scope
from mkdocs_cited.search.evidence import Asked
from mkdocs_cited.search.forms import Form, form_of
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.worths import Worths

PAGES = {
    "keys.md": """<h1 id="keys">Keys</h1><p>A key is a secret that opens the service: keep a key to yourself.</p>
        <h2 id="rotate">Rotate a key</h2><p>To rotate a key, do this:</p>
        <ol><li>Open the settings.</li><li>Press <code>rotate</code>.</li></ol><pre><code>tool key --rotate</code></pre>
        <p>You cannot rotate a key that was revoked, because it is gone.</p>""",
    "limits.md": """<h1 id="limits">Limits</h1><p>A key lives for 90 days, and no account has more than 5 keys.</p>
        <table><tr><th>Option</th><th>Default</th></tr><tr><td>key_days</td><td>90 days</td></tr></table>
        <h2 id="key">Key</h2><p>What opens the service.</p>
        <p>Unlike a key, a token expires by itself. See <a href="https://example.invalid/">keys</a>.</p>""",
    "tokens.md": """<h1 id="tokens">Tokens</h1><p>Tokens</p><p>A token is a key for one day.</p>
        <p>Example of a key:</p><pre><code>key = "abc"</code></pre><p>If a key fails with `denied`, rotate it.</p>"""
    + f"<p>{'A key, a token and more of it. ' * 30}</p>",
}
QUESTIONS = {
    Form.HOW: "How do I rotate a key?",
    Form.WHAT: "What is a key?",
    Form.AMOUNT: "How long does a key live by key_days?",
    Form.WHICH: "Which command rotates a key?",
    Form.WHETHER: "Can I rotate a key?",
    Form.DIFFERENCE: "What is the difference between a key and a token?",
    Form.ERROR: "Why do I get the error “denied” with a key?",
    Form.WHY: "Why rotate a key with --rotate?",
    Form.OTHER: "key rotate settings",
}


@pytest.mark.parametrize(("form", "question"), QUESTIONS.items())
def test_the_order_is_that_of_the_worths(form: Form, question: str) -> None:
    """Of all hits and of some: a hit is left unread only where it is worth less than those before it."""
    asked, hits = found(question)
    assert asked.form is form
    assert len(hits) > 10
    plainly = Worths(asked, hits)
    for places in (range(len(hits)), range(0, len(hits), 2)):
        wanted = sorted(places, key=lambda place: (-plainly.of(place), place))
        assert list(Worths(asked, hits).best_first(places)) == wanted
        assert list(plainly.best_first(places)) == wanted


def test_most_hits_are_not_looked_at_closely() -> None:
    """The first of all is known without reading the last."""
    asked, hits = found(QUESTIONS[Form.HOW])
    read: list[str] = []

    class Watched(Worths):
        def of(self, place: int) -> float:
            read.append(hits[place].bare.id)
            return super().of(place)

    first = next(Watched(asked, hits).best_first(range(len(hits))))
    assert hits[first].bare.section.anchor == "rotate"
    assert len(set(read)) < len(hits)


def found(question: str) -> tuple[Asked, list[Hit]]:
    index = Index.open(None)
    index.sync([(Page(src, src, src.removesuffix(".md").title()), html) for src, html in PAGES.items()])
    asked = Asked(question, form_of(question), tuple(index.asked(question, "en")), "en")
    return asked, list(index.search(question, scope=Scope(), limit=200))
