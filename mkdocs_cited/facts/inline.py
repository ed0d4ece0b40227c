"""Markdown within a block as one text: code stays in backquotes, other markup goes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_HTML_CODE = re.compile(r"<(code|kbd)\b[^>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_AUTOLINK = re.compile(r"<(\w+:[^<>\s]*)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_LINK = re.compile(
    r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+\"[^\"]*\")?\)|\[[^\]]*\])"
)
_ATTRIBUTES = re.compile(r"\{(?::| ?[#.])[^{}]*\}")
_STRONG = re.compile(r"(\*\*\*|\*\*|__|\*|(?<!\w)_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SPACE = re.compile(r"[ \t]+")
_NAME = re.compile(r"(?:--?)?[A-Za-z_$][\w.$-]*|[A-Za-z_$][\w$-]*\.[\w.$-]+/[\w.$-]+")
_BETWEEN = re.compile(r"\s*(?:,|\||\bor\b|\s/)\s*(?=-|\w)|/(?=-)")
"""Between several names of one thing."""
_SHAPED = re.compile(r"^-|[_.]|\w-\w|[a-z][A-Z]|^[A-Z][A-Z0-9]{2,}$")
"""How a name looks that is no word: a flag, `a_b`, `a.b`, `a-b`, `aB`, `TTL`."""


def plain(markdown: str) -> str:
    """The text of a block's inline Markdown; code in single backquotes, lines kept."""
    text = _COMMENT.sub("", markdown)
    text = _HTML_CODE.sub(lambda match: f"`{_TAG.sub('', match[2])}`", text)
    codes: list[str] = []

    def cut_out(match: re.Match[str]) -> str:
        codes.append(" ".join(match[2].split()))
        return "\0"

    joined = _CODE.sub(cut_out, text)
    joined = _LINK.sub(r"\1", joined)
    joined = _ATTRIBUTES.sub("", joined)
    joined = _AUTOLINK.sub(r"\1", joined)
    joined = _TAG.sub("", _BREAK.sub("\n", joined))
    for _ in range(2):  # `***x***` and emphasis within strong
        joined = _STRONG.sub(_emphasised, joined)
    joined = _ESCAPE.sub(r"\1", joined)
    restored = iter(codes)
    joined = re.sub("\0", lambda _: f"`{next(restored)}`", joined)
    return _SPACE.sub(" ", unescape(joined).replace("\u00a0", " ")).strip()


def code_spans(text: str) -> Iterator[re.Match[str]]:
    """The code in a text that `plain()` made; group 1 is what is inside."""
    return re.finditer(r"`([^`]*)`", text)


def names_in(code: str) -> tuple[str, ...]:
    """The names that a piece of code is: `--port <n>` and `-p, --port` are, `port = 80` and `run --port` are not."""
    found = []
    for part in _BETWEEN.split(code.strip()):
        first, _, rest = part.strip().partition(" ")
        if "]." in first:  # something of an element
            return ()
        is_argument = re.fullmatch(
            r"[<\[({A-Z].*|[a-z]\w*", rest.strip()
        ) is not None and first.startswith("-")
        first = re.sub(r"[=:]?[<\[({].*$|=$|:$|\(\)$", "", first)
        first = re.sub(r"^(--?[\w-]+)=[\w.-]+$", r"\1", first)
        if rest and not is_argument:
            return ()
        if not _NAME.fullmatch(first) or first.lower() in (
            "true",
            "false",
            "null",
            "none",
        ):
            return ()
        found.append(first.rstrip("."))
    return tuple(found)


def is_shaped(text: str) -> bool:
    """True if a word looks like a name of code, and not like a word of a language."""
    return bool(_NAME.fullmatch(text) and _SHAPED.search(text))


def _emphasised(match: re.Match[str]) -> str:
    """Strong text without its marks; a name that is set in it counts as code."""
    inner = match[2]
    name, colon, rest = inner.partition(":")
    if match[1] in ("**", "__") and not rest and is_shaped(name):
        return f"`{name}`{colon}"
    return inner
