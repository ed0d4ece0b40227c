"""What a folder with a model holds, read from the model's own configuration. Nothing of it is run here.

The layout is that of Hugging Face's repositories: `config.json` and `tokenizer.json`, an ONNX file, and for a sentence
encoder the files of sentence-transformers (`modules.json`, `1_Pooling/config.json`, `sentence_bert_config.json`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError

Kind = Literal["encoder"]
Pooling = Literal["mean", "cls"]

ONNX_FILES = (
    "model.onnx", "model_quantized.onnx", "model_int8.onnx", "onnx/model_quantized.onnx", "onnx/model_int8.onnx",
    "onnx/model_qint8_avx512_vnni.onnx", "onnx/model_qint8_avx512.onnx", "onnx/model_quint8_avx2.onnx",
    "onnx/model_qint8_arm64.onnx", "onnx/model.onnx",
)  # fmt: skip
"""Where a model's network may be; the first that is there is run."""
MOST_CONFIG_BYTES = 1_000_000
MOST_TOKENS = 8_192
"""Tokens of one text that any model is given."""


class Layout(Struct, frozen=True):
    """A model's files, and how its numbers are to be read."""

    folder: Path
    kind: Kind
    network: Path
    """The ONNX file."""
    tokenizer: Path
    most_tokens: int
    """Tokens that one text, or one pair of texts, may have with all special tokens."""
    pooling: Pooling = "mean"
    """How an encoder's token vectors become one: their mean over the text, or the first token's."""
    query_prefix: str = ""
    """What an encoder wants before a question."""
    passage_prefix: str = ""
    """What an encoder wants before a passage."""


def read_layout(folder: Path) -> Layout:
    """What is in a folder.

    Raises:
        CitedError: a file is missing or says nothing that can be relied on; which one, and what it should say.
    """
    if not folder.is_dir():
        raise CitedError(f"{folder}: there is no such folder", tip="name a folder with a model, or run `models get`")
    network = next((folder / name for name in ONNX_FILES if (folder / name).is_file()), None)
    if network is None:
        raise CitedError(f"{folder}: no ONNX file", tip=f"it must hold one of {', '.join(ONNX_FILES[:3])}, onnx/…")
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise CitedError(f"{tokenizer}: there is no such file", tip="export the tokenizer as tokenizer.json")
    config = _json(folder / "config.json")
    most = _most_tokens(folder, config)
    if (folder / "modules.json").is_file() or (folder / "1_Pooling" / "config.json").is_file():
        query, passage = _prefixes(folder)
        return Layout(folder, "encoder", network, tokenizer, most, _pooling(folder), query, passage)
    raise CitedError(
        f"{folder}: this model makes no vectors of sentences: modules.json and 1_Pooling/config.json are missing",
        tip="name an encoder, such as `mkdocs-cited models get minilm` fetches",
    )


def _json(path: Path) -> dict[str, Any]:
    """The object in a file.

    Raises:
        CitedError: there is no such file, or it holds something else.
    """
    try:
        if path.stat().st_size > MOST_CONFIG_BYTES:
            raise CitedError(f"{path}: larger than {MOST_CONFIG_BYTES:,} bytes", tip="this is no model configuration")
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CitedError(f"{path}: {error.strerror or error}", tip="copy it from where the model came from") from error
    except (ValueError, RecursionError) as error:
        raise CitedError(f"{path}: not JSON: {error}", tip="copy it again from where the model came from") from error
    if not isinstance(data, dict):
        raise CitedError(f"{path}: not an object", tip="copy it again from where the model came from")
    return data


def _most_tokens(folder: Path, config: dict[str, Any]) -> int:
    """The least of what the model's files say of its length."""
    said = [config.get("max_position_embeddings")]
    sentence = folder / "sentence_bert_config.json"
    if sentence.is_file():
        said.append(_json(sentence).get("max_seq_length"))
    tokenizer = folder / "tokenizer_config.json"
    if tokenizer.is_file():
        said.append(_json(tokenizer).get("model_max_length"))
    lengths = [value for value in said if isinstance(value, int) and not isinstance(value, bool) and value > 0]
    if not lengths:
        raise CitedError(
            f"{folder}: no file says how many tokens the model reads",
            tip="write `max_position_embeddings` into config.json",
        )
    return min(*lengths, MOST_TOKENS)


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling" / "config.json"
    config = _json(path)
    modes = sorted(name for name, value in config.items() if name.startswith("pooling_mode_") and value is True)
    if modes == ["pooling_mode_mean_tokens"]:
        return "mean"
    if modes == ["pooling_mode_cls_token"]:
        return "cls"
    raise CitedError(
        f"{path}: pooling by {', '.join(modes) or 'nothing'} is not supported",
        tip="`pooling_mode_mean_tokens` or `pooling_mode_cls_token` must be true, and nothing else",
    )


def _prefixes(folder: Path) -> tuple[str, str]:
    """What is put before a question and before a passage (`prompts` of sentence-transformers)."""
    path = folder / "config_sentence_transformers.json"
    prompts = _json(path).get("prompts") if path.is_file() else None
    if not isinstance(prompts, dict):
        return "", ""
    query = prompts.get("query") or prompts.get("web_search_query") or ""
    passage = prompts.get("passage") or prompts.get("document") or ""
    return (query if isinstance(query, str) else ""), (passage if isinstance(passage, str) else "")
