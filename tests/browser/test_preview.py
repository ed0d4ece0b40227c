"""What authors see in the preview, and readers never do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser


def test_the_box_asks_the_preview_server(page: Page, sites: dict[str, Site]) -> None:
    """It shows text and sources, links relative to the site's root, and reads nothing as HTML."""
    site = sites["material-preview"]
    page.goto(site.page("faq/"))
    page.fill(".cited-ask input", "How often <b>does</b> it?")
    page.press(".cited-ask input", "Enter")
    out = page.locator(".cited-ask-out")
    expect(out).to_contain_text("You asked: How often <b>does</b> it?[1]")
    expect(out).to_contain_text("<i>Then[^2]</i>")
    expect(out).to_contain_text("<b>5 times</b>")
    assert out.locator("sup a").evaluate("link => link.href") == site.page("guide/install/#limits")
    assert out.locator("b, i").count() == 0


def test_a_server_that_fails_is_told(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material-preview"].page("faq/"))
    page.fill(".cited-ask input", "fail")
    page.click(".cited-ask button")
    expect(page.locator(".cited-ask-out")).to_contain_text("That did not work: 500 no such thing")
    expect(page.locator(".cited-ask button")).to_be_enabled()


def test_nothing_of_the_preview_is_published(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page("faq/"))
    assert page.locator(".cited-ask, .cited-check, .cited-notice, .cited-claim").count() == 0
