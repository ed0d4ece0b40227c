"""Marked sentences of real repositories when their code changes: `python -m benchmarks.prose REPO…`

REPO is a folder with docs and code at one commit. What is marked is told by `marks.yml` in it, else by
`benchmarks/marks/NAME.yml`: the files that may be cited, and for each mark the page, the text that it goes behind, and
the address. The marks go into a copy; what waits is confirmed. Then each cited value is changed alone, which must stop
its claim or tell that it is stale; and the same files, and the docs, are edited elsewhere, which must tell nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from msgspec import Struct

from mkdocs_cited.model.source import Page, Passage, SourceType
from mkdocs_cited.sources.addressed import AddressedFile

EDITS = 20
"""Unrelated ones."""
_MARKS = Path(__file__).with_name("marks")
_EXTENSIONS = ["admonition", "attr_list", "def_list", "footnotes", "md_in_html", "tables", "pymdownx.superfences"]
_OPPOSITES = {"True": "False", "False": "True", "true": "false", "false": "true", "None": "7", "[]": "['x']"}
_COMPUTED = re.compile(r"[\d.]+ \((.*)\)")
"""A value with what it was computed from: `16777216 (16 * 1024 * 1024)`."""


class Mark(Struct, frozen=True):
    """A sentence, and what proves it."""

    page: str
    text: str
    """What the mark goes behind: the first such text, or the first behind `after`."""
    cites: str
    after: str = ""

    @property
    def file(self) -> str:
        return self.cites.partition("#")[0].removeprefix("../")


def main() -> None:
    """Print each claim that was silent or told for nothing, and a line of figures for each repository."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for repository in options.repositories:
        with tempfile.TemporaryDirectory() as folder:
            measure(repository, Path(folder) / "copy", random.Random(options.seed))  # noqa: S311 -- not for secrets


def measure(repository: Path, copy: Path, chance: random.Random) -> None:
    """Mark a copy, change it in both ways, and print what was told."""
    file = repository / "marks.yml"
    chosen = yaml.safe_load((file if file.is_file() else _MARKS / f"{repository.name}.yml").read_text("utf-8"))
    marks = [Mark(**mark) for mark in chosen["marks"]]
    shutil.copytree(repository, copy, ignore=shutil.ignore_patterns(".git", "site"), symlinks=True)
    lines = prepare(copy, chosen["sources"], marks)
    waiting = told(copy, lines)
    if "error" in waiting.values():
        raise SystemExit(f"not true: {[marks[number] for number, how in waiting.items() if how == 'error']}")
    run(copy, "accept", "claims", "--all", "--by", "benchmark")
    counts = {"error": 0, "warning": 0, "silent": 0}
    others = 0
    for number, mark in enumerate(marks):
        path = copy / mark.file
        before = path.read_bytes()
        path.write_text(changed(copy, mark), encoding="utf-8")
        found = told(copy, lines)
        path.write_bytes(before)
        how = found.pop(number, "silent")
        counts[how] += 1
        if how == "silent":
            print(f"silent: {mark.page}: {mark.text} → {mark.cites}")
        for other in (marks[n] for n in found if marks[n].cites != mark.cites):
            others += 1
            print(f"{mark.cites} told {other.page}: {other.text} → {other.cites}")
    told_for_nothing = 0
    for edit in unrelated(copy, marks, chance):
        if found := told(copy, lines):
            told_for_nothing += 1
            print(f"{edit} told {[marks[n].cites for n in found]}")
    print(
        f"{repository.name}: {len(marks)} marks, {len(marks) - len(waiting)} passed by words, {len(waiting)} "
        f"confirmed; values changed: {counts['error']} stopped, {counts['warning']} told as stale, "
        f"{counts['silent']} silent, {others} other claims told; {EDITS} unrelated edits: {told_for_nothing} told"
    )


def prepare(copy: Path, sources: list[str], marks: list[Mark]) -> list[tuple[str, int]]:
    """Write the marks into the pages, and a configuration beside them; file and line of each mark."""
    config = {
        "site_name": copy.name, "docs_dir": "docs", "theme": {"name": "mkdocs"}, "markdown_extensions": _EXTENSIONS,
        "plugins": ["search", {"cited": {"extra_sources": [{"glob": glob} for glob in sources]}}],
    }  # fmt: skip
    (copy / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    lines = []
    for mark in marks:
        page = copy / mark.page
        text = page.read_text(encoding="utf-8")
        at = text.index(mark.text, text.index(mark.after)) + len(mark.text)
        page.write_text(f"{text[:at]} [@{mark.cites}]{text[at:]}", encoding="utf-8")
        lines.append((mark.page, text.count("\n", 0, at) + 1))
    return lines


def told(copy: Path, lines: list[tuple[str, int]]) -> dict[int, str]:
    """The claims that something is told of, by the numbers of their marks, and how severe it is."""
    report = copy / "report.json"
    report.unlink(missing_ok=True)
    run(copy, "check", "--format", "json", "--output", str(report))
    found: dict[int, str] = {}
    for finding in json.loads(report.read_text(encoding="utf-8"))["findings"]:
        if finding["severity"] == "info" or not finding["answer"].endswith("#claims"):
            continue
        for item in finding["details"] or [finding]:
            place = item["place"]  # of the claim's first line; its mark may stand below
            behind = [(line - place["line"], n) for n, (file, line) in enumerate(lines) if file == place["file"]]
            found[min(pair for pair in behind if pair[0] >= 0)[1]] = finding["severity"]
    return found


def changed(copy: Path, mark: Mark) -> str:
    """The text of the cited file with another value."""
    path, passage = copy / mark.file, valued(copy, mark)
    if passage is None:
        raise SystemExit(f"{mark.cites}: there is no such value")
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: passage.lines[0] - 1])
    end = start + len("\n".join(lines[passage.lines[0] - 1 : passage.lines[1]]))
    computed = _COMPUTED.fullmatch(passage.value)
    written = computed[1] if computed else passage.value
    while (end := text.rfind(written, start, end)) >= 0:
        edited = f"{text[:end]}{other(written)}{text[end + len(written) :]}"
        path.write_text(edited, encoding="utf-8")
        found = valued(copy, mark)
        path.write_text(text, encoding="utf-8")
        if found and found.value != passage.value:  # and not only the same word elsewhere in the lines
            return edited
    raise SystemExit(f"{mark.cites}: `{written}` is not found")


def valued(copy: Path, mark: Mark) -> Passage | None:
    """The passage of the value that a mark cites; None when there is none."""
    page = Page(mark.file, "", mark.file, type=SourceType.FILE, file=mark.file)
    return next((item for item in AddressedFile(copy, page).section(mark.cites.partition("#")[2]) if item.value), None)


def other(written: str) -> str:
    """Another value of the same kind."""
    if written in _OPPOSITES:
        return _OPPOSITES[written]
    if figures := [*re.finditer(r"\d+", written)]:
        start, end = figures[-1].span()
        return f"{written[:start]}{int(written[start:end]) + 3}{written[end:]}"
    last = max((at for at, char in enumerate(written) if char.isalnum()), default=-1)
    return (
        f"{written[:last]}{'y' if written[last] == 'x' else 'x'}{written[last + 1 :]}" if last >= 0 else f"{written}x"
    )


def unrelated(copy: Path, marks: list[Mark], chance: random.Random) -> Iterator[str]:
    """Edits of the cited files and marked pages that change no value, one on top of the other."""
    for number in range(EDITS):
        if number % 5 == 4:
            file = chance.choice([mark.page for mark in marks])
            text = (copy / file).read_text(encoding="utf-8")
            edited = f"{text.rstrip()}\n\nAnother sentence, number {number}.\n"
        else:
            file = chance.choice([mark.file for mark in marks])
            text = (copy / file).read_text(encoding="utf-8")
            python = file.endswith((".py", ".pyi"))
            above = (
                "" if text.startswith("from __future__") else chance.choice(["\n", "# Edited.\n", "\n\n# Edited.\n"])
            )
            below = f"\n\ndef another_{number}(limit=30):\n    return limit\n" if python else f"\n# Edited {number}.\n"
            edited = chance.choice([above + text, text + below, above + text + below])
        (copy / file).write_text(edited, encoding="utf-8")
        yield f"edit {number} of {file}"


def run(copy: Path, *arguments: str) -> None:
    """A command in the copy."""
    command = [sys.executable, "-m", "mkdocs_cited", *arguments]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
