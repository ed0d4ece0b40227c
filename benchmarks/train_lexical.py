"""Train the weights of the lexical reviewer on the labelled claims of `../shared/data`.

    python benchmarks/train_lexical.py ../shared/data mkdocs_cited/review/weights.json

A logistic regression on piecewise linear features, every slope held to its
feature's direction (free for those of the passage alone), each set weighted
alike and balanced within itself. Sets may differ in how strict their labels
are: each has an intercept of its own, drawn to the shared one. Prints the figures in sample, on held-out families, and
on held-out passages of the docs claims.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]

from mkdocs_cited.review.alignment import align, read
from mkdocs_cited.review.disagreements import BLOCKING, HARD, KINDS, disagreements
from mkdocs_cited.review.evaluate import Row, balanced_accuracy, read_rows, roc_auc
from mkdocs_cited.review.features import DIRECTIONS, features
from mkdocs_cited.review.lexical import LOST
from mkdocs_cited.review.model import longness

Array = np.ndarray[Any, Any]
DOCS = "docs_claims_dev"
TARGETS = ("wice_claim_dev", "ab_gensearch_dev", "ab_lfqa_dev", "begin_wow_dev")
WEIGHTS = {DOCS: 1.5, "feversym_dev": 0.6, "wice_oracle_dev": 0.2, "summedits_dev": 0.2, "ab_expertqa_dev": 0.05}
FAMILY = {"wice_oracle_dev": "wice_claim_dev"}
"""Sets that hold the same claims: left out together."""
KNOTS: dict[str, tuple[float, ...]] = {
    "uncommon": (0, 0.3, 0.5, 0.7, 0.85, 1),
    "clause-least": (0, 0.3, 0.5, 0.7, 0.85, 1),
    "clause-mean": (0, 0.3, 0.5, 0.7, 0.85, 1),
    "joint": (0, 0.3, 0.5, 0.7, 0.85, 1),
    "single": (0, 0.3, 0.5, 0.7, 0.85, 1),
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
}
LONG = frozenset(
    (
        *("joint", "uncommon", "clause-mean", "clause-least", "exact", "whole", "pairs", "bigrams", "run"),
        *("length", "names-in-passage", "figures-in-passage"),
        *("figure-differs", "figure-missing", "name", "identifier", "code", "speaker", "asks"),
        *("universal", "opposite", "negation"),
    )
)
"""Features that count in long passages. Held-out passages are judged worse with all of them: where words stand and
what stands in their place says little once a claim is gathered from all over a page."""
COUNTED = (0, 1, 2)
"""Knots of the kinds of disagreement: two pieces count twice, more do not."""
FOLDS = 5
RIDGE = {"kind": 0.3, "share": 1.0, "long": 5.0}
"""Pull to zero: of the kinds of disagreement and of the shares in short passages, and of all in long ones."""
INTERCEPT_RIDGE = 300.0
SURE = {"passes": 0.85, "fails": 0.90}
"""Precision asked of the sure verdicts on the docs claims."""


def load(folder: Path) -> dict[str, list[Row]]:
    files = sorted(folder.glob("claims-dev/*.jsonl")) + sorted(folder.glob("docs-claims-dev/*.jsonl"))
    return {file.stem: list(read_rows(file)) for file in files}


def measure(rows: list[Row]) -> tuple[Array, Array]:
    values = []
    for row in rows:
        alignment = align(read(row.claim.strip()), read("\n".join(row.evidence)))
        found = features(alignment, disagreements(alignment))
        values.append([found[name] for name in DIRECTIONS])
    return np.array(values), np.array([bool(row.label) for row in rows], float)


def basis() -> list[tuple[str, float, float]]:
    """Return the segments `(feature, from, to)` that each get a slope."""
    segments = []
    for name in DIRECTIONS:
        knots = KNOTS.get(name, COUNTED)
        segments += [(name, a, b) for a, b in itertools.pairwise(knots)]
    return segments


def expand(values: Array) -> Array:
    """Return the columns for short and then for long passages."""
    names = list(DIRECTIONS)
    columns = [(DIRECTIONS[name] or 1) * np.clip((values[:, names.index(name)] - a) / (b - a), 0, 1) for name, a, b in basis()]
    wide = np.stack(columns, 1)
    counted = np.array([name in LONG for name, _, _ in basis()])
    share = np.array([longness(length) for length in values[:, names.index("length")]])[:, None]
    return np.concatenate([wide * (1 - share), wide * counted * share], 1)


def fit(sets: list[tuple[Array, Array, float]]) -> Array:
    """Return slopes, those of features with a direction >= 0, and, last, the bias."""
    wide = np.concatenate([expand(values) for values, _, _ in sets])
    labels = np.concatenate([y for _, y, _ in sets])
    which = np.concatenate([np.full(len(y), index) for index, (_, y, _) in enumerate(sets)])
    weights = np.concatenate(
        [np.where(y == 1, 0.5 / y.mean(), 0.5 / (1 - y.mean())) / len(y) * weight * 300 for _, y, weight in sets]
    )
    size, count = wide.shape[1], len(sets)
    member = np.eye(count)[which]
    short = [RIDGE["kind" if name in KINDS else "share"] for name, _, _ in basis()]
    ridge = np.array(short + [RIDGE["long"]] * len(short))

    def loss(theta: Array) -> tuple[float, Array]:
        slopes, bias, own = theta[:size], theta[size], theta[size + 1 :]
        logits = wide @ slopes + bias + own[which]
        gap = weights * (1 / (1 + np.exp(-logits)) - labels)
        value = (weights * np.logaddexp(0, -(2 * labels - 1) * logits)).sum()
        value += 0.5 * (ridge * slopes**2).sum() + 0.5 * INTERCEPT_RIDGE * (own**2).sum()
        return value, np.concatenate(
            [wide.T @ gap + ridge * slopes, [gap.sum()], member.T @ gap + INTERCEPT_RIDGE * own]
        )

    signs = [(0 if DIRECTIONS[name] else None, None) for name, _, _ in basis()]
    bounds = [*signs, *signs] + [(None, None)] * (1 + count)
    found = minimize(
        loss, np.zeros(size + 1 + count), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000}
    )
    return np.asarray(found.x[: size + 1])


def logits(theta: Array, values: Array) -> Array:
    return np.asarray(expand(values) @ theta[:-1] + theta[-1])


def figures(labels: Array, scores: Array) -> tuple[float, float]:
    truth = [bool(label) for label in labels]
    return 100 * roc_auc(truth, list(scores)), 100 * balanced_accuracy(truth, [score >= 0 for score in scores])


def held_out_families(data: dict[str, tuple[Array, Array]]) -> dict[str, tuple[float, float]]:
    """Return the figures of every set from a model that has not seen its family."""
    out = {}
    for name, (values, labels) in data.items():
        family = FAMILY.get(name, name)
        others = [(*data[n], WEIGHTS.get(n, 1.0)) for n in data if FAMILY.get(n, n) != family]
        out[name] = figures(labels, logits(fit(others), values))
    return out


def held_out_passages(data: dict[str, tuple[Array, Array]], rows: dict[str, list[Row]]) -> dict[str, Array]:
    """Return the logits of every row from one of five models, which has not seen its passage nor its claim."""
    folds = {name: np.array([_fold(name, row) for row in found]) for name, found in rows.items()}
    out = {name: np.zeros(len(labels)) for name, (_, labels) in data.items()}
    for fold in range(FOLDS):
        train = [
            (values[folds[name] != fold], labels[folds[name] != fold], WEIGHTS.get(name, 1.0))
            for name, (values, labels) in data.items()
        ]
        theta = fit(train)
        for name, (values, _) in data.items():
            out[name][folds[name] == fold] = logits(theta, values[folds[name] == fold])
    return out


def _fold(name: str, row: Row) -> int:
    """Return a row's fold; the two WiCE sets share their claims, other sets share passages within themselves."""
    text = row.claim if name.startswith("wice") else "\n".join(row.evidence)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) % FOLDS


def thresholds(labels: Array, scores: Array, hard: Array, blocked: Array) -> dict[str, float]:
    """Return the cuts of the sure verdicts: as wide as the precision asked allows, never across 0.5."""
    shares = 1 / (1 + np.exp(-scores))
    cuts = {"passes": 0.75, "fails": 0.2, "lacks": 0.05}
    for cut in np.linspace(0.9, 0.5, 41):
        chosen = labels[(shares >= cut) & ~blocked]
        if len(chosen) >= 10 and chosen.mean() >= SURE["passes"]:
            cuts["passes"] = float(cut)
    for cut in np.linspace(0.1, 0.5, 41):
        chosen = 1 - labels[(shares <= cut) & hard]
        if len(chosen) >= 10 and chosen.mean() >= SURE["fails"]:
            cuts["fails"] = float(cut)
    for cut in np.linspace(0.02, 0.3, 29):
        chosen = 1 - labels[(shares <= cut) & ~hard]
        if not len(chosen) or chosen.mean() >= SURE["fails"]:
            cuts["lacks"] = float(cut)
    return cuts


def tables(slopes: Array) -> dict[str, list[list[float]]]:
    found: dict[str, list[list[float]]] = {}
    for (name, a, b), slope in zip(basis(), slopes, strict=True):
        points = found.setdefault(name, [[a, 0.0]])
        points.append([b, round(points[-1][1] + (DIRECTIONS[name] or 1) * float(slope), 3)])
    return {name: points for name, points in found.items() if any(abs(value) >= 0.005 for _, value in points)}


def write(target: Path, theta: Array, cuts: dict[str, float]) -> None:
    """Write the model, one table a line."""
    half = len(basis())
    head = {"bias": float(theta[-1]), **cuts}
    lines = [f' "{name}": {value:.3f}' for name, value in head.items()]
    for part, slopes in (("short", theta[:half]), ("long", theta[half:-1])):
        rows = ",\n".join(f'  "{name}": {json.dumps(points)}' for name, points in tables(slopes).items())
        lines.append(f' "{part}": {{\n{rows}\n }}')
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main(folder: Path, target: Path) -> None:
    rows = load(folder)
    data = {name: measure(found) for name, found in rows.items()}
    theta = fit([(*data[name], WEIGHTS.get(name, 1.0)) for name in data])
    families, logit_of = held_out_families(data), held_out_passages(data, rows)
    columns = {
        "in sample": {name: figures(labels, logits(theta, values)) for name, (values, labels) in data.items()},
        "passages held out": {name: figures(labels, logit_of[name]) for name, (_, labels) in data.items()},
        "family held out": families,
    }
    print(f"{'AUC / balanced accuracy':26}" + "".join(f"{title:>20}" for title in columns))
    for name in data:
        print(f"{name:26}" + "".join("{:>13.1f} / {:.1f}".format(*found[name]) for found in columns.values()))
    means = [np.mean([found[name] for name in TARGETS], axis=0) for found in columns.values()]
    print(f"{'mean of the four':26}" + "".join("{:>13.1f} / {:.1f}".format(*mean) for mean in means))
    scores = logit_of[DOCS]
    labels, values = data[DOCS][1], data[DOCS][0]
    hard = values[:, [list(DIRECTIONS).index(kind) for kind in sorted(HARD)]].any(axis=1)
    blocked = values[:, [list(DIRECTIONS).index(kind) for kind in sorted(BLOCKING)]].any(axis=1)
    blocked |= values[:, list(DIRECTIONS).index("lost")] > LOST
    cuts = thresholds(labels, scores, np.asarray(hard), np.asarray(blocked))
    for title, logit in (("held out", scores), ("in sample", logits(theta, values))):
        shares = 1 / (1 + np.exp(-logit))
        passed = (shares >= cuts["passes"]) & ~blocked
        failed = shares <= np.where(hard, cuts["fails"], cuts["lacks"])
        for name, chosen, right in (("pass", passed, labels), ("fail", failed, 1 - labels)):
            rightly = right[chosen].mean() if chosen.any() else 0.0
            print(f"docs claims, {title}: {chosen.mean():.1%} {name}, {rightly:.1%} of them rightly")
    write(target, theta, cuts)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
