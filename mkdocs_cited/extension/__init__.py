"""The Python-Markdown extension for hosts that run no plugins, such as Zensical: it keeps marks whole, until
`mkdocs-cited publish --site DIR` writes into the built pages.

It writes nothing, asks no model and has no index. Whether the site shows it all is said by `mkdocs-cited check --site
DIR`.
"""

from __future__ import annotations

from typing import Any

from mkdocs_cited.declarations.in_markdown import Places


def makeExtension(**options: Any) -> Places:  # noqa: N802 -- the name that Python-Markdown looks for
    """The extension, as `markdown_extensions: [mkdocs_cited.extension]` asks for it.

    Raises:
        ValueError: it is given an option; it has none.
    """
    if options:
        names = ", ".join(map(str, options))
        message = (
            f"`mkdocs_cited.extension` in `markdown_extensions` has no option `{names}`"
        )
        raise ValueError(f"{message}: write the options of cited below `plugins`")
    return Places()
