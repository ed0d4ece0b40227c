"""The report page is one that everybody can read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from mkdocs_cited.model.answer import Status, Verdict
from tests.browser.test_reader import violations
from tests.render.test_machines import RETRIES, published
from tests.render.values import answer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, scheme: str) -> None:
    """In every state and with every verdict, everything open, in light and dark."""
    rows = [
        answer("A.[^1]", RETRIES, id=f"{status}-{verdict}", status=status, verdict=verdict, reason="It says so.")
        for status, verdict in zip(Status, [*Verdict, Verdict.PARTIAL], strict=False)
    ]
    gap = replace(answer("x", RETRIES, id="gap", question="On `the` moon?"), content="", status=Status.ABSTAINED)
    gap = replace(gap, consulted=gap.sources, sources=(), citations=(), claims=(), reason="Nothing was relevant.")
    files = published(*rows, gap, report="cited/report.html").files
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.set_content(files["cited/report.html"])
    page.add_style_tag(content=files["cited/report.css"])
    page.add_script_tag(content=files["cited/report.js"])
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert violations(page) == []
    context.close()
