"""What snapshots of pages elsewhere cost a build: `python -m benchmarks.snapshots SITES_DIR [--pages 1000]`.

The same texts once as pages of the site and once as snapshots: seconds of the processor until the index holds them
(cold), and until it is known that nothing has changed (warm), reading the files included. What pages cost besides, to
be rendered from Markdown, is told apart: the least of it, with few extensions and no templates.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import markdown

from mkdocs_cited.model.finding import Finding
from mkdocs_cited.model.source import Page, SourceType
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import ExtraSource, Settings
from mkdocs_cited.sources.web import blocks
from mkdocs_cited.sources.web.addresses import snapshot_path
from mkdocs_cited.sources.web.content import Content
from mkdocs_cited.sources.web.cut import cut
from mkdocs_cited.sources.web.snapshot import Snapshot, encode, read_snapshots


def main() -> None:
    """Write the snapshots, fill both indexes, print seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sites", type=Path, help="folder of MkDocs projects")
    parser.add_argument("--pages", type=int, default=1000)
    options = parser.parse_args()
    start = time.process_time()
    some = list(rendered(options.sites))
    rendering = (time.process_time() - start) / len(some) * options.pages
    texts = list(itertools.islice(itertools.cycle(some), options.pages))
    pages = [(Page(f"p{n}.md", f"p{n}/", f"Page {n}"), f"{html}<p>Page {n}.</p>") for n, html in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        urls = tuple(kept(root, n, html) for n, (_, html) in enumerate(pages))
        settings = Settings(extra_sources=(ExtraSource(type="web", name="many", url=urls),))

        def as_pages(name: str) -> None:
            Index.open(root / "cache", name).sync(pages)

        def as_snapshots(name: str) -> None:
            findings: list[Finding] = []
            documents = list(read_snapshots(root, settings, findings))
            assert len(documents) == len(pages), findings[:1]
            Index.open(root / "cache", name).sync(documents)

        print(f"rendering as many pages: {rendering:.2f} s")
        print(f"{len(pages)} pages, {sum(len(html) for _, html in pages):,} characters of HTML")
        for kind, sync in (("pages", as_pages), ("snapshots", as_snapshots)):
            print(f"{kind:10} cold {seconds(sync, kind):6.2f} s, warm {seconds(sync, kind):6.2f} s")
        reading = time.process_time()
        for path in (root / "sources/web").rglob("*.md"):
            path.read_bytes()
        print(f"a build in which nothing changed reads their bytes: {time.process_time() - reading:.3f} s")


def rendered(sites: Path) -> Iterator[str]:
    """The pages of three sites as HTML."""
    for site in ("kopia", "wsl", "redux"):
        for path in sorted((sites / site / "docs").rglob("*.md")):
            text = path.read_text(encoding="utf-8", errors="replace")
            yield markdown.markdown(text, extensions=["tables", "fenced_code", "toc", "admonition"])


def kept(root: Path, number: int, html: str) -> str:
    """Write a page as a snapshot; its address."""
    url = f"https://docs.example/p{number}"
    document, _ = cut(Page("web:x", url, "", type=SourceType.WEB), Content("html", f"<main>{html}</main>"))
    file = root / "sources/web" / snapshot_path(url)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(encode(Snapshot(url, title=f"Page {number}", fetched="2026-11-22", body=blocks.write(document))))
    return url


def seconds(work: Callable[[str], None], name: str) -> float:
    """How long it takes."""
    start = time.process_time()
    work(name)
    return time.process_time() - start


if __name__ == "__main__":
    main()
