"""Answers that are data: validated, with a pointer to the passages behind each value."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from mkdocs_cited.model.answer import Abstention, Draft, Fault
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Outcome
from mkdocs_cited.settings import parse
from tests.providers.site import KEYS, RATE, RESET, Target, request
from tests.servers.messages import MessagesServer
from tests.servers.script import say_json

SCHEMA = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "notes": {"type": "array", "items": {"$ref": "#/$defs/note"}},
    },
    "required": ["limit"],
    "$defs": {"note": {"type": "string", "maxLength": 40}},
}


def write(**changes: Any) -> Outcome:
    """The outcome of a structured request on rates and keys."""
    changes = {"target": Target.JSON, **changes}
    return Anthropic(parse({}, {})).write(request(RATE, KEYS, context=(RATE, RESET), **changes))


def draft(**changes: Any) -> Draft:
    """The draft of one that succeeds."""
    outcome = write(**changes)
    assert isinstance(outcome, Draft), outcome
    return outcome


def data(value: Any, *citations: tuple[str, list[int]], missing: str = "") -> dict[str, Any]:
    """A reply in the required form."""
    named = [{"path": path, "passages": passages} for path, passages in citations]
    return {"not_documented": missing, "value": value, "citations": named}


def test_a_value_of_a_schema_with_pointers(api: MessagesServer) -> None:
    """Passages are numbered as sent; in the draft, as cited. A pointer to a list holds for what is in it."""
    value = {"limit": 60, "notes": ["every minute", "per key"]}
    api.answer_with([say_json(data(value, ("/limit", [1]), ("/notes", [3, 2])))])
    answer = draft(schema=json.dumps(SCHEMA))
    assert json.loads(answer.content) == value
    assert answer.pointers == (("/limit", (1,)), ("/notes/0", (2, 3)), ("/notes/1", (2, 3)))
    assert [item.passage for item in answer.sources] == [RATE, KEYS, RESET]
    assert [item.quote for item in answer.citations] == [RATE.text, KEYS.text, RESET.text]


def test_an_abstention_names_passages_by_number(api: MessagesServer) -> None:
    """The nearest first; a number that was never sent points nowhere, and nothing rests on it."""
    api.answer_with([say_json({**data({}, missing="No price is named."), "nearest": [2, 9, 2, "1", True]})])
    outcome = write(schema=json.dumps(SCHEMA))
    assert isinstance(outcome, Abstention)
    assert outcome.reason == "No price is named."
    assert [item.passage for item in outcome.nearest] == [RESET, RATE, KEYS]
    assert "nearest" in api.requests[0]["output_config"]["format"]["schema"]["required"]


def test_the_request_asks_for_the_form_without_citations(api: MessagesServer) -> None:
    """The API refuses both together, and knows only a part of JSON Schema; the rest is held to here."""
    api.answer_with([say_json(data({"limit": 60}, ("/limit", [1])))])
    draft(schema=json.dumps(SCHEMA))
    body = api.requests[0]
    assert [block["type"] for block in body["messages"][0]["content"]] == ["text", "text"]
    schema = body["output_config"]["format"]["schema"]
    assert schema["$defs"]["note"]["type"] == "string"
    assert "tools" not in body


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"limit": 600}, "$.limit"),
        ({"limit": "60"}, "$.limit"),
        ({"limit": 6, "notes": ["x" * 41]}, "$.notes[0]"),
        ({}, "$"),
    ],
)
def test_a_value_that_breaks_its_schema_is_a_fault(api: MessagesServer, value: dict[str, Any], where: str) -> None:
    """The place is named."""
    api.answer_with([say_json(data({"limit": 1} | value if value else {"x": 1}, ("", [1])))])
    outcome = write(schema=json.dumps(SCHEMA))
    assert isinstance(outcome, Fault)
    assert where in outcome.reason


@pytest.mark.parametrize(
    "citations",
    [[("/price", [1])], [("/limit", [9])], [("/limit", [0])], [("/limit", [])], [], [("/lim", [1])]],
    ids=["a path that is not there", "no such passage", "zero", "no passage", "nothing cited", "half a name"],
)
def test_every_pointer_is_checked(api: MessagesServer, citations: list[tuple[str, list[int]]]) -> None:
    """What the sidecar says is true of the answer, or there is no answer."""
    api.answer_with([say_json(data({"limit": 60}, *citations))])
    assert isinstance(write(schema=json.dumps(SCHEMA)), Fault)


def test_yaml_without_a_schema(api: MessagesServer) -> None:
    """The model writes JSON, which is read; the YAML is ours."""
    api.answer_with([say_json(data('{"limit": 60, "per": "Minute – ü"}', ("/limit", [1])))])
    answer = draft(target=Target.YAML)
    assert answer.content == "limit: 60\nper: Minute – ü"
    assert yaml.safe_load(answer.content)["limit"] == 60


def test_names_with_slashes_are_escaped_in_pointers(api: MessagesServer) -> None:
    """RFC 6901."""
    api.answer_with([say_json(data('{"a/b": {"c~d": 1}}', ("/a~1b/c~0d", [1])))])
    assert draft().pointers == (("/a~1b/c~0d", (1,)),)


def test_strings_are_plain(api: MessagesServer) -> None:
    """A template may put them anywhere, code or not."""
    value = {"a": "`<script>`", "b": "[x](https://evil.example)", "c": "https://evil.example"}
    api.answer_with([say_json(data(json.dumps(value), ("/a", [1])))])
    assert json.loads(draft().content) == {"a": "`&lt;script>`", "b": "x", "c": "(link removed)"}


def test_the_docs_do_not_answer(api: MessagesServer) -> None:
    """The form has a place for it."""
    api.answer_with([say_json(data("", missing="No price is named."))])
    outcome = write()
    assert isinstance(outcome, Abstention)
    assert outcome.reason == "No price is named."


@pytest.mark.parametrize("schema", ['{"properties": {"a": {}}}', '{"type": "object", "required": 1}', "{"])
def test_a_schema_that_is_none_is_the_author_s_fault(api: MessagesServer, schema: str) -> None:
    """The tip names the declaration."""
    api.answer_with([say_json(data({}, ("", [1])))])
    outcome = write(schema=schema)
    assert isinstance(outcome, Fault)
    assert "docs/faq.md:3" in outcome.tip or "schema" in outcome.reason


def test_a_value_nested_without_end(api: MessagesServer) -> None:
    """It is refused, and nothing breaks."""
    api.answer_with([say_json(data("[" * 5000 + "]" * 5000, ("", [1])))])
    assert isinstance(write(), Fault)
    api.answer_with([say_json(data("[" * 60 + "1" + "]" * 60, ("", [1])))])
    assert isinstance(write(), Fault)
