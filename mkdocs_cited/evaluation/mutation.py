"""Mutation testing of the gate: how many wrong claims it stops on a site, and how many right ones it passes.

Claims come from the site's answers, and where those are few, from sentences of its pages that cite themselves. Those
that pass are made wrong, kind by kind (`mutants`), and go through the gate again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.values import replace
from mkdocs_cited.evaluation import LIMIT
from mkdocs_cited.evaluation.labelled import Rate, evaluate, open_claims, rates
from mkdocs_cited.evaluation.mutants import KINDS, MAKERS, Material, mutant, seeded, shuffled
from mkdocs_cited.model.answer import Answer, Citation, Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place, Severity
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Scope, Source, SourceType, Via
from mkdocs_cited.review.interface import Audit, Case
from mkdocs_cited.review.rules import RULES

VERBATIM = "verbatim"
"""The kind of right claims: as the answer or the page has them."""
Judge = Callable[[Case], Judgement]
"""Judges one claim against its passages, as a reviewer does."""


class Fate(StrEnum):
    """What becomes of a claim at the gate."""

    FAILED = "failed"
    """A finding of severity `error`: the build stops."""
    UNCONFIRMED = "unconfirmed"
    """A warning: `partial` or `unchecked`. It is no pass."""
    PASSED = "passed"


class Trial(Struct, frozen=True):
    """One claim at the gate."""

    kind: str
    text: str
    """What was put to the gate."""
    original: str
    """The right claim that it was made from."""
    passages: tuple[str, ...]
    """Ids of what it cited."""
    fate: Fate
    reason: str
    """What the gate said, for a person who looks."""


class MutationReport(Struct, frozen=True):
    """The gate's own error rate on a site."""

    seed: int
    claims: int
    """How many right claims were tried."""
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
        return tuple(trial for trial in self.wrong if trial.fate is Fate.PASSED)

    @property
    def wronged(self) -> tuple[Trial, ...]:
        """Right claims that did not pass."""
        return tuple(trial for trial in self.right if trial.fate is not Fate.PASSED)


def run(
    corpus: Corpus,
    answers: Sequence[Answer],
    judge: Judge,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    settings: Settings | None = None,
) -> MutationReport:
    """Try the gate (every rule, and a reviewer's `judge`) on at most `limit` claims of a site.

    The same site, seed and limit give the same report.
    """
    gate = _Gate(corpus, judge, settings or Settings())
    passages = tuple(_passages(corpus))
    wrong: dict[str, list[Trial]] = {kind: [] for kind in KINDS}
    right: list[Trial] = []
    cases = _cases(answers, passages, seed, limit)
    for case in cases:
        first = gate.trial(VERBATIM, case, case.claim.text)
        right.append(first)
        if first.fate is not Fate.PASSED:
            continue
        for kind, changed in _mutants(case, corpus, seed):
            wrong[kind].append(gate.trial(kind, changed, case.claim.text))
    return MutationReport(seed, len(cases), tuple(trial for kind in KINDS for trial in wrong[kind]), tuple(right))


def free_wording() -> tuple[Rate, Rate]:
    """What becomes of the right and of the wrong claims of the open set, which people put in their own words."""
    rows = list(open_claims())
    return rates(rows, list(evaluate(rows)))


def lines(report: MutationReport, examples: int) -> Iterator[str]:
    """A table of shares by kind, then at most `examples` survivors and held-up right claims of each kind."""
    yield f"{'':20}{'claims':>6}{'failed':>9}{'unconfirmed':>13}{'passed':>9}"
    yield "wrong claims, made from right ones"
    yield from map(_row, report.rates)
    yield "right claims, in the words of their passages"
    yield _row(report.right_rate)
    yield "right and wrong claims in words of their own, of the open set that comes with this package"
    yield from map(_row, free_wording())
    yield from _examples("Wrong, and passed", report.survivors, examples)
    yield from _examples("Right, and not passed", report.wronged, examples)


def _row(rate: Rate) -> str:
    parts = (rate.failed, rate.unconfirmed, rate.passed)
    shares = [f"{part / rate.claims:.1%}" if rate.claims else "–" for part in parts]
    return f"  {rate.kind:18}{rate.claims:>6}{shares[0]:>9}{shares[1]:>13}{shares[2]:>9}"


def _examples(title: str, trials: Sequence[Trial], most: int) -> Iterator[str]:
    kinds: dict[str, list[Trial]] = {}
    for trial in trials:
        kinds.setdefault(trial.kind, []).append(trial)
    for kind, some in kinds.items():
        for trial in some[:most]:
            yield ""
            yield f"{title} ({kind}): {trial.text}"
            if trial.text != trial.original:
                yield f"  made from: {trial.original}"
            yield f"  cited: {', '.join(trial.passages) or 'nothing'}"
            yield f"  the gate: {trial.reason}"
        if most and len(some) > most:
            yield f"… and {len(some) - most} more of this kind"


def _rate(kind: str, trials: Sequence[Trial]) -> Rate:
    fates = [trial.fate for trial in trials if trial.kind == kind]
    return Rate(kind, len(fates), *(fates.count(fate) for fate in (Fate.FAILED, Fate.UNCONFIRMED, Fate.PASSED)))


def _cases(answers: Sequence[Answer], passages: Sequence[Passage], seed: int, limit: int) -> list[Case]:
    """The claims to start from: those of the answers, then sentences of the pages; the seed decides their order."""
    own = [
        Case(item.claim, item.evidence, answer.question, item.evidence[0].passage.page.locale)
        for answer in answers
        for item in answer.claims
        if item.evidence and item.judgement.verdict is Verdict.SUPPORTED and "\n" not in item.claim.text
    ]
    cases = shuffled(own, seeded(seed, "answers"))[:limit]
    tried = {case.claim.text for case in cases}
    others = {text: passage for passage in passages for text in _sentences(passage) if text not in tried}
    drawn, room = shuffled([*others.items()], seeded(seed, "sentences")), max(0, limit - len(cases))
    telling = [item for item in drawn if _TELLING.search(item[0])]  # the kinds of mutants that need one are the rarest
    for sentence, passage in [*dict([*telling[: room // 2], *drawn]).items()][:room]:
        claim = Claim(sentence, (1,), 0, len(sentence))
        cases.append(Case(claim, (Evidence(passage, sentence),), locale=passage.page.locale))
    return cases


_TELLING = re.compile(r"\d|--\w|\w_\w")
_KINDS = (PassageKind.PARAGRAPH, PassageKind.ITEM, PassageKind.STEP)


def _passages(corpus: Corpus) -> Iterator[Passage]:
    """Prose of the pages, by page and position."""
    for page in corpus.pages():
        if page.type is SourceType.PAGE:
            yield from (passage for passage in corpus.section(page.src, "") if passage.kind in _KINDS)


def _sentences(passage: Passage) -> list[str]:
    """Whole statements of a passage: neither questions nor lead-ins, neither fragments nor monsters."""
    whole = (text for text in passage.sentence_texts() if text.endswith((".", "。")) and text[:1].isupper())
    return [text for text in whole if 6 <= len(text.split()) <= 40]


def _mutants(case: Case, corpus: Corpus, seed: int) -> Iterator[tuple[str, Case]]:
    said = "\n".join(f"{item.heading}\n{item.passage.text}" for item in case.evidence)
    material = Material(case.claim.text, said)
    for kind in MAKERS:
        text = mutant(kind, material, seeded(seed, kind, case.claim.text))
        if text:
            yield kind, _with_text(case, text)
    other = _other_passage(case, corpus)
    if other:
        yield "swapped citation", replace(case, evidence=(Evidence(other, other.text),))
    yield "dropped citation", replace(case, claim=replace(case.claim, sids=()), evidence=())


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


def _with_text(case: Case, text: str) -> Case:
    return replace(case, claim=replace(case.claim, text=text, end=case.claim.start + len(text)))


_MARKUP = re.compile(r"[\\`*_{}\[\]()<>#+\-.!|~&:]")


class _Gate:
    """All that a claim has to pass in a build: the rules, then the reviewer."""

    def __init__(self, corpus: Corpus, judge: Judge, settings: Settings) -> None:
        self._corpus = corpus
        self._judge = judge
        self._settings = settings
        self._rules = RULES

    def trial(self, kind: str, case: Case, original: str) -> Trial:
        """Put one claim to the gate."""
        fate, reason = self._fate(case)
        ids = tuple(item.passage.id for item in case.evidence if item.shown)
        return Trial(kind, case.claim.text, original, ids, fate, reason)

    def _fate(self, case: Case) -> tuple[Fate, str]:
        audited = self._audit(case)
        findings = (finding for rule in self._rules for finding in rule.check(audited))
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            return Fate.FAILED, f"{errors[0].slug}: {errors[0].message}"
        if not case.evidence:
            return Fate.PASSED, "nothing was found"
        judgement = self._judge(case)
        reason = f"{judgement.verdict}: {judgement.reason}"
        match judgement.verdict:
            case Verdict.SUPPORTED:
                return Fate.PASSED, reason
            case Verdict.PARTIAL | Verdict.UNCHECKED:
                return Fate.UNCONFIRMED, reason
            case _:
                return Fate.FAILED, reason

    def _audit(self, case: Case) -> Audit:
        """An answer of one claim, its text escaped shown as it is, with the footnotes of the case."""
        cited = [item for item in case.evidence if item.shown]
        passages = [item.passage for item in cited]
        markers = "".join(f"[^{number}]" for number in range(1, len(passages) + 1))
        content = _MARKUP.sub(r"\\\g<0>", case.claim.text) + markers
        sids = tuple(range(1, len(passages) + 1))
        claim = replace(case.claim, sids=sids, start=0, end=len(content))
        return Audit(
            Declaration("eval.md", "eval", case.question or "?", Place("eval.md"), locale=case.locale),
            content,
            (claim,),
            tuple(Citation(sid, item.passage.id, item.quote) for sid, item in zip(sids, cited, strict=True)),
            tuple(Source(sid, passage, Via.RETRIEVAL) for sid, passage in zip(sids, passages, strict=True)),
            self._corpus,
            self._settings,
            "eval.md",
        )
