"""`ask`, `find` and `verify`: questions and statements put to the docs at once. Nothing is written but a report."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.files import write_atomically
from mkdocs_cited.base.text import shorten
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.group import FOUND, config_option, json_option, lang_option, main, site_option
from mkdocs_cited.cli.objects import Verified, VerifiedBy
from mkdocs_cited.cli.output import echo, emit_json, progress, say, table
from mkdocs_cited.cli.sites import opened
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.model.declaration import Declaration
    from mkdocs_cited.model.explanation import Candidate, Explanation
    from mkdocs_cited.model.source import Passage

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)

list_option = click.option(
    "--file", "--queries", "file", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="A list of questions: `.yml`, `.jsonl`, or plain lines.",
)  # fmt: skip


@main.command()
@click.argument("question", required=False)
@config_option
@site_option
@lang_option
@list_option
@click.option(
    "--report",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write what of `--file` the docs answer, in part or not at all, as Markdown.",
)
@click.option("--why", is_flag=True, help="Show every candidate: its score, and the words that it has and lacks.")
@click.option("--provider", help="Who answers; the option's provider by default.")
@click.option("--query", "queries", multiple=True, help="Another phrasing; several at once.")
@click.option("--source", "sources", multiple=True, help="A glob of pages to answer from; several at once.")
@json_option
def ask(
    question: str | None,
    config_file: Path | None,
    folder: Path | None,
    lang: str | None,
    file: Path | None,
    report: Path | None,
    why: bool,
    provider: str | None,
    queries: tuple[str, ...],
    sources: tuple[str, ...],
    as_json: bool,
) -> None:
    """Answer a question once, from the docs, say why, and name the command that would keep it.

    With `--file`, answer a whole list: a file of questions (`.yml`), JSON lines (`.jsonl`), or plain lines from support
    tickets or a search log. The exit code is 1 when one of them is not answered, or not as it expects.
    """
    from mkdocs_cited.cli.gap_report import explanation_data
    from mkdocs_cited.pipeline.asking import answer_object, asked, declared
    from mkdocs_cited.pipeline.run import Run
    from mkdocs_cited.search.explaining import explained

    _only_one(question, file, "ask")
    if file is not None:
        if queries or sources:
            raise UsageError("`--query` and `--source` are for one question", tip="write them into the list: `queries`")
        _ask_all(file, opened(config_file, folder=folder), provider or "", lang=lang, report=report, as_json=as_json)
        return
    if report is not None:
        raise UsageError("`--report` tells of a list of questions", tip="name the list: `--file questions.yml`")
    declaration = declared(question or "", "")
    site = opened(config_file, folder=folder)
    declaration = replace(
        declaration, locale=lang or site.locale, queries=queries, sources=sources, provider=provider or ""
    )
    with progress() as bar:
        pipeline = site.pipeline(Run("always", writes=False, encoding=bar.encoding))
        answer = asked(declaration, pipeline)
        explanation = explained(declaration, pipeline.finding, site.settings.cite_threshold, answer=answer)
    if as_json:
        emit_json(answer_object(answer, site.links()) | {"why": explanation_data(explanation)})
    else:
        _print_answer(answer, declaration, site, explanation, why=why)
    if answer.status is not Status.ACCEPTED:
        sys.exit(FOUND)


def _only_one(question: str | None, file: Path | None, command: str) -> None:
    if (question is None) == (file is None):
        tip = f'mkdocs-cited {command} "How do I …?", or `--file questions.yml`'
        raise UsageError("name a question or a list of questions, one of the two", tip=tip)


def _ask_all(file: Path, site: Site, provider: str, *, lang: str | None, report: Path | None, as_json: bool) -> None:
    """Answer a list, tell of it, and end with 1 when something that is expected of it is not so."""
    from mkdocs_cited.cli import gap_report
    from mkdocs_cited.cli.question_lists import read_list
    from mkdocs_cited.pipeline.gaps import ask_all, merged
    from mkdocs_cited.pipeline.run import Run

    listed = [replace(item, provider=item.provider or provider) for item in read_list(file, lang or site.locale)]
    questions = merged(listed)
    with progress(len(questions), "questions") as advance:
        items = list(ask_all(questions, site.pipeline(Run("always", writes=False, encoding=advance.encoding)), advance))
    if report is not None:
        report.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(report, gap_report.as_markdown(items, site.url).encode("utf-8", "replace"))
    if as_json:
        emit_json([gap_report.as_data(item) for item in items])
    else:
        table(("answered", "asked", "question", "why, or where"), [gap_report.as_line(item) for item in items])
        echo(f"{gap_report.totals(items)}.")
        _print_faults([item.answer for item in items])
    if any(item.failed for item in items):
        sys.exit(FOUND)


def _print_answer(answer: Answer, declaration: Declaration, site: Site, explanation: Explanation, *, why: bool) -> None:
    from mkdocs_cited.render.links import Link
    from mkdocs_cited.render.plain import as_markdown

    def section(passage: Passage, _: str) -> Link:  # an address that begins nowhere leads nowhere
        return Link(passage.section.where)

    echo(as_markdown(answer, site.links() if site.url else section, site_url=site.url).rstrip("\n"))
    _print_faults([answer])
    if answer.consulted and not answer.content:
        nearest = dict.fromkeys(source.passage.section for source in answer.consulted)
        echo("\nNearest:")
        table(("section", "heading"), [(item.where, " › ".join(item.breadcrumb)) for item in nearest])
    echo(f"\nWhy: {explanation.conclusion}")
    _print_unknown(explanation)
    if why:
        echo()
        _print_candidates(explanation)
    if answer.status is Status.ACCEPTED:
        say("", following=_keeping(declaration, site))


def _print_faults(answers: Sequence[Answer]) -> None:
    """What to do about a provider that could not write."""
    tips = (item.tip for answer in answers for item in answer.findings if item.slug == "provider-error")
    for tip in dict.fromkeys(filter(None, tips)):
        echo(f"  → {tip}")


def _keeping(declaration: Declaration, site: Site) -> str:
    """The command that writes a question into the page that asks most of them; no page asks on a built site."""
    from mkdocs_cited.site_host.configuration import NAMES, QUESTIONS

    if Path(site.config.config_file_path).name == NAMES[-1]:
        return f"to have `check` ask it, write it into `{site.settings.questions or QUESTIONS}`"
    pages = Counter(item.page for item in site.declarations if item.key in site.build.urls)
    page = pages.most_common(1)[0][0] if pages else "faq.md"
    words = ["mkdocs-cited", "add", declaration.question, "--page", page]
    words += [word for query in declaration.queries for word in ("--query", query)]
    words += [word for glob in declaration.sources for word in ("--source", glob)]
    return f"to keep it: {shlex.join(words)}"


@main.command()
@click.argument("query", required=False)
@config_option
@site_option
@lang_option
@list_option
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True, help="Most passages.")
@json_option
def find(
    query: str | None,
    config_file: Path | None,
    folder: Path | None,
    lang: str | None,
    file: Path | None,
    limit: int,
    as_json: bool,
) -> None:
    """Show what would be found for a question, what it scored for, and whether it is enough.

    With `--queries`, show it for a whole list; with `--json`, as a JSON object a line.
    """
    from mkdocs_cited.cli.gap_report import candidate_data, explanation_data
    from mkdocs_cited.cli.question_lists import read_list
    from mkdocs_cited.pipeline.asking import declared
    from mkdocs_cited.pipeline.run import Run
    from mkdocs_cited.reporters.safety import one_line
    from mkdocs_cited.search.explaining import explained

    _only_one(query, file, "find")
    site = opened(config_file, folder=folder)
    queries = (
        read_list(file, lang or site.locale)
        if file
        else [replace(declared(query or "", ""), locale=lang or site.locale)]
    )
    with progress() as bar:
        corpus = site.pipeline(Run("always", writes=False, calls_models=False, encoding=bar.encoding)).finding
        explanations = [explained(item, corpus, site.settings.cite_threshold, limit=limit) for item in queries]
    for item, explanation in zip(queries, explanations, strict=True):
        if as_json and file is None:
            emit_json([candidate_data(candidate) for candidate in explanation.candidates])
        elif as_json:
            data = {"id": item.id, "query": item.question, **explanation_data(explanation)}
            echo(json.dumps(data, ensure_ascii=False))
        else:
            if file:
                echo(f"# {one_line(item.question)}")
            _print_candidates(explanation)
            echo(explanation.conclusion)
            _print_unknown(explanation)


def _print_candidates(explanation: Explanation) -> None:
    rows = [
        (
            str(rank),
            f"{item.relevance:.2f}",
            item.fate.value,
            item.passage.id,
            shorten(item.passage.text, 80),
            _why(item),
        )
        for rank, item in enumerate(explanation.candidates, start=1)
    ]
    table(("rank", "relevance", "fate", "passage", "text", "why"), rows)


def _why(item: Candidate) -> str:
    """What a candidate scored for, and the words that it lacks."""
    lacks = ", ".join(f"“{word}”" for word in item.lacks)
    return f"{item.reason}; lacks {lacks}" if lacks else item.reason


def _print_unknown(explanation: Explanation) -> None:
    if explanation.unknown:
        echo(f"Nowhere in the docs: {', '.join(f'“{word}”' for word in explanation.unknown)}.")


@main.command()
@click.argument("text_or_file")
@config_option
@site_option
@lang_option
@json_option
def verify(text_or_file: str, config_file: Path | None, folder: Path | None, lang: str | None, as_json: bool) -> None:
    """Say of a statement, or of every claim of a Markdown file, whether the docs support it.

    Of a file, what its page would show is read: no front matter, no comments. Each claim is `supported`,
    `contradicted`, `unchecked` (no reader could tell: the nearest passage is shown) or `undocumented` (none is near).
    """
    from mkdocs_cited.pipeline.run import Run
    from mkdocs_cited.sources.locate import Locator

    site = opened(config_file, folder=folder)
    claims = site.pipeline(Run("always", writes=False)).verify(_text_of(text_or_file), lang or site.locale)
    words = [(_word_for(item), item) for item in claims]
    if not words:
        raise UsageError("there is no claim in it", tip="name a file with sentences, or write one in quotes")
    if as_json:
        emit_json([_claim(word, item) for word, item in words])
    else:
        locator = Locator(site.root)
        for word, item in words:
            echo(f"{word}: {item.claim.text}")
            for evidence in item.evidence[:1]:
                place = locator.place(evidence.passage)
                where = f"{place.file}:{place.line}" if place else evidence.passage.id
                echo(f"  {where}: {shorten(evidence.passage.text, 200)}")
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
            return page_text(path.read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError as error:
            raise UsageError(f"`{path}` is not UTF-8: byte {error.start}", tip="save it as UTF-8") from error
    if path.suffix in (".md", ".txt") and " " not in text_or_file:
        raise UsageError(f"there is no file `{path}`", tip="name a Markdown file, or write the statement in quotes")
    return text_or_file


def page_text(text: str) -> str:
    """What a page shows of its file: the text without front matter and comments."""
    from mkdocs_cited.declarations.front_matter import read_front_matter
    from mkdocs_cited.declarations.source_text import source_text

    matter = read_front_matter(source_text("", text))
    return _COMMENT.sub("", matter.source.text[matter.body :])


def _word_for(item: ReviewedClaim) -> str:
    if not item.evidence:
        return "undocumented"
    verdict = item.judgement.verdict
    return "undocumented" if verdict is Verdict.UNSUPPORTED else verdict.value


def _claim(word: str, item: ReviewedClaim) -> Verified:
    return Verified(
        claim=item.claim.text, verdict=word, score=item.judgement.score, reason=item.judgement.reason,
        evidence=[
            VerifiedBy(passage=evidence.passage.id, url=evidence.passage.page.url, text=evidence.passage.text)
            for evidence in item.evidence
        ],
    )  # fmt: skip
