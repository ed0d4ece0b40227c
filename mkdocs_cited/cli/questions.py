"""`ask`, `find` and `verify`: questions and statements put to the docs at once. Nothing is written."""

from __future__ import annotations

import re
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import click
import msgspec

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import read_bounded
from mkdocs_cited.base.text import shorten
from mkdocs_cited.cli.group import (
    FOUND,
    Where,
    json_option,
    lang_option,
    main,
    site_options,
)
from mkdocs_cited.cli.output import (
    command,
    echo,
    emit_json,
    progress,
    say,
    summary,
    table,
)
from mkdocs_cited.cli.update import priced
from mkdocs_cited.declarations.front_matter import read_front_matter, source_text
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.reporters.interface import cost_of
from mkdocs_cited.site_host.configuration import NAMES, QUESTIONS

if TYPE_CHECKING:
    from mkdocs_cited.cli.output import Bar
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.declaration import Declaration
    from mkdocs_cited.model.report import Estimate
    from mkdocs_cited.model.source import Hit, Passage
    from mkdocs_cited.pipeline.pipeline import Pipeline

dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Say what a model would cost, and ask none."
)

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FOOTNOTE = re.compile(r"^ {0,3}\[\^[^\]\n]+\]:[ \t]*", re.MULTILINE)
"""What makes a paragraph a footnote: it claims what any paragraph does."""


class Found(TypedDict):
    """A passage, as `find` lists it."""

    relevance: float
    reason: str
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
@click.option(
    "--provider", help="The provider that answers. By default that of the options."
)
@dry_run_option
@json_option
def ask(
    question: str,
    where: Where,
    lang: str | None,
    provider: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Answer a question from the docs, and write nothing.

    The exit code is 1 if the docs do not answer it. `find` shows all candidates.
    """
    site = where()
    declaration = site.question(question, lang or "", provider or "")
    if dry_run:
        say(priced(site.readonly_pipeline().estimate([declaration])))
        return
    with progress(what="answering") as bar:
        pipeline = site.readonly_pipeline(calls_models=True, encoding=bar.encoding)
        _say_price(bar, pipeline.estimate([declaration]))
        answer = pipeline.ask(declaration)
        _say_spent(bar, pipeline)
    if as_json:
        emit_json(_answer_data(answer, site))
    else:
        _print_answer(answer, declaration, site)
    if answer.status is not Status.ACCEPTED:
        sys.exit(FOUND)


def _say_price(bar: Bar, estimate: Estimate) -> None:
    """What will be asked and cost, where a model is asked."""
    if estimate.answers:
        bar.line(priced(estimate))


def _say_spent(bar: Bar, pipeline: Pipeline) -> None:
    """What it cost, where a model was asked."""
    spent = cost_of(pipeline.ledger.spent)
    if spent:
        bar.line(f"It cost {spent}.")


def _answer_data(answer: Answer, site: Site) -> dict[str, Any]:
    """The object of `cited.json`, with `context` and `citations` as chat front ends want them."""
    from mkdocs_cited.render.cited_json import answer_data

    data = answer_data(answer, "", site.links())
    cited = [item for item in data.sources if item.passage]
    consulted = []
    for source in answer.consulted:
        if not source.passage.is_private:
            consulted.append(source.passage.text)
    return {
        **msgspec.to_builtins(data),
        "context": consulted,
        "citations": {
            item.passage: {
                "page": item.page,
                "snippet": item.quote,
                "source": item.href,
            }
            for item in cited
        },
    }


def _print_answer(answer: Answer, declaration: Declaration, site: Site) -> None:
    from mkdocs_cited.render.answer import as_markdown
    from mkdocs_cited.render.links import Link

    # an address that begins nowhere leads nowhere
    def section(passage: Passage, _: str) -> Link:
        return Link(passage.section.where)

    echo(
        as_markdown(
            answer, site.links() if site.url else section, site_url=site.url
        ).rstrip("\n")
    )
    for tip in dict.fromkeys(
        item.tip
        for item in answer.findings
        if item.slug == "provider-error" and item.tip
    ):
        echo(f"  → {tip}")
    if answer.consulted and not answer.content:
        nearest = dict.fromkeys(source.passage.section for source in answer.consulted)
        echo("\nNearest:")
        table(
            ("section", "heading"),
            [(item.where, " › ".join(item.breadcrumb)) for item in nearest],
        )
    if answer.status is Status.ACCEPTED:
        say("", following=_keeping(declaration, site))


def _keeping(declaration: Declaration, site: Site) -> str:
    """The command that writes a question into the page that asks most of them; no page asks on a built site."""
    if Path(site.config.config_file_path).name == NAMES[-1]:
        return f"to have `check` ask it, write it into `{site.settings.questions or QUESTIONS}`"
    pages = Counter(
        item.page for item in site.declarations if item.key in site.build.urls
    )
    page = "faq.md"
    if pages:
        page = pages.most_common(1)[0][0]
    return (
        f"to add it to a page: {command('add', declaration.question, '--page', page)}"
    )


@main.command()
@click.argument("query")
@site_options
@lang_option
@click.option(
    "--limit",
    type=click.IntRange(1, 100),
    default=10,
    show_default=True,
    help="Maximum number of passages.",
)
@json_option
def find(query: str, where: Where, lang: str | None, limit: int, as_json: bool) -> None:
    """List the passages that are found for a question."""
    site = where()
    question = site.question(query, lang or "")
    with progress() as bar:
        pipeline = site.readonly_pipeline(encoding=bar.encoding)
        hits = pipeline.found(question, limit)
        unknown = pipeline.corpus.asked(question.question, question.locale).unknown
    if as_json:
        emit_json([found_data(hit) for hit in hits])
        return
    rows = []
    for rank, hit in enumerate(hits, start=1):
        address, text = hit.passage.section.where, shorten(hit.passage.text, 80)
        rows.append((str(rank), f"{hit.relevance:.2f}", address, text, hit.reason))
    table(("rank", "relevance", "address", "text", "why"), rows)
    if all(hit.relevance < site.settings.cite_threshold for hit in hits):
        echo(
            f"No passage reaches `cite_threshold`, {site.settings.cite_threshold:.2f}."
        )
    if unknown:
        echo(f"Nowhere in the docs: {', '.join(f'“{word}”' for word in unknown)}.")


def found_data(hit: Hit) -> Found:
    """One passage as JSON; of a note, no text."""
    passage, page = hit.passage, hit.passage.page
    return Found(
        relevance=hit.relevance,
        reason=hit.reason,
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
@dry_run_option
@json_option
def verify(
    text_or_file: str, where: Where, lang: str | None, dry_run: bool, as_json: bool
) -> None:
    """Check whether the docs support a statement or a file.

    Each claim is `supported`, `contradicted`, `unchecked` (nobody could decide; the nearest passage is shown) or
    `undocumented` (no passage is near).
    """
    from mkdocs_cited.sources.locate import Locator

    site = where()
    text = _text_of(text_or_file)
    locale = lang or site.locale
    with progress(what="reading") as bar:
        pipeline = site.readonly_pipeline(
            calls_models=not dry_run, encoding=bar.encoding
        )
        estimate = pipeline.estimate_of_reading(text, locale)
        if dry_run:
            say(_read_price(estimate))
            return
        if estimate.answers:
            bar.line(_read_price(estimate))
        claims = pipeline.verify(text, locale)
        _say_spent(bar, pipeline)
    words = [(word_for(item), item) for item in claims]
    if not words:
        raise UsageError(
            "the text has no claim",
            tip="name a file with sentences, or write one in quotes",
        )
    if as_json:
        emit_json([*map(claim_data, claims)])
    else:
        locator = Locator(site.root)
        for word, item in words:
            echo(f"{word}: {item.claim.text}")
            for evidence in item.evidence[:1]:
                place = locator.place(evidence.passage)
                named = f"{place.file}:{place.line}" if place else evidence.passage.id
                echo(f"  {named}: {shorten(evidence.passage.text, 200)}")
            if item.judgement.reason and word != "supported":
                echo(f"  → {item.judgement.reason}")
    if any(word != "supported" for word, _ in words):
        sys.exit(FOUND)


def _read_price(estimate: Estimate) -> str:
    """What reading claims would cost, in a line."""
    if not estimate.answers:
        return "No model would be asked."
    asked = summary(("a model reads {} claim{s}, once each", estimate.answers))
    if estimate.each is None:
        return f"{asked}: the price table does not have the model."
    return f"{asked}: about ${estimate.answers * estimate.each:.2f}."


def _text_of(text_or_file: str) -> str:
    """What a page shows of a file, when there is one: no front matter, no comments. Else the words themselves."""
    path = Path(text_or_file)
    there = False
    with suppress(OSError):  # its name is too long, say: it is a statement
        there = path.exists()
    if there:
        try:
            matter = read_front_matter(
                source_text("", read_bounded(path).decode("utf-8-sig"))
            )
            return _FOOTNOTE.sub(
                "", _COMMENT.sub("", matter.source.text[matter.body :])
            )
        except OSError as error:
            raise UsageError(
                f"`{path}` cannot be read: {error.strerror}", tip="name a Markdown file"
            ) from error
        except UnicodeDecodeError as error:
            raise UsageError(
                f"`{path}` is not UTF-8: byte {error.start}", tip="save it as UTF-8"
            ) from error
    if path.suffix in (".md", ".txt") and " " not in text_or_file:
        raise UsageError(
            f"there is no file `{path}`",
            tip="name a Markdown file, or write the statement in quotes",
        )
    return text_or_file


def word_for(item: ReviewedClaim) -> str:
    """The verdict on a claim, in a word."""
    verdict = item.judgement.verdict
    if item.evidence and verdict is not Verdict.UNSUPPORTED:
        return verdict.value
    return "undocumented"


def claim_data(item: ReviewedClaim) -> Verified:
    """One claim as JSON."""
    return Verified(
        claim=item.claim.text,
        verdict=word_for(item),
        reason=item.judgement.reason,
        evidence=[
            VerifiedBy(
                passage=evidence.passage.id,
                url=evidence.passage.page.url,
                text=evidence.passage.text,
            )
            for evidence in item.evidence
        ],
    )
