"""Mutation testing of the offline reviewer on real sites: wrong claims that it stops, right ones that it passes.

    python -m benchmarks.mutation SITE… [--limit 200] [--seed 0] [--survivors 5]

SITE is a folder with `mkdocs.yml`. Claims are sentences of its pages that cite themselves; those that pass are made
wrong, kind by kind (`mutants`), and are judged again.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.labelled import Rate
from benchmarks.mutants import KINDS, MAKERS, Material, mutant, seeded, shuffled
from benchmarks.sites import rendered
from mkdocs_cited import review
from mkdocs_cited.model.answer import Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Scope, SourceType
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.search.index import Index

LIMIT = 200
"""Claims of a site that are tried, by default."""

VERBATIM = "verbatim"
"""The kind of right claims: as the page has them."""

Judge = Callable[[Case], Judgement]
"""Judges one claim against its passages, as a reviewer does."""

_FAILED = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
_KINDS = (PassageKind.PARAGRAPH, PassageKind.ITEM, PassageKind.STEP)
_TELLING = re.compile(r"\d|--\w|\w_\w")


class Trial(Struct, frozen=True):
    """One claim that was judged."""

    kind: str
    text: str
    """What was judged."""
    original: str
    """The right claim that it was made from."""
    passages: tuple[str, ...]
    """Ids of what it cited."""
    judgement: Judgement

    @property
    def passed(self) -> bool:
        """True if the claim was taken as right."""
        return self.judgement.verdict is Verdict.SUPPORTED

    @property
    def failed(self) -> bool:
        """True if the claim would stop a build."""
        return self.judgement.verdict in _FAILED


class Report(Struct, frozen=True):
    """The reviewer's error rates."""

    wrong: tuple[Trial, ...]
    """Every mutant, by kind in the order of `KINDS`."""
    right: tuple[Trial, ...]
    """Every right claim."""

    @property
    def rates(self) -> tuple[Rate, ...]:
        """A rate for each kind of mutant."""
        return tuple(_rate(kind, self.wrong) for kind in KINDS)

    @property
    def right_rate(self) -> Rate:
        """The rate of right claims."""
        return _rate(VERBATIM, self.right)

    @property
    def survivors(self) -> tuple[Trial, ...]:
        """Wrong claims that passed, for a person to look at."""
        return tuple(trial for trial in self.wrong if trial.passed)

    @property
    def held_up(self) -> tuple[Trial, ...]:
        """Right claims that did not pass."""
        return tuple(trial for trial in self.right if not trial.passed)


def main() -> None:
    """Print a table for each site, and one for all of them together."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sites", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=LIMIT)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--survivors", type=int, default=5, help="how many of each kind to show")
    options = parser.parse_args()
    wrong: tuple[Trial, ...] = ()
    right: tuple[Trial, ...] = ()
    for site in options.sites:
        index = Index.open(None)
        index.sync(rendered(site))
        report = run(index, offline_judge(index), seed=options.seed, limit=options.limit)
        wrong += report.wrong
        right += report.right
        show(site.name, report, options.survivors)
    show("all", Report(wrong, right), 0)


def offline_judge(corpus: Corpus) -> Judge:
    """The judge that asks the offline reviewer."""
    reviewer = review.FAMILY.get(review.OFFLINE)(Settings())

    def judge(case: Case) -> Judgement:
        reviewed = reviewer.review([case], corpus)
        assert isinstance(reviewed, Review)
        return reviewed.judgements[0]

    return judge


def run(corpus: Corpus, judge: Judge, *, seed: int = 0, limit: int = LIMIT) -> Report:
    """Try a judge on at most `limit` claims of a site.

    The same site, seed and limit give the same report.
    """
    wrong: dict[str, list[Trial]] = {kind: [] for kind in KINDS}
    right: list[Trial] = []
    for case in _cases(corpus, seed, limit):
        first = _trial(VERBATIM, case, case.claim.text, judge)
        right.append(first)
        if not first.passed:
            continue
        for kind, changed in _mutants(case, corpus, seed):
            wrong[kind].append(_trial(kind, changed, case.claim.text, judge))
    return Report(tuple(trial for kind in KINDS for trial in wrong[kind]), tuple(right))


def show(name: str, report: Report, most: int) -> None:
    """Print the shares by kind, then at most `most` survivors and held-up right claims of each kind."""
    print(f"\n== {name}: {len(report.right)} claims")
    print(f"{'':20}{'claims':>6}{'failed':>9}{'unconfirmed':>13}{'passed':>9}")
    print("wrong claims, made from right ones")
    for rate in report.rates:
        print(_row(rate))
    print("right claims, in the words of their passages")
    print(_row(report.right_rate))
    _show_examples("Wrong, and passed", report.survivors, most)
    _show_examples("Right, and not passed", report.held_up, most)


def _row(rate: Rate) -> str:
    row = f"  {rate.kind:18}{rate.claims:>6}"
    for count, width in ((rate.failed, 9), (rate.unconfirmed, 13), (rate.passed, 9)):
        share = f"{count / rate.claims:.1%}" if rate.claims else "–"
        row += share.rjust(width)
    return row


def _show_examples(title: str, trials: Sequence[Trial], most: int) -> None:
    kinds: dict[str, list[Trial]] = {}
    for trial in trials:
        kinds.setdefault(trial.kind, []).append(trial)
    for kind, some in kinds.items():
        for trial in some[:most]:
            print(f"\n{title} ({kind}): {trial.text}")
            if trial.text != trial.original:
                print(f"  made from: {trial.original}")
            print(f"  cited: {', '.join(trial.passages)}")
            print(f"  the reviewer: {trial.judgement.verdict}: {trial.judgement.reason}")
        if most and len(some) > most:
            print(f"… and {len(some) - most} more of this kind")


def _rate(kind: str, trials: Sequence[Trial]) -> Rate:
    some = [trial for trial in trials if trial.kind == kind]
    failed = sum(trial.failed for trial in some)
    passed = sum(trial.passed for trial in some)
    return Rate(kind, len(some), failed=failed, unconfirmed=len(some) - failed - passed, passed=passed)


def _trial(kind: str, case: Case, original: str, judge: Judge) -> Trial:
    ids = tuple(item.passage.id for item in case.evidence)
    return Trial(kind, case.claim.text, original, passages=ids, judgement=judge(case))


def _cases(corpus: Corpus, seed: int, limit: int) -> list[Case]:
    """Sentences of the pages in a random order; half of them have a figure or a name, which few kinds do without."""
    sentences = {text: passage for passage in _passages(corpus) for text in _sentences(passage)}
    drawn = shuffled([*sentences.items()], seeded(seed, "sentences"))
    telling = [item for item in drawn if _TELLING.search(item[0])]
    chosen = dict([*telling[: limit // 2], *drawn])
    cases = []
    for sentence, passage in [*chosen.items()][:limit]:
        claim = Claim(sentence, (1,), 0, len(sentence))
        cases.append(Case(claim, (Evidence(passage, sentence),), locale=passage.page.locale))
    return cases


def _passages(corpus: Corpus) -> Iterator[Passage]:
    """Prose of the pages, by page and position."""
    for page in corpus.pages():
        if page.type is SourceType.PAGE:
            for passage in corpus.section(page.src, ""):
                if passage.kind in _KINDS:
                    yield passage


def _sentences(passage: Passage) -> list[str]:
    """Whole statements of a passage, of 6 to 40 words; no questions, lead-ins or fragments."""
    whole = (text for text in passage.sentence_texts() if text.endswith((".", "。")) and text[:1].isupper())
    return [text for text in whole if 6 <= len(text.split()) <= 40]


def _mutants(case: Case, corpus: Corpus, seed: int) -> Iterator[tuple[str, Case]]:
    said = "\n".join(f"{item.heading}\n{item.passage.text}" for item in case.evidence)
    material = Material(case.claim.text, said)
    for kind in MAKERS:
        text = mutant(kind, material, seeded(seed, kind, case.claim.text))
        if text:
            yield kind, replace(case, claim=replace(case.claim, text=text, end=case.claim.start + len(text)))
    other = _other_passage(case, corpus)
    if other:
        yield "swapped citation", replace(case, evidence=(Evidence(other, other.text),))


def _other_passage(case: Case, corpus: Corpus) -> Passage | None:
    """A passage that is about the claim's words and yet cannot support it: it lacks at least half of them."""
    words = _words(case.claim.text)
    cited = {item.passage.page.src for item in case.evidence}
    for hit in corpus.search(case.claim.text, scope=Scope(), limit=12):
        shared = words & _words(f"{hit.passage.text} {hit.passage.lead}")
        if hit.passage.page.src not in cited and len(shared) * 2 < len(words):
            return hit.passage
    return None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))


if __name__ == "__main__":
    main()
