"""Models of this machine: loaded as their configuration says or refused, run in batches, kept by hash."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.encoder import AT_ONCE, Cache, Encoder
from mkdocs_cited.local_models.layout import read_layout
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
    run = Encoder.fresh

    def counted(self: Encoder, texts: Sequence[str]) -> dict[str, bytes]:
        parts.append(len(texts))
        return run(self, texts)

    monkeypatch.setattr(Encoder, "fresh", counted)
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


@pytest.mark.parametrize("damage", ["truncated", "no database"])
def test_a_damaged_cache_is_a_miss(encoder: Encoder, tmp_path: Path, damage: str) -> None:
    """Whatever happened to the cache, the vectors are right, and the next run finds a cache again."""
    right = encoder.passages([BACKUP])
    path = tmp_path / "cache" / "v.sqlite"
    if damage == "truncated":
        path.write_bytes(path.read_bytes()[:3000])
    else:
        path.write_bytes(b"no database at all" * 100)
    for _ in range(3):
        again = Encoder(encoder.layout, "tiny", Cache(path))
        assert (again.passages([BACKUP]) == right).all()
    assert Cache(path).get("tiny", [BACKUP])


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("sentence_bert_config.json", "[]", "not an object"),
        ("sentence_bert_config.json", "{", "sentence_bert_config.json"),
        ("config.json", "", "config.json"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, file: str, content: str, said: str) -> None:
    """A folder that does not say what its numbers mean is refused, with what is missing."""
    folder = tiny.encoder(tmp_path / "nli")
    (folder / "sentence_bert_config.json").unlink()
    (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(CitedError, match=said):
        read_layout(folder)


def test_what_is_missing_is_named_at_once(tmp_path: Path) -> None:
    """A folder as a first export leaves it: all that lacks, and all that is needed."""
    folder = tiny.encoder(tmp_path / "own")
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).unlink()
    (folder / "1_Pooling" / "config.json").unlink()
    with pytest.raises(CitedError, match=r"an ONNX file and tokenizer.json and 1_P.* missing") as caught:
        read_layout(folder)
    assert "holds tokenizer.json, config.json, 1_Pooling/config.json and one of model.onnx" in caught.value.tip


def test_what_newer_versions_save_is_accepted(tmp_path: Path) -> None:
    """sentence-transformers 6 names the pooling in a word, and leaves the length to the tokenizer."""
    folder = tiny.encoder(tmp_path / "own")
    (folder / "sentence_bert_config.json").write_text('{"transformer_task": "feature-extraction"}')
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 256}')
    (folder / "1_Pooling" / "config.json").write_text('{"embedding_dimension": 40, "pooling_mode": "mean"}')
    assert read_layout(folder).accepted == "model.onnx; 256 tokens a text, pooled by mean"
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode": ["mean", "max"]}')
    with pytest.raises(CitedError, match="is not supported"):
        read_layout(folder)


def test_weights_next_to_the_network_are_part_of_the_model(tmp_path: Path) -> None:
    """PyTorch stores them so; other weights are another model, whose vectors nobody has cached."""
    folder = tiny.encoder(tmp_path / "own")
    (folder / "model.onnx.data").write_bytes(b"some")
    before = store.identity(read_layout(folder))
    (folder / "model.onnx.data").write_bytes(b"more")
    assert store.identity(read_layout(folder)) != before
    assert read_layout(folder).accepted.startswith("model.onnx, model.onnx.data; ")


def test_a_network_of_fixed_size_is_refused(tmp_path: Path) -> None:
    """An export without dynamic axes takes one length of text: said with the file, and what to export."""
    folder = tiny.encoder(tmp_path / "own", shape=(1, 5))
    with pytest.raises(CitedError, match=r"model.onnx: cannot be run: .*input_ids") as caught:
        Encoder(read_layout(folder), "own").passages([BACKUP, LOGS])
    assert "dynamic axes" in caught.value.tip


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
