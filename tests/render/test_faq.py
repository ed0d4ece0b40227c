"""Many questions on a page: answers that fold."""

from __future__ import annotations

from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.model.source import SitePage
from mkdocs_cited.render import publish
from tests.dom import Dom
from tests.render.values import answer, faq, passage, site

INSTALL = SitePage("guide/install.md", "guide/install/", '<h2 id="pip">With pip</h2>\n<p>It retries 5 times.</p>')
ITEM = answer("Five.[^1]", passage("It retries 5 times."), question="How `often`?")
HEADING = '<h2 id="q">How often?<a class="headerlink" href="#q" title="Permanent link">¶</a></h2>\n'


def test_an_answer_folds_under_its_heading() -> None:
    """Within what folds there is no link."""
    page = faq(ITEM.key, html=f"<h1>FAQ</h1>\n<p>Hi.</p>\n{HEADING}")
    for collapse in (True, False):
        out = publish([ITEM], site(INSTALL, page), Settings(render=Render(collapse=collapse)))
        shown = Dom.parse(out.pages["faq/"])
        if not collapse:
            assert shown.all(".cited-fold") == []
            continue
        fold = shown.one("details.cited-fold:not([open])")
        assert fold.one("summary > h2#q").text == "How often?"
        assert fold.all("summary a") == []
        assert "Five." in fold.one(".cited-answer").text
