"""Which `[@…]` are citations of ours, and what each names."""

from __future__ import annotations

import pytest

from mkdocs_cited.model.declaration import address_of, is_mark, targets_of

OURS = (
    "keys.md", "guide/keys.md#rotate", "#rotate", "../src/app.py#TTL", "/guide/keys.md", "./LICENSE", "keys#rotate",
    "!../values.yaml#cache.ttl", "a b.md#x", 'run.sh#"a; b"', "web:limits", "Dockerfile#FROM.node", ".env",
    "values.toml", "https://example.org/limits#keys", "a.md; smith04",
)  # fmt: skip
OTHERS = (
    "smith04", "smith04, p. 3", "Jarse.2023", "doi:10.7554/eLife.32822", "smith04, sec. iv.b", "arxiv:1705.1",
    "https://doi.org/10.1/x", "smith04; doe.99", "octocat#12", "LICENSE", "mention",
)  # fmt: skip


@pytest.mark.parametrize("written", OURS)
def test_paths_and_names_are_ours(written: str) -> None:
    assert is_mark(written)


@pytest.mark.parametrize("written", OTHERS)
def test_keys_of_others_are_left_alone(written: str) -> None:
    """Those of Pandoc and bibtex, and mentions of people."""
    assert not is_mark(written)


def test_several_targets_are_divided_outside_of_quotes() -> None:
    assert targets_of('@a.md#x; !b.sh#"c; d"') == ("a.md#x", 'b.sh#"c; d"')
    assert address_of('..\\b.sh#"c; d"').pattern == "c; d"
    assert address_of("a.md").anchor == ""
