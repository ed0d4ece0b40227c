"""Mutation testing of the gate: how many wrong claims it stops on one's own site, and how many right ones it passes.

Claims come from the site's answers, and where those are few, from sentences of its pages that cite themselves. Those
that pass are made wrong, kind by kind (`mutants`), or said in other words (`rewordings`), and put to the gate again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.values import replace
from mkdocs_cited.evaluation import LIMIT
from mkdocs_cited.evaluation.dice import Dice
from mkdocs_cited.evaluation.mutants import IDENTIFIER, KINDS, MAKERS, Material, identifiers, mutant
from mkdocs_cited.evaluation.rewordings import rewording
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.answer import Answer, Citation, Claim, Evidence, Judgement, Verdict
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place, Severity
from mkdocs_cited.model.source import Corpus, Passage, PassageKind, Scope, Source, SourceType, Via
from mkdocs_cited.review.audit import all_rules
from mkdocs_cited.review.interface import Audit, Case
from mkdocs_cited.settings import Settings

VERBATIM, REWORDED = "verbatim", "light rephrasing"
RIGHT_KINDS = (VERBATIM, REWORDED)
"""What right claims are: a sentence as its page has it, or with a harmless change or two."""
Judge = Callable[[Case], Judgement]
"""Reads one claim beside its passages, as a reviewer does."""


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


class Rate(Struct, frozen=True):
    """What became of one kind."""

    kind: str
    made: int
    failed: int
    unconfirmed: int
    passed: int

    @property
    def caught(self) -> float:
        """Share that did not pass, 0…1; 0 when none was made."""
        return (self.failed + self.unconfirmed) / self.made if self.made else 0.0


class MutationReport(Struct, frozen=True):
    """The gate's own error rate on a site."""

    seed: int
    claims: int
    """How many right claims were tried."""
    wrong: tuple[Trial, ...]
    """Every mutant, by kind in the order of `KINDS`."""
    right: tuple[Trial, ...]
    """Every right claim, verbatim and reworded."""

    @property
    def rates(self) -> tuple[Rate, ...]:
        """A rate for each kind of mutant."""
        return tuple(_rate(kind, self.wrong) for kind in KINDS)

    @property
    def right_rates(self) -> tuple[Rate, ...]:
        """A rate for each kind of right claim."""
        return tuple(_rate(kind, self.right) for kind in RIGHT_KINDS)

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

    The same site, seed and limit give the same report, on any Python.
    """
    gate = _Gate(corpus, judge, settings or Settings())
    passages = tuple(_sentence_passages(corpus))
    names = identifiers([passage.text for passage in passages])
    wrong: dict[str, list[Trial]] = {kind: [] for kind in KINDS}
    right: list[Trial] = []
    cases = _cases(answers, passages, seed, limit)
    for case in cases:
        first = gate.trial(VERBATIM, case, case.claim.text)
        right.append(first)
        if first.fate is not Fate.PASSED:
            continue
        reworded = rewording(case.claim.text, Dice(seed, "rewording", case.claim.text))
        if reworded:
            right.append(gate.trial(REWORDED, _saying(case, reworded), case.claim.text))
        for kind, changed in _mutants(case, names, passages, corpus, seed):
            wrong[kind].append(gate.trial(kind, changed, case.claim.text))
    return MutationReport(seed, len(cases), tuple(trial for kind in KINDS for trial in wrong[kind]), tuple(right))


def _rate(kind: str, trials: Sequence[Trial]) -> Rate:
    fates = [trial.fate for trial in trials if trial.kind == kind]
    return Rate(kind, len(fates), *(fates.count(fate) for fate in (Fate.FAILED, Fate.UNCONFIRMED, Fate.PASSED)))


def _cases(answers: Sequence[Answer], passages: Sequence[Passage], seed: int, limit: int) -> list[Case]:
    """The claims to start from: those of the answers, then sentences of the pages, in an order the seed decides.

    Of the latter, half hold a figure, a name of code or a default, as far as there are so many, for the kinds of
    mutants that need one are the rarest.
    """
    own = [
        Case(item.claim, item.evidence, answer.question, item.evidence[0].passage.page.locale)
        for answer in answers
        for item in answer.claims
        if item.evidence and item.judgement.verdict is Verdict.SUPPORTED and "\n" not in item.claim.text
    ]
    cases = Dice(seed, "answers").order(own)[:limit]
    taken = {case.claim.text for case in cases}
    orders = [(p, Dice(seed, p.id).order(_sentences(p))) for p in Dice(seed, "passages").order(passages)]
    drawn = [(p, texts[turn]) for turn in range(_TURNS) for p, texts in orders if turn < len(texts)]
    telling = [(p, text) for p, text in drawn if _TELLING.search(text)][: max(0, limit - len(cases)) // 2]
    for passage, sentence in (*telling, *drawn):
        if len(cases) < limit and sentence not in taken:
            taken.add(sentence)
            claim = Claim(sentence, (1,), 0, len(sentence))
            cases.append(Case(claim, (Evidence(passage, sentence),), locale=passage.page.locale))
    return cases


_TURNS = 5
"""Most sentences of one passage that are tried; each passage gives one before any gives a second."""
_TELLING = re.compile(rf"\d|\bdefault|(?:{IDENTIFIER.pattern})")
_KINDS = (PassageKind.PARAGRAPH, PassageKind.ITEM, PassageKind.STEP)


def _sentence_passages(corpus: Corpus) -> Iterator[Passage]:
    """Passages of pages that hold a sentence one could cite, by page and position."""
    for page in corpus.pages():
        if page.type is SourceType.PAGE:
            yield from (p for p in corpus.section(page.src, "") if p.kind in _KINDS and _sentences(p))


def _sentences(passage: Passage) -> list[str]:
    """Whole statements of a passage: neither questions nor lead-ins, neither fragments nor monsters."""
    texts = passage.sentence_texts()
    return [
        text for text in texts if text.endswith((".", "。")) and text[:1].isupper() and 6 <= len(text.split()) <= 40
    ]


def _mutants(
    case: Case, names: tuple[str, ...], passages: Sequence[Passage], corpus: Corpus, seed: int
) -> Iterator[tuple[str, Case]]:
    said = "\n".join(f"{item.heading}\n{item.passage.text}" for item in case.evidence)
    material = Material(case.claim.text, said, names, case.locale)
    for kind in MAKERS:
        text = mutant(kind, material, Dice(seed, kind, case.claim.text))
        if text:
            yield kind, _saying(case, text)
    elsewhere = _elsewhere(case, passages, corpus, seed)
    if elsewhere:
        yield "swapped citation", replace(case, evidence=(Evidence(elsewhere, elsewhere.text),))
    yield "dropped citation", replace(case, claim=replace(case.claim, sids=()), evidence=())


def _elsewhere(case: Case, passages: Sequence[Passage], corpus: Corpus, seed: int) -> Passage | None:
    """A passage that is about the claim's words and yet cannot support it: it lacks at least half of them."""
    language = language_of(case.locale)
    words = {stem for stem in stems(case.claim.text, language) if len(stem) > 2}
    cited = {item.passage.page.src for item in case.evidence}
    hits = [hit.passage for hit in corpus.search(case.claim.text, scope=Scope(), limit=12)]
    spare = Dice(seed, "elsewhere", case.claim.text).pick(passages) if passages else None
    for passage in (*hits, *filter(None, [spare])):
        shared = words.intersection(stems(f"{passage.text} {passage.lead}", language))
        if passage.page.src not in cited and len(shared) * 2 < len(words):
            return passage
    return None


def _saying(case: Case, text: str) -> Case:
    return replace(case, claim=replace(case.claim, text=text, end=case.claim.start + len(text)))


_MARKUP = re.compile(r"[\\`*_{}\[\]()<>#+\-.!|~&:]")


_OF_THE_SITE = ("conflicting-sources",)
"""Rules that compare pages, whatever a claim says: they cost a search and catch no mutant."""


class _Gate:
    """All that a claim has to pass in a build: the rules, then the reviewer."""

    def __init__(self, corpus: Corpus, judge: Judge, settings: Settings) -> None:
        self._corpus = corpus
        self._judge = judge
        self._settings = settings
        self._rules = [rule for rule in all_rules() if rule.slug not in _OF_THE_SITE]

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
