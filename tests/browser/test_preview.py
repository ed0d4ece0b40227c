"""What authors see in the preview, and readers never do."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser


def test_nothing_of_the_preview_is_published(page: Page, sites: dict[str, Site]) -> None:
    page.goto(sites["material"].page("faq/"))
    assert page.locator(".cited-checks, .cited-notice, .cited-finding").count() == 0
