"""What readers do with an answer: hover, keyboard, no script, phone, dark, print, a strict security policy."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import THEMES, Site

pytestmark = pytest.mark.browser

SECOND = "a.cited-ref[href$='#fn:cited-retries-2']"
THIRD = "a.cited-ref[href$='#fn:cited-retries-3']"
MARKED = "[id^='fnref:cited-claims-'] a.cited-unsure"
QUOTE = "A client waits at most 30 seconds"
ALONE = """() => [...document.querySelectorAll(".cited-answer sup[id] > a")].filter(link => {
  const walker = document.createTreeWalker(link.closest("p, li, td"), NodeFilter.SHOW_TEXT);
  let before;
  for (let node; (node = walker.nextNode()) && !link.contains(node);) if (node.data.trim()) before = node;
  if (!before) return false;
  const range = document.createRange(), end = before.data.trimEnd().length;
  range.setStart(before, end - 1);
  range.setEnd(before, end);
  return link.getBoundingClientRect().top >= range.getBoundingClientRect().bottom;
}).map(link => link.hash)"""


@pytest.mark.parametrize("theme", THEMES)
def test_hover_shows_the_quote(page: Page, sites: dict[str, Site], theme: str) -> None:
    """In a card of ours under every theme, and in prose as in answers."""
    page.goto(sites[theme].page("faq/"))
    page.wait_for_timeout(300)
    shown = page.locator(".cited-pop")
    for number in (SECOND, MARKED):
        page.hover(number)
        expect(shown).to_contain_text(QUOTE)
        expect(shown).to_be_visible()
        expect(shown.locator("a.cited-link")).to_be_visible()
        near, box = page.locator(number).bounding_box(), shown.bounding_box()
        assert near
        assert box
        assert min(abs(box["y"] - near["y"] - near["height"]), abs(box["y"] + box["height"] - near["y"])) < 8
        page.mouse.move(5, 5)
        expect(shown).to_have_count(0)


@pytest.mark.parametrize("theme", THEMES)
def test_the_first_tap_shows_the_source_and_its_link_leads_on(
    browser: Browser, sites: dict[str, Site], theme: str
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(sites[theme].page("faq/"))
    page.wait_for_timeout(300)
    page.locator(SECOND).tap()
    shown = page.locator(".cited-pop")
    expect(shown).to_contain_text(QUOTE)
    assert page.url.endswith("faq/")
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    expect(shown).to_have_count(0)
    page.locator(SECOND).tap()
    shown.locator("a.cited-link").tap()
    page.wait_for_url("**/guide/install/**")
    context.close()


@pytest.mark.parametrize("theme", THEMES)
def test_a_quoted_row_can_be_read_on_a_phone(page: Page, sites: dict[str, Site], theme: str) -> None:
    """In a card and in its footnote: no word is broken, nothing is cut off, and all has one size."""
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto(sites[theme].page("faq/"))
    page.wait_for_timeout(300)
    page.focus(THIRD)
    card, note = page.locator(".cited-pop"), page.locator("[id='fn:cited-retries-3']")
    expect(card).to_contain_text("nobody is there")
    for place in (card, note):
        assert place.locator("td code").first.evaluate("code => code.getClientRects().length") == 1
        assert place.evaluate("place => place.scrollWidth <= place.clientWidth")
        sizes = place.locator("p, td").evaluate_all("parts => parts.map(part => getComputedStyle(part).fontSize)")
        assert len(set(sizes)) == 1, sizes
    link = note.locator(".cited-link")
    link.evaluate("link => { link.textContent = 'Settings of it all, '.repeat(6) }")
    assert link.evaluate("link => link.getClientRects().length") > 1, "a long name flows as text does"


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs"])
def test_highlight_js_meets_no_colours(page: Page, sites: dict[str, Site], theme: str) -> None:
    """It would warn of them in the console: it finds the code of an answer as it finds the theme's own."""
    page.add_init_script(
        "const look = () => { window.found = [...document.querySelectorAll('.cited-answer pre code')]"
        ".map(code => code.children.length) };"
        "window.hljs = { highlightAll: () => document.addEventListener('DOMContentLoaded', look) }"
    )
    page.route("**/cdnjs.cloudflare.com/**", lambda route: route.abort())
    page.goto(sites[theme].page("faq/"))
    page.wait_for_function("window.found")
    assert set(page.evaluate("window.found")) == {0}


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_are_large_enough_to_be_hit(page: Page, sites: dict[str, Site], theme: str) -> None:
    page.goto(sites[theme].page("faq/"))
    boxes = page.eval_on_selector_all(
        "sup > a.cited-ref, .cited-answer .cited-back",
        "links => links.map(link => link.getBoundingClientRect()).map(box => [box.width, box.height])",
    )
    assert len(boxes) > 5
    assert all(width >= 24 and height >= 24 for width, height in boxes), boxes


def test_no_number_begins_a_line(page: Page, sites: dict[str, Site]) -> None:
    """Whatever the width: the letter before a number stands on its line."""
    page.goto(sites["mkdocs"].page("faq/"))
    for width in range(300, 420, 8):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(ALONE) == [], width


def test_hover_works_after_instant_navigation(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page(""))
    page.click("article a[href$='faq/']")
    page.wait_for_selector(SECOND)
    page.wait_for_timeout(400)
    page.hover(SECOND)
    expect(page.locator(".cited-pop")).to_contain_text(QUOTE)


def test_the_fact_check_works_after_instant_navigation(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material-full"].page(""))
    page.click("article a[href$='faq/']")
    page.click("#how-often-does-it-retry")
    page.click("#cited-retries summary")
    expect(page.locator("#cited-retries .cited-checks li").first).to_be_visible()


def test_focus_shows_the_quote_and_escape_hides_it(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs"].page("faq/"))
    page.focus(SECOND)
    expect(page.locator(".cited-pop")).to_contain_text(QUOTE)
    page.keyboard.press("Escape")
    expect(page.locator(".cited-pop")).to_have_count(0)


def test_a_card_shows_the_quotation_of_its_number(page: Page, sites: dict[str, Site]) -> None:
    """Of several in a footnote."""
    page.goto(sites["mkdocs"].page("faq/"))
    page.locator("[id='fn:cited-retries-2']").evaluate("note => { note.insertAdjacentHTML('beforeend', '<p>Second.') }")
    for at, absent in ((1, "Second."), (2, QUOTE)):
        page.locator(SECOND).evaluate("(link, at) => { link.blur(); link.dataset.at = at; link.focus() }", at)
        expect(page.locator(".cited-pop")).to_contain_text("Install › Waiting")
        expect(page.locator(".cited-pop")).not_to_contain_text(absent)


def test_the_whole_way_works_from_the_keyboard(page: Page, sites: dict[str, Site]) -> None:
    """Number, Enter, footnote; its link is the next stop, then its way back. Arrows lead to the next number."""
    page.goto(sites["mkdocs"].page("faq/"))
    page.focus("#cited-retries .cited-ref")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#fn:cited-retries-2"
    page.keyboard.press("Tab")
    assert "cited-link" in page.evaluate("document.activeElement.className")
    assert page.evaluate("document.activeElement.closest('li').id") == "fn:cited-retries-2"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#fnref:cited-retries-2"


def test_each_claim_shows_its_evidence(page: Page, sites: dict[str, Site]) -> None:
    """The fact-check view from the keyboard."""
    page.goto(sites["readthedocs-full"].page("faq/"))
    page.click("#how-often-does-it-retry")
    page.focus("#cited-retries summary")
    page.keyboard.press("Enter")
    expect(page.locator("#cited-retries .cited-checks li").nth(1)).to_contain_text("The passage names no upper end.")


def test_a_folded_source_opens_for_its_number(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs-full"].page("faq/"))
    note = page.locator("[id='fn:cited-retries-2']")
    expect(note).not_to_be_visible()
    page.click("#how-often-does-it-retry")
    page.click(SECOND)
    expect(note).to_be_visible()
    page.wait_for_timeout(300)
    assert page.locator(".cited-pop").count() == 0, "no card covers where the click has led"


@pytest.mark.parametrize("theme", THEMES)
def test_without_scripts_all_is_readable_and_linked(browser: Browser, sites: dict[str, Site], theme: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sites[theme].page("faq/"))
    expect(page.locator("[id='fn:cited-retries-2']")).to_contain_text(QUOTE)
    expect(page.locator("[id='fn:cited-retries-2'] a.cited-link")).to_be_visible()
    page.click(SECOND)
    assert page.url.endswith("#fn:cited-retries-2")
    context.close()


@pytest.mark.parametrize("theme", THEMES)
def test_our_script_runs_under_a_strict_policy(browser: Browser, sites: dict[str, Site], theme: str) -> None:
    """With `script-src 'self'` nothing is said that the same page without our script would not say."""

    def complaints(block: str) -> list[str]:
        context = browser.new_context()
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        if block:
            page.route(block, lambda route: route.fulfill(status=200, body="", content_type="text/javascript"))
        page.goto(sites[f"{theme}-full"].page("faq/?csp"))
        page.wait_for_timeout(500)
        if not block:
            page.hover(MARKED)
        context.close()
        return sorted(said)

    assert complaints("") == complaints("**/cited.js")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing_that_is_ours(
    browser: Browser, sites: dict[str, Site], theme: str, width: int, scheme: str
) -> None:
    """With everything open, no violation in an answer that the theme does not have on a page of its own."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(sites[f"{theme}-full"].page("faq/"))
    page.wait_for_timeout(300)
    for summary in page.locator(".cited-fold > summary, .cited-answer summary").all():
        summary.click()
    ours = violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    page.evaluate(
        "document.querySelectorAll('.cited-answer, .cited-fold, sup:has(.cited-ref)').forEach(it => it.remove())"
    )
    theirs = {kind for kind, _ in violations(page)}
    assert [words for kind, words in ours if kind not in theirs] == []
    context.close()


def violations(page: Page) -> list[tuple[str, str]]:
    """(what it is, where) for all that axe finds. Contrast is told apart by the colour of the text: a theme whose links
    are too light on its own ground has them so in every box."""
    options = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}
    found = []
    for violation in Axe().run(page, options=options).response["violations"]:
        for node in violation["nodes"]:
            data = (node["any"] or [{}])[0].get("data") or {}
            colour = f" of {data['fgColor']}" if "fgColor" in data else ""
            found.append(
                (violation["id"] + colour, f"{violation['id']}{colour} on {data.get('bgColor')}: {node['target']}")
            )
    return found


def test_print_spells_out_where_sources_are(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["readthedocs"].page("faq/"))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = page.locator("[id='fn:cited-retries-1'] a.cited-link").evaluate(
        "link => getComputedStyle(link, '::after').content"
    )
    assert shown.endswith('/docs/guide/install/>"')
    expect(page.locator(".cited-back").first).not_to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_on_paper_a_question_stands_with_its_answer(page: Page, sites: dict[str, Site], theme: str) -> None:
    page.goto(sites[theme].page("faq/"))
    page.emulate_media(media="print")
    breaks = "heads => heads.map(head => getComputedStyle(head).breakAfter)"
    assert set(page.locator("h2:has(+ .cited-answer)").evaluate_all(breaks)) == {"avoid"}


def test_a_folded_panel_is_printed(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs-full"].page("faq/"))
    note = page.locator("[id='fn:cited-retries-2']")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(note).to_be_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(note).not_to_be_visible()


def test_two_answers_and_own_footnotes_share_a_page(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page("faq/"))
    doubled = page.evaluate(
        "(ids => ids.filter((id, i) => ids.indexOf(id) !== i))"
        "([...document.querySelectorAll('article [id]')].map(element => element.id))"
    )
    assert doubled == []
    page.hover("a.footnote-ref[href$='#fn:1']")
    expect(page.locator(".md-tooltip2")).to_contain_text("The author's own footnote.")


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_not_proven_looks_so(page: Page, sites: dict[str, Site], theme: str) -> None:
    """Its number is drawn apart and its card says why; what is out of date says so and quotes nothing."""
    page.goto(sites[theme].page("faq/"))
    proven, doubted = page.locator("#cited-wait .cited-ref").all()
    assert doubted.inner_text() == proven.inner_text().replace("]", "?]")
    lines = [item.evaluate("link => getComputedStyle(link).textDecorationStyle") for item in (proven, doubted)]
    assert lines[0] != lines[1] == "wavy"
    doubted.hover()
    expect(page.locator(".cited-pop > .cited-unsure")).to_have_text("? unconfirmed")
    expect(page.locator("#cited-wait .cited-head")).to_contain_text("1 of 2 sentences checked; 1 not confirmed yet")
    expect(page.locator("#cited-old .cited-state")).to_contain_text("Out of date")
    assert page.locator("#cited-old .cited-quote").count() == 0


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_can_be_read(page: Page, sites: dict[str, Site], theme: str) -> None:
    """Their contrast is 4.5 or more, whatever the colour of the theme's links."""
    page.goto(sites[theme].page("faq/"))
    found = [where for kind, where in violations(page) if "contrast" in kind and "cited" in where]
    assert found == []


def test_a_footnote_leads_back_to_the_use_that_was_clicked(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs"].page("faq/"))
    page.click("[id='fnref:cited-retries-1-2'] a")
    page.click("[id='fn:cited-retries-1'] .cited-back >> nth=0")
    assert page.evaluate("location.hash") == "#fnref:cited-retries-1-2"


def test_the_passage_offers_a_way_back_to_the_answer(page: Page, sites: dict[str, Site]) -> None:
    """Where one came from it, and nowhere else."""
    page.goto(sites["material"].page("faq/"))
    page.wait_for_timeout(300)
    page.click("[id='fn:cited-retries-2'] .cited-link")
    page.wait_for_url("**/guide/install/**")
    chip = page.locator(".cited-chip")
    expect(chip).to_have_text("↩ Back to where 2 is cited")
    chip.click()
    page.wait_for_url("**/faq/#fnref:cited-retries-2")
    expect(chip).to_have_count(0)
    page.goto(sites["material"].page("guide/install/"))
    page.wait_for_timeout(300)
    expect(chip).to_have_count(0)


def test_tab_stops_twice_in_an_answer(page: Page, sites: dict[str, Site]) -> None:
    """At its first number and at its sources, which are folded."""
    page.goto(sites["mkdocs-full"].page("faq/"))
    page.click("#how-often-does-it-retry")
    stops = """answer => [...answer.querySelectorAll("a[href], summary, [tabindex]")]
      .filter(item => item.tabIndex >= 0 && item.checkVisibility({ contentVisibilityAuto: true })).length"""
    assert page.locator("#cited-retries").evaluate(stops) == 2
