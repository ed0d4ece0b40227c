"""Conversations with Claude as golden files: what is asked, what the model is scripted to say, and all that is sent.

A file of `golden/` opens with the question, the passages and the script, which people write; `sent` and `outcome` are
written by `python -m tests.providers.transcripts`, and held to by `test_transcripts`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import yaml

from mkdocs_cited.base.bounded_yaml import dump
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.source import PassageKind
from mkdocs_cited.providers.anthropic import Anthropic
from mkdocs_cited.providers.interface import Outcome
from mkdocs_cited.settings import parse
from tests.providers.site import AnswerFormat, Site, passage, request
from tests.servers.messages import KEY, MessagesServer
from tests.servers.script import Call, Quote, Turn, say

GOLDEN = Path(__file__).parent / "golden"
INSTRUCTIONS = GOLDEN / "instructions.txt"
"""What every conversation of the golden files opens with."""


def cases() -> list[Path]:
    """The golden conversations, by name."""
    return sorted(GOLDEN.glob("*.yml"))


def played(case: dict[str, Any], api: MessagesServer) -> dict[str, Any]:
    """The case with what was sent, and what came of it."""
    passages = [
        passage(
            item["text"], page=item["page"], heading=item["heading"], kind=PassageKind(item.get("kind", "paragraph"))
        )
        for item in case["passages"]
    ]
    given = [item for item, described in zip(passages, case["passages"], strict=True) if not described.get("elsewhere")]
    changes: dict[str, Any] = {**case.get("declaration", {}), "question": case["question"]}
    if "format" in changes:
        changes["format"] = AnswerFormat(changes["format"])
    api.answer_with([_turn(parts) for parts in case["says"]])
    outcome = Anthropic(parse({}, {})).write(request(*given, site=Site(tuple(passages)), **changes))
    (instructions,) = {body["system"][0]["text"] for body in api.requests}
    plain: dict[str, Any] = {
        name: case[name] for name in ("case", "question", "declaration", "passages", "says") if name in case
    }
    shown: dict[str, Any] = {**plain, "sent": _sent(api.requests[-1]), "outcome": _outcome(outcome)}
    if instructions != INSTRUCTIONS.read_text(encoding="utf-8"):
        shown["instructions"] = instructions
    return shown


def _turn(parts: list[Any]) -> Turn:
    """A turn of the model: texts, `{cites: N, blocks: N, text: …}` and `{calls: name, …}`."""
    return say(*map(_part, parts))


def _part(part: Any) -> str | Quote | Call:
    if isinstance(part, str):
        return part
    if "cites" in part:
        return Quote(part["text"], part["cites"], 0, part.get("blocks", 1))
    return Call(part["calls"], {name: value for name, value in part.items() if name != "calls"})


def _sent(body: dict[str, Any]) -> str:
    """The last request, which holds the whole conversation, as people read it."""
    head = [f"model: {body['model']}, effort: {body['output_config']['effort']}, max_tokens: {body['max_tokens']}"]
    head.append(f"tools: {', '.join(tool['name'] for tool in body.get('tools', ())) or 'none'}")
    lines = [*head, "system: instructions.txt"]
    for message in body["messages"]:
        lines += ["", f"== {message['role']}"]
        content = message["content"]
        for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
            lines += _block(block)
    return "\n".join(lines)


def _block(block: dict[str, Any]) -> list[str]:
    match block["type"]:
        case "text":
            return str(block["text"]).rstrip().split("\n")
        case "search_result":
            pieces = [f"  | {line}" for piece in block["content"] for line in piece["text"].split("\n")]
            return [f"-- {block['source']}: {block['title']}", *pieces]
        case "tool_use":
            return [f"-- calls {block['name']}({json.dumps(block['input'])})"]
        case "tool_result":
            inner = block["content"]
            parts = [{"type": "text", "text": inner}] if isinstance(inner, str) else inner
            return ["-- result", *(line for part in parts for line in _block(part))]
        case kind:
            raise ValueError(f"no golden file shows a {kind}")


def _outcome(outcome: Outcome) -> str:
    if isinstance(outcome, Draft):
        notes = [f"[^{item.sid}]: {item.passage} “{item.quote}”" for item in outcome.citations]
        return "\n".join([outcome.content, "", *notes])
    nearest = [f"- {item.passage.id}" for item in getattr(outcome, "nearest", ())]
    return "\n".join([f"{type(outcome).__name__}: {outcome.reason}", *nearest])


def read(path: Path) -> dict[str, Any]:
    """A golden file."""
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def main() -> None:
    """Write what is sent and what comes of it into every golden file."""
    from mkdocs_cited.providers.anthropic import prompt

    INSTRUCTIONS.write_text(prompt.system(tools=True), encoding="utf-8")
    os.environ["ANTHROPIC_API_KEY"] = KEY
    for path in cases():
        with MessagesServer() as api:
            os.environ["ANTHROPIC_BASE_URL"] = api.url
            path.write_text(dump(played(read(path), api)), encoding="utf-8")


if __name__ == "__main__":
    main()
