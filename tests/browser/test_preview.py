"""What authors see in the preview, and readers never do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import THEMES, Site

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("theme", THEMES)
def test_the_box_asks_the_preview_server(page: Page, sites: dict[str, Site], theme: str) -> None:
    """One sees where to write, in every theme; the answer is shown as a page would, its links from the site's root."""
    site = sites[f"{theme}-preview"]
    page.goto(site.page("faq/"))
    box = page.locator(".cited-ask input")
    assert box.evaluate("box => [getComputedStyle(box).borderTopStyle, box.offsetHeight > 24]") == ["solid", True]
    page.fill(".cited-ask input", "How often <b>does</b> it?")
    page.press(".cited-ask input", "Enter")
    out = page.locator(".cited-ask-out")
    expect(out).to_contain_text("You asked: How often <b>does</b> it?")
    expect(out.locator("td")).to_have_text("5 times")
    expect(out.locator("pre code")).to_have_text("wait 5")
    assert out.locator("a").evaluate("link => link.href") == site.page("guide/install/#limits")


def test_a_server_that_fails_is_told(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material-preview"].page("faq/"))
    page.fill(".cited-ask input", "fail")
    page.click(".cited-ask button")
    expect(page.locator(".cited-ask-out")).to_contain_text("That did not work: 500 no such thing")
    expect(page.locator(".cited-ask button")).to_be_enabled()


def test_nothing_of_the_preview_is_published(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page("faq/"))
    assert page.locator(".cited-ask, .cited-check, .cited-notice, .cited-claim").count() == 0
