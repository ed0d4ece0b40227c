"""Reads and writes the answers that a page declares in its front matter, and files of questions that belong to a built
site; finds and places their markers in `in_markdown`.

Builds never write: the commands `add`, `cite` and `init` do, when a person asks for it, and every other character of
the page stays. What they cannot edit as a person would (lists in one line) they refuse, and say what to write by hand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import yaml
from msgspec import Struct
from msgspec.structs import replace

from mkdocs_cited.base.bounded_yaml import Flow, dump, end_of
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import closest
from mkdocs_cited.declarations.entries import Entries
from mkdocs_cited.declarations.front_matter import (
    FrontMatter,
    SourceText,
    decode,
    items,
    parse,
    read_front_matter,
    source_text,
)
from mkdocs_cited.model.declaration import WRITTEN, Declaration, targets_of
from mkdocs_cited.model.finding import Finding, Severity, found, in_order

KEY = "answers"
"""The key of the front matter that holds the declarations."""
MOST_CHARACTERS = 2_000_000
"""Longest file of questions."""
_METADATA = re.compile(r" {0,3}[A-Za-z0-9_-]+:")
"""How a page begins that has metadata in the style of MultiMarkdown, which MkDocs reads where there is no YAML."""


class PageDeclarations(Struct, frozen=True):
    """What one page says about answers."""

    source: SourceText
    """The text of its file; empty where that is not UTF-8."""
    declarations: tuple[Declaration, ...] = ()
    """Those that can be used, in the order of the page."""
    ids: tuple[str, ...] = ()
    """Every id that the page declares, those of entries that cannot be used included."""
    findings: tuple[Finding, ...] = ()
    """Sorted by place."""


def read_page(
    src: str,
    file: str,
    data: bytes,
    *,
    locale: str = "en",
    known_providers: Collection[str] = (),
) -> PageDeclarations:
    """Read the declarations of a page. Never raises, whatever the bytes.

    Args:
        src: path of the page under `docs_dir`.
        file: path of its file relative to the project, for places.
        data: the file's bytes.
        known_providers: names that `provider` may have; empty when they are not known.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return PageDeclarations(source_text(file, ""), findings=(source,))
    if not re.search("answers|question", source.text):
        return PageDeclarations(source)
    matter = read_front_matter(source)
    entries = Entries(src, locale, known_providers, matter)
    entries.findings += _misspelt(matter)
    node = {key: value for key, _, value in items(matter.root)}.get(KEY)
    tip = f"write `{KEY}:` and below it `  - question: How do I …?`"
    if node is not None and not _is_ours(node):
        message = f"`{KEY}` in this front matter asks nothing and is left alone: it is somebody else's"
        finding = matter.invalid(node, message, tip)
        entries.findings.append(replace(finding, severity=Severity.INFO))
        return _declarations(source, entries)
    entries.read(node, tip)
    return _declarations(source, entries)


def read_questions(
    file: str, data: bytes, *, locale: str = "en", known_providers: Collection[str] = ()
) -> PageDeclarations:
    """The questions of a file, which is a list of what `answers` holds on a page. Never raises, whatever the bytes.

    Args:
        file: path relative to the project; the key of a question is `questions.yml#id`.
        locale: language of questions and answers.
        known_providers: names that `provider` may have; empty when they are not known.
    """
    source = decode(file, data)
    if isinstance(source, Finding):
        return PageDeclarations(source_text(file, ""), findings=(source,))
    matter = parse(source, "the file", most_characters=MOST_CHARACTERS)
    tip = "write a list, one question an entry: `- question: How do I …?`"
    entries = Entries(file, locale, known_providers, matter)
    entries.read(matter.root, tip)
    return _declarations(source, entries)


def _declarations(source: SourceText, entries: Entries) -> PageDeclarations:
    return PageDeclarations(
        source,
        tuple(entries.declarations),
        tuple(entries.ids),
        in_order(entries.findings),
    )


def _is_ours(node: yaml.Node) -> bool:
    """True if `answers` asks something: themes and quizzes have lists and mappings under that name, too."""
    if isinstance(node, yaml.SequenceNode):
        return not node.value or any(map(_asks, node.value))
    return _asks(node) or not node.value


def _asks(entry: yaml.Node) -> bool:
    """True if an entry has a question, however it is misspelt; a question alone is one that lacks its key."""
    if isinstance(entry, yaml.ScalarNode):
        return str(entry.value).rstrip().endswith(("?", "？"))
    return any(closest(key.lower(), ("question",)) for key, _, _ in items(entry))


def _misspelt(matter: FrontMatter) -> Iterator[Finding]:
    """A finding for a key that lists questions and is all but called `answers`."""
    for key, node, value in items(matter.root):
        is_close = key != KEY and closest(key.lower(), (KEY,))
        if is_close and isinstance(value, yaml.SequenceNode) and _is_ours(value):
            message = f"`{key}` lists questions, but is not a key of cited"
            tip = f"did you mean `{KEY}`?"
            yield found("unknown-option", matter.place(node), message, tip=tip)


Fields = Sequence[tuple[str, str | Sequence[str]]]
"""Keys of an entry with their values, in the order in which they are written."""


def entry(fields: Fields, indent: str = "  ") -> str:
    """An entry of `answers:` as YAML, with a line end."""
    written = {
        name: value if isinstance(value, str) else Flow(value)
        for name, value in fields
        if value
    }
    return "".join(f"{indent}{line}\n" for line in dump([written]).splitlines())


def with_entry(file: str, data: bytes, fields: Fields) -> bytes:
    """The page with one more declaration, behind those that it has.

    Args:
        file: the page's file, for messages.

    Raises:
        UsageError: the front matter is damaged, or written in a way that this cannot add to.
    """
    source = decoded(file, data)
    matter, before = read_front_matter(source), read_page(file, file, data)
    if matter.findings:
        raise refused(matter.findings[0])
    at, text = _insertion(matter, fields)
    made = _encoded(data, source.text[:at] + text + source.text[at:])
    after = read_page(file, file, made)
    if len(after.declarations) == len(before.declarations) + 1:
        return made
    # of what was to be added first
    for finding in (*after.findings[len(before.findings) :], *before.findings):
        raise refused(finding)
    raise _unfit(matter, fields)


def with_marks(data: bytes, text: str, marks: Iterable[tuple[int, str]]) -> bytes:
    """The page with citations behind some of its sentences.

    Args:
        data: the page's file, for its byte-order mark and line ends.
        text: what it says, as `decode` gives it.
        marks: offsets in the text with what is written there.
    """
    for at, mark in sorted(marks, reverse=True):
        text = text[:at] + mark + text[at:]
    return _encoded(data, text)


def with_addresses(data: bytes, text: str, moved: Mapping[str, str]) -> bytes:
    """The page with other addresses in its citations.

    Args:
        data: the page's file, for its byte-order mark and line ends.
        text: what it says, as `decode` gives it.
        moved: each address as it is written → the new one.
    """

    def written(mark: re.Match[str]) -> str:
        whole = mark[0]
        for target in targets_of(mark["shown"] or mark["hidden"]):
            if target in moved:
                whole = whole.replace(target, moved[target])
        return whole

    return _encoded(data, WRITTEN.sub(written, text))


def decoded(file: str, data: bytes) -> SourceText:
    """A page's text; a `UsageError` where it is not UTF-8."""
    source = decode(file, data)
    if isinstance(source, Finding):
        raise refused(source)
    return source


def refused(finding: Finding) -> UsageError:
    """Why a page cannot be read, for the caller that asked for it."""
    return UsageError(f"{finding.place}: {finding.message}", tip=finding.tip)


def _unfit(matter: FrontMatter, fields: Fields) -> UsageError:
    """That answers are written in a way that cannot be added to, and what to write by hand."""
    return UsageError(
        f"{matter.source.file}: `{KEY}` is written in a way that cannot be added to",
        tip=f"write it by hand:\n{KEY}:\n{entry(fields)}",
    )


def _insertion(matter: FrontMatter, fields: Fields) -> tuple[int, str]:
    """Where an entry goes, and what is written there."""
    text = matter.source.text
    if matter.root is None and _METADATA.match(text):
        raise UsageError(
            f"{matter.source.file}: front matter would make text of the metadata that the page begins with",
            tip="make it front matter first: a line `---` above and below it, each key in lower case",
        )
    if matter.root is None:
        gap = "" if text.startswith("\n") else "\n"
        return 0, f"---\n{KEY}:\n{entry(fields)}---\n{gap}"
    named = {name: (key, value) for name, key, value in items(matter.root)}
    if KEY not in named:
        return _line_start(text, matter.body - 1), f"{KEY}:\n{entry(fields)}"
    key, value = named[KEY]
    if isinstance(value, yaml.ScalarNode):  # `answers:` with nothing behind it
        return text.index("\n", matter.start + key.end_mark.index) + 1, entry(fields)
    if not isinstance(value, yaml.SequenceNode) or value.flow_style:
        raise _unfit(matter, fields)
    first = _line_start(text, matter.start + value.start_mark.index)
    indent = text[first : text.index("-", first)]
    last = len(text[: matter.start + end_of(value)].rstrip())
    return text.index("\n", last) + 1, entry(fields, indent)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _encoded(before: bytes, text: str) -> bytes:
    """Text with the byte-order mark and the line ends that the file had."""
    if b"\r\n" in before:
        text = text.replace("\n", "\r\n")
    if before.startswith(b"\xef\xbb\xbf"):
        return text.encode("utf-8-sig")
    return text.encode()
