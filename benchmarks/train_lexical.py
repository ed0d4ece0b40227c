"""Train the weights of the lexical reviewer on the labelled claims of `../shared/data`.

    python benchmarks/train_lexical.py ../shared/data mkdocs_cited/review/weights.json

A logistic regression on piecewise linear features, with slopes of their own for
each kind of passage. Every slope is held to its feature's direction (free for
features of the passage alone) and drawn to a rule set by hand, so that the data
move what they know about and the rest stays sensible. Each set is weighted alike
and balanced within itself; sets may differ in how strict their labels are, so
each has an intercept of its own, drawn to none. Beside the labelled claims it
learns from mutants of the right docs claims, and of the sentences they cite.

Prints the figures in sample, on held-out passages and on held-out families, and
those of the rule alone.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]

from mkdocs_cited.evaluation.dice import Dice
from mkdocs_cited.evaluation.labelled import Row, balanced_accuracy, read_rows, roc_auc
from mkdocs_cited.evaluation.mutants import MAKERS, Material, identifiers, mutant
from mkdocs_cited.evaluation.rewordings import rewording
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.review.lexical.alignment import align
from mkdocs_cited.review.lexical.certainty import doubt
from mkdocs_cited.review.lexical.disagreements import HARD, KINDS, disagreements
from mkdocs_cited.review.lexical.features import DIRECTIONS, features
from mkdocs_cited.review.lexical.reading import read
from mkdocs_cited.review.lexical.weights import REGISTERS, registers

Array = np.ndarray[Any, Any]
DOCS, MADE = "docs_claims_dev", "mutants of docs"
APART = 7
"""Passages between the one that a claim cites and the one that it is made to cite."""
TARGETS = ("wice_claim_dev", "ab_gensearch_dev", "ab_lfqa_dev", "begin_wow_dev")
WEIGHTS = {MADE: 0.5, "feversym_dev": 0.6, "wice_oracle_dev": 0.2, "summedits_dev": 0.2, "ab_expertqa_dev": 0.05}
"""Weights of sets; 1 where none is given."""
FAMILY = {"wice_oracle_dev": "wice_claim_dev", MADE: DOCS}
"""Sets that hold the same claims: left out together."""
NAMES = tuple(DIRECTIONS)
_SHARES = (0, 0.3, 0.5, 0.7, 0.85, 1)
KNOTS: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("joint", "single", "uncommon", "clause-least", "clause-mean"), _SHARES),
    "whole": (0, 0.5, 0.7, 0.85, 1),
    "exact": (0, 0.25, 0.5, 0.75, 1),
    "pairs": (0, 0.2, 0.4, 0.6, 0.8, 1),
    "run": (0, 0.2, 0.4, 0.7, 1),
    "hard": (0, 0.3, 0.5, 0.7, 0.9, 1),
    "soft": (0, 0.3, 0.5, 0.7, 0.9, 1),
    "bigrams": (0, 0.1, 0.3, 0.5, 0.7, 1),
    "weakest": (0, 0.25, 0.5, 0.75, 1),
    "gap": (0, 0.5, 1, 2, 3, 6),
    "lost": (0, 0.5, 1, 2, 4, 8),
    "rare": (0, 1, 2, 4),
    "names": (0, 0.3, 1),
    "jumps": (0, 0.1, 0.3, 1),
    "length": (3, 4, 4.5, 5, 5.5, 6, 7, 8, 8.5, 9, 10, 11),
    "names-in-passage": (0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4),
    "figures-in-passage": (0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2),
    "technical": (0, 0.05, 0.1, 0.15, 0.25, 0.4, 0.6, 0.9),
}
COUNTED = (0, 1, 2)
"""Knots of the kinds of disagreement: two pieces count twice, more do not."""
LONG = frozenset(
    (
        *("joint", "uncommon", "clause-mean", "clause-least", "exact", "whole", "pairs", "bigrams", "run"),
        *("length", "names-in-passage", "figures-in-passage", "technical"),
        *("figure-differs", "figure-missing", "name", "identifier", "code", "speaker", "asks"),
        *("universal", "opposite", "negation"),
    )
)
"""Features that count in long passages. Held-out passages are judged worse with all of them: where words stand and
what stands in their place says little once a claim is gathered from all over a page."""
RULE: dict[str, float] = {
    **dict.fromkeys(("joint", "uncommon", "whole", "clause-mean", "bigrams"), 1.8),
    "exact": 0.9,
    **dict.fromkeys(("figure-missing", "figure-differs", "asks"), -2.5),
    **dict.fromkeys(("negation", "opposite", "speaker"), -1.0),
    **dict.fromkeys(("name", "universal", "only-added"), -0.5),
}
"""The rule: logits that a share of 1, or a piece, adds. A second piece of a kind adds half as much."""
RULE_BIAS = -6.0
FOLDS = 5
RIDGE = {"prose": (1.0, 2.0), "technical": (0.3, 10.0), "long": (2.0, 5.0)}
"""Pull to the rule, for each register: of the kinds of disagreement, and of everything else."""
INTERCEPT_RIDGE = 300.0
SURE_PASS, SURE_FAIL, SURE_LACK = 0.85, 0.94, 0.9
"""Precision asked of the sure verdicts on held-out passages. A fail wrongs an author, so more is asked of it than
the 0.9 that it has to keep on claims that nobody here has read. The last is of fails where no piece is seen to
disagree: hardly anything of the claim is there."""
LEAST = 10
"""Claims that a cut must be seen on."""


@dataclass(frozen=True)
class Sample:
    """One set of claims, measured."""

    name: str
    values: Array
    """Row by row, the features in the order of `NAMES`."""
    labels: Array
    """1 for a supported claim, 0 for another."""
    folds: Array
    """Rows about one passage, or of one claim, have one number 0…FOLDS-1."""
    passable: Array
    """Whether there is no doubt but the score that a row may pass."""

    def where(self, rows: Array) -> Sample:
        return Sample(self.name, self.values[rows], self.labels[rows], self.folds[rows], self.passable[rows])

    @property
    def hard(self) -> Array:
        """Whether a row has a piece that a sure fail needs."""
        return np.asarray(self.values[:, [NAMES.index(kind) for kind in sorted(HARD)]].any(axis=1))

    @property
    def family(self) -> str:
        return FAMILY.get(self.name, self.name)


def load(folder: Path) -> dict[str, list[Row]]:
    files = sorted(folder.glob("claims-dev/*.jsonl")) + sorted(folder.glob("docs-claims-dev/*.jsonl"))
    return {file.stem: list(read_rows(file)) for file in files}


def made(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the right claims of some rows, mutants and rewordings of them and of the sentences that they cite.

    And each right claim with a passage that it does not cite.
    """
    texts = list(dict.fromkeys("\n".join(row.evidence) for row in rows))
    names = identifiers(texts)
    seen = set()
    for row in rows:
        text = "\n".join(row.evidence)
        right = [row.claim.strip()] if row.label else []
        if row.label:
            yield row
            yield replace(row, evidence=(texts[(texts.index(text) + APART) % len(texts)],), label=False)
        if text not in seen:
            seen.add(text)
            spoken = [text[start:end].strip() for start, end in sentences(text)]
            right += [part for part in spoken if 6 <= len(part.split()) <= 45 and "\t" not in part][:3]
        for claim in right:
            dice = Dice(0, claim)
            changed = [(mutant(kind, Material(claim, text, names), dice), False) for kind in MAKERS]
            for other, label in [*changed, (rewording(claim, dice), True)]:
                if other:
                    yield replace(row, claim=other, label=label)


def measure(name: str, rows: Sequence[Row]) -> Sample:
    values, passable = [], []
    for row in rows:
        alignment = align(read(row.claim.strip()), read("\n".join(row.evidence)))
        pieces = disagreements(alignment)
        found = features(alignment, pieces)
        values.append([found[feature] for feature in NAMES])
        passable.append(not doubt(alignment, pieces, found["lost"]))
    labels = np.array([bool(row.label) for row in rows], float)
    folds = np.array([_fold(name, row) for row in rows])
    return Sample(name, np.array(values), labels, folds, np.array(passable))


def _fold(name: str, row: Row) -> int:
    """Return a row's fold; the two WiCE sets share their claims, other sets share passages within themselves."""
    text = row.claim if name.startswith("wice") else "\n".join(row.evidence)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) % FOLDS


SEGMENTS = [(name, a, b) for name in NAMES for a, b in itertools.pairwise(KNOTS.get(name, COUNTED))]
"""What gets a slope, in each register: `(feature, from, to)`."""
_COUNTED_LONG = np.array([name in LONG for name, _, _ in SEGMENTS])


def expand(values: Array) -> Array:
    """Return the columns of the regression: for each register its share of every segment."""
    columns = [np.clip((values[:, NAMES.index(name)] - a) / (b - a), 0, 1) for name, a, b in SEGMENTS]
    wide = np.stack([(DIRECTIONS[name] or 1) * each for (name, _, _), each in zip(SEGMENTS, columns, strict=True)], 1)
    shares = [registers(dict(zip(NAMES, row, strict=True))) for row in values]
    parts = [wide * np.array([share[register] for share in shares])[:, None] for register in REGISTERS]
    parts[REGISTERS.index("long")] = parts[REGISTERS.index("long")] * _COUNTED_LONG
    return np.concatenate(parts, 1)


def rule() -> Array:
    """Return the rule as slopes and, last, its bias."""
    slopes = [abs(RULE.get(name, 0.0)) * ((b - a) if name not in KINDS or a == 0 else 0.5) for name, a, b in SEGMENTS]
    parts = [np.array(slopes) * (_COUNTED_LONG if register == "long" else 1) for register in REGISTERS]
    return np.concatenate([*parts, [RULE_BIAS]])


def fit(samples: Sequence[Sample]) -> Array:
    """Return slopes, those of features with a direction >= 0, and, last, the bias."""
    wide = np.concatenate([expand(sample.values) for sample in samples])
    labels = np.concatenate([sample.labels for sample in samples])
    which = np.concatenate([np.full(len(sample.labels), index) for index, sample in enumerate(samples)])
    weights = np.concatenate([_weights(sample) for sample in samples])
    size, count = wide.shape[1], len(samples)
    member = np.eye(count)[which]
    start = rule()
    ridge = np.array([RIDGE[each][0 if name in KINDS else 1] for each in REGISTERS for name, _, _ in SEGMENTS])

    def loss(theta: Array) -> tuple[float, Array]:
        slopes, bias, own = theta[:size], theta[size], theta[size + 1 :]
        away = slopes - start[:size]
        logits = wide @ slopes + bias + own[which]
        gap = weights * (1 / (1 + np.exp(-logits)) - labels)
        value = (weights * np.logaddexp(0, -(2 * labels - 1) * logits)).sum()
        value += 0.5 * (ridge * away**2).sum() + 0.5 * INTERCEPT_RIDGE * (own**2).sum()
        return value, np.concatenate([wide.T @ gap + ridge * away, [gap.sum()], member.T @ gap + INTERCEPT_RIDGE * own])

    signs = [(0 if DIRECTIONS[name] else None, None) for name, _, _ in SEGMENTS]
    bounds = signs * len(REGISTERS) + [(None, None)] * (1 + count)
    first = np.concatenate([start, np.zeros(count)])
    found = minimize(loss, first, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 1000})
    return np.asarray(found.x[: size + 1])


def _weights(sample: Sample) -> Array:
    share = sample.labels.mean()
    balance = np.where(sample.labels == 1, 0.5 / share, 0.5 / (1 - share))
    return np.asarray(balance / len(sample.labels) * WEIGHTS.get(sample.name, 1.0) * 300)


def logits(theta: Array, values: Array) -> Array:
    return np.asarray(expand(values) @ theta[:-1] + theta[-1])


def figures(labels: Array, scores: Array) -> tuple[float, float]:
    truth = [bool(label) for label in labels]
    return 100 * roc_auc(truth, list(scores)), 100 * balanced_accuracy(truth, [score >= 0 for score in scores])


def held_out_families(samples: Sequence[Sample]) -> dict[str, Array]:
    """Return the logits of every set from a model that has not seen its family."""
    models = {family: fit([each for each in samples if each.family != family]) for family in _families(samples)}
    return {sample.name: logits(models[sample.family], sample.values) for sample in samples}


def _families(samples: Sequence[Sample]) -> list[str]:
    return list(dict.fromkeys(sample.family for sample in samples))


def held_out_passages(samples: Sequence[Sample]) -> dict[str, Array]:
    """Return the logits of every row from one of five models, which has not seen its passage nor its claim."""
    out = {sample.name: np.zeros(len(sample.labels)) for sample in samples}
    for fold in range(FOLDS):
        theta = fit([sample.where(sample.folds != fold) for sample in samples])
        for sample in samples:
            rows = sample.folds == fold
            if rows.any():
                out[sample.name][rows] = logits(theta, sample.values[rows])
    return out


def thresholds(docs: Sample, mutants: Sample, held: dict[str, Array]) -> dict[str, float]:
    """Return the cuts of the sure verdicts: as wide as the precision asked allows, never across 0.5.

    Passes are few among the docs claims, so those among their mutants count as
    well, and so do fails for lack of words. Fails for what disagrees are many:
    most mutants are wrong, whatever is said of them, and they are left out.
    """
    both = np.concatenate([docs.labels, mutants.labels])
    passing = np.where(
        np.concatenate([docs.passable, mutants.passable]),
        _shares(np.concatenate([held[docs.name], held[mutants.name]])),
        0.0,
    )
    failing, wrong = _shares(held[docs.name]), 1 - docs.labels
    lacking = _shares(np.concatenate([held[docs.name], held[mutants.name]]))
    hard = np.concatenate([docs.hard, mutants.hard])
    return {
        "passes": _widest(np.linspace(0.98, 0.5, 49), lambda cut: both[passing >= cut], SURE_PASS, 0.98),
        "fails": _widest(np.linspace(0.02, 0.5, 49), lambda cut: wrong[(failing <= cut) & docs.hard], SURE_FAIL, 0.02),
        "lacks": _widest(np.linspace(0.02, 0.1, 9), lambda cut: 1 - both[(lacking <= cut) & ~hard], SURE_LACK, 0.02),
    }


def _shares(scores: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-scores)))


def _widest(cuts: Array, chosen: Callable[[float], Array], sure: float, least: float) -> float:
    """Return the last cut that decides enough claims, a share of `sure` rightly; `least` if none does."""
    kept = [cut for cut in cuts if len(found := chosen(cut)) >= LEAST and found.mean() >= sure]
    return float(kept[-1]) if kept else least


def tables(slopes: Array) -> dict[str, list[list[float]]]:
    found: dict[str, list[list[float]]] = {}
    for (name, a, b), slope in zip(SEGMENTS, slopes, strict=True):
        points = found.setdefault(name, [[a, 0.0]])
        points.append([b, round(points[-1][1] + (DIRECTIONS[name] or 1) * float(slope), 3)])
    return {name: points for name, points in found.items() if any(abs(value) >= 0.005 for _, value in points)}


def write(target: Path, theta: Array, cuts: dict[str, float]) -> None:
    """Write the model, one table a line."""
    size = len(SEGMENTS)
    head = {"bias": float(theta[-1]), **cuts}
    lines = [f' "{name}": {value:.3f}' for name, value in head.items()]
    for at, register in enumerate(REGISTERS):
        slopes = theta[at * size : (at + 1) * size] * (_COUNTED_LONG if register == "long" else 1)
        rows = ",\n".join(f'  "{name}": {json.dumps(points)}' for name, points in tables(slopes).items())
        lines.append(f' "{register}": {{\n{rows}\n }}')
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def report(samples: Sequence[Sample], columns: dict[str, dict[str, Array]]) -> None:
    """Print AUC and balanced accuracy of every set for every way of training."""
    print(f"{'AUC / balanced accuracy':26}" + "".join(f"{title:>20}" for title in columns))
    for sample in samples:
        found = [figures(sample.labels, scores[sample.name]) for scores in columns.values()]
        print(f"{sample.name:26}" + "".join("{:>13.1f} / {:.1f}".format(*each) for each in found))
    four = [sample for sample in samples if sample.name in TARGETS]
    means = [np.mean([figures(each.labels, scores[each.name]) for each in four], 0) for scores in columns.values()]
    print(f"{'mean of the four':26}" + "".join("{:>13.1f} / {:.1f}".format(*mean) for mean in means))


def main(folder: Path, target: Path) -> None:
    rows = load(folder)
    samples = [measure(name, found) for name, found in rows.items()]
    samples.append(measure(MADE, list(made(rows[DOCS]))))
    theta, held = fit(samples), held_out_passages(samples)
    columns = {
        "in sample": {sample.name: logits(theta, sample.values) for sample in samples},
        "passages held out": held,
        "family held out": held_out_families(samples),
        "rule alone": {sample.name: logits(rule(), sample.values) for sample in samples},
    }
    report(samples, columns)
    docs, mutants = (next(sample for sample in samples if sample.name == name) for name in (DOCS, MADE))
    cuts = thresholds(docs, mutants, held)
    for title in ("passages held out", "in sample"):
        shares = _shares(columns[title][DOCS])
        passed = (shares >= cuts["passes"]) & docs.passable
        failed = shares <= np.where(docs.hard, cuts["fails"], cuts["lacks"])
        for name, chosen, right in (("pass", passed, docs.labels), ("fail", failed, 1 - docs.labels)):
            rightly = right[chosen].mean() if chosen.any() else 0.0
            print(f"docs claims, {title}: {chosen.mean():.1%} {name}, {rightly:.1%} of them rightly")
    write(target, theta, cuts)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
