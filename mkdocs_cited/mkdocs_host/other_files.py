"""The marks of Markdown that is no page of the site: README, AGENTS.md, decision records (the option `files`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from mkdocs_cited.base.values import replace
from mkdocs_cited.declarations.front_matter import decode
from mkdocs_cited.declarations.page import PageDeclarations
from mkdocs_cited.mkdocs_host.claims import claims_of
from mkdocs_cited.mkdocs_host.project import Project, SitePage
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.places import place_of
from mkdocs_cited.model.source import Page
from mkdocs_cited.sources.files import files_named
from mkdocs_cited.sources.from_files import html_of
from mkdocs_cited.sources.marks import read_marks


def claims_of_files(
    config: Project,
    globs: Sequence[str],
    locale: str,
    may_be_read: Callable[[str], bool],
) -> PageDeclarations:
    """What the files claim; it is checked, and no page of the site shows it.

    Args:
        config: the project.
        globs: relative to its root.
        locale: the site's language.
        may_be_read: whether a file, by its path in the project, is read: no page, and not written by us.
    """
    declarations: list[Declaration] = []
    findings: list[Finding] = []
    for path in dict.fromkeys(_named(config, globs, findings)):
        if may_be_read(path):
            read = _read(config, path, locale)
            declarations += [
                replace(item, published=False) for item in read.declarations
            ]
            findings += read.findings
    return PageDeclarations(tuple(declarations), findings=tuple(findings))


def _named(
    config: Project, globs: Sequence[str], findings: list[Finding]
) -> Iterator[str]:
    """The paths that the globs name; a glob that names none is a finding."""
    file = Path(config.config_file_path)
    for glob in globs:
        named = files_named(config.root, glob)
        if not named:
            message = f"option `files`: `{glob}` names no file of the repository"
            place = place_of(file, config.path(file), "files")
            findings.append(
                found(
                    "invalid-declaration",
                    place,
                    message,
                    tip="globs are relative to mkdocs.yml",
                )
            )
        yield from named or ()


def _read(config: Project, path: str, locale: str) -> PageDeclarations:
    """What one file claims, under its path from the folder of the docs, as links of the docs have it."""
    source = decode(path, (config.root / path).read_bytes())
    if isinstance(source, Finding):
        return PageDeclarations(findings=(source,))
    src = Path(os.path.relpath(config.root / path, config.docs_dir)).as_posix()
    marks = read_marks(Page(src, "", path, locale, file=path), html_of(source.text))
    return claims_of(
        SitePage(src, "", None, locale, file=path), marks, source, (), quiet=True
    )
