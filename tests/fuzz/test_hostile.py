"""Mischief of a model ends as harmless text or as a fault; all of it is said by `make fuzz`."""

from __future__ import annotations

from itertools import islice

import pytest

from mkdocs_cited.model.answer import Draft
from tests.fuzz.hostile import answers, check, outcome_of
from tests.fuzz.replies import Api


@pytest.mark.parametrize("part", range(2))
def test_nothing_that_a_model_writes_acts(part: int) -> None:
    """A sixth of the payloads in all shapes; `make fuzz` takes all, Markdown and HTML."""
    with Api() as api:
        for text in islice(answers(), part, None, 12):
            check(outcome_of(api, text))


def test_there_are_enough_of_them() -> None:
    """Two hundred at least, no two alike."""
    assert len(set(answers())) >= 200


def test_honest_text_comes_through() -> None:
    """Refusing everything would be safe too."""
    with Api() as api:
        outcome = outcome_of(api, "Use `client` and see **limits**.")
        assert isinstance(outcome, Draft)
        assert "Use `client` and see **limits**." in outcome.content
