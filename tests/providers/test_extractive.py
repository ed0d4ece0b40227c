"""The default provider quotes what surely answers, each claim with its number, and otherwise points."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.model.answer import Abstention, Draft
from mkdocs_cited.model.declaration import AnswerFormat, Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.providers.extractive import Extractive
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import select

LIMITS = """
<h1 id="limits">Limits</h1>
<h2 id="requests">Request limits</h2>
<p>The request limit is 600 requests per minute. Above the limit, requests are refused with the code 429.
Logs are kept elsewhere.</p>
<h2 id="keys">Keys</h2>
<p>To rotate a key:</p>
<ol><li>Open the settings.</li><li>Press Rotate.</li></ol>
<div class="highlight language-sh"><pre><code>keys rotate</code></pre></div>
"""
OTHERS = [f"<h1>Page {n}</h1><p>Something about subject {n} and its neighbours.</p>" for n in range(20)]


def write(question: str, *, form: AnswerFormat = AnswerFormat.ANY, pages: tuple[str, ...] = (LIMITS,)) -> object:
    """The outcome for one question over some pages, among twenty that have nothing to do with it."""
    index = Index.open(None)
    index.sync([(Page(f"{n}.md", f"{n}/", f"Page {n}"), html) for n, html in enumerate([*pages, *OTHERS])])
    declaration = Declaration("faq.md", "q", question, Place("docs/faq.md"), format=form)
    settings = Settings()
    return Extractive(settings).write(Request(declaration, select(declaration, index, settings).sources, index))


def plain(outcome: object) -> str:
    """The text of an answer without numbers; empty for an abstention."""
    assert isinstance(outcome, Draft | Abstention)
    return re.sub(r"\[\^\d+\]", "", outcome.content) if isinstance(outcome, Draft) else ""


def test_each_sentence_has_its_number() -> None:
    """The sentences of a section whose heading names what is asked for are claims, and all are cited."""
    draft = write("How many requests are the limit?")
    assert isinstance(draft, Draft)
    claims = split(draft.content, "en")
    assert len(claims) == 3
    assert all(claim.sids == (1,) for claim in claims)
    assert draft.citations[0].quote.startswith("The request limit is 600")
    assert "certainty" in draft.sources[0].reasoning


def test_steps_come_whole_with_what_announces_them() -> None:
    """A question how to do something is answered with all steps, in order, each with its number."""
    text = plain(write("How do I rotate a key?", form=AnswerFormat.STEPS))
    assert text.startswith("**Page 0 – Limits – Keys**\n\nTo rotate a key:\n\n1. Open the settings.\n2. Press Rotate.")


STEPS = """
<h1 id="g">Seal a vault</h1><p>To seal a vault:</p>
<ol><li><p>Open the lid.</p><div class="admonition note"><p class="admonition-title">Careful</p>
<p>Only owners can.</p></div></li>
<li><p>Run it:</p><pre><code>vault seal</code></pre><p>It takes a minute.</p></li>
<li><p>Choose a colour:</p><ul><li>red</li><li>green</li></ul></li><li><p>Close it.</p></li></ol>
"""


def test_steps_stay_one_list() -> None:
    """Notes, code and lists within a step are indented under it, and the numbers go on."""
    text = plain(write("How do I seal a vault?", pages=(STEPS,)))
    assert text.endswith(
        """1. Open the lid.

    **Careful**

    Only owners can.

2. Run it:

    ```
    vault seal
    ```

    It takes a minute.

3. Choose a colour:

    - red
    - green

4. Close it."""
    )


def test_what_is_not_in_the_docs_is_not_answered() -> None:
    """Nothing relevant enough: an abstention, never a guess."""
    assert isinstance(write("Who founded the company in Helsinki?"), Abstention)


ALIKE = tuple(f"<h1>{name}</h1><p>Press the key of the {name} to rotate it.</p>" for name in ("lock", "door"))


def test_an_abstention_says_how_near_the_nearest_section_came() -> None:
    """Where two pages speak of the question alike, neither surely answers; what is named is what `find` lists first."""
    outcome = write("How do I press a key to rotate?", pages=ALIKE)
    assert isinstance(outcome, Abstention)
    first = outcome.nearest[0]
    assert f"“{first.passage.section.title}” comes nearest (relevance {first.query_relevance:.2f})" in outcome.reason
    assert re.search(r"its certainty is 0\.\d\d, and 0\.62 is needed", outcome.reason)


WAYS = {
    "What is a vault?": "A vault is a place for keys.",
    "What does rotate mean?": "`rotate`: Gives out a new key.",
    "what does drift mean": "Days since an answer and its page last agreed.",
    "What is a virtual machine monitor?": "Virtual Machine Monitor (VMM) is a program that runs guests.",
    "Can guests use the printer?": "No. They have no rights.",
    "Is a licence needed for testing?": "Only in production.",
    "How do I change the default user?": "```\nboxctl config -u NAME\n```\n\n\n\nThe user must exist.",
    "How do I copy the folder of a bucket?": "**Page 6 – Copies**\n\nBuckets have folders.\n\n"
    "To copy the folder of a bucket:\n\n```\nboxctl cp OLD NEW\n```\n\nIt takes a minute.",
    "Read-only boxes": "They keep what is in them.",
    "eager or lazy loading: what is the difference?": "Eager loading starts at once, lazy loading when it is wanted.",
}
DOCS = (
    "<h1>Getting started</h1><p>Welcome.</p><ul><li>A vault is a place for keys.</li><li>A box is another.</li></ul>",
    "<h1>Vault</h1><p>List every vault, edit a vault and delete a vault with the vault command.</p>",
    "<h1>Glossary</h1><dl><dt><code>rotate</code></dt><dd>Gives out a new key.</dd></dl>"
    "<h2 id='drift'>Drift</h2><p>Days since an answer and its page last agreed.</p>",
    "<h1>About</h1><p>Virtual Machine Monitor (VMM) is a program that runs guests.</p>",
    "<h1>FAQ</h1><h2 id='g'>Can guests use the printer?</h2><p>No. They have no rights.</p>"
    "<h2 id='o'>Others</h2><p><strong>Is a licence needed for testing?</strong></p><p>Only in production.</p>"
    "<p><strong>And for fun?</strong></p><p>Ask us.</p>",
    "<h1 id='c'>Tool</h1><h2 id='user'>Change the default user</h2><pre><code>boxctl config -u NAME</code></pre>"
    "<p>The user must exist.</p>",
    "<h1>Copies</h1><p>Buckets have folders.</p><p>To copy the folder of a bucket:</p>"
    "<pre><code>boxctl cp OLD NEW</code></pre><p>It takes a minute.</p>",
    "<h1>Boxes</h1><h2 id='r'><code>Read-only</code> boxes</h2><p>They keep what is in them.</p>",
    "<h1>Loading</h1><h2 id='e'>The difference between eager and lazy loading</h2>"
    "<p>Eager loading starts at once, lazy loading when it is wanted.</p>",
)


@pytest.mark.parametrize(("question", "expected"), WAYS.items())
def test_ways_to_be_sure(question: str, expected: str) -> None:
    """A definition, an entry, the docs' own question, or a short section that is ahead of every other page."""
    assert plain(write(question, pages=DOCS)) == expected


UNSURE = {
    "How do I open and seal a box in winter?": ("<h1>Boxes</h1><p>A box has a lid.</p>",),
    "How do I press a key to rotate?": ALIKE,
    "How do I repair a box?": ("<h1>Repair a box</h1><p>To repair a box, do what this says:</p>",),
    "How do I mend a box?": ('<h1>Mend a box</h1><p>To mend a box, see <a href="/glue/">the guide on glue</a>.</p>',),
    "How do I disable locks of a box?": ("<h1>Locks</h1><p>Locks of a box: tick the field to enable them.</p>",),
    "How do I pause a parcel?": ("<h1>Boxes</h1><p>To pause a box, push its lid.</p>",),
    "How often is a box emptied?": ("<h1>Boxes</h1><p>A box is emptied often, by hand.</p>",),
    "How do I paint a box?": (f"<h1>Paint a box</h1><p>To paint a box, {'brush and ' * 200}wait.</p>",),
}


@pytest.mark.parametrize(("question", "pages"), UNSURE.items())
def test_what_is_not_sure_is_not_quoted(question: str, pages: tuple[str, ...]) -> None:
    """What says little of the question, what another page says as well, half a thought, a referral, what is long."""
    assert isinstance(write(question, pages=pages), Abstention)


@pytest.mark.parametrize(
    "behind", ["This is no longer the case since version 2.", "However, it only does so on Linux."]
)
def test_what_takes_a_statement_back_comes_along(behind: str) -> None:
    """Whether in its paragraph or the next; where there is no room for it, nothing is quoted."""
    page = "<h1>Agents</h1><p>An agent is a program that restarts itself.{0}</p><p>Agents have names.</p>"
    for joint in (" ", "</p><p>"):
        text = plain(write("What is an agent?", pages=(page.format(joint + behind),)))
        assert behind in text
        assert "names" not in text
    long = f"An agent is a program that restarts itself{' and others' * 100}."
    outcome = write("What is an agent?", pages=(f"<h1>Agents</h1><p>{long}</p><p>{behind}</p>",))
    assert isinstance(outcome, Abstention)


def test_what_ends_in_a_colon_comes_with_what_it_introduces() -> None:
    """Or not at all."""
    page = "<h1>Hasher</h1><p>Hasher is an overlay that handles checksums. It does this:</p><ul>{0}</ul>"
    text = plain(write("What is hasher?", pages=(page.format("<li>It adds some.</li><li>It caches others.</li>"),)))
    assert text.endswith("It does this:\n\n- It adds some.\n- It caches others.")
    many = "".join(f"<li>It does a thing of number {number}.</li>" for number in range(60))
    assert isinstance(write("What is hasher?", pages=(page.format(many),)), Abstention)


def test_a_long_section_is_not_cut() -> None:
    """Neither its steps nor its sentences: it is pointed to."""
    step = "<li>Open the box of part {0} and check that the lamp of the box is green and that it stays green.</li>"
    for count, there in ((5, True), (40, False)):
        steps = "".join(step.format(number) for number in range(count))
        page = f"<h1 id='b'>Repair a box</h1><p>To repair a box:</p><ol>{steps}</ol>"
        outcome = write("How do I repair a box?", pages=(page,))
        assert isinstance(outcome, Draft) is there


def test_an_answer_in_another_shape_than_is_wanted_says_so() -> None:
    page = (
        '<h1 id="codes">Exit codes</h1><h2>The exit codes</h2><p>0 is for nothing, 1 for findings.</p>'
        "<h2>All exit codes</h2><table><thead><tr><th>code</th><th>meaning</th></tr></thead>"
        "<tbody><tr><td>0</td><td>nothing found</td></tr><tr><td>1</td><td>findings</td></tr></tbody></table>"
    )
    draft = write("Which exit codes are there?", form=AnswerFormat.TABLE, pages=(page,))
    assert plain(draft).startswith("| code | meaning |")
    draft = write("How many requests are the limit?", form=AnswerFormat.TABLE)
    assert isinstance(draft, Draft)
    assert [finding.slug for finding in draft.findings] == ["partly-answered"]


def test_code_in_the_cells_of_a_table_stays_code() -> None:
    """Also where a bar stands in it, and beside characters that Markdown gives a meaning."""
    table = (
        '<h1 id="rules">Ignore rules</h1><table><thead><tr><th>rule</th><th>meaning</th></tr></thead><tbody>'
        "<tr><td><code>*.db</code></td><td>every *database*</td></tr>"
        "<tr><td><code>a|b</code></td><td>either of <code>a</code> and <code>b</code></td></tr></tbody></table>"
    )
    draft = write("Which ignore rules are there?", form=AnswerFormat.TABLE, pages=(table,))
    assert isinstance(draft, Draft)
    assert r"| `*.db` | every \*database\*[^1] |" in draft.content
    assert r"| `a\|b` | either of `a` and `b`[^2] |" in draft.content


def test_prose_is_escaped_where_markdown_needs_it_only() -> None:
    """A subscript and a bar stay as they are; what could become a link or emphasis does not."""
    page = (
        '<h1 id="args">Launcher argument</h1><p>The first argument of the launcher is args[0], written as a|b, '
        "and [link](to) and *stars* mean nothing.</p>"
    )
    draft = write("Which argument has the launcher?", pages=(page,))
    assert isinstance(draft, Draft)
    assert r"args[0], written as a|b, and \[link\](to) and \*stars\* mean" in draft.content


MARKED = """
<h1 id="keys">Rotate a key</h1>
<p>To rotate a key, open <a href="../2/#settings">the settings</a>, press <img src="../img/gear.png" alt="Gear">
and wait for <a href="https://example.org/a_(b)">the <code>ready</code> sign</a>.</p>
<div class="highlight"><span class="filename">keys.yml</span><pre><code class="language-yaml">key: old
<span class="hll">rotate: true
</span>days: 90</code></pre></div>
"""


def test_links_images_titles_and_highlighted_lines_survive() -> None:
    """A quoted block keeps what its page shows: links lead on as the asking page's author would write them."""
    draft = write("How do I rotate a key?", pages=(OTHERS[0], MARKED))
    assert isinstance(draft, Draft)
    text = re.sub(r"\[\^\d+\]", "", draft.content)
    assert "open [the settings](2.md#settings), press ![Gear](img/gear.png) and" in text
    assert "[the `ready` sign](https://example.org/a_%28b%29)." in text
    assert '```yaml title="keys.yml" hl_lines="2"\nkey: old\nrotate: true\ndays: 90\n```' in text
    assert next(iter(split(draft.content))).text.startswith("To rotate a key, open the settings, press")


def test_a_link_to_a_heading_of_the_asking_page_is_an_anchor() -> None:
    """And no address that a browser should not follow becomes a link."""
    page = (
        '<h1>Quotas</h1><p>A quota is a <a href="javascript:go()">limit</a> for a <a href="../faq/#team">team</a>.</p>'
    )
    asking = (Page("faq.md", "faq/", "FAQ"), "<h1>FAQ</h1>")
    index = Index.open(None)
    index.sync(
        [asking, (Page("q.md", "q/", "Quotas"), page), *((Page(f"{n}.md", f"{n}/", ""), OTHERS[n]) for n in range(9))]
    )
    declaration = Declaration("faq.md", "q", "What is a quota?", Place("docs/faq.md"))
    draft = Extractive(Settings()).write(Request(declaration, select(declaration, index, Settings()).sources, index))
    assert isinstance(draft, Draft)
    assert draft.content == "A quota is a limit for a [team](#team).[^1]"


def test_what_stands_in_a_box_keeps_the_title_of_the_box() -> None:
    """It says for whom it holds; a title that only names the kind of box says nothing."""
    box = '<div class="admonition {0}"><p class="admonition-title">{1}</p><p>Keys are rotated every 30 days.</p></div>'
    for kind, title, expected in (
        ("note", "On Windows", "**On Windows**"),
        ("note", "Note", "Keys"),
        ("tip", "Tip", "Keys"),
    ):
        draft = write("How often are keys rotated?", pages=(f"<h1>Rotated keys</h1>{box.format(kind, title)}",))
        assert plain(draft).startswith(expected)


def test_what_leads_into_a_quoted_list_takes_nothing_back(tmp_path: Path) -> None:
    """The page has the same words over the list, wherever a sentence or code puts capitals and underscores."""
    page = """<h1 id="h">Hasher</h1><p>Hasher is a backend that has the key <code>my_sums</code>.
    It's main functions in <code>my_sums</code> include:</p><ul><li>Emulate hashes</li><li>Cache sums</li></ul>"""
    index = Index.open(None)
    index.sync([(Page(f"{n}.md", f"{n}/", f"Page {n}"), html) for n, html in enumerate([page, *OTHERS])])
    run = Run("always", writes=False, calls_models=False)
    pipeline = Pipeline(Settings(), index, Store(tmp_path, "answers"), run)
    (answer,) = pipeline.resolve_all([Declaration("faq.md", "q", "What is Hasher?", Place("docs/faq.md"))])
    assert "- Emulate hashes" in answer.content, answer.reason
