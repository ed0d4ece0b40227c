"""What a folder with an encoder holds, read from the model's own configuration. Nothing of it is run here.

The layout is that of sentence-transformers (2 to 6): an ONNX file with what may be stored next to it, `tokenizer.json`,
`config.json` and `1_Pooling/config.json`; `tokenizer_config.json`, `sentence_bert_config.json` and
`config_sentence_transformers.json` where they are there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from mkdocs_cited.base.errors import CitedError

Pooling = Literal["mean", "cls"]
POOLINGS: dict[str, Pooling] = {
    "mean": "mean", "pooling_mode_mean_tokens": "mean", "cls": "cls", "pooling_mode_cls_token": "cls",
}  # fmt: skip

ONNX_FILES = (
    "model.onnx", "model_quantized.onnx", "model_int8.onnx", "onnx/model_quantized.onnx", "onnx/model_int8.onnx",
    "onnx/model_qint8_avx512_vnni.onnx", "onnx/model_qint8_avx512.onnx", "onnx/model_quint8_avx2.onnx",
    "onnx/model_qint8_arm64.onnx", "onnx/model.onnx",
)  # fmt: skip
"""Where a model's network may be; the first that is there is run."""
NEEDED = ("tokenizer.json", "config.json", "1_Pooling/config.json")
"""What a folder needs besides its network."""
MOST_TOKENS = 8_192
"""Tokens of one text that any model is given at most."""
_COPY = "copy it again from where the model came from"


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

    @property
    def accepted(self) -> str:
        """What of the folder is used, for people."""
        files = ", ".join(path.relative_to(self.folder).as_posix() for path in parts_of(self.network))
        return f"{files}; {self.most_tokens} tokens a text, pooled by {self.pooling}"


def network_of(folder: Path) -> Path | None:
    """The ONNX file of a folder."""
    return next((folder / name for name in ONNX_FILES if (folder / name).is_file()), None)


def parts_of(network: Path) -> tuple[Path, ...]:
    """An ONNX file with the files of weights that are stored next to it: `model.onnx.data`, `model.onnx_data`."""
    return (network, *sorted(path for path in network.parent.glob(f"{network.name}?*") if path.is_file()))


def read_layout(folder: Path) -> Layout:
    """What is in a folder.

    Raises:
        CitedError: a file is missing or says nothing that can be relied on; which one, and what it should say.
    """
    if not folder.is_dir():
        raise CitedError(f"{folder}: there is no such folder", tip="name a folder with a model, or run `models get`")
    network = network_of(folder)
    missing = [name for name in NEEDED if not (folder / name).is_file()]
    if network is None or missing:
        lacks = ([] if network else ["an ONNX file"]) + missing
        tip = f"an encoder's folder holds {', '.join(NEEDED)} and one of {', '.join(ONNX_FILES[:3])}, onnx/…: save the"
        tip += (
            " model with sentence-transformers, export its network, or name one that `mkdocs-cited models get` fetches"
        )
        raise CitedError(f"{folder}: {' and '.join(lacks)} missing", tip=tip)
    return Layout(folder, network, folder / NEEDED[0], _most_tokens(folder), _pooling(folder), *_prefixes(folder))


def _json(path: Path) -> dict[str, Any]:
    """The object in a file; an empty one where there is no such file.

    Raises:
        CitedError: it holds something else.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (OSError, ValueError, RecursionError) as error:
        raise CitedError(f"{path}: {error}", tip=_COPY) from error
    if not isinstance(data, dict):
        raise CitedError(f"{path}: not an object", tip=_COPY)
    return data


def _most_tokens(folder: Path) -> int:
    """The least of what the model's files say of its length."""
    said = (
        _json(folder / "sentence_bert_config.json").get("max_seq_length"),
        _json(folder / "tokenizer_config.json").get("model_max_length"),
        _json(folder / "config.json").get("max_position_embeddings"),
    )
    return min(MOST_TOKENS, *(most for most in said if isinstance(most, int) and most > 0))


def _pooling(folder: Path) -> Pooling:
    path = folder / "1_Pooling" / "config.json"
    data = _json(path)
    modes = [name for name, value in data.items() if name.startswith("pooling_mode_") and value is True]
    modes = modes or [str(data.get("pooling_mode", "nothing"))]
    if len(modes) > 1 or modes[0] not in POOLINGS:
        tip = 'name an encoder that pools by "mean" or "cls"'
        raise CitedError(f"{path}: pooling by {', '.join(modes)} is not supported", tip=tip)
    return POOLINGS[modes[0]]


def _prefixes(folder: Path) -> tuple[str, str]:
    """What is put before a question and before a passage (`prompts` of sentence-transformers)."""
    said = _json(folder / "config_sentence_transformers.json").get("prompts")
    prompts = said if isinstance(said, dict) else {}
    return str(prompts.get("query") or ""), str(prompts.get("passage") or prompts.get("document") or "")
