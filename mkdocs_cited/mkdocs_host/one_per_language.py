"""The files of a site that is built once for each language, put together: one of each for the whole site."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any


def merged(all_files: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Path → text. What one language has alone stays as it is; what all have holds the answers of all."""
    together: dict[str, str] = {}
    for files in all_files:
        for path, text in files.items():
            combine = _COMBINED.get(path)
            together[path] = combine(together[path], text) if combine and path in together else text
    return together


def _as_json(combine: Callable[[Any, Any], Any]) -> Callable[[str, str], str]:
    def combined(first: str, second: str) -> str:
        data = combine(json.loads(first), json.loads(second))
        concise = "\n" not in first.rstrip()
        layout: dict[str, Any] = {"separators": (",", ":")} if concise else {"indent": 1}
        return json.dumps(data, ensure_ascii=False, **layout) + "\n"

    return combined


def _answers(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    answers = first["answers"] + second["answers"]
    if "usage" not in first:  # told on request
        return {**first, "answers": answers}
    usage = dict(first["usage"])
    for passage, used in second["usage"].items():
        if before := usage.get(passage):  # of a file, or of a page that stands in for its missing translation
            used = {**before, **{name: [*dict.fromkeys(before[name] + used[name])] for name in ("answers", "claims")}}
        usage[passage] = used
    return {**first, "answers": answers, "usage": dict(sorted(usage.items()))}


def _questions(first: list[Any], second: list[Any]) -> list[Any]:
    return first + second


def _markdown(first: str, second: str) -> str:
    return "\n".join(text for text in (first, second) if text)


_COMBINED: dict[str, Callable[[str, str], str]] = {
    "cited.json": _as_json(_answers),
    "cited.questions.json": _as_json(_questions),
    "cited.md": _markdown,
}
"""Files with the answers of a whole site, and how two languages' become one."""
