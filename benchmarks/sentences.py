"""How well `text.sentences` finds the ends of sentences, beside other splitters that are installed.

    python benchmarks/sentences.py GOLD...

GOLD is a treebank in CoNLL-U (Universal Dependencies; `de_gsd.conllu` is German), a test file of pySBD
(`test_english.py`: lists of text and sentences), or a folder of those. None is part of this repository.
For treebanks the figure is the F1 of the boundaries within a paragraph (or within five sentences in a row, where the
treebank knows no paragraphs), for the others the share of texts that are cut exactly as wanted.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mkdocs_cited.language.sentences import sentences

Splitter = Callable[[str, str], Sequence[str]]
Gold = list[list[str]]
LANGUAGES = {
    "amharic": "am", "arabic": "ar", "armenian": "hy", "bulgarian": "bg", "burmese": "my", "chinese": "zh",
    "danish": "da", "deutsch": "de", "dutch": "nl", "english": "en", "french": "fr", "greek": "el", "hindi": "hi",
    "italian": "it", "japanese": "ja", "kazakh": "kk", "marathi": "mr", "persian": "fa", "polish": "pl",
    "russian": "ru", "slovak": "sk", "spanish": "es", "urdu": "ur",
}  # fmt: skip
SPACELESS = ("ja", "zh", "my")
ROW = 5


def main(arguments: Sequence[str]) -> int:
    """Print a table: a row for each gold set, a column for each splitter."""
    splitters = dict(_splitters())
    print(f"{'set':28}{'texts':>7}" + "".join(f"{name:>14}" for name in splitters))
    spent = dict.fromkeys(splitters, 0.0)
    characters = 0
    for path in _files(arguments):
        language, gold, texts = _read(path)
        if not gold:
            continue
        characters += sum(map(len, texts))
        figures = []
        for name, split in splitters.items():
            start = time.perf_counter()
            cuts = [list(split(text, language)) for text in texts]
            spent[name] += time.perf_counter() - start
            score = _f1(gold, cuts) if path.suffix == ".conllu" else _exact(gold, cuts)
            figures.append(f"{score:>14.1%}")
        print(f"{path.stem:28}{len(gold):>7}" + "".join(figures))
    rates = (f"{seconds / max(characters, 1) * 1e9:>11.0f} µs" for seconds in spent.values())
    print(f"{'time per 1,000 characters':35}" + "".join(rates))
    return 0


def _splitters() -> Iterator[tuple[str, Splitter]]:
    """Ours, and each known one that can be imported."""
    yield "ours", lambda text, language: [text[start:end] for start, end in sentences(text, language)]
    if _installed("sentencex"):
        import sentencex

        yield "sentencex", lambda text, language: list(sentencex.segment(language, text))
    if _installed("pysbd"):
        import pysbd

        segmenters: dict[str, Any] = {}

        def by_pysbd(text: str, language: str) -> Sequence[str]:
            known = language if language in pysbd.languages.LANGUAGE_CODES else "en"
            return segmenters.setdefault(known, pysbd.Segmenter(language=known, clean=False)).segment(text)  # type: ignore[no-any-return]

        yield "pysbd", by_pysbd
    if _installed("blingfire"):
        import blingfire

        yield "blingfire", lambda text, language: blingfire.text_to_sentences(text).split("\n")
    if _installed("syntok"):
        from syntok import segmenter

        yield (
            "syntok",
            lambda text, language: [
                "".join(token.spacing + token.value for token in sentence)
                for paragraph in segmenter.process(text)
                for sentence in paragraph
            ],
        )


def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _files(arguments: Sequence[str]) -> Iterator[Path]:
    for argument in map(Path, arguments):
        inside = sorted([*argument.rglob("*.conllu"), *argument.rglob("test_*.py")])
        yield from inside if argument.is_dir() else [argument]


def _read(path: Path) -> tuple[str, Gold, list[str]]:
    """The language of a gold file, its texts as wanted sentences, and the texts to cut."""
    if path.suffix == ".conllu":
        language = path.stem[:2]
        gold = list(_paragraphs(path.read_text(encoding="utf-8").splitlines()))
        return language, gold, [("" if language in SPACELESS else " ").join(parts) for parts in gold]
    language = LANGUAGES.get(path.stem.removeprefix("test_"), "")
    pairs = list(_pairs(path)) if language else []
    return language, [wanted for _, wanted in pairs], [text for text, _ in pairs]


def _paragraphs(lines: Sequence[str]) -> Iterator[list[str]]:
    known = any(line.startswith("# newpar") for line in lines)
    part: list[str] = []
    for line in lines:
        if part and (line.startswith("# newpar") if known else len(part) == ROW and line.startswith("# text =")):
            yield part
            part = []
        if line.startswith("# text ="):
            part.append(line.partition("=")[2].strip())
    if part:
        yield part


def _pairs(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The texts and wanted sentences of a test file of pySBD, those for its cleaning aside. Nothing in it is run."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.List):
            continue
        name = ast.unparse(node.targets[0])
        if "CLEAN" in name or "PDF" in name:
            continue
        for item in node.value.elts:
            text, wanted = map(ast.literal_eval, item.args[:2] if isinstance(item, ast.Call) else item.elts[:2])  # type: ignore[attr-defined]
            yield text, [part.strip() for part in wanted if part.strip()]


def _ends(parts: Sequence[str]) -> set[int]:
    """How many characters, white space aside, stand before each boundary."""
    ends, count = [], 0
    for part in parts:
        count += len("".join(part.split()))
        ends.append(count)
    return set(ends[:-1])


def _f1(gold: Gold, cuts: Gold) -> float:
    hits = wanted = made = 0
    for parts, cut in zip(gold, cuts, strict=True):
        right, ours = _ends(parts), _ends([part for part in cut if part.strip()])
        hits, wanted, made = hits + len(right & ours), wanted + len(right), made + len(ours)
    return 2 * hits / (wanted + made) if wanted + made else 1.0


def _exact(gold: Gold, cuts: Gold) -> float:
    return sum(_ends(p) == _ends([part for part in c if part.strip()]) for p, c in zip(gold, cuts, strict=True)) / len(
        gold
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
