"""What the largest and worst of each input costs: `python -m benchmarks.bounds [--limit SECONDS]`.

Each input is made in four sizes, each twice the one before, and read as the product reads it, twice; the better time
counts, without the collector of garbage, whose pauses grow with all that is alive. A line shows characters, seconds of
CPU at each size, and how much longer the last doubling took: about 2 is in proportion, 4 the square. An input that is
refused for its size says so. Exits 1 when anything takes longer than the limit, or a doubling three times as long.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import yaml

from mkdocs_cited.answer_text.data import read_value
from mkdocs_cited.answer_text.statements import claims_of
from mkdocs_cited.base.bounded_yaml import compose
from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.declarations.editing import renamed, with_entry
from mkdocs_cited.declarations.page import read_page
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
from mkdocs_cited.settings import Settings, parse
from mkdocs_cited.sources.from_files import passages_of
from mkdocs_cited.sources.web import blocks
from mkdocs_cited.sources.web.client import Refused, Reply
from mkdocs_cited.sources.web.content import content_of
from mkdocs_cited.sources.web.cut import cut
from mkdocs_cited.sources.web.snapshot import passages_of as passages_elsewhere

_PAGE = Page("a.md", "a/", "A")
_INDEX = Index.open(None)
STEEP = 3.0
"""How much longer a doubling may take: between proportion and square."""


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


def elsewhere(media: str) -> Callable[[str], object]:
    def reading(text: str) -> object:
        content = content_of(Reply("https://a.example/", 200, {"content-type": media}, text.encode()))
        if isinstance(content, Refused):
            raise ValueError(content.reason)
        document, _ = cut(_PAGE, content)
        body = blocks.write(document)
        return passages_elsewhere(_PAGE, body)

    return reading


def settings(text: str) -> object:
    try:
        return parse(yaml.load(text, yaml.CSafeLoader), {})
    except CitedError as error:
        raise ValueError(error.message) from None


def edited(text: str) -> object:
    """A page with one more question, and another id for the first."""
    data = with_entry(
        "a.md", f"---\nanswers:\n  - {{id: a, question: Why?}}\n{text}---\n".encode(), [("question", "Is it?")]
    )
    return renamed("a.md", data, "a", "b")


def bomb(levels: int) -> str:
    lines = [f"k{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, levels)]
    return "k0: &a0 [x, x]\n" + "".join(lines)


def runs(size: int) -> str:
    """Runs of one backtick, two, three …: no run is closed by another."""
    return " ".join("`" * i for i in range(1, int((2 * size) ** 0.5)))


INPUTS = (
    Input(
        "options: aliases of aliases, levels", 64, lambda n: f"include:\n- {bomb(n)}".replace("\nk", "\n  k"), settings
    ),
    Input("options: patterns", 50_000, lambda n: f"include: [{'a, ' * n}]\n", settings),
    Input("page to edit: questions", 900, lambda n: "".join(f"  - question: What is {i}?\n" for i in range(n)), edited),
    Input("YAML: aliases of aliases, levels", 64, bomb, compose),
    Input("front matter: keys", 20_000, lambda n: "".join(f"k{i}: 1\n" for i in range(n)), front_matter),
    Input("front matter: aliases of aliases, levels", 64, bomb, front_matter),
    Input("record: list of words", 900_000, lambda n: f"consulted: [{'a,' * n}]\n", record),
    Input("record: verdicts", 20_000, lambda n: "verdicts:\n" + "- {claim: a, key: b, verdict: partial}\n" * n, record),
    Input("record: brackets", 400_000, lambda n: f"consulted: {'[' * n}{']' * n}\n", record),
    Input("authored: backticks", 100_000, lambda n: "`" * n, authored),
    Input("authored: runs of backticks", 100_000, runs, authored),
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
    Input("page elsewhere: paragraphs", 75_000, lambda n: "<p>A word, and another.</p>" * n, elsewhere("text/html")),
    Input("page elsewhere: ends of paragraphs", 150_000, lambda n: "</p>" * n, elsewhere("text/html")),
    Input("page elsewhere: breaks", 150_000, lambda n: "a<br>" * n, elsewhere("text/html")),
    Input("page elsewhere: links", 75_000, lambda n: "<a href=x>word</a> " * n, elsewhere("text/html")),
    Input(
        "page elsewhere: depth",
        75_000,
        lambda n: "<div>" * 900 + "<p>A word, and so on.</p>" * n,
        elsewhere("text/html"),
    ),
    Input(
        "page elsewhere: attributes",
        200_000,
        lambda n: f"<p {' '.join(f'a{i}' for i in range(n))}>x",
        elsewhere("text/html"),
    ),
    Input("page elsewhere: brackets", 500_000, lambda n: "[ " * n, elsewhere("text/markdown")),
    Input("page elsewhere: sentences", 90_000, lambda n: "It is so. " * n, elsewhere("text/plain")),
)


def seconds(item: Input, size: int) -> tuple[float, bool]:
    """Seconds of CPU for one size, and whether the input was refused."""
    text = item.make(size)
    best, refused = float("inf"), False
    for _ in range(2):
        start = time.process_time()
        try:
            item.read(text)
        except ValueError:
            refused = True
        best = min(best, time.process_time() - start)
    return best, refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="inputs whose name holds this")
    parser.add_argument("--limit", type=float, default=15.0, help="seconds of CPU that one input may take")
    arguments = parser.parse_args()
    slow = 0
    gc.disable()
    print(f"{'input':42} {'largest':>9}  seconds at ⅛, ¼, ½ and all of it    last doubling")
    inputs = [item for item in INPUTS if arguments.only in item.name]
    for item in inputs:
        times, refused = zip(*(seconds(item, item.most // part) for part in (8, 4, 2, 1)), strict=True)
        told = times[-1] > 0.1 and not any(refused)
        slow += max(times) > arguments.limit or (told and times[-1] / times[-2] > STEEP)
        factor = f"× {times[-1] / times[-2]:.1f}" if told else ""
        note = "refused" if refused[-1] else factor
        gc.collect()
        print(f"{item.name:42} {item.most:9,}  {' '.join(f'{value:8.3f}' for value in times)}    {note}", flush=True)
    print(f"{len(inputs) - slow} passed, {slow} failed")
    sys.exit(bool(slow))


if __name__ == "__main__":
    main()
