"""Where a project's CI holds its site to its answers: a host that runs no plugins fails no build by itself."""

from __future__ import annotations

import re
from pathlib import Path

PLACES = (
    ".github/workflows/*", ".forgejo/workflows/*", ".gitea/workflows/*", ".gitlab-ci.yml", ".gitlab/**/*.yml",
    ".circleci/*.yml", ".woodpecker.yml", ".woodpecker/*", "azure-pipelines.yml", "bitbucket-pipelines.yml",
    "Jenkinsfile", ".travis.yml", ".pre-commit-config.yaml", "Makefile", "justfile", "tox.ini", "noxfile.py",
)  # fmt: skip
"""Files of a repository that say what CI runs, or what its jobs call."""
LARGEST = 500_000
"""Bytes of such a file that is read."""
_CHECK = re.compile(rb"mkdocs-cited(?:[\"', ]+-[\w-]+)*[\"', ]+check\b|^\s*- id: mkdocs-cited\s*$", re.MULTILINE)
TIP = "add `mkdocs-cited check --strict --site DIR` behind the build; `mkdocs-cited init` writes such a workflow"


def gate(root: Path) -> Path | None:
    """The first file that runs `mkdocs-cited check`, in a project's folder or those around it up to its repository's;
    nothing where there is none.

    Args:
        root: folder of the configuration.
    """
    for folder in (root, *root.parents):
        for pattern in PLACES:
            for file in sorted(folder.glob(pattern)):
                if _checks(file):
                    return file
        if (folder / ".git").exists():
            break
    return None


def _checks(file: Path) -> bool:
    try:
        return file.is_file() and file.stat().st_size <= LARGEST and _CHECK.search(file.read_bytes()) is not None
    except OSError:
        return False
