"""`ask`, `find` and `verify`: questions and statements put to the docs at once. Nothing is written."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import urljoin

import click
import msgspec

from mkdocs_cited.base.errors import UsageError, command
from mkdocs_cited.base.files import read_text
from mkdocs_cited.base.text import collapse, shorten, slugify
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    json_option,
    lang_option,
    main,
    site_options,
)
from mkdocs_cited.cli.output import (
    Bar,
    echo,
    emit_json,
    progress,
    say,
    table,
)
from mkdocs_cited.declarations.front_matter import read_front_matter, source_text
from mkdocs_cited.mkdocs_host.configuration import QUESTIONS, is_own
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.reporters.interface import cost_of, priced, summary

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.source import Hit
    from mkdocs_cited.pipeline import Pipeline
    from mkdocs_cited.render.cited_json import SourceData

MOST_FOUND = 10
"""Passages that `find` lists."""
_LONGEST_QUOTE = 240
"""Characters of a quote that a terminal shows."""
_NUMBER = re.compile(r"\[\^(\d{1,4})\]")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FOOTNOTE = re.compile(r"^ {0,3}\[\^[^\]\n]+\]:[ \t]*", re.MULTILINE)
"""The number before a footnote's text, which is then read as any paragraph."""


class Found(TypedDict):
    """A passage, as `find` lists it."""

    relevance: float
    passage: str
    page: str
    section: str
    url: str
    title: str
    kind: str
    text: str


class VerifiedBy(TypedDict):
    """A passage next to a claim."""

    passage: str
    url: str
    text: str


class Verified(TypedDict):
    """A claim that `verify` held against the docs."""

    claim: str
    verdict: str
    reason: str
    evidence: list[VerifiedBy]


@main.command()
@click.argument("question")
@site_options
@lang_option
@json_option
def ask(question: str, where: Where, lang: str | None, as_json: bool) -> None:
    """Answer a question from the docs, and write nothing.

    The exit code is 1 if the docs do not answer it. `find` shows all candidates.
    """
    site = where()
    declaration = site.question(question, lang)
    with _asking(site, "answering") as (pipeline, bar):
        estimate = pipeline.estimate([declaration])
        if estimate.answers:
            bar.line(priced(estimate))
        answer = pipeline.ask(declaration)
    from mkdocs_cited.render.cited_json import answer_data

    data = answer_data(answer, "", site.links())
    if as_json:
        passages = [source.passage for source in answer.consulted]
        context = [passage.text for passage in passages if not passage.is_private]
        emit_json({**msgspec.to_builtins(data), "context": context})
    else:
        _print_answer(answer, data.sources, site)
    if answer.status is not Status.ACCEPTED:
        sys.exit(FOUND)


@contextmanager
def _asking(site: Site, what: str) -> Iterator[tuple[Pipeline, Bar]]:
    """A pipeline that may ask a model, and the bar at which it says so; at the end, what it cost."""
    with progress(what) as bar:
        pipeline = site.readonly_pipeline(calls_models=True, encoding=bar.encoding)
        yield pipeline, bar
        cost = cost_of(pipeline.ledger.spent)
        if cost:
            bar.line(f"It cost {cost}.")


def _print_answer(answer: Answer, sources: Sequence[SourceData], site: Site) -> None:
    """Print the answer with its sources, or why there is none and the sections that are nearest."""
    echo(_NUMBER.sub(r"[\1]", answer.content.rstrip()) or answer.reason)
    if answer.content and sources:
        echo("\nSources:\n")
        for source in sources:
            echo(_listed(source, site.url))
    tips = {item.tip for item in answer.findings if item.slug == "provider-error"}
    for tip in sorted(filter(None, tips)):
        echo(f"  → {tip}")
    if answer.consulted and not answer.content:
        nearest = dict.fromkeys(source.passage.section for source in answer.consulted)
        echo("\nNearest:")
        rows = [(item.where, " › ".join(item.breadcrumb)) for item in nearest]
        table(("section", "heading"), rows)
    if answer.status is Status.ACCEPTED:
        say("", following=_adding(answer, site))


def _adding(answer: Answer, site: Site) -> str:
    """How a question gets into a page, or which one asks it already."""
    for item in site.declarations:
        if slugify(item.question) == answer.id:
            return f"{item.place} asks it already: {command('check', item.key)}"
    if is_own(Path(site.config.config_file_path)):
        return f"to answer it in a page, write it into `{QUESTIONS}`"
    return f"to add it to a page: {command('add', answer.question)}"


def _listed(source: SourceData, site_url: str) -> str:
    """A source in a line: its number and name, what is quoted of it, and its address, without that of the site its
    section."""
    line = f"[{source.sid}] {source.label}"
    if source.quote:
        line += f": “{shorten(collapse(source.quote), _LONGEST_QUOTE)}”"
    address = f"{source.page}#{source.anchor}".rstrip("#")
    if site_url:
        address = source.href and urljoin(site_url, source.href)
    if address:
        line += f" <{address}>"
    return line


@main.command()
@click.argument("query")
@site_options
@lang_option
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=MOST_FOUND,
    show_default=True,
    help="List at most N passages.",
    metavar="N",
)
@json_option
def find(query: str, where: Where, lang: str | None, limit: int, as_json: bool) -> None:
    """List the passages that are found for a question."""
    site = where()
    question = site.question(query, lang)
    with progress("searching") as bar:
        pipeline = site.readonly_pipeline(encoding=bar.encoding)
        hits = pipeline.found(question, limit)
        unknown = pipeline.corpus.asked(question.question, question.locale).unknown
    if as_json:
        emit_json(list(map(found_data, hits)))
        return
    rows = []
    for rank, hit in enumerate(hits, start=1):
        address = hit.passage.section.where
        text = shorten(hit.passage.text, 80)
        rows.append((str(rank), f"{hit.relevance:.2f}", address, text))
    table(("rank", "relevance", "address", "text"), rows)
    if not rows:
        echo("No passage of the docs is near to it.")
    if unknown:
        echo(f"Nowhere in the docs: {', '.join(f'“{word}”' for word in unknown)}.")


def found_data(hit: Hit) -> Found:
    """One passage as JSON; of a note, no text."""
    passage = hit.passage
    page = passage.page
    return Found(
        relevance=hit.relevance,
        passage=passage.id,
        page=page.src,
        section=passage.section.where,
        url=page.url,
        title=page.title,
        kind=passage.kind.value,
        text="" if passage.is_private else passage.text,
    )


@main.command()
@click.argument("text_or_file")
@site_options
@lang_option
@json_option
def verify(text_or_file: str, where: Where, lang: str | None, as_json: bool) -> None:
    """Check whether the docs support a statement or a file.

    Each claim is `supported`, `contradicted`, `unchecked` (nobody could decide; the nearest passage is shown) or
    `undocumented` (no passage is near). Pages are taken at their word: what `check` finds wrong in them proves, too.
    """
    from mkdocs_cited.sources.locate import Locator

    site = where()
    text = _text_of(text_or_file)
    file = site.config.path(os.path.abspath(text_or_file))  # noqa: PTH100 -- no statement is too long for it
    locale = lang or site.locale
    with _asking(site, "reading") as (pipeline, bar):
        estimate = pipeline.estimate_of_reading(text, locale)
        if estimate.answers:
            asked = ("a model reads {} claim{s}, once each", estimate.answers)
            bar.line(priced(estimate, summary(asked)))
        # no page proves itself
        others = [f"!{page.src}" for page in site.contents.pages if page.file == file]
        claims = pipeline.examination.verify(text, locale, others)
    if not claims:
        raise UsageError(
            "the text has no claim",
            tip="name a file with sentences, or write one in quotes",
        )
    verified = list(map(claim_data, claims))
    if as_json:
        emit_json(verified)
    else:
        locator = Locator(site.root)
        for shown, item in zip(verified, claims, strict=True):
            echo(f"{shown['verdict']}: {shown['claim']}")
            for evidence in item.evidence[:1]:
                place = locator.place(evidence.passage)
                named = f"{place.file}:{place.line}" if place else evidence.passage.id
                echo(f"  {named}: {shorten(evidence.passage.text, 200)}")
            if shown["reason"] and shown["verdict"] != "supported":
                echo(f"  → {shown['reason']}")
    if any(shown["verdict"] != "supported" for shown in verified):
        sys.exit(FOUND)


def _text_of(text_or_file: str) -> str:
    """What a page shows of a file, when there is one: no front matter, no comments. Else the words themselves."""
    path = Path(text_or_file)
    if not os.path.exists(path):  # noqa: PTH110 -- no statement is too long for it
        if path.suffix in (".md", ".txt") and " " not in text_or_file:
            raise UsageError(
                f"there is no file `{path}`",
                tip="name a Markdown file, or write the statement in quotes",
            )
        return text_or_file
    text = read_text(path, tip="name a Markdown file")
    matter = read_front_matter(source_text("", text))
    return _FOOTNOTE.sub("", _COMMENT.sub("", matter.content))


def claim_data(item: ReviewedClaim) -> Verified:
    """One claim as JSON."""
    verdict = item.judgement.verdict.value
    if not item.evidence or item.judgement.verdict is Verdict.UNSUPPORTED:
        verdict = "undocumented"
    evidence = []
    for each in item.evidence:
        passage = each.passage
        evidence.append(
            VerifiedBy(passage=passage.id, url=passage.page.url, text=passage.text)
        )
    return Verified(
        claim=item.claim.text,
        verdict=verdict,
        reason=item.judgement.reason,
        evidence=evidence,
    )
