"""Print what the weights of `providers.certainty` come to, and what they do on sites that they were not chosen on.

python -m benchmarks.certainty ../shared/sites ../shared/data/questions-dev [--encoder MODEL] [SITE …]

A logistic regression (ridge, gradient descent) learns from the signs of each question's stretch whether it holds all
facts of the question. `held out` answers each site's questions with weights of the other sites; the bound is where a
third of the questions that the docs answer are declined.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.questions import files, flat, labelled, outcome_of
from benchmarks.sites import CACHE, declared, rendered
from mkdocs_cited.local_models.encoder import Encoder
from mkdocs_cited.model.declaration import Length
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.providers.certainty import BY_MEANING, BY_WORDS
from mkdocs_cited.providers.extractive import drafted
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.meaning import ByMeaning
from mkdocs_cited.search.select_passages import select
from mkdocs_cited.settings import Settings

RIDGE = 3.0
STEPS = 400
RATE = 0.02
DECLINED = 0.34


@dataclass(frozen=True, slots=True)
class Row:
    """A question, with the signs of its stretch (none without a source) and what the stretch holds."""

    site: str
    answerable: bool
    signs: tuple[float, ...]
    outcome: str


def main() -> None:
    parser = labelled(__doc__)
    parser.add_argument("--encoder", default="", help="name or folder of a local model that finds by meaning")
    arguments = parser.parse_intermixed_args()
    encoder = Encoder.named(arguments.encoder, Path.cwd()) if arguments.encoder else None
    rows = [row for path in files(arguments) for row in rows_of(arguments.sites, path, encoder)]
    shipped = BY_MEANING if encoder else BY_WORDS
    names = (*shipped.of, "bias")
    print("weights    ", ", ".join(f"{name} {w:.2f}" for name, w in zip(names, fitted(rows), strict=True)))
    print("as shipped ", figures([(row, certainty([*shipped.of.values(), shipped.bias], row.signs)) for row in rows]))
    held_out = []
    for site in sorted({row.site for row in rows}):
        weights = fitted([row for row in rows if row.site != site])
        held_out += [(row, certainty(weights, row.signs)) for row in rows if row.site == site]
    print("held out   ", figures(held_out))


def rows_of(sites: Path, path: Path, encoder: Encoder | None) -> list[Row]:
    """The questions of one site."""
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    index, settings, out = Index.open(CACHE / "index", path.stem), Settings(), []
    index.sync(rendered(sites / path.stem))
    corpus: Corpus = ByMeaning(index, encoder, across=False) if encoder else index
    for question, declaration in zip(questions, declared([item["question"] for item in questions]), strict=True):
        sources = select(declaration, corpus, settings).sources
        if not sources:
            out.append(Row(path.stem, question["answerable"], (), "none"))
            continue
        attempt = drafted(declaration, sources, corpus, Length.NORMAL)
        outcome = outcome_of(question["must"], flat(attempt.draft.content))
        out.append(Row(path.stem, question["answerable"], attempt.signs.values, outcome))
    index.close()
    return out


def fitted(rows: Sequence[Row]) -> list[float]:
    """The weights of the signs, the bias last."""
    learned = [(row.signs, row.answerable and row.outcome == "all") for row in rows if row.signs]
    size = len(learned[0][0])
    means = [sum(signs[i] for signs, _ in learned) / len(learned) for i in range(size)]
    spreads = [math.sqrt(sum((signs[i] - means[i]) ** 2 for signs, _ in learned) / len(learned)) for i in range(size)]
    scaled = [([(x - m) / s for x, m, s in zip(signs, means, spreads, strict=True)], y) for signs, y in learned]
    weights, bias = [0.0] * size, 0.0
    for _ in range(STEPS):
        slopes, slope = [RIDGE * weight for weight in weights], 0.0
        for signs, right in scaled:
            error = certainty([*weights, bias], signs) - right
            slopes = [total + error * sign for total, sign in zip(slopes, signs, strict=True)]
            slope += error
        weights = [weight - RATE * total for weight, total in zip(weights, slopes, strict=True)]
        bias -= RATE * slope
    own = [weight / spread for weight, spread in zip(weights, spreads, strict=True)]
    return [*own, bias - sum(weight * mean for weight, mean in zip(own, means, strict=True))]


def certainty(weights: Sequence[float], signs: Sequence[float]) -> float:
    """0…1; 0 without signs."""
    if not signs:
        return 0.0
    return 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, (*signs, 1.0), strict=True))))


def figures(rows: Sequence[tuple[Row, float]]) -> str:
    """The outcomes where a third is declined."""
    own = [(row, sure) for row, sure in rows if row.answerable]
    bound = sorted(sure for _, sure in own)[round(DECLINED * len(own))]
    given = [row for row, sure in own if sure >= bound]
    strange = [sure < bound for row, sure in rows if not row.answerable]
    all_, none = (sum(row.outcome == kind for row in given) / len(own) for kind in ("all", "none"))
    return (
        f"bound {bound:.2f}: all {all_:.1%}, none {none:.1%}, declined {1 - len(given) / len(own):.1%}, "
        f"unanswerable declined {sum(strange) / len(strange):.1%}"
    )


if __name__ == "__main__":
    main()
