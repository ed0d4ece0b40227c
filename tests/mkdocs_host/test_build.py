"""`mkdocs build` with the plugin: question in, cited answer out, a wrong claim stops it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html import unescape

import pytest

from tests.projects import Project

FAQ = """
    ---
    title: FAQ
    answers:
      - question: How do I rotate an API key?
      - id: retries
        question: How often are requests retried?
        text: >
          The client retries a failed request {times} times before it gives up [@guide/install.md#with-pip].
    ---
    # Questions

    Some prose.

    <!-- answer: retries -->
"""


def visible(html: str) -> str:
    """The text of HTML, as far as these tests need it."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_an_answer_stands_in_its_page_with_footnotes(project: Project) -> None:
    """A question becomes a heading, verbatim steps, and numbers that lead to the exact passages."""
    project.page("faq.md", FAQ.format(times=5))
    result = project.build("--strict")
    assert result.code == 0, result.output
    html = project.html("faq/index.html")
    assert re.search(r'<h2 id="how-do-i-rotate-an-api-key">How do I rotate an API key\?', html)
    assert '<a class="cited-ref" href="#fn:cited-' in html
    assert "Choose Rotate key and confirm." in visible(html)
    words = r"To%20rotate%20an%20API%20key%3A&amp;text=Open%20[\w%.&;=-]+the%20client%20with%20%2D%2Dkey\."
    assert re.search(rf'href="\.\./guide/install/#[\w-]+:~:text={words}"', html)
    assert "<!-- answer" not in html
    assert html.index("5 times before it gives up") < html.index("and confirm.")


def test_the_question_is_in_the_table_of_contents_and_the_answer_in_the_search_index(project: Project) -> None:
    """Search plugins and the table of contents see what a reader sees."""
    project.page("faq.md", FAQ.format(times=5))
    project.build()
    assert 'href="#how-do-i-rotate-an-api-key"' in project.html("faq/index.html")
    assert "Choose Rotate key and confirm" in project.html("search/search_index.json")


def test_a_false_figure_fails_the_build(project: Project) -> None:
    """The build names file, line, claim and passage, and ends with 1."""
    project.page("faq.md", FAQ.format(times=3))
    result = project.build()
    assert result.code == 1
    assert "docs/faq.md:7" in result.output or "docs/faq.md:8" in result.output
    assert "altered-number" in result.output
    assert "The client retries a failed request 3 times before it gives up." in result.output
    assert "The client retries a failed request 5 times" in result.output
    assert "docs/guide/install.md:11" in result.output


PLANS = """
    # Limits

    ## Rate limits

    Each API key may send 600 requests per minute. Requests to `/health` don't count.

    | Plan | Requests per minute | Concurrent workers |
    |---|---|---|
    | Community | 600 | 20 |
    | Team | 3,000 | 200 |
    | Enterprise | 12,000 | unlimited |
"""


@pytest.mark.parametrize(
    "claim",
    [
        "On the Team plan, a key may send 3,000 requests per minute",
        "With the Team plan each API key may send up to 3,000 requests per minute",
        "On the Enterprise plan, a key may send 12,000 requests per minute",
        "On the Team plan, a key may send 600 requests per minute",
    ],
)
def test_a_sentence_about_a_table_waits(project: Project, claim: str) -> None:
    """Prose of the same section gives another figure for keys in general: words prove nothing of a named plan."""
    project.page("limits.md", PLANS)
    project.page(
        "faq.md", f"---\nanswers:\n  - question: Rates?\n    text: {claim} [@limits.md#rate-limits].\n---\n# FAQ\n"
    )
    result = project.cited("check")
    assert (result.code, "unconfirmed-claim" in result.output) == (0, True)


@pytest.mark.parametrize("severity", ["error", "warning"])
def test_a_citation_of_nothing_is_one_finding(project: Project, severity: str) -> None:
    """The claim that it stands behind is not called uncited too, unless nothing else would fail for it."""
    project.configure({"severity": {"unknown-source": severity}})
    page = FAQ.format(times=5).replace("#with-pip]", "#with-pipe]. It waits 2 seconds [@guide/install.md#with-pip]")
    project.page("faq.md", page)
    result = project.cited("check")
    assert result.code == 1
    assert result.output.count("  unknown-source") == 1
    assert ("missing-citation" in result.output) is (severity == "warning")


def test_an_uncited_claim_beside_a_citation_of_nothing_is_another_mistake(project: Project) -> None:
    """What is cited nowhere at all is still said."""
    page = FAQ.format(times=5).replace("#with-pip].", "#with-pipe]. It is quick to give up.")
    project.page("faq.md", page)
    output = project.cited("check").output
    assert (output.count("  unknown-source"), output.count("  missing-citation")) == (1, 1)


def test_cited_json_is_written_before_a_failing_build_ends(project: Project) -> None:
    """Machines learn what is wrong too."""
    project.page("faq.md", FAQ.format(times=3))
    assert project.build().code == 1
    assert project.answers()["retries"]["ok"] is False


def test_two_builds_are_byte_identical(project: Project) -> None:
    """Cold or warm, with or without records: the same bytes."""
    project.page("faq.md", FAQ.format(times=5))
    project.build()
    first = project.tree()
    project.build()
    second = project.tree()
    assert {path: _undated(data) for path, data in second.items()} == {
        path: _undated(data) for path, data in first.items()
    }


def _undated(data: bytes) -> bytes:
    """Without what MkDocs itself dates: a comment in one page, the site map, and the time in a gzip header."""
    if data.startswith(b"\x1f\x8b"):
        return b""
    return re.sub(rb"Build Date UTC : .*|<lastmod>.*?</lastmod>", b"", data)


def test_the_docs_do_not_answer_everything(project: Project) -> None:
    """An abstention is a result: the build passes, the page says so, and nothing is recorded."""
    project.page("faq.md", "---\nanswers:\n  - question: How do I bake sourdough bread?\n---\n# FAQ\n")
    result = project.build("--strict")
    assert result.code == 0, result.output
    assert project.answers()["how-do-i-bake-sourdough-bread"]["status"] == "abstained"
    assert not (project.root / "answers").exists()


@pytest.mark.parametrize("command", ["build", "check"])
def test_the_cache_keeps_itself_out_of_git(project: Project, command: str) -> None:
    """Whoever forgets it in their own `.gitignore` does not commit it."""
    project.page("faq.md", FAQ.format(times=5))
    assert (project.build() if command == "build" else project.cited("check")).code == 0
    assert "*" in (project.root / ".cache/plugin/cited/.gitignore").read_text(encoding="utf-8").splitlines()


def test_ask_shows_what_is_nearest_where_the_docs_have_no_answer(project: Project) -> None:
    """So that the asker can look, and the author sees where it would belong."""
    result = project.cited("ask", "Which database does the settings page use?")
    assert result.code == 1
    nearest = result.output.partition("Nearest:\n")[2].partition("\n\n")[0].splitlines()
    assert nearest == ["guide/install.md#keys\tInstall › Keys"]  # once, however many of its passages are near


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
@pytest.mark.parametrize("folders", [True, False], ids=["folders", "files"])
def test_every_theme_and_address_style(project: Project, theme: str, folders: bool) -> None:
    """Links are relative, so that the site works at any address."""
    project.configure(theme={"name": theme, **({"font": False} if theme == "material" else {})},
                      use_directory_urls=folders)  # fmt: skip
    project.page("faq.md", FAQ.format(times=5))
    result = project.build("--strict")
    assert result.code == 0, result.output
    html = project.html("faq/index.html" if folders else "faq.html")
    target = "../guide/install/#" if folders else "guide/install.html#"
    assert f'href="{target}cited-' in html
    assert 'href="/' not in re.sub(r"<(?:head|nav|header|footer).*?</(?:head|nav|header|footer)>", "", html, flags=re.S)


def test_every_page_of_a_site_with_answers_loads_one_style_sheet_in_its_head(project: Project) -> None:
    """So that nothing moves when Material exchanges pages without loading them; only cited blocks get an id."""
    project.page("faq.md", FAQ.format(times=5))
    project.build()
    assert 'id="cited-' in project.html("guide/install/index.html")
    for name in ("index.html", "faq/index.html", "guide/install/index.html"):
        head, _, body = project.html(name).partition("</head>")
        assert head.count("assets/cited/cited.css") == 1
        assert body.count("assets/cited/cited.js") == 1
        assert "cited.css" not in body


def test_a_site_without_answers_loads_nothing(project: Project) -> None:
    project.build()
    assert "assets/cited" not in project.html("index.html")


def test_switched_off_it_does_nothing(project: Project) -> None:
    """`enabled: false` leaves markers as comments and writes nothing."""
    project.configure({"enabled": False})
    project.page("faq.md", FAQ.format(times=3))
    assert project.build("--strict").code == 0
    assert not (project.root / "site" / "cited.json").exists()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"cite_treshold": 0.4}, "did you mean `cite_threshold`?"),
        ({"cite_threshold": "high"}, "cite_threshold"),
        ({"severity": {"altered-numbr": "off"}}, "did you mean `altered-number`?"),
        ({"provider": "quot"}, "did you mean `quote`?"),
        ({"reviewer": "lexcal"}, "did you mean `lexical`?"),
        ({"reviewer": "gpt"}, "known: `anthropic`, `lexical`"),
        ({"records_dir": "../elsewhere"}, "records_dir"),
        ({"reports": {"sarf": "x"}}, "did you mean `sarif`?"),
        ({"anthropic": {"modle": "x"}}, "did you mean `anthropic.model`?"),
    ],
)
def test_a_wrong_option_is_named_with_the_right_one(project: Project, options: dict[str, object], says: str) -> None:
    """A misspelt option or value ends the build at once, without a traceback."""
    project.configure(options)
    project.page("faq.md", FAQ.format(times=5))
    result = project.build()
    assert result.code == 1
    assert says in result.output
    assert "Traceback" not in result.output


def test_a_baseline_that_cannot_be_read_is_an_error_not_a_traceback(project: Project) -> None:
    """It counts where it is there; the build says what is wrong with it, and what to run."""
    project.write("cited-baseline.yml", "version: 1\n")
    project.page("faq.md", FAQ.format(times=5))
    result = project.build()
    assert result.code == 1
    assert "cited-baseline.yml: this is not a baseline" in result.output
    assert "mkdocs-cited check --write-baseline" in result.output
    assert "Traceback" not in result.output


def test_the_environment_overrides_an_option(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """`MKDOCS_CITED_ENABLED=false` leaves the plugin out of a build."""
    monkeypatch.setenv("MKDOCS_CITED_ENABLED", "false")
    project.page("faq.md", "---\nanswers:\n  - question: How long is a key valid?\n---\n# FAQ\n")
    project.build()
    assert not (project.root / "site/cited.json").exists()


def test_hash_seeds_change_no_published_file(project: Project) -> None:
    """Two builds in processes of their own, each without a cache, publish the same bytes."""
    for number in range(6):
        project.page(
            f"p{number}.md", f"# Part {number}\n\nTo rotate an API key of the client, restart part {number}.\n"
        )
    project.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key of the client?\n---\n# FAQ\n")
    built = set()
    for seed in ("0", "1"):
        shutil.rmtree(project.root / ".cache", ignore_errors=True)
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(project.root / "mkdocs.yml")]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        built.add(project.html("cited.json") + project.html("faq/index.html"))
    assert len(built) == 1
