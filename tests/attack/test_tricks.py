"""Claims that a careless or hostile author makes of a page, end to end: none that the page does not say passes in
silence, and none that it says stops a build. `tricks.yml` was written by somebody who did not write the reviewer.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.projects import Project

TRICKS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("tricks.yml").read_text(encoding="utf-8"))
CITED = "[@source.md#facts]"


def text_of(claim: str | dict[str, str]) -> str:
    """An author's text with its citation."""
    if isinstance(claim, dict):
        return claim["text"].replace("@", CITED)
    return f"{claim[:-1]} {CITED}{claim[-1]}"


@pytest.mark.parametrize("group", TRICKS, ids=lambda group: str(group["name"]))
def test_tricks(project: Project, group: dict[str, Any]) -> None:
    """Under `stop` stands what must at least wait, under `keep` what must not be an error."""
    project.configure(markdown_extensions=["admonition", "attr_list", "def_list", "tables", "md_in_html"])
    project.page("source.md", group["page"])
    texts = {f"{kind}-{n}": text_of(one) for kind in ("stop", "keep") for n, one in enumerate(group.get(kind, ()))}
    entries = [{"id": name, "question": f"What about {name}?", "text": text} for name, text in texts.items()]
    project.page("faq.md", f"---\n{yaml.safe_dump({'answers': entries}, allow_unicode=True)}---\n# FAQ\n")
    project.cited("check", "--format", "json", "--output", str(project.root / "report.json"))
    report = json.loads((project.root / "report.json").read_text(encoding="utf-8"))
    found = defaultdict(set)
    for finding in report["findings"]:
        found[finding["answer"].partition("#")[2]].add(finding["severity"])
    silent = [
        text for name, text in texts.items() if name.startswith("stop") and not found[name] & {"error", "warning"}
    ]
    alarms = [text for name, text in texts.items() if name.startswith("keep") and "error" in found[name]]
    assert (silent, alarms) == ([], [])
