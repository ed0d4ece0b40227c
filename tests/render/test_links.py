"""Links lead to the cited block, and pages change by nothing but the ids that they need."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.render.links import Link, Links, relative
from tests.render.values import in_page, passage

HTML = """<h1>Install</h1>
<h2 id="pip">With pip<a class="headerlink" href="#pip">¶</a></h2>
<p>Run <code>pip install x</code>. It retries 5 times.</p>
<p id="own">It has an id.</p>
<div class="highlight"><pre><span></span><code><span class="k">pip</span> install x
</code></pre></div>
<table><tr><td>retries</td><td>5</td></tr></table>
<h2 id="conda">With conda</h2>
<p>It retries 5 times.</p>
"""


def links(with_ids: bool = True, html: str = HTML) -> Links:
    return Links({"guide/install/": html}.get, with_ids)


@pytest.mark.parametrize(
    ("target", "base", "expected"),
    [
        ("guide/install/", "faq/", "../guide/install/"),
        ("guide/install/", "guide/faq/", "../install/"),
        ("guide/install/", "guide/install/", "#a"),
        ("guide/install/", "", "guide/install/"),
        ("", "guide/install/", "../../"),
        ("./", "faq/", "../"),
        ("guide/install.html", "guide/faq.html", "install.html"),
        ("index.html", "guide/faq.html", "../index.html"),
        ("guide/", "guide/install/", "../"),
        ("https://example.org/a", "faq/", "https://example.org/a"),
    ],
)
def test_addresses_are_relative_to_the_page(target: str, base: str, expected: str) -> None:
    """So they hold under any `site_url`, with and without `use_directory_urls`."""
    assert relative(target, base, "#a") == (expected if expected == "#a" else f"{expected}#a")


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=4), st.lists(st.sampled_from(["a", "b", "c"]), max_size=4))
def test_a_relative_address_resolves_to_its_target(target: list[str], base: list[str]) -> None:
    from urllib.parse import urljoin

    to, here = "".join(f"{part}/" for part in target), "".join(f"{part}/" for part in base)
    assert urljoin(f"https://example.org/docs/{here}", relative(to, here)) == f"https://example.org/docs/{to}"


def test_a_cited_element_gets_an_id_and_no_other_byte_changes() -> None:
    tried = links()
    link = tried(in_page("Run pip install x. It retries 5 times.", HTML), "Run pip install x.")
    assert link.exact
    assert re.fullmatch(r"cited-[a-z2-7]{10}", link.anchor)
    assert link.text == ":~:text=Run%20pip%20install%20x."
    changed = tried.with_ids_in("guide/install/", HTML)
    assert changed == HTML.replace("<p>Run", f'<p id="{link.anchor}">Run')
    assert list(tried.ids) == ["guide/install/"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\tscript:x",
        "data:text/html,x",
        "//evil.example/",
        "\\\\x/",
    ],
)
def test_a_link_that_is_no_address_of_the_site_or_the_web_leads_nowhere(url: str) -> None:
    assert (Link(url).href("faq/"), Link(url).target) == ("", "")


def test_an_id_that_is_there_is_used() -> None:
    tried = links()
    assert tried(in_page("It has an id.", HTML), "It has an id.").anchor == "own"
    assert list(tried.ids) == []


@pytest.mark.parametrize(
    ("text", "opened"),
    [("pip install x", '<div id="{}" class="highlight">'), ("retries 5", '<tr id="{}">')],
)
def test_the_whole_row_or_code_block_gets_the_id(text: str, opened: str) -> None:
    """Material gives `pre` an id of its own at run time, so the frame around it takes ours."""
    tried = links()
    link = tried(in_page(text, HTML), text)
    assert opened.format(link.anchor) in tried.with_ids_in("guide/install/", HTML)


def test_words_that_are_on_the_page_twice_name_their_element_alone() -> None:
    """A browser would go to the first of them; the style sheet marks the element."""
    tried = links()
    link = tried(in_page("It retries 5 times.", HTML, anchor="conda"), "It retries 5 times.")
    assert (link.text, link.anchor[:12]) == ("", "cited-block-")
    assert f'<h2 id="conda">With conda</h2>\n<p id="{link.anchor}">' in tried.with_ids_in("guide/install/", HTML)


def test_without_ids_the_link_leads_to_the_text_or_the_section() -> None:
    tried = links(with_ids=False)
    link = tried(in_page("Run pip install x. It retries 5 times.", HTML), "Run pip install x.")
    assert link.target == "guide/install/#:~:text=Run%20pip%20install%20x."
    link = tried(in_page("It retries 5 times.", HTML, anchor="conda"), "It retries 5 times.")
    assert (link.target, link.exact) == ("guide/install/#conda", False)


def test_what_has_no_element_leads_to_the_section() -> None:
    assert links()(passage("A tooltip's text."), "A tooltip's text.") == Link("guide/install/", "pip", exact=False)


def test_tags_in_values_comments_and_scripts_are_no_elements() -> None:
    """Nothing is put into them, whatever they hold."""
    odd = (
        """<a title='<p>' href=x>a</a><!-- <p> --><script>"<p>"</script><p class = "x<p" >A tenant may hold five.</p>"""
    )
    tried = links(html=odd)
    link = tried(in_page("A tenant may hold five.", odd, anchor=""), "A tenant may hold five.")
    assert tried.with_ids_in("guide/install/", odd) == odd.replace("<p class", f'<p id="{link.anchor}" class')


def test_files_link_into_the_repository_and_notes_to_nothing() -> None:
    file = Page("CHANGELOG.md", "https://example.org/repo/CHANGELOG.md", "Changelog", type=SourceType.FILE)
    note = Page("notes/x.md", "", "Plan", type=SourceType.NOTE)
    assert links()(passage("x y z", page=file), "x y z").href("faq/") == "https://example.org/repo/CHANGELOG.md"
    assert links()(passage("x y z", page=note), "x y z").href("faq/") == ""


@pytest.mark.parametrize(
    ("file", "lines", "expected"),
    [
        ("https://github.com/me/it/blob/main/src/x.py", (3, 5), "#L3-L5"),
        ("https://github.com/me/it/blob/main/src/x.py", (3, 3), "#L3"),
        ("https://github.com/me/it/blob/main/README.md", (3, 5), "?plain=1#L3-L5"),
        ("https://gitlab.com/me/it/-/blob/main/src/x.py", (3, 5), "#L3-5"),
        ("https://codeberg.org/me/it/src/branch/main/src/x.py", (3, 5), "#L3-L5"),
        ("https://bitbucket.org/me/it/src/main/src/x.py", (3, 5), "#lines-3:5"),
        ("https://codeberg.org/me/it/src/branch/main/README.md", (3, 5), "?display=source#L3-L5"),
        ("https://github.com/me/it/blob/main/src/x.py", (0, 0), ""),
        ("", (3, 5), ""),
    ],
)
def test_a_file_is_linked_at_its_lines(file: str, lines: tuple[int, int], expected: str) -> None:
    """As each code host addresses lines, with prose shown as it is written."""
    cited = replace(passage("Fixed.", page=Page("src/x", file, "x", type=SourceType.FILE)), lines=lines)
    link = links()(cited, "Fixed.")
    assert link.target == file + expected
    assert link.exact
