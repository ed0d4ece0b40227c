"""HTML is parsed in time of its length, whatever it holds."""

from __future__ import annotations

import pytest

from mkdocs_cited.base.html import parsed
from tests.hangs import guarded


@pytest.mark.parametrize(
    "html",
    ["<div>", "<div></br>", "<div></span>", "<div><span></div>", "<b><i></b></i>", "<p>x"],
    ids=["never closed", "a void element closed", "another one closed", "closed around", "crossed", "implied ends"],
)
def test_deep_nesting_takes_no_quadratic_time(html: str) -> None:
    """Tags beyond the deepest level are left out; the text is there."""
    with guarded():
        tree = parsed(html * 60_000 + "the end")
    assert tree.body is not None
    assert tree.body.text().endswith("the end")


def test_what_is_not_deep_is_left_as_it_is() -> None:
    """However many tags there are."""
    html = "<ul>" + "<li>one<br><b>two</b></li>" * 2_000 + "</ul>"
    assert len(parsed(html).css("ul > li > b")) == 2_000
