"""Golden cases: YAML files that hold a report and what each reporter makes of it, readable as documentation.

`python -m tests.reporters.cases` writes the outputs anew; read the diff before you commit it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

import mkdocs_cited
from mkdocs_cited import reporters
from mkdocs_cited.base.text import digest
from mkdocs_cited.model.answer import Answer, Claim, Evidence, Judgement, ReviewedClaim, Status, Verdict
from mkdocs_cited.model.finding import CATALOGUE, Finding, Place, Suppressed, explain
from mkdocs_cited.model.source import Page, Passage, PassageKind, Section, SourceType
from mkdocs_cited.reporters.interface import Report

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Case:
    """One golden file."""

    path: Path
    about: str
    report: Report
    raw: dict[str, Any]
    expected: dict[str, str]
    """Name of a reporter → its output."""


def load(path: Path) -> Case:
    """Read a golden file."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    return Case(path, data["about"], report_of(data["report"]), data["report"], data.get("output", {}))


@cache
def all_cases() -> tuple[Case, ...]:
    """Every golden file, by name."""
    return tuple(load(path) for path in sorted(GOLDEN.glob("*.yml")))


def report_of(data: dict[str, Any]) -> Report:
    """A report from its YAML: severities default to the catalogue's, and answers are written short."""
    return Report(
        shown=tuple(map(_finding, data.get("findings", []))),
        suppressed=tuple(Suppressed(_finding(item["finding"]), item["reason"]) for item in data.get("suppressed", [])),
        ignored=tuple(map(_finding, data.get("ignored", []))),
        answers=tuple(map(_answer, data.get("answers", []))),
        notices=tuple(data.get("notices", [])),
        prefix=data.get("prefix", ""),
        places={item["answer"]: _asked(item["answer"]) for item in data.get("findings", []) if item.get("answer")},
    )


def _asked(answer: str) -> Place:
    """Where the question of an answer is asked."""
    return Place(f"docs/{answer.rpartition('#')[0]}")


def render(name: str, report: Report) -> str:
    """A reporter's output, with the version and the explanations of SARIF's rules replaced."""
    text = reporters.get(name).render(report).replace(mkdocs_cited.__version__, "VERSION")
    for slug in CATALOGUE:
        said = json.dumps(explain(slug), ensure_ascii=False)
        text = text.replace(said, f'"(what `mkdocs-cited explain {slug}` says)"')
    return text


def _finding(data: dict[str, Any]) -> Finding:
    return msgspec.convert({"severity": CATALOGUE[data["slug"]].severity, **data}, Finding)


def _answer(data: dict[str, Any]) -> Answer:
    page, _, name = data["key"].rpartition("#")
    return Answer(
        key=data["key"],
        page=page,
        id=name,
        question=data["question"],
        status=Status(data.get("status", "accepted")),
        claims=tuple(map(_claim, data.get("claims", []))),
        provider=data.get("provider", "quote"),
        reviewed=True,
    )


def _claim(data: dict[str, Any]) -> ReviewedClaim:
    page = Page("api/limits.md", "api/limits/", "API")
    section = Section(page, "limits", "Limits", 2, ("API", "Limits"))
    text = data.get("passage", "")
    passage = Passage(
        f"api/limits.md#limits~{digest(text, length=6)}",
        section,
        PassageKind.PARAGRAPH,
        text,
        SourceType.PAGE,
        digest(text),
    )
    evidence = (Evidence(passage, text),) if text else ()
    judgement = Judgement(Verdict(data["verdict"]), reason=data.get("reason", ""), reviewer="lexical")
    return ReviewedClaim(Claim(data["text"], tuple(range(1, len(evidence) + 1))), evidence, judgement)


class _Literal(str):
    """A string that YAML writes as a literal block."""


def _dump(case: Case) -> Iterator[str]:
    class Dumper(yaml.SafeDumper):
        pass

    Dumper.add_representer(
        _Literal, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
    )
    text = case.path.read_text(encoding="utf-8")
    yield text[: text.index("\noutput:") + 1] if "\noutput:" in text else text
    output = {name: _Literal(render(name, case.report)) for name in case.expected}
    yield yaml.dump({"output": output}, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=10_000)


if __name__ == "__main__":
    for golden in all_cases():
        golden.path.write_text("".join(_dump(golden)), encoding="utf-8", newline="\n")
