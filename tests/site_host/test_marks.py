"""Marks in the pages of a built site: read, checked, and shown as numbers by `publish --site`."""

from __future__ import annotations

import pytest

from tests.projects import Project

PAGE = """\
<!doctype html><html lang="en"><head><title>Cache</title></head><body>{}
<main><h1 id="cache">Cache</h1><p>The TTL is {} seconds [@../values.yaml#cache.ttl].</p>
<pre><code>[@values.yaml#x]</code></pre></main></body></html>
"""


@pytest.fixture
def site(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A site of nobody's generator, beside a file that git tracks."""
    monkeypatch.chdir(project.root)
    (project.root / "mkdocs.yml").unlink()
    project.write("cited.yml", "site_name: Try\n")
    project.write("values.yaml", "cache:\n  ttl: 30s\n")
    project.belongs_to_ann()
    project.git("add", "values.yaml")
    return project


def test_a_mark_is_checked(site: Project) -> None:
    """Though no generator knows it."""
    site.write("site/page.html", PAGE.format("", 99))
    result = site.cited_here("check", "--site", "site")
    assert (result.code, "contradicted-claim" in result.output) == (1, True), result.output


def test_a_mark_becomes_a_number(site: Project) -> None:
    """With its footnote at the end of the content; twice is as once, and all else stays as it is."""
    site.write("site/page.html", PAGE.format("<nav><code>[@values.yaml#x]</code></nav>", 30))
    result = site.cited_here("publish", "--site", "site")
    assert result.code == 0, result.output
    html = site.html("page.html")
    assert "30 seconds<!--cited" in html
    assert html.index('id="fnref:cited-claims-1"') < html.index('id="fn:cited-claims-1"') < html.index("</main>")
    assert "<pre><code>[@values.yaml#x]</code></pre>" in html
    assert "[@values.yaml#x]" in html.partition("</nav>")[0]
    assert "nothing in the site changed" in site.cited_here("publish", "--site", "site").output
    assert site.html("page.html") == html
    assert site.cited_here("check", "--site", "site").code == 0


@pytest.mark.parametrize("mark", ["[@../values.yaml#x]", "<!-- cite: ../values.yaml#x -->"])
def test_a_mark_outside_of_the_content_is_told_once(site: Project, mark: str) -> None:
    """Nobody checks it, and readers may see it: in a header that all pages have, it is the same one."""
    for name in ("one.html", "two.html"):
        site.write(f"site/{name}", PAGE.format(f"<header>The TTL is 30 seconds {mark}.</header>", 30))
    result = site.cited_here("check", "--site", "site")
    assert (result.code, result.output.count("is outside of the main content")) == (1, 1)
    assert "site/one.html:1" in result.output
    site.write("cited.yml", "site_name: Try\nmain: body\n")
    assert "outside" not in site.cited_here("check", "--site", "site").output
