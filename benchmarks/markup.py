"""Holds what is put into pages against the Nu HTML checker: `python -m benchmarks.markup vnu.jar SITE [SITE ...]`.

SITE is a built site. Told is what is said of the blocks of answers and “cited by” of every page and of the report page,
but not of the theme's markup around them. The checker is the npm package `vnu-jar`, and runs on Java.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

BLOCK = re.compile(r'<div class="cited-(?:answer|by)[ "]|<(?:link|script)[^>]*(?:assets/cited/|data:text/css,)')
DIV = re.compile(r"<(/?)div\b")


def blocks(html: str) -> list[tuple[int, int]]:
    """Where our blocks stand in a page; a report page is ours from end to end."""
    if '<ul class="tiles">' in html:
        return [(0, len(html))]
    found = []
    for start in BLOCK.finditer(html):
        depth, end = 0, html.find(">", start.start()) + 1
        for tag in DIV.finditer(html, start.start()) if start[0].startswith("<div") else ():
            depth += -1 if tag[1] else 1
            if not depth:
                end = tag.end() + 1
                break
        found.append((start.start(), end))
    return found


def complaints(jar: Path, site: Path) -> Iterator[str]:
    """What the checker says of our blocks, with an extract."""
    pages = {path.resolve().as_uri(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    pages = {uri: html for uri, html in pages.items() if blocks(html)}
    print(
        f"{site}: {len(pages)} pages with {sum(len(blocks(html)) for html in pages.values())} blocks of ours",
        flush=True,
    )
    files = [unquote(urlsplit(uri).path) for uri in pages]
    command = ["java", "-jar", str(jar), "--format", "json", "--exit-zero-always", *files]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    for message in json.loads(said)["messages"]:
        html = pages[message["url"].replace("file:/", "file:///", 1) if "///" not in message["url"] else message["url"]]
        lines = html.split("\n")
        at = sum(len(line) + 1 for line in lines[: message["lastLine"] - 1]) + message.get("lastColumn", 1) - 1
        if any(start <= at < end for start, end in blocks(html)):
            extract = " ".join(message.get("extract", "").split())
            yield f"{message.get('subType', message['type'])}: {message['message']} | {extract[:160]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jar", type=Path, help="the checker, vnu.jar")
    parser.add_argument("sites", type=Path, nargs="+", help="folders of built sites")
    arguments = parser.parse_args()
    for site in arguments.sites:
        found = Counter(complaints(arguments.jar, site))
        for text, count in found.most_common():
            print(f"  {count} × {text}")
        print(f"  {found.total()} complaints")


if __name__ == "__main__":
    main()
