"""Answers in other shapes than Markdown: HTML, JSON, YAML and diagrams, as a page shows them."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from types import MappingProxyType

from mkdocs_cited.answer_text.marks import MARKER
from mkdocs_cited.render import markdown

_TAG = re.compile(r"(<[^<>]*>)")
_MARKERS = re.compile(rf"(?:{MARKER.pattern}[ \t]?)*{MARKER.pattern}")
_CODE = re.compile(r"</?(?:pre|code)\b")


def to_html(
    content: str,
    target: str,
    *,
    prefix: str,
    marks: Mapping[int, markdown.Mark],
    resolve: markdown.Resolve | None = None,
    coloured: Mapping[str, str] = MappingProxyType({}),
) -> markdown.Body:
    """Render an answer's content, whatever its target (`model.declaration.Target`), as safe HTML."""
    match target:
        case "html":
            return _from_html(content, prefix, marks)
        case "json" | "yaml":
            return markdown.Body(markdown.code_block(content, target).strip(), ())
        case "mermaid":
            code = html.escape(content, quote=False)
            return markdown.Body(f'<pre class="mermaid"><code>{code}</code></pre>', ())
        case _:
            return markdown.to_html(content, prefix=prefix, marks=marks, resolve=resolve, coloured=coloured)


def _from_html(content: str, prefix: str, marks: Mapping[int, markdown.Mark]) -> markdown.Body:
    """HTML that passed the allow-list, its markers outside code replaced."""
    uses: dict[int, int] = {}

    def numbers(match: re.Match[str]) -> str:
        """Markers side by side; each footnote's number is shown once."""
        shown, before = "", 0
        for marker in MARKER.finditer(match[0]):
            mark = marks.get(int(marker[1]))
            if mark is None:
                shown += marker[0]
            elif mark.note != before:
                uses[mark.note] = uses.get(mark.note, 0) + 1
                shown += markdown.mark_html(prefix, uses[mark.note], mark)
            before = mark.note if mark else 0
        return shown

    parts, depth = [], 0
    for part in _TAG.split(markdown.clean(content)):
        if part.startswith("<"):
            depth += (-1 if part.startswith("</") else 1) if _CODE.match(part) else 0
            parts.append(part)
        else:
            parts.append(part if depth else _MARKERS.sub(numbers, part))
    return markdown.Body("".join(parts), tuple(uses.items()))
