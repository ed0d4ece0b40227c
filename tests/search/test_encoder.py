"""An encoder on this machine: near meanings are near vectors, which are made once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.model.options import Local
from mkdocs_cited.search.meaning import AT_ONCE, FOLDER, Encoder
from tests.search import tiny

STORED = f"{FOLDER}/vectors.sqlite3"
OPTIONS = Local(encoder=tiny.NAME, folder="tiny")
BACKUP, LOGS = "a backup is kept for thirty days", "logs are kept for seven days"


@pytest.fixture
def encoder(tmp_path: Path) -> Encoder:
    tiny.encoder(tmp_path / "tiny")
    return Encoder(OPTIONS, tmp_path)


def test_near_meanings_are_near_vectors(encoder: Encoder) -> None:
    """Vectors have length 1, and the question is nearer to the passage that shares its words."""
    passages = encoder.passages([BACKUP, LOGS])
    assert np.allclose(np.linalg.norm(passages, axis=1), 1)
    near, far = passages @ encoder.question("for thirty days you keep a backup")
    assert near > far


def test_vectors_are_in_the_order_of_their_texts(encoder: Encoder, tmp_path: Path) -> None:
    """Whatever order they were run in; progress is reported as they are made."""
    texts = [" ".join(["day"] * (1 + n % 7) + ["backup"] * (n % 3)) + f" {n}" for n in range(AT_ONCE + 1)]
    told: list[tuple[int, int]] = []
    vectors = encoder.passages(texts, lambda done, total: told.append((done, total)))
    (tmp_path / STORED).unlink()
    assert np.allclose(vectors[137], Encoder(OPTIONS, tmp_path).passages(texts[137:138])[0])
    assert told == [(AT_ONCE, AT_ONCE + 1), (AT_ONCE + 1, AT_ONCE + 1)]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 100])
def test_a_damaged_cache_is_a_miss(encoder: Encoder, tmp_path: Path, damage: bytes) -> None:
    """The vectors are right, and the next run finds a cache again."""
    right = encoder.passages([BACKUP])
    (tmp_path / STORED).write_bytes(damage)
    for _ in range(3):
        assert (Encoder(OPTIONS, tmp_path).passages([BACKUP]) == right).all()
    (tmp_path / "tiny" / "model.onnx").unlink()
    assert (Encoder(OPTIONS, tmp_path).passages([BACKUP]) == right).all()


@pytest.mark.parametrize("name", ["tokenizer.json", "model.onnx"])
def test_a_damaged_model_is_refused(encoder: Encoder, tmp_path: Path, name: str) -> None:
    """With the command that fetches it."""
    (tmp_path / "tiny" / name).write_bytes(b"{")
    with pytest.raises(UsageError, match="cannot be loaded"):
        encoder.passages([BACKUP])
