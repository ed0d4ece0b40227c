"""The style sheet and the script stay small."""

from __future__ import annotations

import gzip
from importlib.resources import files


def test_style_sheet_and_script_are_under_six_kilobytes_together() -> None:
    assets = files("mkdocs_cited.render").joinpath("assets")
    sizes = [len(gzip.compress(assets.joinpath(name).read_bytes(), mtime=0)) for name in ("cited.css", "cited.js")]
    assert sum(sizes) <= 6 * 1024, sizes
