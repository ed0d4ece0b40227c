"""Make `mkdocs_cited/language/lexicon/thesaurus.txt` from the files of WordNet 3.0.

    python benchmarks/make_thesaurus.py /usr/share/wordnet mkdocs_cited/language/lexicon/thesaurus.txt

WordNet is Debian's package `wordnet-base`; its licence lets anyone copy and
change it, and asks that its notice goes along (`thesaurus.LICENSE`). Only plain
words that people use are kept: senses that the SemCor texts contain (field
`tag_cnt` of the index files, wndb(5WN)), at most the first four of a word, or
the first sense of a word that those texts lack when all its partners are used.

A line is `word uses ; ! opposite ; = same ; ~ derived ; > wider ; ^ irregular forms`.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys
from collections.abc import Iterator

Pointer = tuple[str, str, int, int]

PLAIN = re.compile(r"[a-z]{3,}")
MAX_SENSES = 4
SYMBOLS = {"@": "wider", "+": "derived", "!": "opposite", "&": "same", "\\": "derived"}


def synsets(folder: pathlib.Path) -> Iterator[tuple[str, list[str], list[Pointer]]]:
    """Yield `(id, words, [(symbol, target id, source word, target word)])` of the data files."""
    for part, mark in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (folder / f"data.{part}").read_text().splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            words = [re.sub(r"\(.*", "", word).lower() for word in fields[4 : 4 + 2 * count : 2]]
            start = 4 + 2 * count
            pointers = []
            for at in range(int(fields[start])):
                symbol, target, kind, ends = fields[start + 1 + 4 * at : start + 5 + 4 * at]
                kind = "a" if kind == "s" else kind
                pointers.append((symbol, kind + target, int(ends[:2], 16), int(ends[2:], 16)))
            yield mark + fields[0], words, pointers


def used_senses(folder: pathlib.Path) -> dict[str, list[tuple[str, int]]]:
    """Map a word to `[(synset id, uses)]` of its senses in order, from `cntlist.rev`."""
    uses: dict[tuple[str, str, int], int] = collections.defaultdict(int)
    for line in (folder / "cntlist.rev").read_text().splitlines():
        key, sense, count = line.split()
        word, rest = key.split("%")
        mark = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}[rest[0]]
        uses[word, mark, int(sense)] = int(count)
    senses: dict[str, list[tuple[str, int]]] = collections.defaultdict(list)
    for part, mark in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (folder / f"index.{part}").read_text().splitlines():
            if line.startswith(" "):
                continue
            fields = line.split()
            word, offsets = fields[0], fields[-int(fields[2]) :]
            for number, offset in enumerate(offsets[:MAX_SENSES], 1):
                senses[word].append((mark + offset, uses[word, mark, number]))
    return senses


def irregular_forms(folder: pathlib.Path) -> dict[str, set[str]]:
    """Map a word to its irregular forms (went, children), from the `.exc` files."""
    forms: dict[str, set[str]] = collections.defaultdict(set)
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"{part}.exc").read_text().splitlines():
            form, *bases = line.split()
            for base in bases:
                if PLAIN.fullmatch(form):
                    forms[base].add(form)
    return forms


def main(folder: pathlib.Path, target: pathlib.Path) -> None:
    irregular = irregular_forms(folder)
    data = {key: (words, pointers) for key, words, pointers in synsets(folder)}
    senses = {word: rows for word, rows in used_senses(folder).items() if PLAIN.fullmatch(word)}
    familiar = {word: sum(uses for _, uses in rows) for word, rows in senses.items()}
    lines = []
    for word in sorted(senses):
        if familiar[word] < 1:
            continue
        found: dict[str, set[str]] = collections.defaultdict(set)
        for key, uses in senses[word]:
            if uses < 1:
                continue
            words, pointers = data[key]
            found["same"].update(words)
            for symbol, other, source, end in pointers:
                name = SYMBOLS.get(symbol)
                if not name:
                    continue
                others = data[other][0]
                if source:
                    if words[source - 1] != word:
                        continue
                    others = [others[end - 1]]
                found[name].update(others)
        parts = [f"{word} {familiar[word]}"]
        taken = {word}
        for name, mark in (("opposite", "!"), ("same", "="), ("derived", "~"), ("wider", ">")):
            partners = sorted(
                other for other in found[name] - taken if familiar.get(other, 0) >= (2 if name == "wider" else 1)
            )
            taken |= found[name]
            if partners:
                parts.append(f"{mark} {' '.join(partners)}")
        if irregular[word] - {word}:
            parts.append(f"^ {' '.join(sorted(irregular[word] - {word}))}")
        lines.append(" ; ".join(parts))
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
