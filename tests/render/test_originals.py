"""Words that an answer repeats look as they do on their page; its own words, and what is not safe, do not."""

from __future__ import annotations

import re

import pytest
from markdown import Markdown

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.model.source import Page
from mkdocs_cited.render.publish import PageHtml, placeholder, publish
from mkdocs_cited.settings import Render, Settings
from mkdocs_cited.sources.from_html import extract
from tests.dom import Dom
from tests.render.values import answer

INSTALL = Page("guide/install.md", "guide/install/", "Install")
EXTENSIONS = [
    "admonition",
    "attr_list",
    "def_list",
    "tables",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.keys",
    "pymdownx.superfences",
]
TEXT = """
Read the [**guide** for `pip`](../start/#pip "unreviewed") first.
Then press ++ctrl+alt+del++, as [others](https://x.example/) do.

1.  Open the *settings* ![](gear.png){ width=16 } page.

    ![The settings](shot.png)

2.  See [below](#end), <a href="javascript:alert(1)">not this</a>.

!!! warning "Mind your keys"

    Never share a **key**. It is yours.

    - Keep it safe.

```{ .python .annotate }
import this
print(1)
```

| Option | Meaning |
|--------|---------|
| [`size`](../options/#size) | *how much* |

Term
:   Its **[meaning](#end)**.

![Elsewhere](https://x.example/i.png)
"""


def shown(content: str, *words: str, text: str = TEXT, **render: bool) -> Dom:
    """The page with an answer that cites the passages with these words."""
    html = Markdown(extensions=EXTENSIONS).convert(text)
    cited = [next(passage for passage in extract(INSTALL, html) if item in passage.text) for item in words]
    return published(answer(content, *cited), html, **render)


def published(item: Answer, html: str, **render: bool) -> Dom:
    pages = {
        "guide/install/": PageHtml("guide/install.md", "guide/install/", html),
        "faq/": PageHtml("faq.md", "faq/", placeholder(item.key)),
    }
    done = publish([item], pages, Settings(render=Render(**render)))  # type: ignore[arg-type]
    return Dom.parse(done.pages["faq/"].partition('<section class="cited-notes"')[0])


def test_keys_and_emphasis_are_those_of_the_page_and_links_those_of_the_answer() -> None:
    """The space before an element stays outside of it; what an answer does not link, no link is put into."""
    own = "Read the [guide for `pip`](start.md#pip) first.[^1] Then press Ctrl+Alt+Del, as others do.[^1]"
    page = shown(own, "Read the")
    (guide,) = page.all("p > a")
    assert (guide.attr("href"), guide.text) == ("../start.md#pip", "guide for pip")
    assert guide.one("strong").text == "guide"
    assert guide.one("code").text == "pip"
    assert [key.attr("class") for key in page.one("span.keys").all("kbd")] == ["key-control", "key-alt", "key-delete"]
    assert page.one("p").text.startswith("Read the guide for pip first.[1] Then press Ctrl+Alt+Del, as others do.[1]")


def test_images_stand_where_the_page_has_them_and_numbers_stay_at_their_sentence() -> None:
    page = shown("1. Open the settings page.[^1]\n2. See below, not this.[^2]", "Open", "See")
    step, other = page.all(".cited-answer > ol > li")
    icon, picture = step.all("img")
    assert (icon.attr("src"), icon.attr("width")) == ("../guide/install/gear.png", "16")
    assert (picture.attr("src"), picture.attr("alt")) == ("../guide/install/shot.png", "The settings")
    assert re.search(r"settings</em> <img[^>]*> page\.<sup.*</sup><img[^>]*>$", step.inner)
    assert other.all("img, a:not([role])") == []


def test_an_image_that_the_answer_has_gets_the_size_of_the_page() -> None:
    """One with a name is a word of its sentence, which the writer has kept, or has left out."""
    text = "Press ![Gear](gear.png){ width=16 height=20 } and wait."
    (icon,) = shown("Press ![Gear](guide/install/gear.png) and wait.[^1]", "Press", text=text).all("img")
    assert (icon.attr("alt"), icon.attr("width"), icon.attr("height")) == ("Gear", "16", "20")
    assert shown("Press and wait.[^1]", "Press", text=text).all("img") == []


def test_what_an_answer_has_itself_is_not_put_in_again() -> None:
    page = shown(
        "1. Open the settings ![](gear.png) page.[^1] ![The settings](shot.png)\n2. See [below](#x).[^2]", "Open", "See"
    )
    assert [image.attr("src").rpartition("/")[2] for image in page.all("img")] == ["gear.png", "shot.png"]
    assert [link.attr("href") for link in page.all("a:not([role])")] == ["#x"]


def test_what_a_box_holds_stands_in_a_box() -> None:
    page = shown("Never share a key. It is yours.[^1]\n\n- Keep it safe.[^2]\n\nOpen it.[^3]", "Never", "Keep", "Open")
    box = page.one("div.admonition.warning")
    assert box.one(".admonition-title").text == "Mind your keys"
    assert box.one("p > strong").text == "key"
    assert box.one("li").text == "Keep it safe.[1]"
    assert "Open it." not in box.text


def test_code_has_the_colours_of_its_page() -> None:
    page = shown("So:[^1]\n\n```python\nimport this\nprint(1)\n```", "import")
    code = page.one("div.highlight > pre > code")
    assert code.attr("class") == "language-python"
    assert code.text == "import this\nprint(1)"
    assert {"kn", "nn", "nb"} <= {span.attr("class") for span in code.all("span")}


def test_cells_and_definitions_look_as_on_their_page() -> None:
    page = shown("| A | B |\n|---|---|\n| [`size`](x.md) | how much[^1] |\n\nTerm Its meaning.[^2]", "size", "Term")
    assert page.one("td > a > code").text == "size"
    assert page.one("td > em").text == "how much"
    assert page.one("p > strong").text == "meaning"


def test_words_of_its_own_stay_as_they_were_written() -> None:
    """So do an element that would cut code or a link in two, and a paragraph that is not all from the box."""
    own = "Read a guide.[^1] [Read the guide for `pip` first](https://y.example/).[^1]\n\nNever share it, they say.[^2]"
    page = shown(own, "Read the", "Never")
    assert [link.attr("href") for link in page.all("a:not([role])")] == ["https://y.example/"]
    assert page.all(".admonition, img, kbd") == []


def test_the_fact_check_marks_the_same_words() -> None:
    words = "Read the guide for `pip` first.[^1]"
    page = shown(words, "Read the", fact_check=True)
    assert "".join(part.text for part in page.all(".cited-claim")) == "Read the guide for pip first."
    assert page.one("strong .cited-claim").text == "guide"


@pytest.mark.parametrize("text", ["<b>" * 3000 + "Deep words.", "<p>Deep words.<a href='" + "x" * 30_000 + "'>y</a>"])
def test_hostile_pages_break_nothing(text: str) -> None:
    assert "Deep words." in shown("Deep words.[^1]", "Deep", text=text).text
