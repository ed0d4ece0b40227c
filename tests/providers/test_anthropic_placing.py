"""Numbers stand behind the sentences and rows that cite, meet in one group, and are never in code."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_cited.answer_text.markdown import code_in
from mkdocs_cited.providers.anthropic.placing import placed

ONE, TWO = (1,), (2,)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([("It is 60.", ONE)], "It is 60.[^1]"),
        ([("It is ", ()), ("60", ONE), (". Next.", ())], "It is 60.[^1] Next."),
        ([("It is 60. ", ONE), ("Then 10.", TWO)], "It is 60.[^1] Then 10.[^2]"),
        ([("255 bytes. It is a limit.", ONE)], "255 bytes.[^1] It is a limit.[^1]"),
        ([("- one\n- two", (1, 2))], "- one[^1][^2]\n- two[^1][^2]"),
        ([("It is 60", ONE), (", and 10", TWO), (".", ())], "It is 60, and 10.[^1][^2]"),
        ([("It is **60", ONE), ("**.", ())], "It is **60**.[^1]"),
        ([("It is 60.", ONE), (" ", TWO)], "It is 60.[^1][^2]"),
        ([("Set it to 60, ", ONE), ("and ", ()), ("restart.", (1, 2))], "Set it to 60, and restart.[^1][^2]"),
        ([("| a | b |\n|---|---|\n| 1 ", ONE), ("| 2 |", ONE)], "| a | b |\n|---|---|\n| 1 | 2[^1] |"),
        ([("It is 60.", (2, 1))], "It is 60.[^1][^2]"),
        ([("Set `limit", ONE), ("` now.", ())], "Set `limit` now.[^1]"),
        ([("- one\n", ONE), ("- two\n", TWO)], "- one[^1]\n- two[^2]"),
        ([("它是 60", ONE), ("。第二句。", ())], "它是 60。[^1]第二句。"),
        ([("Run:", ()), ("\n\n```\nx\n```", ONE)], "Run:[^1]\n\n```\nx\n```"),
        ([("```\nx\n```", ONE)], "```\nx\n```\n\n[^1]"),
        ([("Run:\n\n```sh\na", ONE), ("\nb\n```\n\nDone.", ())], "Run:[^1]\n\n```sh\na\nb\n```\n\nDone."),
        ([("| a | b |\n|---|---|\n| 1 | 2 |", ONE)], "| a | b |\n|---|---|\n| 1 | 2[^1] |"),
        ([("| a | b |\n|---|---|", ONE), ("\n| 1 | 2 |", TWO)], "| a | b |\n|---|---|\n| 1 | 2[^1][^2] |"),
        ([("", ONE)], "[^1]"),
        ([("One:\n-", ONE), (" two", ())], "One:[^1]\n- two"),
        ([("> One\n>", ONE), ("\n> two", ())], "> One[^1]\n>\n> two"),
        ([("Run:\n```sh\nx", ONE)], "Run:[^1]\n```sh\nx\n```"),
        ([("See [it](a)\n\n", ONE), ("It is `x `", TWO)], "See [it](a)[^1]\n\nIt is `x `[^2]"),
        ([("a &lt; b&gt;\n\n**“c.”** D", ONE)], "a &lt; b&gt;[^1]\n\n**“c.”**[^1] D[^1]"),
        ([("| `a` | **b** |\n|---|---|\n| 1 | `2` |", ONE)], "| `a` | **b** |\n|---|---|\n| 1 | `2`[^1] |"),
    ],
)
def test_where_numbers_go(pieces: list[tuple[str, tuple[int, ...]]], expected: str) -> None:
    """Each way in which the API may cut a text."""
    assert placed(pieces) == expected


MARKDOWN = st.lists(
    st.tuples(st.text(alphabet="ab `~\n.|-*>1", max_size=12), st.lists(st.integers(1, 3), max_size=2).map(tuple)),
    max_size=8,
)


def test_sentences_end_as_they_do_in_the_language_of_the_answer() -> None:
    """No number stands within a sentence: `3.` is an ordinal in German, `bzw.` an abbreviation."""
    text = "Das gilt ab dem 3. Oktober bzw. danach. Dann nicht mehr."
    assert placed([(text, ONE)], locale="de") == text.replace("danach.", "danach.[^1]") + "[^1]"


def test_copied_code_is_cited_where_it_is_introduced() -> None:
    """Or below it, where no words lead to it."""
    text = "```\nx\n```\n\nThen run:\n\n```\ny\n```"
    of_code = {"x": ONE, "y": TWO}.__getitem__
    assert placed([(text, ())], of_code) == "```\nx\n```\n\n[^1]\n\nThen run:[^2]\n\n```\ny\n```"


@given(MARKDOWN)
def test_numbers_change_nothing_and_get_lost_nowhere(pieces: list[tuple[str, tuple[int, ...]]]) -> None:
    """Without its numbers the text is the one that came; every number that was cited is there, outside code."""
    content = placed(pieces)
    text = "".join(piece for piece, _ in pieces)
    assert "".join(re.sub(r"\[\^\d\]", "", content).split()).startswith("".join(text.split()))
    cited = {sid for _, sids in pieces for sid in sids}
    assert {int(sid) for sid in re.findall(r"\[\^(\d)\]", content)} == cited
    for code in code_in(content):
        assert "[^" not in content[code.start : code.end], content


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a `b` c ``d ` e`` f", ["`b`", "``d ` e``"]),
        ("a ` b", []),
        ("```\nx\n```\ny `z`", ["```\nx\n```", "`z`"]),
        ("~~~py\n```\n~~~", ["~~~py\n```\n~~~"]),
        ("````\n```\n````", ["````\n```\n````"]),
        ("- ```\n  x\n  ```", ["```\n  x\n  ```"]),
        ("```\nx", ["```\nx"]),
        ("a `b\n\nc` d", []),
    ],
)
def test_what_is_code(text: str, code: list[str]) -> None:
    """Fences and spans as CommonMark has them."""
    assert [text[piece.start : piece.end] for piece in code_in(text)] == code
