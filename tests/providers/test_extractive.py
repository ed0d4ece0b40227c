"""The default provider answers with the docs' own words, each claim with its number, and nothing twice."""

from __future__ import annotations

import re

from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.model.answer import Abstention, Draft
from mkdocs_cited.model.declaration import AnswerFormat, Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page
from mkdocs_cited.providers.extractive import Extractive
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select_passages import select
from mkdocs_cited.settings import Settings

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
SIBLING = '<h1 id="{0}">{0}</h1><p>After you have created the bucket, connect to it with the command {0}.</p>'
OTHERS = [f"<h1>Page {n}</h1><p>Something about subject {n} and its neighbours.</p>" for n in range(20)]


def write(question: str, *, form: AnswerFormat = AnswerFormat.ANY, pages: tuple[str, ...] = (LIMITS,)) -> object:
    """The outcome for one question over some pages, among twenty that have nothing to do with it."""
    index = Index.open(None)
    index.sync([(Page(f"{n}.md", f"{n}/", f"Page {n}"), html) for n, html in enumerate([*pages, *OTHERS])])
    declaration = Declaration("faq.md", "q", question, Place("docs/faq.md"), format=form)
    settings = Settings()
    return Extractive(settings).write(Request(declaration, select(declaration, index, settings).sources, index))


def test_each_sentence_has_its_number() -> None:
    """Two sentences of one passage are two claims, and both are cited."""
    draft = write("What are the request limits?")
    assert isinstance(draft, Draft)
    claims = split(draft.content, "en")
    assert len(claims) == 2
    assert all(claim.sids == (1,) for claim in claims)
    assert "Logs are kept" not in draft.content, "it speaks of nothing that is asked"
    assert draft.citations[0].quote.startswith("The request limit is 600")


def test_steps_come_whole_with_what_announces_them() -> None:
    """A question how to do something is answered with all steps, in order, each with its number."""
    draft = write("How do I rotate a key?", form=AnswerFormat.STEPS)
    assert isinstance(draft, Draft)
    assert re.sub(r"\[\^\d\]", "", draft.content).startswith(
        "To rotate a key:\n\n1. Open the settings.\n2. Press Rotate."
    )


def test_what_sibling_pages_say_alike_is_said_once() -> None:
    """Pages that differ in a name give one sentence, not three."""
    pages = tuple(SIBLING.format(name) for name in ("gdrive", "sftp", "rclone"))
    draft = write("How do I connect to a bucket?", pages=pages)
    assert isinstance(draft, Draft)
    assert draft.content.count("connect to it") == 1


def test_what_is_not_in_the_docs_is_not_answered() -> None:
    """Nothing relevant enough: an abstention, never a guess."""
    assert isinstance(write("Who founded the company in Helsinki?"), Abstention)


def test_of_good_sections_the_one_in_the_wanted_shape_speaks_first() -> None:
    """A declared format decides between sections that are about as relevant."""
    prose = (
        '<h1 id="fail">Failing</h1><p>The exit code 1 has the meaning that a build failed. '
        "Other exit codes have another meaning.</p>"
    )
    table = (
        '<h1 id="codes">Exit codes</h1><table><thead><tr><th>code</th><th>meaning</th></tr></thead>'
        "<tbody><tr><td>0</td><td>nothing found</td></tr><tr><td>1</td><td>findings</td></tr></tbody></table>"
    )
    draft = write("What is the meaning of the exit codes?", form=AnswerFormat.TABLE, pages=(prose, table))
    assert isinstance(draft, Draft)
    assert draft.content.startswith("| code | meaning |")


def test_code_in_the_cells_of_a_table_stays_code() -> None:
    """Also where a bar stands in it, and beside characters that Markdown gives a meaning."""
    table = (
        '<h1 id="rules">Ignore rules</h1><table><thead><tr><th>rule</th><th>meaning</th></tr></thead><tbody>'
        "<tr><td><code>*.db</code></td><td>every *database*</td></tr>"
        "<tr><td><code>a|b</code></td><td>either of <code>a</code> and <code>b</code></td></tr></tbody></table>"
    )
    draft = write("What are the ignore rules?", form=AnswerFormat.TABLE, pages=(table,))
    assert isinstance(draft, Draft)
    assert r"| `*.db` | every \*database\*[^1] |" in draft.content
    assert r"| `a\|b` | either of `a` and `b`[^2] |" in draft.content


def test_what_stands_nowhere_else_comes_with_its_heading() -> None:
    """An endpoint that only its heading names is named; a bare code block has its heading over it."""
    page = (
        '<h1 id="status">Status API</h1><h2 id="ready">GET /status/ready</h2>'
        "<p>Returns ok when all workers have loaded the configuration.</p>"
    )
    draft = write("Which endpoint tells that all workers have loaded the configuration?", pages=(page,))
    assert isinstance(draft, Draft)
    assert draft.content.startswith("**GET /status/ready**\n\nReturns ok")


def test_a_message_is_answered_by_what_stands_behind_it() -> None:
    """The message with its number, then what explains it."""
    page = (
        '<h1 id="faq">Troubles</h1><pre><code>FATAL: 1 sessions are active, disconnect them first</code></pre>'
        "<p>The volume is still mounted somewhere. Make sure that every mount point is gone.</p>"
    )
    draft = write('destroy says "1 sessions are active, disconnect them first". What now?', pages=(page,))
    assert isinstance(draft, Draft)
    assert draft.content.startswith("```\nFATAL: 1 sessions are active, disconnect them first\n```\n\n[^1]\n\n")
    assert "Make sure that every mount point is gone." in draft.content
    assert all(claim.sids for claim in split(draft.content, "en"))


def test_of_a_long_table_the_rows_that_matter_stand_under_their_header() -> None:
    rows = "".join(f"<tr><td>--option-{n}</td><td>{n}</td><td>the number of things {n}</td></tr>" for n in range(30))
    page = (
        '<h1 id="options">Options</h1><table><thead><tr><th>option</th><th>default</th><th>meaning</th></tr></thead>'
        f"<tbody>{rows}<tr><td>--retries</td><td>5</td><td>how often a request is retried</td></tr></tbody></table>"
    )
    draft = write("How often is a request retried by default?", pages=(page,))
    assert isinstance(draft, Draft)
    assert draft.content.splitlines()[0] == "| option | default | meaning |"
    assert r"| \--retries | 5 | how often a request is retried[^1] |" in draft.content
    assert len(draft.content.splitlines()) <= 5


def test_a_comparison_may_join_two_sections() -> None:
    """What is asked for are two things, so two stretches stand together."""
    page = (
        '<h1 id="purge">purge</h1><p>The purge command removes a directory and all that is in it.</p>'
        '<h1 id="prune">prune</h1><p>The prune command removes old snapshots and keeps the directory.</p>'
    )
    draft = write("What is the difference between purge and prune?", pages=(page,))
    assert isinstance(draft, Draft)
    assert "all that is in it" in draft.content
    assert "old snapshots" in draft.content


def test_a_shape_that_the_docs_do_not_have_is_a_finding() -> None:
    draft = write("What are the request limits?", form=AnswerFormat.TABLE)
    assert isinstance(draft, Draft)
    assert [finding.slug for finding in draft.findings] == ["partly-answered"]


def test_prose_is_escaped_where_markdown_needs_it_only() -> None:
    """A subscript and a bar stay as they are; what could become a link or emphasis does not."""
    page = (
        '<h1 id="args">Arguments</h1><p>The first argument of the launcher is args[0], written as a|b, '
        "and [link](to) and *stars* mean nothing.</p>"
    )
    draft = write("What is the first argument of the launcher?", pages=(page,))
    assert isinstance(draft, Draft)
    assert r"args[0], written as a|b, and \[link\](to) and \*stars\* mean" in draft.content


def test_what_answers_a_question_of_the_docs_and_what_limits_a_statement_come_along() -> None:
    """Neither speaks of the question's words."""
    page = (
        '<h1 id="undo">Undo history</h1><p>Can we drop in a library for the undo history? Sure, meet Redo It.</p>'
        '<h1 id="env">Runner variables</h1><p>Variables are passed to the external runner.</p>'
        "<p>However, nginx hides all of them.</p>"
    )
    draft = write("Which library can I drop in for the undo history?", pages=(page,))
    assert isinstance(draft, Draft)
    assert "meet Redo It" in draft.content
    draft = write("Are variables passed to the external runner?", pages=(page,))
    assert isinstance(draft, Draft)
    assert "However, nginx" in draft.content


ASIDES = """
<h1 id="quotas">Quotas</h1>
<p>Quota basics</p>
<p>In this guide we look at quotas. A quota limits the storage of a team. For more information, see the handbook.
A quota of a team is set by its owner:</p>
<h2>Next</h2><p>Text.</p>
"""


def test_sentences_that_say_nothing_here_are_left_out() -> None:
    """What points elsewhere, speaks of its page, names what follows or leads on to nothing."""
    draft = write("What is the quota of a team?", pages=(ASIDES,))
    assert isinstance(draft, Draft)
    assert re.sub(r"\[\^\d\]", "", draft.content) == "A quota limits the storage of a team."


MARKED = """
<h1 id="keys">Rotating a key</h1>
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
    text = re.sub(r"\[\^\d\]", "", draft.content)
    assert "open [the settings](2.md#settings), press ![Gear](img/gear.png) and" in text
    assert "[the `ready` sign](https://example.org/a_%28b%29)." in text
    assert '```yaml title="keys.yml" hl_lines="2"\nkey: old\nrotate: true\ndays: 90\n```' in text
    assert next(iter(split(draft.content))).text.startswith("To rotate a key, open the settings, press")


def test_a_link_to_a_heading_of_the_asking_page_is_an_anchor() -> None:
    """And no address that a browser should not follow becomes a link."""
    page = '<h1>Quotas</h1><p>A quota is <a href="javascript:go()">set</a> for a <a href="../faq/#team">team</a>.</p>'
    asking = (Page("faq.md", "faq/", "FAQ"), "<h1>FAQ</h1>")
    index = Index.open(None)
    index.sync(
        [asking, (Page("q.md", "q/", "Quotas"), page), *((Page(f"{n}.md", f"{n}/", ""), OTHERS[n]) for n in range(9))]
    )
    declaration = Declaration("faq.md", "q", "What is a quota?", Place("docs/faq.md"))
    draft = Extractive(Settings()).write(Request(declaration, select(declaration, index, Settings()).sources, index))
    assert isinstance(draft, Draft)
    assert draft.content == "A quota is set for a [team](#team).[^1]"


def test_the_term_of_a_definition_stands_out() -> None:
    """As code where the page shows it as code, in bold otherwise."""
    terms = "<dt><code>rotate</code></dt><dd>Gives out a new key.</dd><dt>Vault</dt><dd>Holds keys.</dd>"
    page = f"<h1>Glossary</h1><dl>{terms}</dl>"
    for question, expected in (
        ("What does rotate mean?", "`rotate`: Gives out a new key.[^1]"),
        ("What is a vault?", "**Vault**: Holds keys.[^1]"),
    ):
        draft = write(question, pages=(page,))
        assert isinstance(draft, Draft)
        assert draft.content == expected


def test_what_stands_in_a_box_keeps_the_title_of_the_box() -> None:
    """It says for whom it holds; a title that only names the kind of box says nothing."""
    box = '<div class="admonition {0}"><p class="admonition-title">{1}</p><p>Keys are rotated every 30 days.</p></div>'
    for kind, title, expected in (
        ("note", "On Windows", "**On Windows**"),
        ("note", "Note", "Keys"),
        ("tip", "Tip", "Keys"),
    ):
        draft = write("How often are keys rotated?", pages=(f"<h1>Keys</h1>{box.format(kind, title)}",))
        assert isinstance(draft, Draft)
        assert draft.content.startswith(expected)


def test_what_defines_a_thing_beats_pages_full_of_its_name() -> None:
    """Wherever it stands; a short form in brackets belongs to the name."""
    full = "<h1>Policies</h1><p>List policies, edit policies and delete policies with the policy command.</p>"
    intro = "<h1>Getting started</h1><p>Welcome.</p><ul><li>A policy is a set of rules on backups.</li></ul>"
    draft = write("What is a policy?", pages=(full, full.replace("Policies", "Policy"), intro))
    assert isinstance(draft, Draft)
    assert "A policy is a set of rules on backups." in draft.content
    about = "<h1>About</h1><p>Virtual Machine Monitor (VMM) is a program that runs guests.</p>"
    draft = write("What is a virtual machine monitor?", pages=(about,))
    assert isinstance(draft, Draft)
    assert draft.content.startswith("Virtual Machine Monitor")


def test_an_entry_of_a_glossary_says_what_its_name_means() -> None:
    """In whatever words."""
    glossary = "<h1>Glossary</h1><h2 id='drift'>Drift</h2><p>Days since an answer and its page last agreed.</p>"
    usage = "<h1>Reports</h1><p>Drift is shown in reports. A report without drift is green.</p>"
    draft = write("what does drift mean", pages=(usage, glossary))
    assert isinstance(draft, Draft)
    assert draft.content == "Days since an answer and its page last agreed.[^1]"


def test_what_is_compared_is_set_apart() -> None:
    """By one passage, or by a passage on each of the two; an answer that only speaks of both is none."""
    tasks = (
        "<h1>Maintenance</h1><h2 id='schedule'>Schedule</h2><p>Quick and full maintenance run every night.</p>"
        "<h2 id='tasks'>Tasks</h2>"
        "<p>There are two kinds of tasks:</p><ul><li>Quick maintenance tasks keep indexes small.</li>"
        "<li>Full maintenance tasks delete what nothing needs any more.</li></ul>"
    )
    draft = write("What is the difference between quick and full maintenance?", pages=(tasks,))
    assert isinstance(draft, Draft)
    assert "keep indexes small" in draft.content
    assert "delete what nothing needs" in draft.content
    unlike = "<h1>prune</h1><p>Empty folders are kept. Unlike purge, prune asks first.</p>"
    purge = "<h1>purge</h1><p>The purge of a bucket and the prune of a bucket are logged.</p>"
    draft = write("prune vs purge?", pages=(purge, unlike))
    assert isinstance(draft, Draft)
    assert re.sub(r"\[\^\d\]", "", draft.content) == "Empty folders are kept. Unlike purge, prune asks first."
    outcome = write("prune vs purge?", pages=(purge,))
    assert isinstance(outcome, Abstention)
    assert "sets apart" in outcome.reason


def test_where_the_best_stretch_does_not_stand_alone_the_next_is_tried() -> None:
    start = "<h1>Bucket copies</h1><p>Then you can copy the folder of a bucket with the copy command.</p>"
    other = "<h1>Copies</h1><p>To copy the folder of a bucket, run the copy command with both names.</p>"
    draft = write("How do I copy the folder of a bucket?", pages=(start, other))
    assert isinstance(draft, Draft)
    assert draft.content.startswith("To copy the folder")


def test_how_to_do_something_is_answered_by_what_to_do() -> None:
    """Prose brings the steps or code behind it; what only tells of a thing is no answer."""
    clone = (
        "<h1 id='clone'>Clone folders</h1><p>The clone of a folder holds no bytes, so that a clone is quick.</p>"
        "<p>Nothing else is counted.</p><pre><code>store clone OLD NEW</code></pre>"
    )
    draft = write("How do I clone a folder?", pages=(clone,))
    assert isinstance(draft, Draft)
    assert "store clone OLD NEW" in draft.content
    told = "<h1>Clone of a folder</h1><p>A clone of a folder was a wish of many readers for years.</p>"
    outcome = write("How do I clone a folder?", pages=(told,))
    assert isinstance(outcome, Abstention)
    assert outcome.reason == "nothing says what to do"


def test_a_sentence_that_says_more_of_the_same_thing_stays() -> None:
    page = "<h1>Tools</h1><p>Since May, there is storectl beside store. Its goal is to build and run boxes.</p>"
    draft = write("what is storectl?", pages=(page,))
    assert isinstance(draft, Draft)
    assert "build and run boxes" in draft.content


def test_a_short_section_that_is_titled_by_the_task_comes_whole() -> None:
    """The command at its beginning too, which shares no word with the question."""
    user = (
        "<h1 id='c'>Tool</h1><h2 id='user'>Change the default user</h2><pre><code>boxctl config -u NAME</code></pre>"
        "<p>The user must exist.</p><p>Imported boxes read their default user from another file.</p>"
    )
    draft = write("How do I change the default user?", pages=(user,))
    assert isinstance(draft, Draft)
    assert "boxctl config -u NAME" in draft.content
    assert "must exist" in draft.content


def test_steps_are_never_cut_off() -> None:
    """As many as fit in twice the usual length come whole; of more, an abstention leads to them."""
    step = "<li>Open the box of part {0} and check that the lamp of the box is green and that it stays green.</li>"
    for count, there in ((9, True), (40, False)):
        steps = "".join(step.format(number) for number in range(count))
        page = f"<h1 id='b'>Repair</h1><p>To repair a box with a lamp:</p><ol>{steps}</ol>"
        outcome = write("How do I repair a box with a lamp?", pages=(page,))
        assert isinstance(outcome, Draft) is there
        if isinstance(outcome, Draft):
            assert f"part {count - 1}" in outcome.content


def test_a_verb_of_two_words_is_one() -> None:
    """`back` of “back up” is not the one of “bring it back”."""
    backup = "<h1 id='e'>Export</h1><p>To keep a backup of a box, run boxctl export with the box as a name.</p>"
    back = "<h1 id='r'>Repair</h1><p>To repair a box and bring it back to life, run boxctl repair on the box.</p>"
    draft = write("How do I back up a box?", pages=(back, backup))
    assert isinstance(draft, Draft)
    assert "boxctl export" in draft.content


def test_neither_the_middle_of_a_thought_nor_a_mere_mention_is_an_answer() -> None:
    """A yes/no question wants a sentence that says yes or no to it."""
    midway = "<h1>Copies</h1><p>Then you can freely copy the folder of a bucket with the copy command.</p>"
    outcome = write("How do I copy the folder of a bucket?", pages=(midway,))
    assert isinstance(outcome, Abstention)
    assert "middle of a thought" in outcome.reason
    mention = "<h1>Exports</h1><p>Exports of a bucket run at night. Whoever has the key reads the export.</p>"
    assert isinstance(write("Can I encrypt the export of a bucket with my own key?", pages=(mention,)), Abstention)
