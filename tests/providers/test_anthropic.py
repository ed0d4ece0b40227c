"""The provider `anthropic`, through the real SDK, against a server that keeps the API's rules."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mkdocs_cited.model.answer import Abstention, Draft, Fault
from mkdocs_cited.model.declaration import Length
from mkdocs_cited.model.finding import Place, found
from mkdocs_cited.model.source import PassageKind, SourceType, Via
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.anthropic.conversation import MOST_ROUNDS
from mkdocs_cited.providers.interface import Outcome, Request
from mkdocs_cited.settings import parse
from tests.providers.site import COMMAND, FLAG, KEYS, RATE, RESET, SITE, AnswerFormat, Site, passage, request
from tests.servers.messages import MessagesServer
from tests.servers.script import Call, Quote, Thinking, say


def write(asked: Request, **options: Any) -> Outcome:
    """The outcome of one request."""
    return Anthropic(parse({"anthropic": options}, {})).write(asked)


def draft(asked: Request, **options: Any) -> Draft:
    """The draft of one request that succeeds."""
    outcome = write(asked, **options)
    assert isinstance(outcome, Draft), outcome
    return outcome


def test_a_citation_becomes_a_number_with_our_own_text_as_its_quote(api: MessagesServer) -> None:
    """The number stands behind the full stop; the quote is the cited sentence of our passage."""
    api.answer_with([say(Thinking(), Quote("The limit is 60 requests per minute.", 0, 0, 1), " There is no other.")])
    answer = draft(request())
    assert answer.content == "The limit is 60 requests per minute.[^1] There is no other."
    assert [(item.sid, item.passage, item.quote) for item in answer.citations] == [
        (1, RATE.id, "The limit is 60 requests per minute.")
    ]
    assert [(item.sid, item.passage) for item in answer.sources] == [(1, RATE)]
    assert (answer.provider, answer.model) == ("anthropic", "claude-sonnet-5-5")
    assert answer.prompt_version == Anthropic.version


def test_each_sentence_is_a_block_and_a_list_item_a_row_and_code_are_one_each(api: MessagesServer) -> None:
    """So that whatever the API cites is exactly a piece of ours; a row goes with its header."""
    api.answer_with([say(Quote("Yes.", 0))])
    draft(request(RATE, FLAG, COMMAND))
    sent = [block for block in api.requests[0]["messages"][0]["content"] if block["type"] == "search_result"]
    assert [[part["text"] for part in block["content"]] for block in sent] == [
        ["## (#limits)\nThe limit is 60 requests per minute.", "Bursts of 10 are allowed.\n[…]"],
        [
            "## (#options)\n| Option | Default |\n|---|---|\n| --limit | 60 |",
            "## Set a limit (#set-a-limit)\n```\napictl limit --set 60\n```",
        ],
    ]
    assert [block["source"] for block in sent] == ["guide/limits.md", "guide/options.md"]
    assert all(block["citations"] == {"enabled": True} for block in sent)


def test_the_sections_of_a_page_go_from_its_top(api: MessagesServer) -> None:
    """Whichever of them is nearest to the question; another page comes behind the nearest one."""
    last, first = replace(COMMAND, position=9), replace(FLAG, position=1)
    api.answer_with([say(Quote("Yes.", 0))])
    draft(request(last, RATE, first, site=Site((first, last, RATE))))
    sent = [block for block in api.requests[0]["messages"][0]["content"] if block["type"] == "search_result"]
    assert [block["source"] for block in sent] == ["guide/options.md", "guide/limits.md"]
    assert [part["text"].partition("\n")[0] for part in sent[0]["content"]] == [
        "## (#options)",
        "## Set a limit (#set-a-limit)",
    ]


def test_where_a_part_of_a_section_is_left_out_there_is_a_sign(api: MessagesServer) -> None:
    """Before, between and after what is sent: a table cut to some rows must not look whole."""
    rows = [
        passage(f"{plan} {limit}", kind=PassageKind.ROW, heading="Plans", cells=(plan, limit), header=("Plan", "Limit"))
        for plan, limit in (("Free", "10"), ("Team", "50"), ("Pro", "90"), ("Max", "200"))
    ]
    rows = [replace(row, position=number) for number, row in enumerate(rows)]
    api.answer_with([say(Quote("50.", 0, 0, 1))])
    answer = draft(request(rows[1], context=(rows[1], rows[3]), site=Site(tuple(rows))))
    block = next(block for block in api.requests[0]["messages"][0]["content"] if block["type"] == "search_result")
    assert [part["text"] for part in block["content"]] == [
        "## Plans (#plans)\n[…]\n| Plan | Limit |\n|---|---|\n| Team | 50 |",
        "[…]\n| Max | 200 |",
    ]
    assert answer.citations[0].quote == "Team 50"


def test_two_sentences_of_a_passage_share_a_number_and_a_quote_that_holds_both(api: MessagesServer) -> None:
    """A number means one passage; its quote grows to the shortest run of sentences that holds what was cited."""
    api.answer_with([say(Quote("Sixty a minute.", 0, 0, 1), " ", Quote("Bursts of 10.", 0, 1, 2))])
    answer = draft(request())
    assert answer.content == "Sixty a minute.[^1] Bursts of 10.[^1]"
    assert [item.quote for item in answer.citations] == [RATE.text]


def test_a_passage_from_around_a_source_is_cited_as_itself(api: MessagesServer) -> None:
    """The writer may read the section around a source; what it cites there becomes a source of its own."""
    api.answer_with([say(Quote("It is set back every full minute.", 0, 2, 3))])
    answer = draft(request(RATE, context=(RATE, RESET)))
    assert [item.passage for item in answer.sources] == [RESET]
    assert answer.citations[0].quote == RESET.text


def test_a_citation_over_two_passages_cites_both(api: MessagesServer) -> None:
    """A run of blocks may cross from one passage into the next."""
    api.answer_with([say(Quote("Sixty, counted by the full minute.", 0, 0, 3))])
    answer = draft(request(RATE, context=(RATE, RESET)))
    assert answer.content == "Sixty, counted by the full minute.[^1][^2]"
    assert [item.passage for item in answer.sources] == [RATE, RESET]


def test_a_passage_is_sent_once(api: MessagesServer) -> None:
    """Sources whose surroundings overlap do not pay for the same words twice."""
    api.answer_with([say(Quote("Yes.", 0))])
    draft(request(RATE, RESET, context=(RATE, RESET)))
    sent = [block for block in api.requests[0]["messages"][0]["content"] if block["type"] == "search_result"]
    assert len(sent) == 1


class TestAbstention:
    """The docs do not answer, says the model."""

    def test_its_line_becomes_a_reason(self, api: MessagesServer) -> None:
        """With everything that it was shown as the nearest."""
        api.answer_with([say("[[NOT-DOCUMENTED]] The passages do not name a price.")])
        outcome = write(request(RATE, KEYS), tools=False)
        assert isinstance(outcome, Abstention)
        assert outcome.reason == "The passages do not name a price."
        assert [item.passage for item in outcome.nearest] == [RATE, KEYS]
        assert outcome.spend.calls == 1

    def test_the_sections_that_it_points_to_come_first(self, api: MessagesServer) -> None:
        """They are data: a place that was never shown is left out, and so is a maintainers' note."""
        note = passage("We will name a price.", page="notes/price.md", type=SourceType.NOTE)
        pointers = "[[NEAREST:guide/keys.md#rotation | notes/price.md#limits | https://evil.example | a.md]]"
        api.answer_with([say(f"[[NOT-DOCUMENTED]] No price is named.\n{pointers}")])
        outcome = write(request(RATE, note, KEYS), tools=False)
        assert isinstance(outcome, Abstention)
        assert outcome.reason == "No price is named."
        assert [item.passage for item in outcome.nearest] == [KEYS, RATE, note]
        assert [item.sid for item in outcome.nearest] == [1, 2, 3]

    def test_it_is_asked_once_to_look_further(self, api: MessagesServer) -> None:
        """A writer that has tools and used none may not give up at once; what it then finds, it may answer from."""
        api.answer_with(
            [
                say("[[NOT-DOCUMENTED]] Nothing on keys."),
                say(Call("search_docs", {"query": "keys rotated"})),
                say(Quote("Keys change every 90 days.", 1)),
            ]
        )
        answer = draft(request())
        assert answer.content == "Keys change every 90 days.[^1]"
        assert answer.spend.calls == 3
        *_, given_up, urged = api.requests[1]["messages"]
        assert (given_up["role"], urged["role"]) == ("assistant", "user")
        assert urged["content"][0]["text"].startswith("You have not looked further yet.")

    def test_its_second_word_stands(self, api: MessagesServer) -> None:
        """It is asked once, and not at all when it has looked already."""
        nothing = say("[[NOT-DOCUMENTED]] Nothing on prices.")
        api.answer_with([nothing])
        outcome = write(request())
        assert isinstance(outcome, Abstention)
        assert outcome.spend.calls == 2
        api.answer_with([say(Call("search_docs", {"query": "price"})), nothing])
        outcome = write(request())
        assert isinstance(outcome, Abstention)
        assert outcome.spend.calls == 2

    def test_a_look_counts_against_the_rounds(self, api: MessagesServer) -> None:
        """It gets all of them after it was asked to look, and then no more."""
        look = say(Call("search_docs", {"query": "price"}))
        nothing = say("[[NOT-DOCUMENTED]] Nothing.")
        api.answer_with([nothing, *[look] * (MOST_ROUNDS - 1), nothing])
        assert isinstance(write(request()), Abstention)
        choices = [body.get("tool_choice") for body in api.requests]
        assert choices == [*[None] * MOST_ROUNDS, {"type": "none"}]


def test_without_passages_nobody_is_asked(api: MessagesServer) -> None:
    """A model that may not search could only invent; one that may is asked."""
    nothing = replace(request(), sources=())
    assert isinstance(write(nothing, tools=False), Abstention)
    assert api.requests == []
    api.answer_with([say(Call("search_docs", {"query": "keys rotated"})), say(Quote("90 days.", 0))])
    assert isinstance(write(nothing), Draft)


def test_what_the_question_asks_for_reaches_the_model(api: MessagesServer) -> None:
    """Question, phrasings, language and format; the passages come before, so that they can be cached."""
    api.answer_with([say(Quote("Ja.", 0))])
    draft(request(queries=("throttling",), locale="de", format=AnswerFormat.STEPS))
    *_, last = api.requests[0]["messages"][0]["content"]
    assert last["text"] == (
        "Question: What are the rate limits?\nAsked in other words: throttling\n"
        "Language of the answer (BCP 47): de\nWrite numbered steps, one action each.\n"
        "Length: at most 80 words of prose; or one list, table or code block, with up to 40 words besides."
    )


def test_the_length_is_the_declaration_s_or_else_the_option_s(api: MessagesServer) -> None:
    """Data has its own form, and is asked for no length."""
    api.answer_with([say(Quote("Ja.", 0))])
    provider = Anthropic(parse({"length": "full"}, {}))
    provider.write(request())
    provider.write(request(length=Length.SHORT))
    asked = [body["messages"][0]["content"][-1]["text"].rpartition("\n")[2] for body in api.requests]
    assert asked[0] == "Length: everything that the sections say in answer to the question."
    assert asked[1].startswith("Length: one or two sentences within 40 words")


def test_what_is_left_open_is_told_to_the_authors_alone(api: MessagesServer) -> None:
    """It states nothing, so that no citation is asked for."""
    api.answer_with([say(Quote("Sixty a minute.", 0), "\n\n[[LEFT-OPEN]] They do not say ", "who may raise it.")])
    answer = draft(request())
    assert answer.content == "Sixty a minute.[^1]"
    assert [item.slug for item in answer.findings] == ["partly-answered"]
    assert "They do not say who may raise it." in answer.findings[0].message


class TestTools:
    """The writer may look further."""

    def test_what_it_finds_is_numbered_on_and_can_be_cited(self, api: MessagesServer) -> None:
        """The API counts search results over all messages; consulted and cited are both kept."""
        api.answer_with(
            [
                say("Let me look.", Call("search_docs", {"query": "keys rotated"})),
                say(Quote("Sixty a minute.", 0), " ", Quote("Keys change every 90 days.", 1)),
            ]
        )
        answer = draft(request())
        assert answer.content == "Sixty a minute.[^1] Keys change every 90 days.[^2]"
        assert [(item.passage, item.via) for item in answer.sources] == [(RATE, Via.RETRIEVAL), (KEYS, Via.TOOL)]
        assert [(item.sid, item.passage) for item in answer.consulted] == [(2, KEYS)]
        assert answer.queries == ("keys rotated",)
        assert answer.spend.calls == 2

    def test_an_equal_text_is_given_once_with_its_addresses(self, api: MessagesServer) -> None:
        """Such as that of another version's page."""
        copies = [passage("Tokens expire after 7 days.", page=f"v{number}/tokens.md") for number in (1, 2)]
        api.answer_with([say(Call("search_docs", {"query": "tokens expire"})), say(Quote("7 days.", 1))])
        draft(request(site=Site(tuple(copies))))
        _, result, *more = api.requests[1]["messages"][2]["content"][0]["content"]
        assert (result["source"], more) == ("v1/tokens.md", [])
        assert "(equal: v2/tokens.md#limits)" in result["content"][0]["text"]

    def test_an_equal_text_under_another_heading_is_another_one(self, api: MessagesServer) -> None:
        """It speaks of something else."""
        texts = [passage("Default: 90 days.", page=f"{name}.md", heading=name) for name in ("Jobs", "Changes")]
        api.answer_with([say(Call("search_docs", {"query": "default: 90 days."})), say(Quote("90.", 1))])
        draft(request(site=Site(tuple(texts))))
        _, *results = api.requests[1]["messages"][2]["content"][0]["content"]
        assert [result["source"] for result in results] == ["Changes.md", "Jobs.md"]

    def test_a_section_can_be_read(self, api: MessagesServer) -> None:
        """By the `source` that a search result names."""
        api.answer_with(
            [say(Call("read_section", {"addresses": ["guide/keys.md#rotation"]})), say(Quote("90 days.", 1))]
        )
        assert [item.passage for item in draft(request()).sources] == [KEYS]

    @pytest.mark.parametrize("address", ["guide/keys/#rotation", "/guide/keys.md#rotation", "guide/keys/"])
    def test_an_address_of_a_link_will_do(self, api: MessagesServer, address: str) -> None:
        """As the site has it, or from its root; one address needs no list."""
        api.answer_with([say(Call("read_section", {"addresses": address})), say(Quote("90 days.", 1))])
        assert [item.passage for item in draft(request()).sources] == [KEYS]

    def test_what_is_too_long_for_one_call_is_named(self, api: MessagesServer) -> None:
        """And given when it is asked for by itself, however long it is."""
        log = passage("line of a log\n" * 1200, page="guide/log.md", heading="Log", kind=PassageKind.CODE)
        asked = Call("read_section", {"addresses": ["guide/keys.md#rotation", "guide/log.md"]})
        api.answer_with(
            [say(asked), say(Call("read_section", {"addresses": ["guide/log.md"]})), say(Quote("A log.", 2))]
        )
        answer = draft(request(site=Site((*SITE.passages, log))))
        assert [item.passage for item in answer.sources] == [log]
        *_, told = api.requests[1]["messages"][2]["content"][0]["content"]
        assert told["text"] == "Left out, read by itself: guide/log.md#log (16,800 characters)"

    def test_only_pages_that_the_declaration_names_are_searched(self, api: MessagesServer) -> None:
        """`sources:` holds for the tools too, for searching and for reading."""
        api.answer_with(
            [
                say(
                    Call("search_docs", {"query": "keys rotated"}),
                    Call("read_section", {"addresses": ["guide/keys.md"]}),
                ),
                say(Quote("Sixty.", 0)),
            ]
        )
        assert draft(request(sources=("guide/limits.md",))).consulted == ()
        searched, read, left = api.requests[1]["messages"][2]["content"]
        assert searched["content"] == [{"type": "text", "text": "Nothing in the docs lies close to “keys rotated”."}]
        assert read["content"] == [
            {"type": "text", "text": "There is no page `guide/keys.md`; did you mean `guide/limits.md`?"}
        ]
        assert left == {"type": "text", "text": "Looks left: 1."}, "after a look that finds nothing there is one more"

    def test_nonsense_is_answered_with_an_error_that_the_model_can_read(self, api: MessagesServer) -> None:
        """An unknown tool or a wrong input is no reason to fail: the right form is said, and no look is lost."""
        api.answer_with([say(Call("rm", {"path": "/"}), Call("search_docs", {"q": 1})), say(Quote("Sixty.", 0))])
        draft(request())
        *wrong, left = api.requests[1]["messages"][2]["content"]
        assert all('read_section with {"addresses": ["guide/keys.md#rotate"]}' in block["content"] for block in wrong)
        assert left["text"] == f"Looks left: {MOST_ROUNDS}."
        assert [block.get("is_error") for block in api.requests[1]["messages"][2]["content"]] == [True, True, None]

    def test_the_rounds_are_bounded(self, api: MessagesServer) -> None:
        """In the last one tools are switched off; a model that calls all the same is a fault."""
        api.answer_with([say(Call("search_docs", {"query": "limit"}))])
        outcome = write(request())
        assert isinstance(outcome, Fault)
        assert "`tools: false`" in outcome.tip
        assert [body.get("tool_choice") for body in api.requests] == [*[None] * MOST_ROUNDS, {"type": "none"}]
        assert outcome.spend.calls == MOST_ROUNDS + 1

    def test_they_are_off_by_option(self, api: MessagesServer) -> None:
        """`anthropic.tools: false` sends none."""
        api.answer_with([say(Quote("Sixty.", 0))])
        draft(request(), tools=False)
        assert "tools" not in api.requests[0]


class TestCorrection:
    """Findings go back to the writer."""

    def test_the_writer_sees_its_text_and_what_was_wrong_with_it(self, api: MessagesServer) -> None:
        """As data, behind the same passages."""
        api.answer_with([say(Quote("The limit is 60 requests per minute.", 0))])
        first = draft(request())
        wrong = found("altered-number", Place("docs/faq.md"), "`61` does not stand in the passage", claim="61 a minute")
        draft(request(previous=first, findings=(wrong,)))
        text = api.requests[1]["messages"][0]["content"][-1]["text"]
        assert '"earlier_answer": "The limit is 60 requests per minute."' in text
        assert '"what": "`61` does not stand in the passage"' in text

    def test_what_it_had_found_by_itself_is_given_again(self, api: MessagesServer) -> None:
        """A correction need not search for what it has found before."""
        api.answer_with(
            [say(Call("search_docs", {"query": "keys rotated"})), say(Quote("90 days.", 1)), say(Quote("90 days.", 1))]
        )
        first = draft(request())
        again = draft(request(previous=first))
        assert [(item.passage, item.via) for item in again.sources] == [(KEYS, Via.TOOL)]


class TestPrompt:
    """What is shared is cached, and its version is its content."""

    def test_the_instructions_are_the_same_for_every_answer(self, api: MessagesServer) -> None:
        """So that the API reads them from its cache from the second request on."""
        api.answer_with([say(Quote("Sixty.", 0))])
        provider = Anthropic(parse({}, {}))
        first, second = provider.write(request()), provider.write(request(KEYS, question="How are keys rotated?"))
        assert api.requests[0]["system"] == api.requests[1]["system"]
        assert api.requests[0]["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert (first.spend.cached_tokens, second.spend.cached_tokens > 100) == (0, True)

    def test_a_further_look_begins_with_the_first_request(self, api: MessagesServer) -> None:
        """It is marked for the cache down to the question."""
        api.answer_with([say(Call("search_docs", {"query": "keys rotated"})), say(Quote("90 days.", 1))])
        draft(request())
        first, second = api.requests
        assert second["messages"][0] == first["messages"][0]
        assert "cache_control" in first["messages"][0]["content"][-1]

    def test_no_sampling_setting_is_sent(self, api: MessagesServer) -> None:
        """They are gone; reproducible are the committed records."""
        api.answer_with([say(Quote("Sixty.", 0))])
        draft(request(), effort="high", max_tokens=30_000)
        body = api.requests[0]
        assert (body["output_config"], body["max_tokens"]) == ({"effort": "high"}, 30_000)


def test_a_passage_of_another_type_keeps_its_shape_in_the_quote(api: MessagesServer) -> None:
    """The fence that code is sent in is not part of the quote."""
    api.answer_with([say(Quote("Run it:", 0), "\n\n```\napictl limit --set 60\n```")])
    answer = draft(request(COMMAND))
    assert answer.content == "Run it:[^1]\n\n```\napictl limit --set 60\n```"
    assert answer.citations[0].quote == "apictl limit --set 60"


def test_the_lead_of_a_list_is_sent_once(api: MessagesServer) -> None:
    """Items that share a lead carry it on the first of them."""
    items = [passage(text, lead="You need:", heading="Needs") for text in ("A key.", "A limit.")]
    api.answer_with([say(Quote("A key.", 0))])
    draft(request(items[0], context=items))
    sent = api.requests[0]["messages"][0]["content"][1]["content"]
    assert [block["text"] for block in sent] == ["## Needs (#needs)\n[You need:]\nA key.", "A limit."]
