"""What is wrong with the places of answers is told from the page as it is rendered."""

from __future__ import annotations

import markdown
import pytest

from mkdocs_cited.declarations.front_matter import source_text
from mkdocs_cited.declarations.in_markdown import Places
from mkdocs_cited.mkdocs_host.claims import check_markers
from mkdocs_cited.model.declaration import SLOT

EXTENSIONS = ["admonition", "def_list", "md_in_html", "pymdownx.superfences", "pymdownx.tabbed"]


def checked(text: str, *ids: str) -> tuple[str, list[str]]:
    """The page's HTML, and its findings."""
    html = markdown.markdown(text, extensions=[*EXTENSIONS, Places()])
    findings = check_markers(html, source_text("docs/faq.md", text), "faq.md", ids)
    return html, [f"{item.place.line}:{item.place.column} {item.message} → {item.tip}" for item in findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- answer: limit -->", "1:1 no answer of this page has the id `limit` → did you mean `limits`?"),
        (
            "<!-- answer: limits -->\n\n<!-- answer: limits -->",
            "3:1 the answer `limits` has a marker already → delete one of the two",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(text: str, expected: str) -> None:
    """At the marker's own words, with what to write."""
    assert checked(text, "limits")[1] == [expected]


def test_a_marker_of_no_answer_is_told() -> None:
    """On a page that declares none."""
    (finding,) = checked("<!-- answer: limits -->")[1]
    assert finding.endswith("declare it: `answers: [{question: …}]`")


@pytest.mark.parametrize(
    "text",
    [
        "```html\n<!-- answer: b -->\n```",
        "Text.\n\n    <!-- answer: b -->",
        "Write `<!-- answer: b -->` there.",
        "<!-- answer this some day -->",
    ],
)
def test_documentation_of_markers_is_left_alone(text: str) -> None:
    """Code places nothing, and is no fault."""
    assert checked(text, "a")[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "- Item\n\n    <!-- answer: a -->",
        "!!! note\n\n    Text.\n\n    <!-- answer: a -->",
        "> <!-- answer: a -->",
        '=== "Tab"\n\n    !!! tip\n        <!-- answer: a -->',
        "Term\n:   Definition\n\n    <!-- answer: a -->",
        "- <!-- answer: a -->",
        "As follows: <!-- answer: a -->",
        "```\n\n<!-- answer: a -->",
    ],
)
def test_answers_go_into_whatever_markdown_has(text: str) -> None:
    """Lists, boxes, quotations, tabs, definitions."""
    html, findings = checked(text, "a")
    assert [(first or second) for first, second in SLOT.findall(html)] == ["a"]
    assert findings == []
