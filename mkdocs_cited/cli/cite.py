"""`cite`: proposes marks for sentences of pages for which a proof is found; a person takes or leaves each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click
from msgspec import Struct

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.files import through_links, write_atomically
from mkdocs_cited.base.git import repository_of
from mkdocs_cited.base.text import did_you_mean, glob_matches
from mkdocs_cited.cli.group import config_option, json_option, main, opened, plain_name
from mkdocs_cited.cli.output import command, echo, emit_json, file_diff, key, progress, say, summary
from mkdocs_cited.declarations.editing import decoded, with_marks
from mkdocs_cited.declarations.front_matter import FrontMatter, read_front_matter
from mkdocs_cited.model.answer import Fault, Verdict
from mkdocs_cited.model.source import Page, SourceType

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.pipeline.pipeline import Pipeline
    from mkdocs_cited.pipeline.proposals import Proposal

MEANINGS = {"y": "take", "n": "leave", "a": "take all of this page", "q": "quit"}


class ProposedMark(TypedDict):
    """A mark that `cite` proposes; `unchecked` is one that a person has to confirm afterwards."""

    file: str
    line: int
    sentence: str
    mark: str
    verdict: str
    proof: str


class Marking(Struct, frozen=True):
    """A page with the marks that are proposed for it."""

    data: bytes
    matter: FrontMatter
    """What it says, and where its Markdown begins."""
    proposals: tuple[Proposal, ...]

    def object(self, item: Proposal) -> ProposedMark:
        """A proposal as JSON."""
        place = self.matter.source.place(self.matter.body + item.statement.start)
        return ProposedMark(
            file=place.file, line=place.line, sentence=item.statement.text, mark=item.mark.strip(),
            verdict=item.verdict.value, proof=item.passage.text,
        )  # fmt: skip


@main.command()
@click.argument("pages", nargs=-1, required=True)
@config_option
@click.option("--model", is_flag=True, help="Ask the model that reviews about sentences in other words, too.")
@click.option("--yes", "-y", is_flag=True, help="Take all of them without asking.")
@click.option("--dry-run", is_flag=True, help="Show all of them, and what a model would cost; write and ask nothing.")
@json_option
def cite(
    pages: tuple[str, ...], config_file: Path | None, model: bool, yes: bool, dry_run: bool, as_json: bool
) -> None:
    """Propose marks for sentences of PAGES for which the docs or the named files hold the proof.

    PAGES are pages of the site, files or globs. Sentences that state a figure, version, default, flag or name are
    looked at. A key takes or leaves each; without a terminal, the first letter of each line of standard input is a key.
    With `--json` they are listed, and nothing is written.
    """
    site = opened(config_file)
    found, chosen = [], chosen_pages(site, pages)
    with progress(len(chosen), "pages") as bar:
        for page in chosen:
            found.append(marking(site, page, asks=model, dry_run=dry_run))
            bar()
    if as_json:
        emit_json([item.object(proposal) for item in found for proposal in item.proposals])
        return
    taken = list(_taken(found, yes=yes or dry_run))
    for item, proposals in taken:
        source, body = item.matter.source, item.matter.body
        after = with_marks(item.data, source.text, ((body + mark.statement.stop, mark.mark) for mark in proposals))
        if yes or dry_run:
            echo(file_diff(source.file, source.text, after.decode("utf-8-sig").replace("\r\n", "\n")))
        if not dry_run:
            write_atomically(through_links(site.root / source.file, repository_of(site.root) or site.root), after)
    marks = [proposal for _, proposals in taken for proposal in proposals]
    waits = sum(proposal.verdict is not Verdict.SUPPORTED for proposal in marks)
    following = command("review" if waits else "check", *pages) if marks and not dry_run else ""
    counted = summary((f"{'would write' if dry_run else 'wrote'} {{}} mark{{s}}", len(marks)), ("{} to confirm", waits))
    say(counted or "no mark is written", following=following)


def chosen_pages(site: Site, names: Sequence[str]) -> list[Page]:
    """The pages that are named.

    Raises:
        UsageError: no page has a name.
    """
    known = {page.src: page for page in site.corpus.pages() if page.type is SourceType.PAGE and page.file}
    chosen: dict[str, Page] = {}
    for name in names:
        plain = plain_name(site, name)
        fitting = [src for src in known if src == plain or glob_matches(src, (plain,))]
        if not fitting:
            raise UsageError(f"the site has no page `{name}`", tip=did_you_mean(plain, known))
        chosen.update((src, known[src]) for src in fitting)
    return list(chosen.values())


def marking(site: Site, page: Page, *, asks: bool = False, dry_run: bool = False) -> Marking:
    """The proposals for one page."""
    from mkdocs_cited.pipeline.proposals import proposals

    data = (site.root / page.file).read_bytes()
    matter, pipeline = read_front_matter(decoded(page.file, data)), site.readonly_pipeline(calls_models=asks)
    markdown, addressed = matter.source.text[matter.body :], site.corpus.addressed
    files = [item for item in site.corpus.pages() if item.type is SourceType.FILE]
    values = [value for file in files for value in addressed.values(file)]
    made = list(proposals(page, markdown, site.corpus, values, pipeline.judged))
    if asks:
        made += _asked(pipeline, page, markdown, {item.statement.start for item in made}, dry_run=dry_run)
        made.sort(key=lambda item: item.statement.start)
    return Marking(data, matter, tuple(made))


def unproven(site: Site, page: Page) -> list[tuple[str, str]]:
    """The sentences of a page that state a figure and have no mark, each with its file and line."""
    from mkdocs_cited.declarations.prose import statements
    from mkdocs_cited.pipeline.proposals import states_figure

    source = decoded(page.file, (site.root / page.file).read_bytes())
    body = read_front_matter(source).body
    found = {item.start: item.text for item in statements(source.text[body:], page.locale) if states_figure(item.text)}
    return [(str(source.place(body + start)), said) for start, said in found.items()]


def _asked(
    pipeline: Pipeline, page: Page, markdown: str, taken: Collection[int], *, dry_run: bool
) -> Iterator[Proposal]:
    """The proposals that a model makes of the sentences that are left.

    Raises:
        UsageError: the options name no model that reviews.
        CitedError: it could not be asked.
    """
    from mkdocs_cited.pipeline.proposals import confirmed, unproposed

    reviewer = pipeline.ensemble.model
    if reviewer is None or not reviewer.calls_model:
        raise UsageError("no model reviews here", tip="set `reviewer: anthropic` in the options")
    rest = list(unproposed(page, markdown, pipeline.corpus, taken))
    cases = [case for _, case in rest]
    if dry_run:
        say(f"{page.src}: {len(cases)} sentences for the model: about the cost of reviewing one answer")
        return
    review = reviewer.review(cases, pipeline.corpus) if cases else None
    if isinstance(review, Fault):
        raise CitedError(review.reason, tip=review.tip)
    for (statement, case), judgement in zip(rest, review.judgements if review else (), strict=True):
        if proposal := confirmed(statement, case, judgement):
            yield proposal


def _taken(found: Sequence[Marking], *, yes: bool) -> Iterator[tuple[Marking, list[Proposal]]]:
    """The pages of which proposals are taken, each with these."""
    for item in found:
        taken: list[Proposal] = []
        pressed = "a" if yes else ""
        for proposal in item.proposals:
            if pressed != "a":
                _show(item.object(proposal))
                pressed = key(MEANINGS) or "q"
                echo(MEANINGS.get(pressed, "left"))
            if pressed == "q":
                break
            if pressed in "ya":
                taken.append(proposal)
        if taken:
            yield item, taken
        if pressed == "q":
            return


def _show(item: ProposedMark) -> None:
    echo(f"\n{item['file']}:{item['line']}\n  {item['sentence']}\n+ {item['mark']}")
    note = "" if item["verdict"] == Verdict.SUPPORTED else " (to be confirmed)"
    echo(f"  proof: {item['proof']}{note}")
