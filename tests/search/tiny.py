"""Tiny models, made by the tests: an encoder whose vectors are counts of words.

They have the inputs, outputs and configuration files of real ones, so that what loads them loads these.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = "a all are as at backup be by can day days each every file files for from in is it keep kept key keys log logs of on or seven the thirty to token you".split()  # noqa: E501
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
MOST_TOKENS = 64

NAME = "sentence-transformers/all-MiniLM-L6-v2"
"""The encoder whose place a tiny one takes: fastembed pools it by the mean."""


def tokenizer(folder: Path) -> None:
    """A tokenizer of whole words, with BERT's frame around texts and pairs."""
    names = [*SPECIAL, *WORDS]
    made = Tokenizer(models.WordLevel({name: at for at, name in enumerate(names)}, unk_token="[UNK]"))  # noqa: S106
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.save(str(folder / "tokenizer.json"))


def encoder(folder: Path, *, shape: tuple[int | str, ...] = ("b", "t")) -> Path:
    """A sentence encoder: each word is a direction of its own, so that texts are near that share words."""
    folder.mkdir(parents=True)
    size = len(SPECIAL) + len(WORDS)
    table = np.eye(size, dtype=np.float32)
    table[: len(SPECIAL)] = 0
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(
        nodes, "encoder", [_ids("input_ids", shape), _ids("attention_mask", shape)],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, size])],
        [numpy_helper.from_array(table, "table")],
    )  # fmt: skip
    _save(graph, folder / "model.onnx")
    tokenizer(folder)
    _json(folder / "config.json", {"pad_token_id": 0})
    _json(folder / "tokenizer_config.json", {"model_max_length": MOST_TOKENS, "pad_token": "[PAD]"})
    _json(folder / "special_tokens_map.json", {"pad_token": "[PAD]", "unk_token": "[UNK]"})
    return folder


def _ids(name: str, shape: tuple[int | str, ...]) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT64, shape)


def _save(graph: onnx.GraphProto, path: Path) -> None:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data), encoding="utf-8")
