"""Runs encoders with onnxruntime: texts in, arrays out. onnxruntime, tokenizers and numpy are imported here, lazily.

Texts of about one length are run together, so that little is spent on padding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeVar

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.local_models.layout import Layout

BATCH_TOKENS = 1_024
"""Most tokens of a batch, padding included: larger ones no longer fit the processor's cache."""
AT_ONCE = 512
"""Texts that are tokenized and stored together, so that memory stays bounded and an interrupted run loses little."""

Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Receives (texts done, texts in all)."""


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
        self._numpy = needed("numpy")
        options = runtime.SessionOptions()
        options.log_severity_level = 3  # errors: its warnings are about its own optimisations
        file = layout.tokenizer
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(file))
            file = layout.network
            self._session = runtime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # tokenizers raises plain Exception; onnxruntime's errors have no common type
            raise CitedError(f"{file}: cannot be loaded: {error}", tip="fetch or copy the model again") from error
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(layout.most_tokens)

    def run(self, texts: Sequence[str], read: Callable[[Any, Any], Result]) -> list[Result]:
        """What `read` makes of the output for each text and the mask of its tokens, in order. Long texts are cut."""
        encoded = self._tokenizer.encode_batch(list(texts))
        found: dict[int, Result] = {}
        for batch in _batches([len(item.ids) for item in encoded]):
            found |= zip(batch, self._forward([encoded[at] for at in batch], read), strict=True)
        return [found[at] for at in range(len(texts))]

    def _forward(self, items: Sequence[Any], read: Callable[[Any, Any], Result]) -> list[Result]:
        """One batch: the result for each of its texts."""
        shape = (len(items), max(len(item.ids) for item in items))
        ids, mask, types = (self._numpy.zeros(shape, dtype=self._numpy.int64) for _ in range(3))
        for row, item in enumerate(items):
            size = len(item.ids)
            ids[row, :size], mask[row, :size], types[row, :size] = item.ids, item.attention_mask, item.type_ids
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        output = self._session.run(None, {name: value for name, value in given.items() if name in self._inputs})[0]
        return [read(output[row], mask[row]) for row in range(len(items))]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Positions of texts of about one length, `BATCH_TOKENS` at most with padding; the longest first."""
    batch: list[int] = []
    for at in sorted(range(len(lengths)), key=lambda item: (-lengths[item], item)):
        if batch and lengths[batch[0]] * (len(batch) + 1) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch
