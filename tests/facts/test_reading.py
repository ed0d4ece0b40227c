"""What pages say of defaults."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mkdocs_cited.code.interface import Duration, Entries, Items
from mkdocs_cited.facts.reading import Statement, statements


def read(markdown: str) -> list[Statement]:
    """The statements of a page."""
    return list(statements(dedent(markdown), "docs/page.md"))


def sure(markdown: str) -> list[tuple[str, object]]:
    """First name and value of each statement that is sure."""
    return [(item.names[0], item.value) for item in read(markdown) if item.is_sure]


@pytest.mark.parametrize(
    "markdown",
    [
        "## TTL_MAX\n\nDefault: `30`",
        "## `TTL_MAX` {#x}\n\n- Type: int\n- **Default:** `30`",
        "## TTL_MAX\n\n!!! tip\n    Text.\n\n    Default: 30\n",
        "- `TTL_MAX` - how long (default: `30`)",
        "* **`TTL_MAX`**: how long. *Default:* 30.",
        "- **ttl_max:** How long. Defaults to `30`.".replace("ttl_max", "TTL_MAX"),
        "`TTL_MAX`\n\n:   How long. The default value is 30.",
        "`TTL_MAX`\n:   How long. Default is `30`.",
        "The `TTL_MAX` setting defaults to `30`.",
        "The default value of `TTL_MAX` is `30`.",
        "`TTL_MAX` is `30` by default.",
        "`TTL_MAX` (default `30`)",
        "## TTL_MAX\n\nValues: `Integer` | Default = `30`",
        "- `TTL_MAX` (`int`): how long. Default is `30`.",
        "| Name | Default |\n|---|---|\n| `TTL_MAX` | `30` |",
        "| Name | Description | Default value |\n|---|---|---|\n| TTL_MAX | How long | 30 |",
        "| Name | Description |\n|---|---|\n| `TTL_MAX` | How long. Defaults to 30. |",
        '| Name | Default |\n|---|---|\n| <a id="x" href="#x">TTL_MAX</a> | 30 |',
        "## Time to live\n\n| Default | Variable |\n|---|---|\n| `30` | `TTL_MAX` |",
    ],
)
def test_what_names_a_value(markdown: str) -> None:
    """A heading, a row, a term, the lead of an item, code in the sentence."""
    assert sure(markdown) == [("TTL_MAX", 30)]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("`5 minutes`", Duration(300)),
        ("5 minutes", Duration(300)),
        ("`5` minutes", Duration(300)),
        ("`1h30m`", Duration(5400)),
        ("`1,048,576`", 1048576),
        ("10 MiB", 10485760),
        ("`true`", True),
        ("-1", -1),
        ("enabled", True),
        ("off", False),
        ("not set", None),
        ("`None`", None),
        ('`"x"`', "x"),
        ("`['a', 'b']`", Items(("a", "b"))),
        ('`{"a": true}`', Entries((("a", True),))),
        ("`[]` (an empty list)", Items(())),
        ("`a/b.html`", "a/b.html"),
    ],
)
def test_values(written: str, value: object) -> None:
    """The value is parsed, with its unit."""
    assert sure(f"## TTL_MAX\n\nDefault: {written}.") == [("TTL_MAX", value)]


def test_names_of_one_thing() -> None:
    """Flags in an item, in a cell, and those that an item of the section adds."""
    page = """
        ### `context_lines`

        - CLI flags: `-c`, `--context-lines` (only in `copier update`)
        - Default value: `1`

        * `--workers <int>`, `-w` - How many. **Default:** *2*.
        * `--color / --no-color` - Colours. Default: `true`.
        """
    names = [item.names for item in read(page)]
    assert names == [
        ("context_lines", "-c", "--context-lines"),
        ("--workers", "-w"),
        ("--color", "--no-color"),
    ]


@pytest.mark.parametrize(
    "markdown",
    [
        "## TTL_MAX\n\nDefault: `30` if `X` is set, otherwise 60.",
        "## TTL_MAX\n\nDefault: `30` on Windows.",
        "## TTL_MAX\n\nDefault: `30` or `60`",
        "## TTL_MAX\n\nBefore version 2, the default was `30`; it is set to the default: `20`.",
        "- `TTL_MAX`: goes with `OTHER_NAME`, which defaults to `30`.",
    ],
)
def test_what_is_not_sure(markdown: str) -> None:
    """A condition, several values, another version, another name in the sentence."""
    assert sure(markdown) == []


@pytest.mark.parametrize(
    "markdown",
    [
        "By default, everything is fine.",
        "## TTL_MAX\n\n```\nDefault: 30\n```",
        "## Some words\n\nDefault: 30",
        "| Name | Default |\n|---|---|\n| `TTL_MAX` | - |\n| `X_Y` | N/A |",
        "## TTL_MAX\n\nThe default branch is used.",
        "| Name | Default |\n|---|---|\n| `zones[0].name` | `{}` |",
    ],
)
def test_what_states_nothing(markdown: str) -> None:
    """No name, no value, or an example."""
    assert read(markdown) == []


def test_lines() -> None:
    """Counted from 1, below front matter, in rows and in containers."""
    table = "| N | Default |\n|---|---|\n| `a_b` | 1 |\n| `c_d` | 2 |\n"
    page = f"---\na: 1\n---\n\n# X\n\n{table}\n!!! note\n\n    - `e_f`: x, default 3\n"
    assert [(item.names[0], item.line) for item in read(page)] == [("a_b", 9), ("c_d", 10), ("e_f", 14)]
