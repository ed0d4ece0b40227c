"""Claims that a careless or hostile author makes of a page, end to end: none that the page does not say passes in
silence, and none that it says stops a build. The tricks were written by people who did not write the reviewer.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.projects import Project

TRICKS: list[dict[str, Any]] = [
    group
    for path in sorted(Path(__file__).parent.glob("*.yml"))
    for group in yaml.safe_load(path.read_text(encoding="utf-8"))
]
CITED = "[@source.md#facts]"
EXTENSIONS = ["admonition", "attr_list", "def_list", "footnotes", "tables", "md_in_html", "pymdownx.details"]


def text_of(claim: str | dict[str, str], *, files: bool = False) -> str:
    """An author's text with its citation."""
    text = claim if isinstance(claim, str) else claim["text"]
    if files:
        return text.replace("[@", "[@../conf/")
    return re.sub(r"(?<!\[)@", CITED, text) if isinstance(claim, dict) else f"{text[:-1]} {CITED}{text[-1]}"


@pytest.mark.parametrize("group", TRICKS, ids=lambda group: str(group["name"]))
def test_tricks(project: Project, group: dict[str, Any]) -> None:
    """Under `stop` stands what must at least wait, under `keep` what must not be an error. With `prose` a claim is an
    ordinary page, else an answer; with `files` a claim cites the project's files.
    """
    files, lang = group.get("files", {}), group.get("lang", "en")
    project.configure(
        {"extra_sources": [{"glob": f"conf/{name}"} for name in files]} if files else {},
        markdown_extensions=[*EXTENSIONS, {"pymdownx.tabbed": {"alternate_style": True}}],
        theme={"name": "mkdocs", "locale": lang},
    )
    for name, text in files.items():
        project.write(f"conf/{name}", text)
    project.page("source.md", group.get("page", "# Source\n"))
    claims = {f"{kind}-{n}": one for kind in ("stop", "keep") for n, one in enumerate(group.get(kind, ()))}
    texts = {name: text_of(claim, files=bool(files)) for name, claim in claims.items()}
    if group.get("prose"):
        for name, text in texts.items():
            project.write(f"docs/{name}.md", f"# Page\n\n{text}\n")
    else:
        questions = {
            name: claim.get("question", "") if isinstance(claim, dict) else "" for name, claim in claims.items()
        }
        entries = [
            {"id": name, "question": questions[name] or "What do the docs say of it?", "text": text}
            for name, text in texts.items()
        ]
        project.page("faq.md", f"---\n{yaml.safe_dump({'answers': entries}, allow_unicode=True)}---\n# FAQ\n")
    project.cited("check", "--format", "json", "--output", str(project.root / "report.json"))
    report = json.loads((project.root / "report.json").read_text(encoding="utf-8"))
    found = defaultdict(set)
    for finding in report["findings"]:
        answer = finding["answer"].partition("#")[2]
        found[Path(finding["place"]["file"]).stem if group.get("prose") else answer].add(finding["severity"])
    silent = [
        text for name, text in texts.items() if name.startswith("stop") and not found[name] & {"error", "warning"}
    ]
    alarms = [text for name, text in texts.items() if name.startswith("keep") and "error" in found[name]]
    assert (silent, alarms) == ([], [])
