"""Print what answers cost, as a bill would: by kind of request, by what the tokens are paid as, and by part.

python -m benchmarks.bill FOLDER …

A folder holds request bodies as they were sent, `q/0001.json` and so on, and replies, `r/*.jsonl`, each
`{"id": "0001", …}` with `spans` (the answer's text), `text`, `calls` or `json`. Prices are those of the package's
table. A token is taken as four characters of JSON. A prefix that ends at a mark for the cache is read from it by every
later request that begins with it, as if requests came one after another. Output is text, inputs of tools and forms;
cited words cost none, and what a model thinks is not known, so not counted. Cents are per question: requests of a kind
are added up and divided by the number of first requests for a question.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mkdocs_cited.anthropic_client import price_of
from mkdocs_cited.anthropic_client.reply import CACHE_WRITE, MILLION

CHARACTERS = 4
"""Of a token."""


@dataclass
class Kind:
    """What the requests of one kind come to: tokens by part, US dollars by what they are paid as."""

    requests: int = 0
    parts: Counter[str] = field(default_factory=Counter)
    paid: Counter[str] = field(default_factory=Counter)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    for folder in parser.parse_args().folders:
        kinds = bill(folder)
        questions = kinds["writer, first"].requests
        print(f"{folder}: {questions} questions")
        for name, kind in kinds.items():
            print(f"  {name}: {kind.requests} requests; cents a question: {amounts(kind.paid, 100 / questions)}")
            print(f"    tokens a request: {amounts(kind.parts, 1 / max(1, kind.requests), digits=0)}")
        whole = sum(sum(kind.paid.values()) for kind in kinds.values())
        asked = sum(kinds[name].requests for name in ("writer, first", "writer, further", "writer, corrected"))
        print(f"  writer's requests a question {asked / questions:.2f}; cents a question {100 * whole / questions:.2f}")


def bill(folder: Path) -> dict[str, Kind]:
    """The kinds of requests of a folder."""
    replies = replied(folder)
    kinds = {name: Kind() for name in ("writer, first", "writer, further", "writer, corrected", "reviewer")}
    known: set[str] = set()
    for path in sorted(folder.glob("q/*.json")):
        reply = replies.get(path.stem)
        if reply is None:
            continue
        body = json.loads(path.read_text(encoding="utf-8"))
        kind = kinds[kind_of(body)]
        kind.requests += 1
        for part, block in content(body):
            kind.parts[part] += tokens(block)
        kind.parts["output"] += output(reply)
        kind.paid.update(paid(body, output(reply), known))
    return kinds


def replied(folder: Path) -> dict[str, dict[str, Any]]:
    """Number of each request → the reply to it."""
    replies: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("r/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            reply = json.loads(line)
            replies.setdefault(reply["id"], reply)
    return replies


def kind_of(body: dict[str, Any]) -> str:
    """What a request is for."""
    if "format" in body["output_config"] and "tools" not in body:
        return "reviewer"
    if len(body["messages"]) > 1:
        return "writer, further"
    if "earlier_answer" in body["messages"][0]["content"][-1]["text"]:
        return "writer, corrected"
    return "writer, first"


def content(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The blocks of a request in the order of the cache, each with the part that it belongs to."""
    for tool in body.get("tools", ()):
        yield "tools", tool
    for block in body["system"]:
        yield "instructions", block
    for number, message in enumerate(body["messages"]):
        for block in message["content"]:
            yield part_of(block, number), block


def part_of(block: dict[str, Any], message: int) -> str:
    """The part of a message that a block is."""
    if message:
        return "looks"
    if block["type"] == "search_result":
        return "sections"
    if block["text"].startswith("Table of contents"):
        return "contents"
    if block["text"].startswith("Further headings"):
        return "headings"
    return "question or claims"


def paid(body: dict[str, Any], answered: int, known: set[str]) -> dict[str, float]:
    """US dollars of a request, by what its tokens are paid as; `known` are the prefixes in the cache, and grow."""
    text, size, read, written = "", 0, 0, 0
    for _, block in content(body):
        size += tokens(block)
        text += unmarked(block)
        if text in known:
            read = size
        if "cache_control" in block:
            written = size
            known.add(text)
    if "cache_control" in body:  # a mark behind the last block
        written = size
        known.add(text)
    price = price_of(body["model"])
    if price is None:
        raise SystemExit(f"the price of {body['model']} is not known")
    written = max(0, written - read)
    each = price.input / MILLION
    return {
        "fresh": (size - read - written) * each,
        "written to the cache": written * each * CACHE_WRITE,
        "read from the cache": price.cost(0, 0, read=read),
        "output": answered * price.output / MILLION,
    }


def output(reply: dict[str, Any]) -> int:
    """Tokens of a reply."""
    if "spans" in reply:
        return sum(len(span["text"]) for span in reply["spans"]) // CHARACTERS
    said = reply.get("text") or json.dumps(reply.get("calls") or reply.get("json"), ensure_ascii=False)
    return len(said) // CHARACTERS


def tokens(block: dict[str, Any]) -> int:
    """Tokens of a block of a request."""
    return len(unmarked(block)) // CHARACTERS


def unmarked(block: dict[str, Any]) -> str:
    """A block without its mark for the cache."""
    return json.dumps({name: value for name, value in block.items() if name != "cache_control"}, ensure_ascii=False)


def amounts(counts: Counter[str], factor: float, digits: int = 2) -> str:
    """Amounts with their names, and their sum."""
    whole = [f"{name} {count * factor:,.{digits}f}" for name, count in counts.items()]
    return f"{', '.join(whole)}; in all {counts.total() * factor:,.{digits}f}"


if __name__ == "__main__":
    main()
