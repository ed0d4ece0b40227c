"""A file's text as MkDocs reads it, and the places of its characters in the file. Knows nothing of YAML."""

from __future__ import annotations

from bisect import bisect_right

from msgspec import Struct

from mkdocs_cited.model.finding import Finding, Place, found


class SourceText(Struct, frozen=True):
    """A decoded file: no byte-order mark, every line ends in `\\n`, so that offsets and lines are MkDocs' own."""

    file: str
    """Path relative to the project, for places."""
    text: str
    _starts: tuple[int, ...] = ()
    """Offset of the first character of each line."""

    def place(self, start: int, end: int | None = None) -> Place:
        """The place of `text[start:end]`; of the point `start` when there is no end or it is on another line."""
        line = bisect_right(self._starts, start)
        column = start - self._starts[line - 1] + 1
        if end is None or end <= start or bisect_right(self._starts, end) != line:
            return Place(self.file, line, column)
        return Place(self.file, line, column, line, column + end - start)

    def line_start(self, line: int) -> int:
        """Offset of the first character of a line, counted from 1; the text's length behind the last one."""
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)


def decode(file: str, data: bytes) -> SourceText | Finding:
    """The file's text, or the finding that it is not UTF-8, with the line and column of the first bad byte."""
    mark = len(data) - len(data.removeprefix(b"\xef\xbb\xbf"))
    try:
        text = data[mark:].decode("utf-8")
    except UnicodeDecodeError as error:
        at = mark + error.start
        before = data[mark:at].decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        place = Place(file, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        return found(
            "invalid-declaration",
            place,
            f"the file is not UTF-8: byte 0x{data[at]:02x} at position {at} cannot be read",
            tip="save the file as UTF-8",
        )
    return source_text(file, text)


def source_text(file: str, text: str) -> SourceText:
    """The same for text that is decoded already."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return SourceText(file, text, tuple(starts))
