"""What declarations say under `sources:`, held against the site."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence

from mkdocs_cited.base.text import glob_matches
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.source import Corpus
from mkdocs_cited.sources.web.addresses import with_whole_names


def unmatched(declarations: Iterable[Declaration], corpus: Corpus) -> Iterator[Finding]:
    """A finding for each glob of a declaration that names no page, file, note or snapshot."""
    globs = [(item, glob) for item in declarations for glob in item.sources if not glob.startswith("!")]
    known = [page.src for page in corpus.pages()] if globs else []
    for declaration, glob in globs:
        if any(glob_matches(src, with_whole_names((glob,))) for src in known):
            continue
        yield found(
            "unknown-source",
            declaration.place,
            f"`sources` names `{glob}`, and nothing on the site has such a path",
            answer=declaration.key,
            tip=_tip(glob, known),
        )


def _tip(glob: str, known: Sequence[str]) -> str:
    """What would match: the same below `docs/`, as a folder or a page, or the closest path."""
    below = glob.partition("/")[2]
    for other in filter(
        None, (below, f"{glob.rstrip('*/')}/", f"{glob}.md", f"{below.rstrip('*/')}/" if below else "")
    ):
        if any(glob_matches(src, (other,)) for src in known):
            return f"write `{other}`: paths are those below the folder of the docs"
    close = difflib.get_close_matches(glob, known, n=1, cutoff=0.6)
    return f"did you mean `{close[0]}`?" if close else "`mkdocs-cited find` shows the paths of pages"
