"""Replies of the API that are not what it promises: each must end as a draft or as a fault of one answer, never as an
exception. They come from a server on 127.0.0.1, through the real SDK."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any

from mkdocs_cited.model.answer import Abstention, Claim, Draft, Evidence, Fault, Judgement
from mkdocs_cited.providers.anthropic import Anthropic as Writer
from mkdocs_cited.review.anthropic import Anthropic as Reviewer
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.settings import parse
from tests.fuzz.mutation import ODD_VALUES, Mutator
from tests.providers.site import KEYS, RATE, SITE, request
from tests.servers.messages import KEY, MessagesServer
from tests.servers.script import Call, Quote, Refused, Thinking, Turn, message_of, say, say_json

QUICK = {"timeout": 0.5}
"""Options under which a reply that cannot be mended is given up at once."""
USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
FIELDS = (
    ("content",), ("content", 0), ("content", 0, "text"), ("content", 0, "type"), ("content", 0, "citations"),
    ("content", 0, "citations", 0), ("content", 0, "citations", 0, "type"), ("content", 0, "citations", 0,
    "cited_text"),
    ("content", 0, "citations", 0, "search_result_index"), ("content", 0, "citations", 0, "start_block_index"),
    ("content", 0, "citations", 0, "end_block_index"), ("usage",), ("usage", "input_tokens"), ("usage",
    "output_tokens"),
    ("stop_reason",), ("model",), ("id",), ("role",),
)  # fmt: skip
"""Where in a message of the writer something else is put."""

GOOD = say(Quote("The limit is 60 requests per minute.", 0))
TOOLS = say(Thinking(), Call("search_docs", {"query": "limit"}), Call("read_section", {"addresses": ["faq.md"]}))
REVIEWED = say_json(
    {
        "claims": [
            {
                "id": "c1", "evidence_quotes": ["The limit is 60 requests per minute."], "reason": "",
                "missing_condition": "", "reverses": False,
                "verdict": "supported", "better_passages": [], "not_stated": "",
            }
        ],
        "conflicts": [],
        "answers_question": {"missing": "", "answers": "yes"},
    }
)  # fmt: skip


CASE = Case(Claim(RATE.text, (1,)), (Evidence(RATE, RATE.text),), "What are the rate limits?", answer=RATE.text)


def odd_messages() -> Iterator[dict[str, Any]]:
    """A message with each of its fields replaced by each odd value."""
    for path in FIELDS:
        for odd in ODD_VALUES:
            message = _message(GOOD)
            holder: Any = message
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = odd
            yield message


def mutated_messages(mutator: Mutator) -> Iterator[tuple[str, dict[str, Any]]]:
    """Who reads it, and a message of one of the three kinds with parts of it damaged; for ever."""
    kinds = {"write": GOOD, "tools": TOOLS, "review": REVIEWED}
    while True:
        who = mutator.random.choice(list(kinds))
        message = _message(kinds[who])
        if who == "review" and mutator.random.random() < 0.7:
            block = message["content"][-1]
            block["text"] = json.dumps(mutator.value(json.loads(block["text"])))
        else:
            message = mutator.value(message)
        yield who, message if isinstance(message, dict) else {}


def encoded(message: Any) -> bytes:
    """A message as the API sends it."""
    return json.dumps(message).encode()


class Api:
    """The server, a writer and a reviewer that ask it."""

    def __init__(self) -> None:
        self.server = MessagesServer([GOOD])

    def __enter__(self) -> Api:
        self._before = {name: os.environ.get(name) for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")}
        self.server.__enter__()
        os.environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.server.url}
        settings = parse({"reviewer": "anthropic", "anthropic": QUICK}, {})
        self.writer, self.reviewer = Writer(settings), Reviewer(settings)
        self.patient = Writer(parse({}, {}))
        """A writer for replies that end."""
        return self

    def __exit__(self, *error: Any) -> None:
        self.server.__exit__(*error)
        for name, value in self._before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)

    def outcome(self, who: str, reply: bytes | Turn) -> str:
        """The kind of outcome that a reply has, and proof that it is a whole one.

        Raises:
            AssertionError: it is a value that no outcome may be.
        """
        self.server.answer_with([reply if isinstance(reply, Turn) else Refused(200, raw=reply)])
        outcome = self._read(who)
        assert isinstance(outcome, (Draft, Abstention, Fault, Review)), outcome
        json.dumps(_texts(outcome), ensure_ascii=False).encode()  # nothing that cannot be written
        if isinstance(outcome, Fault):
            assert outcome.reason
            assert outcome.tip
            assert KEY not in outcome.reason
        return type(outcome).__name__

    def _read(self, who: str) -> object:
        if who == "review":
            return self.reviewer.review([CASE], SITE)
        return self.writer.write(request(RATE, KEYS))


def main(count: int, seed: int) -> Counter[str]:
    """Send so many replies, the systematic ones first; how many ended as what."""
    ended: Counter[str] = Counter()
    with Api() as api:
        for message in odd_messages():
            if ended.total() >= count:
                return ended
            ended[api.outcome("write", encoded(message))] += 1
        for who, message in mutated_messages(Mutator(seed)):
            if ended.total() >= count:
                return ended
            ended[api.outcome(who, encoded(message))] += 1
    return ended


def _message(turn: Turn) -> dict[str, Any]:
    asked = {
        "model": "claude-sonnet-5-5",
        "messages": [{"role": "user", "content": [{"type": "search_result", "source": "s", "title": "t", "content": [
            {"type": "text", "text": text} for text in RATE.sentence_texts()
        ]}]}],
    }  # fmt: skip
    return message_of(turn, asked, USAGE)


def _texts(outcome: object) -> list[str]:
    match outcome:
        case Draft():
            return [outcome.content, outcome.model, *(citation.quote for citation in outcome.citations)]
        case Abstention() | Fault():
            return [outcome.reason]
        case Review():
            return [text for item in outcome.judgements for text in _said(item)]
    return []


def _said(judgement: Judgement) -> tuple[str, str]:
    return judgement.reason, judgement.evidence_quote
