"""In a real browser every citation lands on its passage: by the block's id, and by the text fragment alone."""

from __future__ import annotations

import re
import time
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.browser.conftest import THEMES, Site
from tests.projects import Project
from tests.servers.folder import served

pytestmark = pytest.mark.browser

IN_VIEW = """id => {
  const element = document.getElementById(id);
  if (!element) return "no such element";
  const box = element.getBoundingClientRect();
  if (!box.height) return "not shown";
  return box.bottom > 0 && box.top < innerHeight ? "in view" : `at ${box.top} of ${innerHeight}`;
}"""


def links(page: Page, site: Site) -> list[str]:
    """Addresses of every citation of the test site."""
    page.goto(site.page("faq/"))
    found = page.eval_on_selector_all(".cited-notes a.cited-link", "links => links.map(link => link.href)")
    assert len(found) >= 12
    return [str(link) for link in found]


def landed(page: Page, address: str, anchor: str) -> str:
    """Where the block with this id is, once the browser has settled on an address."""
    page.goto("about:blank")
    page.goto(address)
    return settled(page, anchor)


def settled(page: Page, anchor: str) -> str:
    """Where a block is; given up to ten seconds to come into view, and seen to stay there."""
    where = ""
    for _ in range(100):
        before, where = where, str(page.evaluate(IN_VIEW, anchor))
        if before == where == "in view":
            break
        page.wait_for_timeout(100)
    return where


@pytest.mark.parametrize("theme", THEMES)
def test_every_citation_lands_with_its_passage_in_view(page: Page, sites: dict[str, Site], theme: str) -> None:
    """Rows, code, closed details, closed tabs, definitions, other scripts: all of them."""
    site = sites[theme]
    for link in links(page, site):
        anchor = re.sub(r".*#|:~:.*", "", link)
        assert landed(page, link, anchor) == "in view", link


def test_every_text_fragment_finds_its_passage_without_the_anchor(page: Page, sites: dict[str, Site]) -> None:
    """The fragment is not carried by the anchor: alone it scrolls to the same place.

    A style sheet that comes late moves the page under it, and scripts are told of no fragment without an anchor, so
    that nothing can look again: what counts is that the browser finds the words, in one of three loads.
    """
    found = [link for link in links(page, sites["material"]) if ":~:text=" in link]
    assert len(found) >= 9
    for link in found:
        anchor, alone = re.sub(r".*#|:~:.*", "", link), re.sub(r"#.*:~:", "#:~:", link)
        assert any(landed(page, alone, anchor) == "in view" for _ in range(3)), link


def test_a_click_loads_the_page_of_the_passage_and_one_step_leads_back(page: Page, sites: dict[str, Site]) -> None:
    """Instant navigation would lose the words to highlight, and adds a step to the history."""
    page.goto(sites["material"].page("faq/"))
    page.wait_for_timeout(300)
    link = page.locator("#cited-retries .cited-notes a.cited-link").first
    anchor = re.sub(r".*#|:~:.*", "", link.get_attribute("href") or "")
    link.click()
    page.wait_for_selector(f"#{anchor}")
    assert settled(page, anchor) == "in view"
    assert page.evaluate("scrollY") > 500
    page.go_back()
    page.wait_for_url("**/faq/")


@pytest.mark.parametrize("way", ["go_back", "reload"])
def test_a_reader_who_comes_back_is_where_he_was(page: Page, sites: dict[str, Site], way: str) -> None:
    """Although the theme wrote the heading above into the address."""
    page.goto(sites["material"].page("faq/"))
    page.wait_for_timeout(800)
    note = page.locator("#cited-install .cited-notes a.cited-link").nth(3)
    note.scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    before = page.evaluate("scrollY")
    assert before > 200
    if way == "go_back":
        note.click()
        page.wait_for_url("**/guide/install/**")
        page.go_back()
        page.wait_for_url("**/faq/**")
    else:
        page.reload()
    page.wait_for_timeout(1500)
    assert abs(page.evaluate("scrollY") - before) <= 2


def test_the_first_click_on_a_number_leads_to_its_footnote(page: Page, sites: dict[str, Site]) -> None:
    """Where pages are exchanged without being loaded, too."""
    page.goto(sites["material"].page("?revalidate"))
    page.wait_for_timeout(500)
    page.click("article a[href$='faq/']")
    page.wait_for_selector("#cited-install")
    link = page.locator("#cited-install sup a").last
    target = (link.get_attribute("href") or "").rpartition("#")[2]
    link.click()
    assert settled(page, target) == "in view"


@pytest.mark.parametrize("api", [True, False])
def test_after_a_reload_a_number_still_leads_to_its_footnote(page: Page, sites: dict[str, Site], api: bool) -> None:
    """Also in a browser that does not tell of navigation."""
    if not api:
        page.add_init_script("Object.defineProperty(window, 'navigation', { value: undefined })")
    page.goto(sites["mkdocs-full"].page("faq/"))
    page.reload()
    page.click("#how-do-i-install-it")
    link = page.locator("#cited-install sup a").first
    target = (link.get_attribute("href") or "").rpartition("#")[2]
    link.click()
    assert settled(page, target) == "in view"


def test_a_closed_tab_is_opened_for_its_passage(page: Page, sites: dict[str, Site]) -> None:
    site = sites["material"]
    words = "On Windows the second tab is closed at first."
    page.goto(site.page("guide/install/"))
    assert not page.get_by_text(words).is_visible()
    shown = []
    for link in links(page, site):
        if ":~:" not in link:
            page.goto("about:blank")
            page.goto(link)
            page.wait_for_timeout(300)
            shown.append(page.get_by_text(words).is_visible())
    assert shown.count(True) == 1


def test_a_style_sheet_that_comes_late_does_not_lose_the_passage(page: Page, sites: dict[str, Site]) -> None:
    """The browser scrolls before the page has its height and does not look again, so our script does."""
    link = next(link for link in links(page, sites["material"]) if "lock%20file" in link)
    for number, name in enumerate(("main", "palette"), start=1):
        page.route(f"**/{name}.*.css", partial(_late, 0.7 * number))
    page.goto("about:blank")
    page.goto(link)
    assert settled(page, re.sub(r".*#|:~:.*", "", link)) == "in view"


def _late(seconds: float, route: Route) -> None:
    time.sleep(seconds)
    route.continue_()


def test_numbers_lead_to_footnotes_and_back(page: Page, sites: dict[str, Site]) -> None:
    """Every hash of the page has its target: Material's tooltips throw on one that has none."""
    for name in sites:
        page.goto(sites[name].page("faq/"))
        missing = page.eval_on_selector_all(
            ".cited-answer a[href*='#fn']",
            "links => links.map(a => decodeURIComponent(a.hash.slice(1))).filter(id => !document.getElementById(id))",
        )
        assert missing == []


def test_an_annotation_of_code_is_cited_at_its_block(project: Project, browser: Browser) -> None:
    """Material takes the list away and shows its items on demand: the link leads to the code."""
    project.configure(
        theme={"name": "material", "font": False, "features": ["content.code.annotate"]},
        markdown_extensions=["attr_list", "pymdownx.superfences"],
    )
    filling = "\n\n".join(f"Some more of it, part {number}." for number in range(60))
    code = "``` yaml\nkeys:\n  keep: 90 # (1)!\n```\n\n1.  A key is valid for 90 days."
    project.page("guide/keys.md", f"# Keys\n\n{filling}\n\n## Configuration\n\n{code}\n\n{filling}\n")
    project.authored("guide/keys.md#configuration", keys=("A key is valid for 90 days",))
    result = project.build("--strict")
    assert result.code == 0, result.output
    (source,) = project.answers()["keys"]["sources"]
    with served(project.root / "site") as url:
        page = browser.new_page()
        page.goto(url + source["href"])
        page.get_by_text("keep").wait_for(state="visible")
        page.wait_for_timeout(800)
        box = page.get_by_text("keep").bounding_box()
        assert box
        assert 0 < box["y"] < 800
