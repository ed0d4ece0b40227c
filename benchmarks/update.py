"""How close `update` comes to the ideal when every request takes 200 ms, and what an interrupted run loses.

    python benchmarks/update.py [ANSWERS] [CONCURRENCY]

A server on 127.0.0.1 answers through the real SDK after 200 ms; each answer is written, audited, reviewed and recorded
by the pipeline. The ideal is two requests an answer, `CONCURRENCY` at a time, and nothing else. Then the same with a
second process's worth of work: nothing changed, one page edited, and a run that is interrupted half-way.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mkdocs_cited.base.values import replace

sys.path.insert(0, str(Path(__file__).parents[1]))

from mkdocs_cited.model.answer import Answer, Status
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page
from mkdocs_cited.pipeline.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import parse
from tests.servers.messages import KEY, MessagesServer
from tests.servers.rules import search_results
from tests.servers.script import Quote, Turn, say, say_json

DELAY = 0.2
"""Seconds that the server takes for a request."""
ALLOWED = 1.3
"""Times the ideal."""


def main(answers: int = 500, concurrency: int = 4) -> int:
    """Measure, print, and return 1 if a bound is not kept."""
    os.environ["ANTHROPIC_API_KEY"] = KEY
    with MessagesServer(_reply) as api, tempfile.TemporaryDirectory() as folder:
        os.environ["ANTHROPIC_BASE_URL"] = api.url
        pages = {f"page{number}": _page(number) for number in range(answers)}
        offline = _timed(Path(folder, "offline"), pages, concurrency, api, provider="extractive", reviewer="lexical")
        root = Path(folder, "models")
        seconds = _timed(root, pages, concurrency, api)
        ideal = 2 * answers * DELAY / concurrency
        print(f"{answers} answers, {concurrency} at a time, {DELAY * 1000:.0f} ms a request")
        print(f"  written, reviewed, recorded  {seconds:7.2f} s   ideal {ideal:.2f} s   ratio {seconds / ideal:.2f}")
        print(f"  at once at the server        {api.most_at_once:7d}     requests {len(api.requests)}")
        print(f"  the same offline             {offline:7.2f} s")
        kept = seconds <= ALLOWED * ideal and len(api.requests) == 2 * answers
        kept &= _nothing_changed(root, pages, concurrency, api)
        kept &= _one_edited(root, pages, concurrency, api)
        kept &= _interrupted(Path(folder, "interrupted"), pages, concurrency, api)
    return 0 if kept else 1


def _nothing_changed(root: Path, pages: dict[str, str], concurrency: int, api: MessagesServer) -> bool:
    api.requests.clear()
    seconds = _timed(root, pages, concurrency, api)
    print(f"  nothing changed              {seconds:7.2f} s   requests {len(api.requests)}")
    return not api.requests


def _one_edited(root: Path, pages: dict[str, str], concurrency: int, api: MessagesServer) -> bool:
    api.requests.clear()
    _timed(root, {**pages, "page3": _page(3).replace("1003", "7003")}, concurrency, api)
    print(f"  one cited paragraph edited             requests {len(api.requests)} (2 for the answer that cites it)")
    return len(api.requests) == 2


def _interrupted(root: Path, pages: dict[str, str], concurrency: int, api: MessagesServer) -> bool:
    """Stop after half of the answers, run again: what is recorded is not asked for again."""
    api.requests.clear()
    settled = itertools.count(1)

    def stop(answer: Answer) -> None:
        if next(settled) == len(pages) // 2:
            raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt):
        _timed(root, pages, concurrency, api, progress=stop)
    recorded = len(list(root.rglob("*.md")))
    before = len(api.requests)
    _timed(root, pages, concurrency, api)
    again = len(api.requests) - before
    print(f"  interrupted half-way         {recorded:7d} recorded of {before} requests; then {again} for the rest")
    return again == 2 * (len(pages) - recorded) and recorded * 2 == before


def _timed(
    root: Path, pages: dict[str, str], concurrency: int, api: MessagesServer, progress: Any = None, **options: Any
) -> float:
    """Seconds of one run; the index is made before."""
    index = Index.open(None)
    index.sync((Page(f"{name}.md", f"{name}/", name), html) for name, html in pages.items())
    chosen = {"provider": "anthropic", "reviewer": "anthropic", "cite_threshold": 0.1, "max_sources": 2, **options}
    settings = parse({**chosen, "anthropic": {"concurrency": concurrency}}, {})
    pipeline = Pipeline(settings, index, Store(root), Run("stale", progress=progress))
    declarations = [_declaration(number) for number in range(len(pages))]
    try:
        started = time.perf_counter()
        report = pipeline.report(declarations)
        seconds = time.perf_counter() - started
    finally:
        index.close()
    assert all(answer.status is Status.ACCEPTED for answer in report.answers), report.shown[:3]
    return seconds


def _page(number: int) -> str:
    return (
        f"<h1>Page {number}</h1><h2 id='limit'>Limit of part{number}</h2>"
        f"<p>The limit of part{number} is {number + 1000} requests for every project. It can be raised on request.</p>"
        f"<p>Nobody has asked for part{number} to be dropped so far, and it stays where it is.</p>"
    )


def _declaration(number: int) -> Declaration:
    question = f"What is the limit of part{number}?"
    return Declaration("faq.md", f"limit-{number:04}", question, Place("docs/faq.md", 3))


def _reply(body: dict[str, Any]) -> Turn:
    """The writer repeats the sentence that the question is about; the reviewer finds every claim supported."""
    if "format" in body["output_config"]:
        return replace(_reviewed(body), delay=DELAY)
    part = re.search(r"What is the limit of (part\d+)\?", json.dumps(body["messages"]))
    assert part is not None
    for result, block in enumerate(search_results(body)):
        for number, piece in enumerate(block["content"]):
            if piece["text"].startswith(f"The limit of {part[1]} "):
                return say(Quote(piece["text"], result, number, number + 1), delay=DELAY)
    return say("[[NOT-DOCUMENTED]] The passage was not among those given.", delay=DELAY)


def _reviewed(body: dict[str, Any]) -> Turn:
    sent = json.loads(body["messages"][0]["content"][0]["text"])
    quote = sent["sections"][0]["passages"][0]["text"]
    line = {"verdict": "supported", "evidence_quotes": [quote], "missing_condition": "", "reverses": False}
    line |= {"reason": "", "better_passage": ""}
    whole = {"missing": "", "answers": "yes"}
    claims = [{"id": claim["id"], **line} for claim in sent["claims"]]
    return say_json({"claims": claims, "conflicts": [], "answers_question": whole})


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
