"""Models of this machine: loaded as their configuration says or refused, run in batches, kept by hash."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.local_models.encoder import Cache, Encoder
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.local_models.runtime import AT_ONCE, Network
from tests.local_models import tiny

BACKUP, LOGS = "a backup is kept for thirty days", "logs are kept for seven days"


@pytest.fixture
def encoder(tmp_path: Path) -> Encoder:
    return Encoder(read_layout(tiny.encoder(tmp_path / "encoder")), "tiny", Cache(tmp_path / "cache" / "v.sqlite"))


def test_near_meanings_are_near_vectors(encoder: Encoder) -> None:
    """Vectors have length 1, and the question lies nearer to the passage that shares its words."""
    passages = encoder.passages([BACKUP, LOGS])
    question = encoder.questions(["for thirty days you keep a backup"])[0]
    assert np.allclose(np.linalg.norm(passages, axis=1), 1)
    near, far = passages @ question
    assert near > far


def test_the_order_of_batches_is_not_that_of_results(encoder: Encoder) -> None:
    """Texts of all lengths come back in their own order, whatever order they were run in; told as they are done."""
    texts = [" ".join(["day"] * (1 + n % 7) + ["backup"] * (n % 3) + ["key"] * (n // 100)) for n in range(400)]
    told: list[tuple[int, int]] = []
    vectors = encoder.passages(texts, lambda done, total: told.append((done, total)))
    alone = Encoder(encoder.layout, "alone").passages(texts[137:138])
    assert np.allclose(vectors[137], alone[0])
    assert told[-1] == (len(set(texts)), len(set(texts)))


def test_few_texts_are_in_memory_at_once(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are: each call of the network gets a bounded part, and what is done is stored."""
    parts: list[int] = []
    run = Network.run

    def counted(self: Network, texts: Sequence[str], read: Any) -> list[Any]:
        parts.append(len(texts))
        return run(self, texts, read)

    monkeypatch.setattr(Network, "run", counted)
    encoder.passages([f"{n} day backup" for n in range(2 * AT_ONCE + 1)])
    assert parts == [AT_ONCE, AT_ONCE, 1]


def test_a_cached_vector_needs_no_model(encoder: Encoder, tmp_path: Path) -> None:
    """What is in the cache is not encoded again; another model's vectors are not taken for this one's."""
    before = encoder.passages([BACKUP])
    (tmp_path / "encoder" / "model.onnx").write_bytes(b"")
    again = Encoder(encoder.layout, "tiny", Cache(tmp_path / "cache" / "v.sqlite"))
    assert (again.passages([BACKUP]) == before).all()
    with pytest.raises(CitedError, match="cannot be loaded"):
        Encoder(encoder.layout, "other", Cache(tmp_path / "cache" / "v.sqlite")).passages([BACKUP])


@pytest.mark.parametrize("damage", ["flipped", "truncated", "no database", "another version"])
def test_a_damaged_cache_is_a_miss(encoder: Encoder, tmp_path: Path, damage: str) -> None:
    """Whatever happened to the cache, the vectors are right, and the next run finds a cache again."""
    right = encoder.passages([BACKUP])
    path = tmp_path / "cache" / "v.sqlite"
    if damage == "flipped":
        with sqlite3.connect(path) as database:
            database.execute("UPDATE vector SET value = zeroblob(length(value))")
        database.close()
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:3000])
    elif damage == "no database":
        path.write_bytes(b"no database at all" * 100)
    else:
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
    for _ in range(3):
        again = Encoder(encoder.layout, "tiny", Cache(path))
        assert (again.passages([BACKUP]) == right).all()
    assert Cache(path).get("tiny", [BACKUP])


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("sentence_bert_config.json", "[]", "not an object"),
        ("sentence_bert_config.json", "{", "sentence_bert_config.json"),
        ("tokenizer.json", None, "tokenizer.json"),
        ("model.onnx", None, "no ONNX file"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, file: str, content: str | None, said: str) -> None:
    """A folder that does not say what its numbers mean is refused, with what is missing."""
    folder = tiny.encoder(tmp_path / "nli")
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(CitedError, match=said):
        read_layout(folder)


def test_unknown_pooling_is_refused(tmp_path: Path) -> None:
    """Vectors pooled by guess would be wrong without a word."""
    with pytest.raises(CitedError, match="pooling_mode_max_tokens is not supported"):
        read_layout(tiny.encoder(tmp_path / "encoder", pooling="max_tokens"))


@pytest.mark.parametrize("name", ["tokenizer.json", "model.onnx"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    """A truncated download ends in a message that names the file."""
    folder = tiny.encoder(tmp_path / "nli")
    (folder / name).write_bytes((folder / name).read_bytes()[:50])
    with pytest.raises(CitedError, match=name):
        Encoder(read_layout(folder), "tiny").passages([BACKUP])


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    """Asking for a local model without `[local]` names the command that installs it."""
    folder = tiny.encoder(tmp_path / "encoder")
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from pathlib import Path\n"
        "from mkdocs_cited.base.errors import UsageError\n"
        "from mkdocs_cited.local_models.encoder import Encoder\n"
        "from mkdocs_cited.local_models.layout import read_layout\n"
        "try: Encoder(read_layout(Path(sys.argv[1])), 'x').passages(['a'])\n"
        "except UsageError as error: print(error.message, error.tip)"
    )
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert "onnxruntime" in done.stdout
    assert 'pip install "mkdocs-cited[local]"' in done.stdout


def test_the_recommended_models_are_pinned() -> None:
    """Each names a whole commit, and hashes of the files that decide what it says."""
    from mkdocs_cited.local_models.store import recommended

    for name, entry in recommended().items():
        assert len(entry.revision) == 40, name
        assert entry.network in entry.sha256, name
        assert json.dumps(dict(entry.sha256)), name
