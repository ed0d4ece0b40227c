"""The rehearsal of the browser's search promises nothing that the browser does not keep."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from mkdocs_cited.render.page_text import read
from mkdocs_cited.render.text_fragment import Directive, directive, search

pytestmark = pytest.mark.browser

CASES = [
    ("<p id=t>alpha beta gamma</p>", Directive("beta gamma")),
    ("<p id=t>alpha <b>be</b>ta gamma</p>", Directive("beta gamma")),
    ("<p id=t>ALPHA Beta</p>", Directive("alpha beta")),
    ("<p>one</p><p id=t>two three</p>", Directive("two three", prefix="one")),
    ("<p>wrong two</p><p>one</p><p id=t>two three</p>", Directive("two", prefix="one")),
    ("<p>two, no</p><p id=t>two</p><p>yes</p>", Directive("two", suffix="yes")),
    ("<p id=t>alpha<br>beta gamma</p>", Directive("alpha", "gamma")),
    ("<p id=t>alpha <img alt='an image' src=x> beta</p>", Directive("alpha", "beta")),
    ("<p id=t>Press <kbd>Ctrl</kbd>+<kbd>C</kbd> now</p>", Directive("Press", "now")),
    ("<table><tr id=t><td>retries</td><td>5 times</td></tr></table>", Directive("retries", "5 times")),
    ("<pre id=t><code>pip install x\nmkdocs build\n</code></pre>", Directive("pip install x", "mkdocs build")),
    ("<p id=t>a well-known fact, A &amp; B: 100% --x</p>", Directive("well-known fact, A & B: 100% --x")),
    ("<p id=t>See 3.5 and it's fine</p>", Directive("3.5 and it's")),
    ("<p id=t>人口は一四〇〇万人です。次は</p>", Directive("人口は一四〇〇万人です。")),
    ("<p id=t>אין צורך במפתח. הבדיקה רצה.</p>", Directive("הבדיקה רצה.")),
    ("<p id=t>يعمل في كل بناء.</p>", Directive("يعمل", "بناء.")),
    ("<details><summary>s</summary><p id=t>closed details</p></details>", Directive("closed details")),
    ("<dl><dt id=t>Term</dt><dd>Its definition</dd></dl>", Directive("Term", "Its definition")),
    ("<p id=t>naïve café</p>", Directive("naïve café")),
    ("<p id=t>Use<sup>1</sup> it</p>", Directive("Use1 it")),
]
NOT = [
    ("<p id=t>one two</p><p>three</p>", Directive("two three")),
    ("<p id=t>a word1 here</p>", Directive("a word")),
    ("<p id=t>See 3.5 now</p>", Directive("See 3")),
    ("<p id=t>foo_bar baz</p>", Directive("foo")),
    ("<p id=t>it's here</p>", Directive("it")),
    ("<p id=t>alpha<br>beta</p>", Directive("alpha beta")),
    ("<h3>A<a class=headerlink href=x>¶</a></h3><p id=t>Run:</p>", Directive("Run:", prefix="A")),
]
TALL = "<div style='height: 3000px'></div>"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all: each case is a navigation."""
    made = browser.new_page(viewport={"width": 800, "height": 600})
    yield made
    made.close()


def scrolled(page: Page, html: str, wanted: Directive) -> bool:
    """Whether the browser scrolls to the element `t` for a fragment."""
    body = f"<!doctype html><meta charset=utf-8><body>{TALL}{html}{TALL}"
    page.unroute_all()
    page.route("**/*", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto("about:blank")
    page.goto(f"http://fragments.example/#{wanted}")
    for _ in range(6):
        if page.evaluate("scrollY > 0"):
            break
        page.wait_for_timeout(50)
    return bool(
        page.evaluate(
            "box => box.top >= 0 && box.top < innerHeight",
            page.evaluate("(({top}) => ({top}))(document.getElementById('t').getBoundingClientRect())"),
        )
    )


@pytest.mark.parametrize(("html", "wanted"), CASES, ids=lambda value: str(value)[:40])
def test_what_is_found_here_is_found_there(page: Page, html: str, wanted: Directive) -> None:
    assert search(read(html), wanted) is not None
    assert scrolled(page, html, wanted)


@pytest.mark.parametrize(("html", "wanted"), NOT, ids=lambda value: str(value)[:40])
def test_what_is_not_found_there_is_not_promised_here(page: Page, html: str, wanted: Directive) -> None:
    assert search(read(html), wanted) is None
    assert not scrolled(page, html, wanted)


@pytest.mark.parametrize(("html", "_wanted"), CASES, ids=lambda value: str(value)[:40])
def test_what_is_handed_out_leads_to_the_whole_block(page: Page, html: str, _wanted: Directive) -> None:
    """The fragment made for everything the block shows."""
    text = read(html)
    made = directive(text, text.ids["t"], len(text.text.rstrip()))
    assert made is not None
    assert scrolled(page, html, made)
