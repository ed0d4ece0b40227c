"""`ask`, `find` and `verify`: questions and statements put to the docs at once. Nothing is written."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click
import msgspec

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import shorten
from mkdocs_cited.cli.group import FOUND, config_option, json_option, main
from mkdocs_cited.cli.output import echo, emit_json, table
from mkdocs_cited.mkdocs_host.site import Site, load
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.source import Hit, Scope
from mkdocs_cited.pipeline.asking import answer_object, asked, declared
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.render.plain import as_markdown


@main.command()
@click.argument("question")
@config_option
@click.option("--provider", help="Who answers; the option's provider by default.")
@click.option("--query", "queries", multiple=True, help="Another phrasing; several at once.")
@click.option("--source", "sources", multiple=True, help="A glob of pages to answer from; several at once.")
@json_option
def ask(
    question: str,
    config_file: Path | None,
    provider: str | None,
    queries: tuple[str, ...],
    sources: tuple[str, ...],
    as_json: bool,
) -> None:
    """Answer a question once, from the docs, and print the declaration that would keep it."""
    declaration = declared(question, "")
    site = load(config_file)
    declaration = replace(declaration, locale=site.locale, queries=queries, sources=sources, provider=provider or "")
    answer = asked(declaration, site.pipeline(Run("always", writes=False)))
    if as_json:
        emit_json(answer_object(answer, site.links()))
    else:
        _print_answer(answer, declaration, site)
    if answer.status is not Status.ACCEPTED:
        sys.exit(FOUND)


def _print_answer(answer: Answer, declaration: Declaration, site: Site) -> None:
    echo(as_markdown(answer, site.links(), site_url=site.url))
    if answer.consulted and not answer.content:
        echo("\nNearest:")
    shown = answer.sources or answer.consulted
    table(("id", "title", "url"), [(item.passage.id, item.label, site.url + item.passage.page.url) for item in shown])
    echo("\nTo keep it, put this into a page's front matter:\n")
    echo(f"answers:\n  - id: {declaration.id}\n    question: {_yaml(declaration.question)}")
    for name, values in (("queries", declaration.queries), ("sources", declaration.sources)):
        if values:
            echo(f"    {name}: [{', '.join(map(_yaml, values))}]")


def _yaml(text: str) -> str:
    """A one-line YAML scalar; JSON strings are YAML."""
    return msgspec.json.encode(text).decode()


@main.command()
@click.argument("query")
@config_option
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="Most passages.")
@json_option
def find(query: str, config_file: Path | None, limit: int, as_json: bool) -> None:
    """Show what would be found for a question, with scores and reasons."""
    site = load(config_file)
    hits = site.corpus.search(query, scope=Scope(locale=site.locale), limit=limit)
    if as_json:
        emit_json([_hit(hit) for hit in hits])
        return
    rows = [(f"{hit.relevance:.2f}", hit.passage.id, shorten(hit.passage.text, 80), hit.reason) for hit in hits]
    table(("relevance", "passage", "text", "why"), rows)
    if not hits:
        echo("Nothing in the docs has these words.")


def _hit(hit: Hit) -> dict[str, object]:
    passage = hit.passage
    return {
        "relevance": hit.relevance, "reason": hit.reason, "passage": passage.id, "page": passage.page.src,
        "url": passage.page.url, "title": passage.page.title, "text": passage.text,
    }  # fmt: skip


@main.command()
@click.argument("text_or_file")
@config_option
@json_option
def verify(text_or_file: str, config_file: Path | None, as_json: bool) -> None:
    """Say of a statement, or of every claim of a Markdown file, whether the docs support it.

    Each claim is `supported`, `contradicted`, `unchecked` (no reader could tell) or `undocumented` (nothing is near).
    """
    site = load(config_file)
    claims = site.pipeline(Run("always", writes=False)).verify(_text_of(text_or_file), site.locale)
    words = [(_word_for(item), item) for item in claims]
    if as_json:
        emit_json([_claim(word, item) for word, item in words])
    else:
        for word, item in words:
            echo(f"{word}: {item.claim.text}")
            for evidence in item.evidence[:1]:
                echo(f"  {evidence.passage.id}: {shorten(evidence.passage.text, 200)}")
            if item.judgement.reason and word != "supported":
                echo(f"  → {item.judgement.reason}")
    if any(word != "supported" for word, _ in words):
        sys.exit(FOUND)


def _text_of(text_or_file: str) -> str:
    """A file's text when there is such a file, else the words themselves."""
    path = Path(text_or_file)
    try:
        is_file = len(text_or_file) < 1000 and path.is_file()
    except OSError:
        is_file = False
    if is_file:
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise UsageError(f"`{path}` is not UTF-8: byte {error.start}", tip="save it as UTF-8") from error
    if path.suffix in (".md", ".txt") and " " not in text_or_file:
        raise UsageError(f"there is no file `{path}`", tip="name a Markdown file, or write the statement in quotes")
    return text_or_file


def _word_for(item: ReviewedClaim) -> str:
    if not item.evidence:
        return "undocumented"
    verdict = item.judgement.verdict
    return "undocumented" if verdict is Verdict.UNSUPPORTED else verdict.value


def _claim(word: str, item: ReviewedClaim) -> dict[str, object]:
    return {
        "claim": item.claim.text, "verdict": word, "score": item.judgement.score, "reason": item.judgement.reason,
        "evidence": [
            {"passage": evidence.passage.id, "url": evidence.passage.page.url, "text": evidence.passage.text}
            for evidence in item.evidence
        ],
    }  # fmt: skip
