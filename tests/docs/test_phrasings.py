"""What the documentation says of phrasings is so: what it says passes, passes, and what it says waits, waits."""

from __future__ import annotations

import json
import re

from tests.docs.roots import DOCS
from tests.projects import Project

ROW = re.compile(r"^\| (?P<docs>.+) \| (?P<claim>.+) \| (?P<outcome>passes|fails|waits) \|$", re.MULTILINE)
VERDICTS = {"passes": "supported", "fails": "contradicted", "waits": "unchecked"}


def test_the_table_of_phrasings(project: Project) -> None:
    """Each row, as a section of a page and an answer that cites it."""
    page = (DOCS / "guide" / "answers.md").read_text(encoding="utf-8")
    table = page.partition("| the docs say | the answer says | the claim |\n|---|---|---|\n")[2].partition("\n\n")[0]
    rows = [match.groupdict() for match in ROW.finditer(table)]
    assert {row["outcome"] for row in rows} == set(VERDICTS)
    sections = (f"## Part {number}\n\n{row['docs']}\n" for number, row in enumerate(rows))
    project.page("said.md", "# What the docs say\n\n" + "\n".join(sections))
    answers = [
        {"id": f"row-{number}", "question": "What do they say?", "text": f"{row['claim']} [@said.md#part-{number}]"}
        for number, row in enumerate(rows)
    ]
    project.page("faq.md", f"---\n{json.dumps({'answers': answers})}\n---\n")
    assert project.build().code == 1
    built = project.answers()
    verdicts = [built[answer["id"]]["claims"][0]["verdict"] for answer in answers]
    assert verdicts == [VERDICTS[row["outcome"]] for row in rows]
