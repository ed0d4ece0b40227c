"""Code that an answer copies is cited by itself: the model is asked for the rest only."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.source import Passage, PassageKind
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.settings import parse
from tests.providers.site import RATE, Site, passage, request
from tests.servers.messages import MessagesServer
from tests.servers.script import Quote, Turn, say

CODE = passage(
    "limits:\n  rate: 60\n  burst: 10", kind=PassageKind.CODE, page="guide/options.md", heading="Set a limit"
)
INLINE = replace(passage("Or run apictl reset now.", page="guide/reset.md"), code_spans=((7, 19),))


def written(api: MessagesServer, turn: Turn, *sources: Passage) -> tuple[str, list[str]]:
    """The text of an answer, and the quotes that it cites."""
    api.answer_with([turn])
    outcome = Anthropic(parse({}, {})).write(request(*sources, site=Site(sources)))
    assert isinstance(outcome, Draft), outcome
    return outcome.content, [item.quote for item in outcome.citations]


@pytest.mark.parametrize(
    "code", ["limits:\n  rate: 60\n  burst: 10", "rate: 60\nburst: 10", "  rate: 60"], ids=["all", "lines", "a line"]
)
def test_it_is_cited_behind_what_leads_into_it(api: MessagesServer, code: str) -> None:
    """Whole lines in a row, however they are indented."""
    turn = say(Quote("The limit is 60.", 0), f" Write it:\n\n```yaml\n{code}\n```\n\nThen wait.")
    text, quotes = written(api, turn, RATE, CODE)
    assert text == f"The limit is 60.[^1] Write it:[^2]\n\n```yaml\n{code}\n```\n\nThen wait."
    assert quotes == ["The limit is 60 requests per minute.", CODE.text]


def test_what_the_model_cites_for_its_lead_in_stays(api: MessagesServer) -> None:
    """The lead-in states something of its own."""
    turn = say(Quote("The limit is 60, set as follows:", 0), f"\n\n```yaml\n{CODE.text}\n```")
    text, _ = written(api, turn, RATE, CODE)
    assert text == f"The limit is 60, set as follows:[^1][^2]\n\n```yaml\n{CODE.text}\n```"


def test_a_command_may_be_inline_on_its_page(api: MessagesServer) -> None:
    """It is the same command."""
    text, quotes = written(api, say("Run it:\n\n```\napictl reset\n```"), RATE, INLINE)
    assert text == "Run it:[^1]\n\n```\napictl reset\n```"
    assert quotes == [INLINE.text]


@pytest.mark.parametrize("code", ["rate: 61", "limits:\n  burst: 10", "rate"], ids=["altered", "a line out", "a part"])
def test_altered_code_is_not_cited(api: MessagesServer, code: str) -> None:
    """A line that is changed or left out makes it another one."""
    text, quotes = written(api, say(Quote("Sixty.", 0), f" Write:\n\n```\n{code}\n```"), RATE, CODE)
    assert text == f"Sixty.[^1] Write:\n\n```\n{code}\n```"
    assert len(quotes) == 1
