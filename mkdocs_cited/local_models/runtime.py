"""The door to onnxruntime: token ids in, arrays out. Only here are onnxruntime, tokenizers and numpy imported, lazily.

Texts are run in batches of about one length, so that little is spent on padding, and memory does not grow with how
many there are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.local_models.layout import Layout

BATCH_TOKENS = 1_024
"""Most tokens of a batch, padding included. Larger ones are slower: what is at work no longer fits the processor's
cache."""
AT_ONCE = 2_048
"""Texts that are tokenized before the first of them is run."""

Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Told (texts done, texts in all) after each batch."""


def needed(module: str) -> Any:
    """A module of the extra `[local]`.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise UsageError(
            f"local models need the package `{module}`, which is not installed",
            tip='run `pip install "mkdocs-cited[local]"`',
        ) from error


class Network:
    """A model that is loaded: it turns texts into its output's arrays."""

    def __init__(self, layout: Layout) -> None:
        """Load tokenizer and network.

        Raises:
            UsageError: the extra `[local]` is not installed.
            CitedError: a file is no tokenizer or no network.
        """
        runtime, tokenizers = needed("onnxruntime"), needed("tokenizers")
        self.numpy = needed("numpy")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = 1  # a batch for each core is faster than a core for each part of a batch
        options.log_severity_level = 3  # errors: its warnings are about its own optimisations
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(layout.tokenizer))
        except Exception as error:  # tokenizers raises plain Exception
            raise CitedError(f"{layout.tokenizer}: no tokenizer: {error}", tip="copy the model again") from error
        try:
            self._session = runtime.InferenceSession(str(layout.network), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors have no common type of their own
            raise CitedError(f"{layout.network}: no network: {error}", tip="copy the model again") from error
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="mkdocs-cited-model")
        self._inputs = {item.name: item for item in self._session.get_inputs()}
        unknown = self._inputs.keys() - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            names = ", ".join(sorted(unknown))
            raise CitedError(
                f"{layout.network}: it wants the inputs {names}", tip="export the model for text alone, with input_ids"
            )
        length = self._inputs["input_ids"].shape[1] if "input_ids" in self._inputs else None
        self._length = length if isinstance(length, int) else 0
        """Tokens that every text is padded to, for a network exported with a fixed length; 0 for any length."""
        self.most_tokens = min(layout.most_tokens, self._length or layout.most_tokens)
        self._tokenizer.no_padding()

    def run(
        self,
        texts: Sequence[str] | Sequence[tuple[str, str]],
        read: Callable[[Any, Any], Result],
        progress: Progress | None = None,
    ) -> list[Result]:
        """What `read` makes of the network's first output for each text or pair, in their order.

        A text that is too long is cut at its end; of a pair, the longer of the two.

        Args:
            texts: texts, or pairs of them.
            read: from the output of one text and the mask of its tokens (1 for a real one) to what is kept of it.
            progress: told after each batch.
        """
        self._tokenizer.enable_truncation(self.most_tokens, strategy="longest_first")
        found: dict[int, Result] = {}
        for start in range(0, len(texts), AT_ONCE):
            encoded = self._tokenizer.encode_batch(list(texts[start : start + AT_ONCE]))
            batches = list(_batches([len(item.ids) for item in encoded], self._length))
            items = ([encoded[at] for at in batch] for batch in batches)
            runs = self._pool.map(partial(self._forward, read=read), items)
            for batch, results in zip(batches, runs, strict=True):
                found |= {start + at: result for at, result in zip(batch, results, strict=True)}
                if progress:
                    progress(len(found), len(texts))
        return [found[at] for at in range(len(texts))]

    def _forward(self, items: Sequence[Any], read: Callable[[Any, Any], Result]) -> list[Result]:
        """One batch: what is kept of each of its texts."""
        np = self.numpy
        width = self._length or max(len(item.ids) for item in items)
        shape = (len(items), width)
        ids, mask, types = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        for row, item in enumerate(items):
            size = len(item.ids)
            ids[row, :size], mask[row, :size], types[row, :size] = item.ids, item.attention_mask, item.type_ids
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        feed = {name: value for name, value in given.items() if name in self._inputs}
        output = self._session.run(None, feed)[0]
        return [read(output[row], mask[row]) for row in range(len(items))]


def _batches(lengths: Sequence[int], fixed: int) -> Iterator[list[int]]:
    """Positions of texts of about one length, `BATCH_TOKENS` at most with padding; the longest first."""
    batch: list[int] = []
    width = 0
    for at in sorted(range(len(lengths)), key=lambda item: (-lengths[item], item)):
        width = max(width, fixed or lengths[at])
        if batch and width * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch, width = [], fixed or lengths[at]
        batch.append(at)
    if batch:
        yield batch
