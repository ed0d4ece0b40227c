"""A Python-Markdown extension that shows recorded answers, for hosts that run no plugins, such as Zensical.

It writes nothing, asks no model and has no index: what it shows was recorded by `mkdocs-cited update --site DIR`, and
whether the site shows it all is said by `mkdocs-cited check --site DIR`.
"""

from typing import Any

from mkdocs_cited.extension.markdown import Cited

__all__ = ["Cited", "makeExtension"]


def makeExtension(**options: Any) -> Cited:  # noqa: N802 -- the name that Python-Markdown looks for
    """The extension, as `markdown_extensions: [mkdocs_cited.extension]` asks for it."""
    return Cited(**options)
