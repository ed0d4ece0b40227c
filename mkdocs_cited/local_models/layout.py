"""What a folder with an encoder holds, read from the model's own configuration. Nothing of it is run here.

The layout is that of sentence-transformers on Hugging Face: `config.json` and `tokenizer.json`, an ONNX file,
`modules.json`, `1_Pooling/config.json` and `sentence_bert_config.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError

Pooling = Literal["mean", "cls"]
POOLINGS: dict[str, Pooling] = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}

ONNX_FILES = (
    "model.onnx", "model_quantized.onnx", "model_int8.onnx", "onnx/model_quantized.onnx", "onnx/model_int8.onnx",
    "onnx/model_qint8_avx512_vnni.onnx", "onnx/model_qint8_avx512.onnx", "onnx/model_quint8_avx2.onnx",
    "onnx/model_qint8_arm64.onnx", "onnx/model.onnx",
)  # fmt: skip
"""Where a model's network may be; the first that is there is run."""
MOST_TOKENS = 8_192
"""Tokens of one text that any model is given."""


class Layout(Struct, frozen=True):
    """A model's files, and how its numbers are to be read."""

    folder: Path
    network: Path
    """The ONNX file."""
    tokenizer: Path
    most_tokens: int
    """Tokens that one text may have with all special tokens."""
    pooling: Pooling = "mean"
    """How the vectors of tokens become one: their mean over the text, or the first token's."""
    query_prefix: str = ""
    """What the model wants before a question."""
    passage_prefix: str = ""
    """What the model wants before a passage."""


def network_of(folder: Path) -> Path | None:
    """The ONNX file of a folder."""
    return next((folder / name for name in ONNX_FILES if (folder / name).is_file()), None)


def read_layout(folder: Path) -> Layout:
    """What is in a folder.

    Raises:
        CitedError: a file is missing or says nothing that can be relied on; which one, and what it should say.
    """
    if not folder.is_dir():
        raise CitedError(f"{folder}: there is no such folder", tip="name a folder with a model, or run `models get`")
    network, tokenizer = network_of(folder), folder / "tokenizer.json"
    if network is None:
        raise CitedError(f"{folder}: no ONNX file", tip=f"it must hold one of {', '.join(ONNX_FILES[:3])}, onnx/…")
    if not tokenizer.is_file():
        raise CitedError(f"{tokenizer}: there is no such file", tip="export the tokenizer as tokenizer.json")
    if not (folder / "1_Pooling" / "config.json").is_file():
        tip = "name an encoder, such as `mkdocs-cited models get minilm` fetches"
        raise CitedError(f"{folder}: makes no vectors of sentences: 1_Pooling/config.json is missing", tip=tip)
    return Layout(folder, network, tokenizer, _most_tokens(folder), _pooling(folder), *_prefixes(folder))


def _json(path: Path) -> dict[str, Any]:
    """The object in a file.

    Raises:
        CitedError: there is no such file, or it holds something else.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CitedError(f"{path}: {error}", tip="copy it again from where the model came from") from error
    if not isinstance(data, dict):
        raise CitedError(f"{path}: not an object", tip="copy it again from where the model came from")
    return data


def _most_tokens(folder: Path) -> int:
    """What the model's files say of its length."""
    sentences = folder / "sentence_bert_config.json"
    said = _json(sentences).get("max_seq_length") if sentences.is_file() else None
    most = said or _json(folder / "config.json").get("max_position_embeddings")
    if not isinstance(most, int) or most < 1:
        tip = "write `max_position_embeddings` into config.json"
        raise CitedError(f"{folder}: no file says how many tokens the model reads", tip=tip)
    return min(most, MOST_TOKENS)


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling" / "config.json"
    modes = [name for name, value in _json(path).items() if name.startswith("pooling_mode_") and value is True]
    for name, mode in POOLINGS.items():
        if modes == [name]:
            return mode
    tip = f"one of {' and '.join(POOLINGS)} must be true, and nothing else"
    raise CitedError(f"{path}: pooling by {', '.join(modes) or 'nothing'} is not supported", tip=tip)


def _prefixes(folder: Path) -> tuple[str, str]:
    """What is put before a question and before a passage (`prompts` of sentence-transformers)."""
    path = folder / "config_sentence_transformers.json"
    prompts = _json(path).get("prompts") if path.is_file() else None
    if not isinstance(prompts, dict):
        return "", ""
    query = prompts.get("query") or prompts.get("web_search_query")
    passage = prompts.get("passage") or prompts.get("document")
    return str(query or ""), str(passage or "")
