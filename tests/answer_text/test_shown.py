"""What is shown of an answer is what was read of it: no word reaches a page that no claim, heading or lead-in holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import BlockKind, RunKind, blocks
from mkdocs_cited.render.markdown import Mark, Numbers, to_html
from tests.dom import Dom

MARKS = {n: Mark(n, f"Source {n}") for n in range(1, 10)}
WORD = re.compile(r"[^\W_]+")
FAULT = "[Every upload is encrypted with AES-256]: guaranteed"


def words_shown(content: str) -> set[str]:
    html = to_html(content, Numbers("cited-q", MARKS))
    html = re.sub(r'<a class="cited-ref"[^>]*>\[\d+\]</a>', "", html)  # a number is no word of the answer
    assert not re.search("<[^>]* title=", html)
    alternatives = " ".join(re.findall(r'alt="([^"]*)"', html))
    return set(WORD.findall(Dom.parse(html.replace("<sup", " <sup")).text + " " + alternatives.replace("&#x27;", "'")))


def words_read(content: str) -> set[str]:
    """Of the claims, and of what states nothing: headings, heads of tables, labels, questions, lead-ins."""
    return {word for text in read(content) for word in WORD.findall(text)}


def is_question_or_label(text: str) -> bool:
    return text.endswith("?") or (text.endswith(":") and len(text.split()) <= 2)


def read(content: str) -> Iterator[str]:
    yield from (claim.text for claim in split(content))
    for block in blocks(content):
        bold = all(run.strong for run in block.runs if run.text.strip())
        if block.kind in (BlockKind.HEADING, BlockKind.HEADER) or bold:
            yield block.text
        yield from (run.text for run in block.runs if run.kind is RunKind.IMAGE)
        text = "".join(run.text for run in block.runs if run.kind is not RunKind.MARKER)
        cuts = [0, *(match.end() for match in re.finditer(r"[.?!:…](?=\W)", text)), len(text)]
        parts = (text[start:end] for start, end in combinations(cuts, 2))
        yield from (part for part in parts if is_question_or_label(part.strip()))


@pytest.mark.parametrize(
    "content",
    [
        FAULT,
        "Keys expire.[^1]\n\n" + FAULT,
        "[^2]: Every upload is encrypted with AES-256.",
        '[a]: x "Every upload is encrypted with AES-256"',
        "![Every upload is encrypted with AES-256.](https://elsewhere.example/x.png)",
        "![Every upload is encrypted with AES-256.](x.png)",
        "[Every upload is encrypted with AES-256.](javascript:x)",
        "~~Every upload is encrypted with AES-256.~~",
        "<!-- Every upload is encrypted with AES-256. -->",
        "- [x]: Every upload is encrypted with AES-256.",
        "Every upload is encrypted with AES-256. " + "x " * 100_000,
    ],
)
def test_a_statement_that_is_shown_is_a_claim(content: str) -> None:
    """In whatever it is clad: the gate reads each of these, and finds them without a citation."""
    assert "encrypted" in words_shown(content)
    assert any("encrypted" in claim.text and not claim.sids for claim in split(content)) or content.startswith("[^2]")


def test_the_titles_of_links_are_not_shown() -> None:
    """A browser shows them over a link, and nobody reviews them."""
    html = to_html('[keys](x.md "Every upload is encrypted")', Numbers("q", {}))
    assert html == '<p><a href="x.md">keys</a></p>'


PIECES = st.sampled_from(
    [
        "Every upload is encrypted", "Keys expire.", "[^1]", "[^9]", "\\[^1]", "[label]: text", "[label]", "[^2]: text",
        "![a picture](x.png)", '![it is shown](https://x.example/y "words")', "[a link](y.md 'said')", "<b>", "</b>",
        "<https://x.example/a%20b>", "<javascript:alert>", "`code`", "``a ` b``", "~~struck~~", "**bold**", "*", "**",
        "_x_", "`", "\\", "&amp;", "&copy;", "<!-- hidden", "-->", "|", "a | b", "---|---", "\n", "\n\n", "\n- ",
        "\n> ", "\n1. ", "\n# ", "\n    indented", "\n```\nfence\n```\n", "\n~~~ info\n", "\n===\n",
        "\n| a | b |\n|---|---|\n| c | d |\n",
        "<div title='words said'>", "How?", "Here is how:", "{{ x }}", "--8<--",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map(" ".join))
@example(FAULT)
@example("a  \n[x]: <y> 'words'")
def test_nothing_is_shown_that_is_not_read(content: str) -> None:
    """Of any Markdown: each word that a page shows stands in a claim, or in what states nothing."""
    assert words_shown(content) <= words_read(content)
