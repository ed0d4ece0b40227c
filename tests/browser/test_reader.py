"""What readers do with an answer: hover, keyboard, no script, phone, dark, print, a strict security policy."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import THEMES, Site

pytestmark = pytest.mark.browser

SECOND = ".cited-answer a.footnote-ref[href$='#fn:cited-retries-2']"
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
FEEDBACK = """document.addEventListener("DOMContentLoaded", () => {
  const form = document.createElement("form");
  form.name = "feedback";
  form.innerHTML = '<fieldset><legend>Helpful?</legend><button type="submit" data-md-value="1">Yes</button>' +
    '<button type="submit" data-md-value="0">No</button><div data-md-value="1" hidden>Thanks!</div></fieldset>';
  window.rated = [];
  for (const button of form.querySelectorAll("button")) button.addEventListener("click", event => {
    event.preventDefault();
    window.rated.push(location.hash + " " + button.dataset.mdValue);
    form.firstElementChild.disabled = true;
  });
  document.querySelector("article").append(form);
})"""


@pytest.mark.parametrize("theme", THEMES)
def test_hover_shows_the_quote(page: Page, sites: dict[str, Site], theme: str) -> None:
    """Natively in Material, by our script elsewhere."""
    page.goto(sites[theme].page("faq/"))
    page.wait_for_timeout(300)
    page.hover(SECOND)
    shown = page.locator(".md-tooltip2" if theme == "material" else ".cited-pop")
    expect(shown).to_contain_text(QUOTE)
    expect(shown).to_be_visible()
    expect(shown.locator("a.cited-link")).to_be_visible()
    assert page.locator(".cited-pop").count() == (theme != "material")


@pytest.mark.parametrize("theme", THEMES)
def test_the_first_tap_shows_the_source_and_its_link_leads_on(
    browser: Browser, sites: dict[str, Site], theme: str
) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(sites[theme].page("faq/"))
    page.wait_for_timeout(300)
    page.locator(SECOND).tap()
    shown = page.locator(".cited-pop, .md-tooltip2")
    expect(shown).to_contain_text(QUOTE)
    assert page.url.endswith("faq/")
    shown.locator("a.cited-link").tap()
    page.wait_for_url("**/guide/install/**")
    context.close()


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_are_large_enough_to_be_hit(page: Page, sites: dict[str, Site], theme: str) -> None:
    page.goto(sites[theme].page("faq/"))
    boxes = page.eval_on_selector_all(
        ".cited-answer sup > a, .cited-answer .cited-back",
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


def test_the_themes_own_form_is_asked_whether_an_answer_helped(page: Page, sites: dict[str, Site]) -> None:
    """Its handlers run, and find the answer's name in the address; each answer is asked for itself."""
    page.add_init_script(FEEDBACK)
    page.goto(sites["material-full"].page("faq/"))
    page.click("#cited-install button[data-md-value='0']")
    page.click("#cited-retries button[data-md-value='1']")
    assert page.evaluate("window.rated") == ["#cited-install 0", "#cited-retries 1"]
    expect(page.locator("#cited-retries fieldset button").first).to_be_disabled()
    expect(page.locator("#cited-retries div[data-md-value='1']")).to_be_visible()
    expect(page.locator("#cited-install div[data-md-value='1']")).not_to_be_visible()


def test_hover_works_after_instant_navigation(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page(""))
    page.click("article a[href$='faq/']")
    page.wait_for_selector(SECOND)
    page.wait_for_timeout(400)
    page.hover(SECOND)
    expect(page.locator(".md-tooltip2")).to_contain_text(QUOTE)


def test_the_fact_check_works_after_instant_navigation(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material-full"].page(""))
    page.click("article a[href$='faq/']")
    page.click("#cited-retries .cited-check summary")
    expect(page.locator("#cited-retries .cited-check li").first).to_be_visible()


def test_focus_shows_the_quote_and_escape_hides_it(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs"].page("faq/"))
    page.focus(SECOND)
    expect(page.locator(".cited-pop")).to_contain_text(QUOTE)
    page.keyboard.press("Escape")
    expect(page.locator(".cited-pop")).to_have_count(0)


def test_the_whole_way_works_from_the_keyboard(page: Page, sites: dict[str, Site]) -> None:
    """Number, Enter, footnote; its link is the next stop, its way back the one after."""
    page.goto(sites["mkdocs"].page("faq/"))
    page.focus(SECOND)
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
    page.focus("#cited-retries .cited-check summary")
    page.keyboard.press("Enter")
    expect(page.locator("#cited-retries .cited-check li").nth(1)).to_contain_text("The passage names no upper end.")


def test_a_folded_source_opens_for_its_number(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs-full"].page("faq/"))
    note = page.locator("[id='fn:cited-retries-2']")
    expect(note).not_to_be_visible()
    page.click(SECOND)
    expect(note).to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_without_scripts_all_is_readable_and_linked(browser: Browser, sites: dict[str, Site], theme: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sites[theme].page("faq/"))
    expect(page.locator("[id='fn:cited-retries-2']")).to_contain_text(QUOTE)
    expect(page.locator("[id='fn:cited-retries-2'] a.cited-link")).to_be_visible()
    page.click(SECOND)
    assert page.url.endswith("#fn:cited-retries-2")
    page.goto(sites[f"{theme}-full"].page("faq/"))
    expect(page.locator(".cited-find li a").first).to_be_visible()
    expect(page.locator(".cited-find input")).to_be_hidden()
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
            page.hover(SECOND)
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
    for summary in page.locator(".cited-answer summary").all():
        summary.click()
    ours = violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
    page.evaluate("document.querySelectorAll('.cited-answer').forEach(answer => answer.remove())")
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
    shown = page.locator("[id='fn:cited-retries-1'] a.cited-link").evaluate(
        "link => getComputedStyle(link, '::after').content"
    )
    assert shown.endswith('/docs/guide/install/#limits>"')
    expect(page.locator(".cited-back").first).not_to_be_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_on_paper_a_question_stands_with_its_answer(page: Page, sites: dict[str, Site], theme: str) -> None:
    page.goto(sites[theme].page("faq/"))
    page.emulate_media(media="print")
    breaks = "heads => heads.map(head => getComputedStyle(head).breakAfter)"
    assert set(page.locator("h2:has(+ .cited-answer)").evaluate_all(breaks)) == {"avoid"}


def test_a_folded_panel_is_printed(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["mkdocs-full"].page("faq/"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("[id='fn:cited-retries-2']")).to_be_visible()


def test_nothing_moves_for_those_who_asked_for_it(browser: Browser, sites: dict[str, Site]) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(sites["mkdocs"].page("faq/"))
    page.focus(SECOND)
    assert page.locator(".cited-pop").evaluate("pop => getComputedStyle(pop).animationName") == "none"
    context.close()


def test_two_answers_and_own_footnotes_share_a_page(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page("faq/"))
    doubled = page.evaluate(
        "(ids => ids.filter((id, i) => ids.indexOf(id) !== i))"
        "([...document.querySelectorAll('article [id]')].map(element => element.id))"
    )
    assert doubled == []
    page.hover("a.footnote-ref[href$='#fn:1']")
    expect(page.locator(".md-tooltip2")).to_contain_text("The author's own footnote.")


@pytest.mark.parametrize("theme", ["material", "mkdocs"])
def test_a_reader_asks_and_finds_the_answer_with_its_sources(page: Page, sites: dict[str, Site], theme: str) -> None:
    """From the keyboard."""
    page.goto(sites[f"{theme}-full"].page("faq/"))
    form = page.locator(".cited-find")
    form.get_by_role("searchbox").press_sequentially("how often retry")
    found = form.locator(".cited-found")
    expect(found.locator("a").first).to_have_text("How often does it retry?")
    expect(found).to_contain_text("It tries five times more, and then it gives up.")
    expect(found.locator(".cited-aside a").first).to_contain_text("Install › Limits")
    form.get_by_role("searchbox").fill("zebra crossing")
    expect(found).to_contain_text("No question of this site is like that.")
