"""A post of a blog is told by its date, in its front matter or in its path."""

from __future__ import annotations

import pytest

from mkdocs_cited.mkdocs_host.project import date_in


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("blog/2026-11-02-keys.md", "2026-11-02"),
        ("blog/2026/11/02/keys.md", "2026-11-02"),
        ("blog/2023-06-11-hello-blog/index.md", "2023-06-11"),
        ("guide/keys.md", ""),
        ("api/2026-13-02.md", ""),
        ("log/12026-11-021.md", ""),
    ],
)
def test_the_date_in_a_path(path: str, date: str) -> None:
    """As blogs name their posts."""
    assert date_in(path) == date
