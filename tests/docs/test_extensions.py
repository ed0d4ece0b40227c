"""The provider and the reviewer that the documentation shows work as shown, found by their entry points."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from mkdocs_cited import providers, review
from mkdocs_cited.model.answer import Abstention, Claim, Draft, Evidence, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import select
from tests.docs.pages import blocks
from tests.installed import install

HTML = '<h1 id="keys">How long a key works</h1><p>A key works for 24 hours. Then it is void.</p>'


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules and entry points of the docs, as an installed package."""
    modules = [block for block in blocks("python") if block.title.endswith(".py")]
    assert [block.title for block in modules] == ["first_sentence.py", "verbatim_only.py"]
    for block in modules:
        (tmp_path / block.title).write_text(block.code, encoding="utf-8")
        monkeypatch.delitem(sys.modules, block.title.removesuffix(".py"), raising=False)
    points: dict[str, dict[str, str]] = {}
    for block in blocks("toml"):
        points |= tomllib.loads(block.code)["project"].get("entry-points", {})
    install(tmp_path, "from-the-docs", points)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.fixture
def index() -> Index:
    corpus = Index.open(None)
    corpus.sync([(Page("keys.md", "keys/", "Keys"), HTML)])
    return corpus


def test_the_provider_answers(index: Index) -> None:
    """Its draft cites the sentence that it printed; without a source it abstains."""
    provider = providers.FAMILY.get("first-sentence")(Settings())
    declaration = Declaration("faq.md", "how", "How long does a key work?", Place("docs/faq.md"))
    sources = select(declaration, index, Settings())
    draft = provider.write(Request(declaration, sources, index))
    assert isinstance(draft, Draft)
    assert (draft.content, draft.citations[0].quote) == ("A key works for 24 hours.[^1]", "A key works for 24 hours.")
    assert isinstance(provider.write(Request(declaration, (), index)), Abstention)


def test_the_reviewer_judges(index: Index) -> None:
    """A claim that stands in its passage is supported; of any other it cannot tell."""
    reviewer = review.FAMILY.get("verbatim-only")(Settings())
    passage = index.section("keys.md", "keys")[0]
    claims = [Claim(text, (1,)) for text in ("A key works for 24 hours.", "A key works for 48 hours.")]
    result = reviewer.review([Case(claim, (Evidence(passage, passage.text),)) for claim in claims], index)
    assert isinstance(result, Review)
    assert [item.verdict for item in result.judgements] == [Verdict.SUPPORTED, Verdict.UNCHECKED]
