"""A section as a person would read it: every form of passage as Markdown, each block of which can be cited alone."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.source import Page, Passage
from mkdocs_cited.search.as_markdown import blocks, passage_texts, with_what_belongs
from tests.corpora import extract


def section(html: str) -> tuple[Passage, ...]:
    """The passages of a page with this content."""
    return extract(Page("a.md", "a/", "A"), html)


def written(html: str) -> list[str]:
    """The blocks of a page with this content."""
    return [block.text for block in blocks(section(html))]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            "<p>Set <code>max_age</code> to <strong>one day</strong>. It is <del>two</del> <em>three</em>.</p>",
            ["Set `max_age` to **one day**.", "It is ~~two~~ **three**."],
            id="a block for each sentence, with code, emphasis and struck-out words",
        ),
        pytest.param(
            '<p>See <a href="b/">the <code>b</code> page</a>.</p>',
            ["See [the `b` page](a/b/)."],
            id="links with their addresses",
        ),
        pytest.param(
            "<p>It adds <code>name.</code> in front. It ends in <code>.</code> Then wait.</p>",
            ["It adds `name.` in front.", "It ends in `.`", "Then wait."],
            id="no cut behind a dot of code before a small letter",
        ),
        pytest.param("<p>The <strong><code>x</code></strong> flag.</p>", ["The **`x`** flag."], id="code in emphasis"),
        pytest.param(
            '<p>Run it:</p><div class="language-yaml highlight"><span class="filename">conf.yml</span>'
            "<pre><code>a: 1\n\nb: 2</code></pre></div>",
            ["Run it:", '```yaml title="conf.yml"\na: 1\n\nb: 2\n```'],
            id="code in fences with language and title",
        ),
        pytest.param("<pre><code>```\nx\n```</code></pre>", ["````\n```\nx\n```\n````"], id="code that holds a fence"),
        pytest.param(
            "<table><thead><tr><th>System</th><th>Linux</th><th>macOS</th></tr></thead><tbody>"
            "<tr><td>fuse</td><td>yes</td><td></td></tr><tr><td><code>a|b</code></td><td></td><td>no</td></tr>"
            "</tbody></table>",
            ["| System | Linux | macOS |\n|---|---|---|\n| fuse | yes |  |", "| `a\\|b` |  | no |"],
            id="a table's header once, and each cell under its head",
        ),
        pytest.param(
            '<div class="admonition warning"><p class="admonition-title">Root only</p><p>Ask. Wait.</p></div>',
            ["[warning: Root only]\nAsk.", "Wait."],
            id="an admonition with its kind and title",
        ),
        pytest.param(
            '<p>Use pip or pdm.</p><div class="tabbed-set"><div class="tabbed-labels"><label>pip</label>'
            '<label>pdm</label></div><div class="tabbed-content"><div class="tabbed-block">'
            '<p><a href="https://a.example">Read on</a></p>'
            '</div><div class="tabbed-block"><p>Ask.</p></div></div></div>',
            ["Use pip or pdm.", "[pip]\nRead on", "[pdm]\nAsk."],
            id="tabs with their labels, named before or not; a link is no title of what follows",
        ),
        pytest.param(
            '<div class="admonition note"><p class="admonition-title">Note</p><p>Ask.</p></div><p>Go on.</p>',
            ["[note:]\nAsk.", "Go on."],
            id="an admonition of a kind alone",
        ),
        pytest.param(
            '<div class="tabbed-set"><div class="tabbed-labels"><label>macOS</label><label>Linux</label></div>'
            '<div class="tabbed-content"><div class="tabbed-block"><p>Use brew.</p></div>'
            '<div class="tabbed-block"><p>Use apt.</p></div></div></div>',
            ["[macOS]\nUse brew.", "[Linux]\nUse apt."],
            id="tabs with their labels",
        ),
        pytest.param(
            "<p>You need:</p><ul><li>A key<ul><li>not expired</li></ul></li><li>A plan</li></ul>",
            ["You need:", "- A key", "   - not expired", "- A plan"],
            id="a list, nested",
        ),
        pytest.param("<ol><li>Open it</li><li>Close it</li></ol>", ["1. Open it", "2. Close it"], id="steps, counted"),
        pytest.param(
            "<dl><dt>Key</dt><dd>Opens a door. Once.</dd></dl>", ["- **Key** Opens a door. Once."], id="a term once"
        ),
        pytest.param(
            "<p>Call Client.Retry.defaults() first. Edit setup.{js,ts} then.</p>",
            ["Call Client.Retry.defaults() first.", "Edit setup.{js,ts} then."],
            id="no cut within a name",
        ),
        pytest.param(
            "<p>Write <code>Stop. Go</code> there. Then stop.</p>",
            ["Write `Stop. Go` there.", "Then stop."],
            id="no cut within code",
        ),
    ],
)
def test_each_form(html: str, expected: list[str]) -> None:
    """As a person would write it; what stands over a block and was not read yet comes in brackets."""
    assert written(html) == expected


def test_a_block_is_a_run_of_sentences_of_its_passage() -> None:
    """So that a citation of it is a quote of ours."""
    (passage,) = section("<p>Write <code>Stop. Go</code> there. Then wait.</p>")
    first, second = blocks((passage,))
    assert [passage.text[slice(*passage.sentences[n])] for n in range(first.first, first.last + 1)] == [
        "Write Stop.",
        "Go there.",
    ]
    assert second.first == second.last == 2


def test_a_part_of_a_section_keeps_numbers_heads_and_lead_ins() -> None:
    """What is left out above a passage and is needed to read it comes with it."""
    steps = section("<p>To rotate:</p><ol><li>Open it</li><li>Press it</li></ol>")
    assert [block.text for block in blocks(steps[2:])] == ["[To rotate:]\n2. Press it"]
    rows = section("<table><tr><th>A</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table>")
    assert [block.text for block in blocks(rows[1:])] == ["| A |\n|---|\n| 2 |"]
    assert list(passage_texts(rows).values()) == ["A: 1", "A: 2"]


def test_a_passage_comes_with_what_leads_into_it_and_what_it_introduces() -> None:
    """However little of a section is chosen."""
    passages = section("<p>Before.</p><p>Run this:</p><pre><code>x</code></pre><p>After.</p>")
    both = ["Run this:", "x"]
    assert [item.text for item in with_what_belongs(passages[1], passages)] == both
    assert [item.text for item in with_what_belongs(passages[2], passages)] == both
    assert [item.text for item in with_what_belongs(passages[3], passages)] == ["After."]


def test_steps_come_together_unless_they_are_many() -> None:
    """Whoever follows one of them needs the next; items of a list stand for themselves."""
    steps = section("<p>To rotate:</p><ol><li>Open it</li><li>Press it</li><li>Wait</li></ol><p>After.</p>")
    assert [item.text for item in with_what_belongs(steps[2], steps)] == ["To rotate:", "Open it", "Press it", "Wait"]
    items = section("<ul><li>One</li><li>Two</li></ul>")
    assert [item.text for item in with_what_belongs(items[1], items)] == ["Two"]
    many = section(f"<ol>{'<li>Press it, and wait until it is done.</li>' * 60}</ol>")
    assert len(with_what_belongs(many[1], many)) == 1
