"""Lists of questions as people have them: `questions.yml`, JSON lines, or a question a line from tickets or a log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.declarations.questions_file import read_questions, read_row
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, Place
from mkdocs_cited.reporters.safety import one_line

MOST_BYTES = 20_000_000
"""Largest list that is read."""
MOST_ROWS = 100_000
"""Most lines with a question."""
NAMES = ("question", "query")
"""The keys that a JSON object may have its question under."""
_TIP = 'write a question a line, `{"question": "How do I …?"}` a line (.jsonl), or a list of them (.yml)'


def read_list(path: Path, locale: str) -> list[Declaration]:
    """The questions of a file, in its order; how it is read is told by the end of its name.

    Args:
        path: `.yml` and `.yaml`: a file of questions; `.jsonl` and `.ndjson`: JSON lines; any other: plain lines, but
            for empty ones and those that begin with `#`.
        locale: the language of questions and answers.

    Raises:
        UsageError: the file or one of its lines cannot be read; names the line.
    """
    data = _bytes(path)
    if path.suffix in (".yml", ".yaml"):
        read = read_questions(path.as_posix(), data, locale=locale)
        if read.findings:
            raise _unusable(read.findings[0])
        questions = list(read.declarations)
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise UsageError(
                f"{path}:{line}: this is not UTF-8 at byte {error.start}", tip="save it as UTF-8"
            ) from None
        rows = _json_rows(path, text) if path.suffix in (".jsonl", ".ndjson") else _plain_rows(text)
        questions = [_question(path, number, row, locale) for number, row in rows]
    if not questions:
        raise UsageError(f"{path}: there is no question in it", tip=_TIP)
    if len(questions) > MOST_ROWS:
        raise UsageError(f"{path}: {len(questions):,} questions; {MOST_ROWS:,} are read", tip="share them out")
    return questions


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError(f"{path}: the file is larger than {MOST_BYTES:,} bytes", tip="share the questions out")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", tip=_TIP) from None


def _plain_rows(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.splitlines(), 1):
        question = one_line(line).strip()  # logs hold whatever strangers have typed
        if question and not question.startswith("#"):
            yield number, {"question": question}


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path}:{number}: this line is not JSON: {error}", tip=_TIP) from None
        row = {"question": row} if isinstance(row, str) else row
        name = next((name for name in NAMES if isinstance(row, dict) and name in row), None)
        if name is None:
            raise UsageError(f"{path}:{number}: this line has no `question`", tip=_TIP)
        yield number, {**row, "question": row[name]}


def _question(path: Path, number: int, row: dict[str, Any], locale: str) -> Declaration:
    read = read_row(Place(path.as_posix(), number), row, locale=locale)
    if read.findings:
        raise _unusable(read.findings[0])
    return read.declarations[0]


def _unusable(finding: Finding) -> UsageError:
    return UsageError(f"{finding.place}: {finding.message}", tip=finding.tip)
