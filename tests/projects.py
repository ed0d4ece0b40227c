"""MkDocs projects for tests: written into a temporary folder, built through MkDocs' own command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from mkdocs.__main__ import cli as mkdocs_cli

from mkdocs_cited.cli import main as cited_cli
from mkdocs_cited.model import options
from mkdocs_cited.model.options import SERVERS


@dataclass(frozen=True)
class Result:
    """How a command ended."""

    code: int
    output: str
    """Standard output and standard error together."""


@dataclass
class Project:
    """A folder with `mkdocs.yml` and `docs/`."""

    root: Path
    monkeypatch: pytest.MonkeyPatch
    config: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.monkeypatch.setenv("NO_MKDOCS_2_WARNING", "true")
        self.monkeypatch.setenv("COLUMNS", "120")
        for name in (*SERVERS, "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
            self.monkeypatch.delenv(name, raising=False)
        self.attended(True)
        self.configure()

    def attended(self, at_terminal: bool) -> None:
        """Whether a person sees what builds say."""
        self.monkeypatch.setattr(options, "at_terminal", lambda: at_terminal)

    def configure(self, cited: Mapping[str, Any] | None = None, **config: Any) -> None:
        """Write `mkdocs.yml`: the options of `cited`, and MkDocs' own. A quotation that nobody has looked at fails no
        strict build here, unless a test says so."""
        options = {"severity": {"unreviewed-quote": "info"}, **(cited or {})}
        self.config = {
            "site_name": "Try",
            "site_url": "https://example.org/try/",
            "theme": {"name": "mkdocs"},
            "plugins": ["search", {"cited": options}],
            "markdown_extensions": ["admonition", "attr_list", "def_list", "footnotes", "tables"],
            **config,
        }
        self.write("mkdocs.yml", yaml.safe_dump(self.config, sort_keys=False))

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file of the project; text is dedented."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).lstrip("\n").encode("utf-8"))
        return target

    def taken(self, *names: str) -> None:
        """Take the quotations that stand for these answers, as Ann."""
        result = self.cited("accept", *names, "--by", "Ann")
        assert result.code == 0, result.output

    def page(self, src: str, text: str | bytes) -> Path:
        """Write a page."""
        return self.write(f"docs/{src}", text)

    def authored(self, section: str, **answers: Sequence[str]) -> None:
        """Write `faq.md` with answers of its author's, by id: claims that all cite one section."""
        entries = [
            f"  - id: {name}\n    question: What about {name}?\n    text: |\n      "
            + " ".join(f"{claim.removesuffix('.')} [@{section}]." for claim in claims)
            for name, claims in answers.items()
        ]
        self.page("faq.md", "---\nanswers:\n" + "\n".join(entries) + "\n---\n# FAQ\n")

    def lies_for_a_while(self) -> None:
        """Make every file older than what a build takes for edited just now, without waiting for it."""
        moment = time.time() - 5
        for path in self.root.rglob("*"):
            os.utime(path, (moment, moment))

    def git(self, *arguments: str) -> None:
        """A git command in the project's folder."""
        subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True)

    def belongs_to_ann(self) -> None:
        """Make the folder a git repository in which decisions are Ann Lee's."""
        self.git("init", "-q")
        self.git("config", "user.name", "Ann Lee")
        self.git("config", "user.email", "ann@example.org")

    def build(self, *options: str) -> Result:
        """`mkdocs build`."""
        return self._run(mkdocs_cli, "build", "-f", str(self.root / "mkdocs.yml"), *options)

    def cited(self, command: str, *options: str) -> Result:
        """`mkdocs-cited COMMAND`."""
        own = [] if command in ("explain",) else ["-f", str(self.root / "mkdocs.yml")]
        return self._run(cited_cli, command, *own, *options)

    def cited_here(self, command: str, *options: str) -> Result:
        """`mkdocs-cited COMMAND` in the folder where the test is, with the configuration that it finds there."""
        return self._run(cited_cli, command, *options)

    def html(self, path: str) -> str:
        """A file of the built site."""
        return (self.root / "site" / path).read_text(encoding="utf-8")

    def answers(self) -> dict[str, dict[str, Any]]:
        """The answers of `cited.json` by id."""
        data = json.loads(self.html("cited.json"))
        return {answer["id"]: answer for answer in data["answers"]}

    def tree(self) -> dict[str, bytes]:
        """Every file of the project outside the caches."""
        files = (path for path in sorted(self.root.rglob("*")) if path.is_file() and ".cache" not in path.parts)
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in files}

    def _run(self, command: Any, *arguments: str) -> Result:
        result = CliRunner().invoke(command, arguments)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        # the configuration is named for the test's sake: with it, lines are as in the project's own folder
        named = re.compile(rf"\s+-f\s+{re.escape(str(self.root / 'mkdocs.yml'))}")
        return Result(result.exit_code, named.sub("", result.output))


INSTALL = """
    # Install

    ## With pip

    Install the client with pip:

    ```bash
    pip install client
    ```

    The client retries a failed request 5 times before it gives up. It waits 2 seconds between tries.

    ## Keys

    To rotate an API key:

    1. Open the settings page.
    2. Choose **Rotate key** and confirm.
    3. Restart the client with `--key`.

    A key is valid for 90 days.
"""
"""A page to answer from."""
