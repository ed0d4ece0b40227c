"""Replay the history of a project's docs over decided claims: what is told, what is told for nothing, what is missed.

    python -m benchmarks.replay REPOSITORY [--docs docs] [--steps 200] [--claims 60] [--seed 0] [--list]

REPOSITORY is a git directory with its history. Claims are drawn by a seed from the docs at the first step, half of them
with a figure or code: a sentence, item or row in a frame (`In brief: …`), so that words alone do not pass it. Each is
confirmed; then every commit that touches the docs is a step. Whether something bears on a claim is told by another rule
than the product's: its sentence, as bare words, is on its page under a heading and column headers of the same words, or
is not. What is told is decided again where the sentence is there, else the claim is dropped. Pages are rendered by
Python-Markdown.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import markdown
from msgspec import Struct

from mkdocs_cited.model.answer import Answer, Judgement, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Page, Passage, PassageKind
from mkdocs_cited.pipeline import Pipeline
from mkdocs_cited.pipeline.resolution import Resolution
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.review.decisions import decided
from mkdocs_cited.search.index import Index

FRAME = "In brief: "
EXTENSIONS = ("tables", "admonition", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "toc")
TOLD = ("outdated-claim", "changed-evidence", "unconfirmed-claim", "unknown-source", "wrong-citation")
ADDRESS = "unknown-source"
DAY = "2026-01-01"
_SPECIAL = re.compile(r"([\\`*_\[\]<>|])")
_TELLING = re.compile(r"\d|`")
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_KINDS = (PassageKind.PARAGRAPH, PassageKind.ITEM, PassageKind.STEP, PassageKind.ROW)


class Watched(Struct, frozen=True):
    """A decided claim."""

    declaration: Declaration
    page: str
    over: str
    """Its heading and column headers."""
    sentence: str
    """What bears it."""


class Event(Struct, frozen=True):
    """Something that was told of a claim, or should have been."""

    step: int
    kind: str
    """`address`, `false alarm`, `told` or `missed`."""
    slug: str
    claim: Watched


class History:
    """The docs of a repository, step by step."""

    def __init__(self, repository: Path, docs: str, steps: int) -> None:
        self.repository, self.docs = repository, docs
        log = self.git("log", "--first-parent", "--format=%H", "-n", str(steps + 1), "--", docs)
        self.commits = log.split()[::-1]
        self.pages: dict[str, tuple[Page, str]] = {}

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.repository, capture_output=True, check=True)
        return done.stdout.decode("utf-8", "replace")

    def steps(self) -> Iterator[int]:
        """The number of each commit, with its pages at hand; the first one is no change."""
        before = ""
        for number, commit in enumerate(self.commits):
            if before:
                listed = self.git("diff", "--no-renames", "--name-status", before, commit, "--", self.docs)
                changed = [line.split("\t") for line in listed.splitlines()]
            else:
                listed = self.git("ls-tree", "-r", "--name-only", commit, "--", self.docs)
                changed = [["A", path] for path in listed.splitlines()]
            for status, path in changed:
                self._read(commit, path, gone=status == "D")
            before = commit
            yield number

    def _read(self, commit: str, path: str, *, gone: bool) -> None:
        src = path.removeprefix(f"{self.docs}/")
        if not src.endswith(".md"):
            return
        if gone:
            self.pages.pop(src, None)
            return
        text = _FRONT.sub("", self.git("show", f"{commit}:{path}"))
        html = markdown.markdown(text, extensions=EXTENSIONS)
        self.pages[src] = (Page(src, src.removesuffix(".md") + "/", PurePosixPath(src).stem), html)


def bare(text: str) -> str:
    """The words of a text, in lower case, with one space around each."""
    words = " ".join(re.findall(r"[^\W_]+", text.lower()))
    return f" {words} "


def candidates(corpus: Index) -> Iterator[tuple[Passage, str]]:
    """Sentences, items and rows that a claim could be about."""
    for page in corpus.pages():
        for passage in corpus.section(page.src, ""):
            texts: Sequence[str] = passage.sentence_texts()
            if passage.kind is PassageKind.ROW:
                texts = [", ".join(passage.cells)]
            if passage.kind not in _KINDS or passage.section.anchor == "":
                continue
            for text in texts:
                if 6 <= len(bare(text).split()) <= 40 and not text.rstrip().endswith((":", "?")):
                    yield passage, text


def drawn(corpus: Index, wanted: int, seed: int) -> list[Watched]:
    """Claims, half of them with a figure or code; one a passage."""
    found = {passage.id: (passage, text) for passage, text in candidates(corpus)}
    telling = [item for item in found.values() if _TELLING.search(item[1]) or item[0].code_spans]
    chooser = random.Random(seed)  # noqa: S311 -- a draw, and no secret
    chosen = chooser.sample(telling, min(wanted // 2, len(telling)))
    chosen += chooser.sample(list(found.values()), min(wanted - len(chosen), len(found)))
    watched = {}
    for number, (passage, text) in enumerate(chosen):
        said = _SPECIAL.sub(r"\\\1", " ".join(text.split()).rstrip(". "))
        cited = f"{FRAME}{said} [@/{passage.section.where}]."
        declaration = Declaration("claims.md", f"c{number}", f"Claim {number}?", Place("claims.md"), text=cited)
        watched[passage.id] = Watched(declaration, passage.page.src, over(passage), text)
    return list(watched.values())


def over(passage: Passage) -> str:
    """The heading and the column headers of a passage, as bare words."""
    return bare(" ".join([passage.section.title, *passage.header]))


def is_there(claim: Watched, corpus: Index) -> bool:
    """Whether a claim's sentence is on its page, under a heading and column headers of the same words."""
    for passage in corpus.section(claim.page, ""):
        if over(passage) == claim.over:
            shown = passage.text
            if passage.cells:
                shown = ", ".join(passage.cells)
            if bare(claim.sentence) in bare(shown):
                return True
    return False


def replayed(history: History, wanted: int, seed: int) -> Iterator[Event]:
    """What is told at each step."""
    corpus = Index.open(None)
    watched: list[Watched] = []
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder), "answers")
        pipeline = Pipeline(Settings(), corpus, store, Run("never", writes=False, calls_models=False))
        for step in history.steps():
            corpus.sync(list(history.pages.values()))
            if not watched:
                watched = drawn(corpus, wanted, seed)
                for claim in watched:
                    decide(pipeline, claim)
                print(f"{len(history.commits) - 1} steps, {len(watched)} claims", flush=True)
                continue
            for claim in list(watched):
                answer = Resolution(pipeline, claim.declaration).answer()
                told = [finding.slug for finding in answer.findings if finding.slug in TOLD]
                right = is_there(claim, corpus)
                if told and right:
                    kind = "address" if ADDRESS in told else "false alarm"
                    yield Event(step, kind, told[0], claim)
                elif not right:
                    yield Event(step, "told" if told else "missed", told[0] if told else "", claim)
                if told and right and ADDRESS not in told:
                    decide(pipeline, claim)
                elif told or not right:
                    watched.remove(claim)


def decide(pipeline: Pipeline, claim: Watched) -> None:
    """Confirm a claim, as a person does."""
    answer: Answer = Resolution(pipeline, claim.declaration).answer()
    judgement = Judgement(Verdict.SUPPORTED, "read", "person:Ann", DAY)
    decisions = [decided(item.claim, item.evidence, judgement) for item in answer.claims]
    pipeline.store.decide(answer, claim.declaration, decisions, DAY)


def main() -> None:
    """Print the counts, and a line for each event if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--docs", default="docs")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--claims", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="print each event")
    given = parser.parse_args()
    history = History(given.repository, given.docs, given.steps)
    counts: Counter[str] = Counter()
    slugs: Counter[str] = Counter()
    for event in replayed(history, given.claims, given.seed):
        counts[event.kind] += 1
        slugs[event.slug] += 1
        if given.list:
            print(f"{event.step:4} {event.kind:12} {event.slug:18} {event.claim.page}: {event.claim.sentence!r:.150}")
    steps = len(history.commits) - 1
    alarms = 100 * counts["false alarm"] / steps
    print(f"false alarms in 100 steps: {alarms:.1f}; with addresses: {alarms + 100 * counts['address'] / steps:.1f}")
    print(f"sentences that changed or went: told {counts['told']}, missed {counts['missed']}")
    print(", ".join(f"{slug or 'nothing'} {count}" for slug, count in slugs.most_common()))


if __name__ == "__main__":
    main()
