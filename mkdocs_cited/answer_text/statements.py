"""The claims of an answer whatever its target: prose is split, data and diagrams are read value by value.

The numbers of a claim are those behind it; of a value, those that its pointer names; of an answer that cites nothing
by declaration (`cite: false`), all that its writer said it used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from typing import Any

import yaml

from mkdocs_cited.answer_text.claims import split, tells
from mkdocs_cited.answer_text.markdown import LONGEST
from mkdocs_cited.base.bounded_yaml import compose, value_of
from mkdocs_cited.base.text import encodable
from mkdocs_cited.model.answer import Claim, Draft
from mkdocs_cited.model.declaration import Declaration, Target


def claims_of(draft: Draft, declaration: Declaration) -> tuple[Claim, ...]:
    """The claims of a draft, in order, with offsets into its content. Data that cannot be read is one claim."""
    match declaration.target:
        case Target.JSON | Target.YAML:
            return _of_data(draft, declaration.target)
    return split(draft.content, declaration.locale)


def read_value(content: str, target: str) -> Any:
    """The value of an answer that is data, of JSON's types only: dates as text, sets as lists, keys as text.

    Raises:
        ValueError: it cannot be read, or is longer, deeper or larger than an answer is.
    """
    if len(content) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters")
    try:
        if target == Target.JSON:
            value = json.loads(content)
        else:
            root = compose(content, most_characters=LONGEST)
            value = value_of(root) if root is not None else None
        written = json.dumps(value, ensure_ascii=False, default=_plain)
        return json.loads(encodable(written))
    except (yaml.YAMLError, RecursionError, TypeError) as error:
        raise ValueError(str(error)) from None


def _plain(value: Any) -> Any:
    if isinstance(value, Set):
        return sorted(value, key=str)
    return str(value)


def _of_data(draft: Draft, target: Target) -> tuple[Claim, ...]:
    """`name: value` for each value that says something, with the numbers of its JSON Pointer (RFC 6901)."""
    pointers = dict(draft.pointers)
    try:
        leaves = list(_leaves(read_value(draft.content, target), "", ""))
    except ValueError:
        return (Claim(draft.content, (), 0, len(draft.content)),)
    claims = []
    for path, name, leaf in leaves:
        text = leaf if isinstance(leaf, str) else json.dumps(leaf)
        if name:
            text = f"{name}: {text}"
        claims.append(Claim(text, pointers.get(path, ())))
    return tuple(claims)


def _leaves(value: Any, path: str, name: str) -> Iterator[tuple[str, str, Any]]:
    """(pointer, nearest name, value) of each string, number and boolean; a name that tells something stays over what
    it holds, and is told alone where it holds nothing."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            inner = f"{name}: {key}" if tells(name) else str(key)
            yield from _leaves(
                item, f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}", inner
            )
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}/{number}", name)
    elif isinstance(value, (str, int, float)) and value != "":
        yield path, name, value
    elif tells(name):
        yield path, "", name
