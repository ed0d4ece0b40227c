"""Where the repository and its documentation are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "example_site" / "docs"
