"""What the largest and worst of each input costs: `python -m benchmarks.bounds [--limit SECONDS]`.

Each input is made in four sizes, each twice the one before, and read as the product reads it. A line shows seconds of
CPU at each size, and how much longer the last doubling took: about 2 is in proportion, 4 the square. An input that is
refused for its size says so. Exits 1 when anything takes longer than the limit.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from mkdocs_cited.answer_text.data import read_value
from mkdocs_cited.answer_text.statements import claims_of
from mkdocs_cited.base.bounded_yaml import compose
from mkdocs_cited.declarations import read_page
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.declaration import Declaration, Target
from mkdocs_cited.model.finding import Place
from mkdocs_cited.model.source import Page
from mkdocs_cited.providers.authored import Authored
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.records import decode
from mkdocs_cited.render.markdown import to_html
from mkdocs_cited.render.pagereader import read
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import Settings
from mkdocs_cited.sources.from_files import passages_of

_PAGE = Page("a.md", "a/", "A")
_INDEX = Index.open(None)


@dataclass(frozen=True)
class Input:
    """One input of a stated size."""

    name: str
    most: int
    """Units at its largest."""
    make: Callable[[int], str]
    read: Callable[[str], object]


def record(text: str) -> object:
    return decode("a.md#a", f"---\nversion: 1\nquestion: Why?\n{text}---\nIt is so.\n")


def front_matter(text: str) -> object:
    return read_page("a.md", "a.md", f"---\n{text}answers:\n  - question: Why?\n---\n".encode())


def authored(text: str) -> object:
    declaration = Declaration("a.md", "a", "Why?", Place("a.md"), text=text, provider="authored")
    draft = Authored(Settings()).write(Request(declaration, (), _INDEX))
    assert isinstance(draft, Draft)
    return claims_of(draft, declaration), to_html(draft.content, prefix="a", marks={})


def data(target: Target) -> Callable[[str], object]:
    def reading(text: str) -> object:
        read_value(text, target)
        return claims_of(Draft(text, (), (), ""), Declaration("a.md", "a", "Why?", Place("a.md"), target=target))

    return reading


def html(text: str) -> object:
    Index.open(None).sync([(_PAGE, text)])
    return read(text)


def file(suffix: str) -> Callable[[str], object]:
    return lambda text: passages_of(_PAGE, text, suffix)


def bomb(levels: int) -> str:
    lines = [f"k{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, levels)]
    return "k0: &a0 [x, x]\n" + "".join(lines)


INPUTS = (
    Input("YAML: aliases of aliases, levels", 64, bomb, compose),
    Input("front matter: keys", 20_000, lambda n: "".join(f"k{i}: 1\n" for i in range(n)), front_matter),
    Input("front matter: aliases of aliases, levels", 64, bomb, front_matter),
    Input("record: list of words", 900_000, lambda n: f"consulted: [{'a,' * n}]\n", record),
    Input("record: verdicts", 20_000, lambda n: "verdicts:\n" + "- {claim: a, key: b, verdict: partial}\n" * n, record),
    Input("record: brackets", 400_000, lambda n: f"consulted: {'[' * n}{']' * n}\n", record),
    Input("authored: backticks", 100_000, lambda n: "`" * n, authored),
    Input("authored: runs of backticks", 440, lambda n: " ".join("`" * i for i in range(1, n)), authored),
    Input("authored: spaces", 100_000, lambda n: " " * n + "x", authored),
    Input("authored: brackets", 40_000, lambda n: "[@" * n, authored),
    Input("authored: stars", 40_000, lambda n: "*a " * n, authored),
    Input("JSON answer: numbers", 60_000, lambda n: f"[{'1, ' * n}1]", data(Target.JSON)),
    Input("JSON answer: texts", 8_000, lambda n: "[" + '"a", ' * n + "1]", data(Target.JSON)),
    Input("YAML answer: items", 8_000, lambda n: "- 'it''s'\n" * n, data(Target.YAML)),
    Input("YAML file: flat lines", 50_000, lambda n: "".join(f"k{i}: 1\n" for i in range(n)), file(".yml")),
    Input("YAML file: nested", 20_000, lambda n: "".join(f"{' ' * (i % 90)}k:\n" for i in range(n)), file(".yml")),
    Input("JSON file: lines", 50_000, lambda n: '{"a": 1},\n' * n, file(".json")),
    Input("Markdown file: brackets", 100_000, lambda n: "[" * n, file(".md")),
    Input("Python file: pairs of lines", 25_000, lambda n: "# a\nx = 1\n" * n, file(".py")),
    Input("text file: sentences", 100_000, lambda n: "It is so. " * n, file(".txt")),
    Input("page: attributes", 200_000, lambda n: f"<p {' '.join(f'a{i}=1' for i in range(n))}>x</p>", html),
    Input("page: nested elements", 200_000, lambda n: "<div>" * n, html),
    Input("page: headings", 20_000, lambda n: "<h2 id=a>a</h2><p>b</p>" * n, html),
    Input("page: table cells", 40_000, lambda n: f"<table><tr>{'<td>a' * n}</table>", html),
    Input("page: code spans", 40_000, lambda n: f"<p>{'<code>a</code> ' * n}", html),
    Input("page: words", 200_000, lambda n: f"<p>{'word ' * n}", html),
)


def seconds(item: Input, size: int) -> tuple[float, bool]:
    """Seconds of CPU for one size, and whether the input was refused."""
    text = item.make(size)
    start, refused = time.process_time(), False
    try:
        item.read(text)
    except ValueError:
        refused = True
    return time.process_time() - start, refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=5.0, help="seconds of CPU that one input may take")
    arguments = parser.parse_args()
    slow = 0
    print(f"{'input':42} {'largest':>9}  seconds at ⅛, ¼, ½ and all of it    last doubling")
    for item in INPUTS:
        times, refused = zip(*(seconds(item, item.most // part) for part in (8, 4, 2, 1)), strict=True)
        slow += max(times) > arguments.limit
        factor = f"× {times[-1] / times[-2]:.1f}" if times[-1] > 0.02 and not any(refused) else ""
        note = "refused" if refused[-1] else factor
        print(f"{item.name:42} {item.most:9,}  {' '.join(f'{value:8.3f}' for value in times)}    {note}", flush=True)
    print(f"{len(INPUTS) - slow} passed, {slow} failed")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
