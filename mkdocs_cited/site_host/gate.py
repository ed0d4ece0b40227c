"""What a host that runs no plugins, such as Zensical, needs besides them: the extension, and a check in CI, since no
build fails by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from mkdocs_cited.base.files import read_bounded

EXTENSION = "mkdocs_cited.extension"
"""What shows recorded answers there, among `markdown_extensions`."""
PLACES = (
    ".github/workflows/*", ".forgejo/workflows/*", ".gitea/workflows/*", ".gitlab-ci.yml", ".gitlab/**/*.yml",
    ".circleci/*.yml", ".woodpecker.yml", ".woodpecker/*", "azure-pipelines.yml", "bitbucket-pipelines.yml",
    "Jenkinsfile", ".travis.yml", ".pre-commit-config.yaml", "Makefile", "justfile", "tox.ini", "noxfile.py",
)  # fmt: skip
"""Files of a repository that say what CI runs, or what its jobs call."""
REQUIREMENTS = ("docs/requirements.txt", "requirements-docs.txt", "requirements.txt")
_CHECK = re.compile(rb"mkdocs-cited(?:[\"', ]+-[\w-]+)*[\"', ]+check\b|^\s*- id: mkdocs-cited\s*$", re.MULTILINE)
TIP = "add `mkdocs-cited check --strict --site DIR` behind the build; `mkdocs-cited init` writes such a workflow"


def gate(root: Path) -> Path | None:
    """The first file that runs `mkdocs-cited check`, in the folder of a configuration or those around it up to its
    repository's; nothing where there is none."""
    return next(_files(root, PLACES, _CHECK), None)


def runs_zensical(root: Path) -> bool:
    """Whether Zensical builds a project: it has its configuration, or it is named where that is installed or called."""
    own = (root / "zensical.toml").is_file()
    return own or any(_files(root, (*REQUIREMENTS, "pyproject.toml", *PLACES), re.compile(rb"\bzensical\b")))


def _files(root: Path, places: Iterable[str], words: re.Pattern[bytes]) -> Iterator[Path]:
    """Files that hold words, in a folder and those around it up to the repository's."""
    for folder in (root, *root.parents):
        for pattern in places:
            for file in sorted(folder.glob(pattern)):
                with suppress(OSError):
                    if words.search(read_bounded(file)):
                        yield file
        if (folder / ".git").exists():
            break
