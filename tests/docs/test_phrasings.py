"""What the documentation says of phrasings is so: what it says passes, passes, and what it says waits, waits."""

from __future__ import annotations

import json
import re

from tests.docs.roots import DOCS
from tests.projects import Project

ROW = re.compile(r"^\| (?P<docs>.+) \| (?P<passes>.+) \| (?P<waits>.+) \|$", re.MULTILINE)


def test_the_table_of_phrasings(project: Project) -> None:
    """Each row, as a section of a page and two answers that cite it."""
    page = (DOCS / "guide" / "answers.md").read_text(encoding="utf-8")
    table = page.partition("| the docs say | passes | waits |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [match.groupdict() for match in ROW.finditer(table)]
    assert len(rows) >= 5
    sections = (f"## Part {number}\n\n{row['docs']}\n" for number, row in enumerate(rows))
    project.page("said.md", "# What the docs say\n\n" + "\n".join(sections))
    answers = [
        {"id": f"{kind}-{number}", "question": question(row[kind]), "text": f"{row[kind]} [@said.md#part-{number}]"}
        for number, row in enumerate(rows)
        for kind in ("passes", "waits")
    ]
    project.page("faq.md", f"---\n{json.dumps({'answers': answers})}\n---\n")
    assert project.build().code == 0
    built = project.answers()
    verdicts = {key: {claim["verdict"] for claim in built[key]["claims"]} for key in (item["id"] for item in answers)}
    assert verdicts == {key: {"supported" if key.startswith("passes") else "unchecked"} for key in verdicts}


def question(claim: str) -> str:
    """One that the claim may answer; a yes needs its own."""
    return "Does the export include attachments?" if claim.startswith("Yes") else "What do the docs say of it?"
