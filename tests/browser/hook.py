"""An MkDocs hook that answers the questions of `docs/faq.md` with passages of `docs/guide/install.md`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

from msgspec.structs import replace

from mkdocs_cited.mkdocs_host.adapter import load
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.declaration import PROSE
from mkdocs_cited.model.options import Render, Settings
from mkdocs_cited.model.source import Page, Passage, SitePage
from mkdocs_cited.render import asset_texts, publish
from mkdocs_cited.render.answer import Host
from tests.corpora import extract
from tests.render.values import answer

QUOTES = (
    "It retries 5 times, then it gives up and tells the caller why",
    "A client waits at most 30 seconds",
    "retries 6 on Sundays",
    "with --no-cache, which is slower",
    "python -m venv .venv",
    "keep the lock file",
    "found all the same",
    "the second tab is closed at first",
    "Its definition is given here",
    "It works, really well",
    "人口は一四〇〇万人です",
    "הבדיקה רצה בכל בנייה",
    "It retries 3 times",
)
"""Words of every kind of passage that there is; answers cite the passages that hold them."""


def on_env(env: Any, config: Any, files: Any) -> None:
    pages = {file.page.url: file.page for file in files.documentation_pages()}
    install = next(page for page in pages.values() if page.file.src_uri == "guide/install.md")
    source = Page("guide/install.md", install.url, "Install", modified="2026-02-01")
    passages = extract(source, install.content)
    serve = os.environ.get("CITED_TEST_SITE") == "preview"
    host = Host(loader=env.loader)
    shown = answers(passages)
    html = {}
    for url, page in pages.items():
        src = page.file.src_uri
        asks = {answer.id: answer.key for answer in shown if answer.page == src}
        html[url] = SitePage(src, url, page.content, asks=asks)
    published = publish(shown, html, settings(), host, serve=serve)
    for url, content in published.pages.items():
        pages[url].content = content
    load(config, asset_texts(serving=serve))


def settings() -> Settings:
    """What the site under test has switched on: `plain`, `full` or `preview`."""
    full = os.environ.get("CITED_TEST_SITE") == "full"
    notes: Literal["folded", "open"] = "folded" if full else "open"
    return Settings(footnotes=notes, render=Render(checks="claims" if full else "line", collapse=full))


def answers(passages: tuple[Passage, ...]) -> list[Answer]:
    """Four answers: one with a verdict of each kind, one of every kind of passage, an abstention, other scripts."""
    by_words = {words: passage for words in QUOTES for passage in passages if words in passage.text}
    missing = set(QUOTES) - set(by_words)
    assert not missing, (missing, [passage.text for passage in passages])

    def cite(content: str, *words: str, **options: Any) -> Answer:
        quotes = tuple(_sentence(by_words[item], item) for item in words)
        return answer(content, *(by_words[item] for item in words), quotes=quotes, **options)

    retries = cite(
        "It tries five times more, and then it gives up.[^1]\nA client waits no longer than 30 seconds.[^2]\n"
        "On Sundays it is 6.[^3] Then it gives up.[^1]",
        QUOTES[0],
        QUOTES[1],
        QUOTES[2],
        id="retries",
        question="How often does it retry?",
        written_on="2026-11-21",
    )
    partly = replace(retries.claims[1].judgement, verdict=Verdict.PARTIAL, reason="The passage names no upper end.")
    retries = replace(
        retries, claims=(retries.claims[0], replace(retries.claims[1], judgement=partly), *retries.claims[2:])
    )
    install = cite(
        "1. Run the installer with `--no-cache`.[^1]\n\n    ```bash\n    python -m venv .venv\n    ```\n\n"
        "2. It is [the usual way](guide/install.md#steps).[^2]\n3. Keep the lock file.[^3]\n4. Found.[^4]\n"
        "5. Windows is different.[^5]\n6. Defined.[^6]\n7. It works.[^7]\n8. A preview differs.[^8]",
        *QUOTES[3:10],
        QUOTES[12],
        id="install",
        question="How do I install it?",
    )
    moon = Answer("faq.md#moon", "faq.md", "moon", "Does it run on the moon?", Status.ABSTAINED)
    moon = replace(moon, consulted=retries.sources[:2], reason="Nothing was relevant enough.")
    world = cite("一四〇〇万人です。[^1]\n\nבכל בנייה.[^2]", QUOTES[10], QUOTES[11], id="world", question="東京とは?")
    wait = cite(
        "A client waits at most 30 seconds.[^1] A refund is paid within two weeks.[^1]\n",
        QUOTES[1],
        id="wait",
        question="How long does a client wait?",
    )
    first, end = wait.claims[0], wait.content.index(" A refund")
    proven = replace(first, claim=replace(first.claim, text="A client waits at most 30 seconds.", end=end))
    invented = replace(
        first,
        claim=replace(first.claim, text="A refund is paid within two weeks.", start=end + 1),
        judgement=replace(first.judgement, verdict=Verdict.UNCHECKED),
    )
    wait = replace(wait, claims=(proven, invented))
    old = cite(
        "It retries 7 times.[^1]\n", QUOTES[0], id="old", question="How often did it retry?", status=Status.STALE
    )
    gone = replace(old.sources[0].passage, id="guide/install.md#gone", text="It retries 7 times.", element=None)
    old = replace(
        old,
        sources=(replace(old.sources[0], passage=gone),),
        citations=(replace(old.citations[0], passage=gone.id, quote=gone.text),),
        claims=(),
    )
    return [retries, install, moon, world, wait, old, _marked(cite)]


def _marked(cite: Callable[..., Answer]) -> Answer:
    """Two sentences of the page itself, with marks: the second is not confirmed."""
    marked = cite("It retries five times.[^1]\n\nIt never sleeps.[^2]\n", QUOTES[0], QUOTES[1], id="claims")
    waiting = replace(marked.claims[1].judgement, verdict=Verdict.UNCHECKED)
    claims = (marked.claims[0], replace(marked.claims[1], judgement=waiting))
    return replace(marked, key="faq.md#claims", target=PROSE, claims=claims)


def _sentence(passage: Passage, words: str) -> str:
    """The sentence that holds the words; of rows and code, all of it."""
    return next((item for item in passage.sentence_texts() if words in item), passage.text)
