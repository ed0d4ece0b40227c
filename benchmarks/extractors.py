"""Compares what finds the main text of pages elsewhere: `python -m benchmarks.extractors SITES_DIR`.

Ten pages of real sites, built by MkDocs with navigation around them in three themes; once as they are, once with every
landmark, role, class and id of their layout taken away, as old pages are. Recall is the share of the main text's words
that are kept; navigation kept, the share of all other words. Besides ours it reads trafilatura where it is installed
(`pip install trafilatura`).
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml
from selectolax.lexbor import LexborHTMLParser, LexborNode

from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.sources.web.cut import Content, cut

SITES = (("kopia", "material", 4), ("wsl", "readthedocs", 3), ("redux", "mkdocs", 3))
"""Site, theme, pages."""
MAIN = "article.md-content__inner, [role=main]"
"""Where these themes keep the main text."""
FURNITURE = ".headerlink, .md-content__button, .rst-footer-buttons, nav, div.toc, button, input, script, style, svg"
LEAST_WORDS = 100
_WORD = re.compile(r"\w+")

Words = Counter[str]


def main() -> None:
    """Build the sites, read the pages, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, help="folder of MkDocs projects")
    sites = parser.parse_args().sites
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        pages = [
            html for site, theme, count in SITES for html in built(sites / site, theme, count, Path(folder) / site)
        ]
    print(f"{len(pages)} pages, {sum(sum(parts(html)[0].values()) for html in pages):,} words of main text\n")
    print("| extractor | pages | recall | least | navigation kept | most | ms a page |\n|---|---|---|---|---|---|---|")
    for name, extract in extractors():
        for kind, prepare in (("as built", str), ("without landmarks", without_landmarks)):
            print(f"| {name} | {kind} | {measured(extract, prepare, pages)} |")


def built(site: Path, theme: str, count: int, folder: Path) -> Iterator[str]:
    """Pages of a site in a theme, taken at even steps through its paths."""
    shutil.copytree(site, folder)
    config = yaml.safe_load(re.sub(r"!!python\S*", "", (folder / "mkdocs.yml").read_text(encoding="utf-8")))
    config["theme"] = {"name": theme, **({"font": False} if theme == "material" else {})}
    (folder / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", str(folder / "mkdocs.yml")]
    subprocess.run(command, check=True, capture_output=True)
    pages = [path.read_text(encoding="utf-8") for path in sorted((folder / "site").rglob("index.html"))]
    pages = [html for html in pages if sum(parts(html)[0].values()) >= LEAST_WORDS]
    step = len(pages) // count
    yield from pages[step // 2 :: step][:count]


def parts(html: str) -> tuple[Words, Words]:
    """The words of a page's main text, and all its other words."""
    tree = LexborHTMLParser(html)
    content = tree.css_first(MAIN)
    if content is None:
        return Counter(), Counter()
    for node in reversed(content.css(FURNITURE)):
        node.decompose()
    text = content.text(separator=" ")
    content.decompose()
    for node in tree.css("script, style, svg, noscript, template"):
        node.decompose()
    return words(text), words(tree.body.text(separator=" ") if tree.body is not None else "")


def without_landmarks(html: str) -> str:
    """A page whose layout says nothing: boxes without names."""
    html = re.sub(r"<(/?)(?:main|article|nav|header|footer|aside|section)\b", r"<\1div", html)
    tree = LexborHTMLParser(html)
    for node in tree.css("div, ul, li, a, label, form"):
        for name in ("role", "class", "id", "aria-label", "itemprop", "itemtype", "data-md-component"):
            _drop(node, name)
    return tree.html or ""


def _drop(node: LexborNode, name: str) -> None:
    if name in node.attributes:
        del node.attrs[name]


def extractors() -> Iterator[tuple[str, Callable[[str], str]]]:
    """Each with its name: from a page's HTML to the text that it keeps."""
    yield "ours", ours
    if importlib.util.find_spec("trafilatura"):
        import trafilatura

        yield "trafilatura", lambda html: trafilatura.extract(html, include_comments=False) or ""
        yield (
            "trafilatura, favouring recall",
            lambda html: trafilatura.extract(html, include_comments=False, favor_recall=True) or "",
        )


def ours(html: str) -> str:
    """The text that a snapshot of a page holds."""
    document, *_ = cut(Page("web:x", "https://x.example/", "", type=SourceType.WEB), Content("html", html))
    headings = [section.title for section in document.sections if section.level]
    header = [" ".join(passage.header) for passage in document.passages]
    return " ".join([*headings, *dict.fromkeys(header), *(passage.text for passage in document.passages)])


def text_of(html: str) -> str:
    """The words of a piece of HTML."""
    return LexborHTMLParser(html).text(separator=" ")


def words(text: str) -> Words:
    """How often each word stands in a text."""
    return Counter(_WORD.findall(text.lower()))


def measured(extract: Callable[[str], str], prepare: Callable[[str], str], pages: list[str]) -> str:
    """The cells of an extractor's row: shares, mean and worst, and milliseconds a page."""
    recall, kept, seconds = [], [], 0.0
    for html in pages:
        main_words, others = parts(html)
        given = prepare(html)
        start = time.perf_counter()
        text = extract(given)
        seconds += time.perf_counter() - start
        found = words(text)
        recall.append((found & main_words).total() / main_words.total())
        kept.append(((found - main_words) & others).total() / max(1, others.total()))
    shares = (sum(recall) / len(pages), min(recall), sum(kept) / len(pages), max(kept))
    return " | ".join([*(f"{share:.3f}" for share in shares), f"{1000 * seconds / len(pages):.0f}"])


if __name__ == "__main__":
    main()
