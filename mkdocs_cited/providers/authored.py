"""The provider for answers that a person wrote: it turns their citations into numbers and finds the quotes.

It writes nothing itself. `[@guide/keys.md#rotate]` cites a section; `[[S:1,3]]` and `[[S:2-4]]` cite entries of the
declaration's `cite:` list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mkdocs_cited.answer_text.citing import Registry, best_quotes, sentence_before
from mkdocs_cited.answer_text.dialect import LISTED, TARGET
from mkdocs_cited.answer_text.markdown import code_in
from mkdocs_cited.base.language_tags import tag_of
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.finding import Finding, Place, found
from mkdocs_cited.model.source import Corpus, Passage, Source, SourceType, Via
from mkdocs_cited.providers.interface import Outcome, Provider, Request

_CITATION = re.compile(f"(?<![ \\t])[ \\t]*(?:{TARGET}|{LISTED})")
MOST_NUMBERS = 50
"""Sources that one `[[S:…]]` may name."""


class Authored(Provider):
    """A person's text, with the citations they wrote in it."""

    id = "authored"

    def write(self, request: Request) -> Outcome:
        """The text with numbered markers; what cannot be resolved stays out and is a finding of the draft."""
        return _Rewrite(request).draft()


@dataclass
class _Rewrite:
    """One pass over an author's text."""

    request: Request
    registry: Registry = field(default_factory=Registry)
    findings: list[Finding] = field(default_factory=list)
    unresolved: list[int] = field(default_factory=list)
    named: list[tuple[int, tuple[Passage, ...]]] = field(default_factory=list)

    def draft(self) -> Draft:
        text = self.request.declaration.text.strip("\n")
        out, end = [], 0
        for match in _citations(text):
            out.append(text[end : match.start()])
            out.append(self._markers(match, "".join(out)))
            end = match.end()
        content = "".join([*out, text[end:]])
        return Draft(
            content, self.registry.citations, self.registry.sources, Authored.id, prompt_version="",
            findings=tuple(self.findings), unresolved=tuple(self.unresolved), named=tuple(self.named),
        )  # fmt: skip

    def _markers(self, match: re.Match[str], before: str) -> str:
        """The numbers of one citation, for the sentence that ends where it is."""
        known = len(self.findings)
        if match["target"] is not None:
            targets = [part.strip().removeprefix("@") for part in match["target"].split(";")]
        else:
            targets = self._listed(match["numbers"], match)
        sids: list[int] = []
        for target in targets:
            named = self._named(target, match)
            claim = sentence_before(before, self.request.declaration.language)
            passages = self._without_itself(named, claim)
            if passages:
                self.named.append((len(before), passages))
                told = f"cited by the author as {target}"
                for quote in best_quotes(claim, passages, self.request.declaration.language):
                    source = Source(0, quote.passage, Via.AUTHOR, reasoning=told, context=passages)
                    sids.append(self.registry.cite(quote, source))
            elif named:
                self._unknown(match, "the sentence cites itself", "cite another passage that says so")
        if len(self.findings) > known:
            self.unresolved.append(len(before))
        return "".join(f"[^{sid}]" for sid in dict.fromkeys(sids))

    def _listed(self, numbers: str, match: re.Match[str]) -> list[str]:
        """`1,3` and `2-4` as entries of `cite:`."""
        cite = self.request.declaration.cite
        out: list[str] = []
        for number in expand(numbers):
            if 1 <= number <= len(cite):
                out.append(cite[number - 1])
            else:
                has = f"has {len(cite)}" if cite else "is empty"
                self._unknown(match, f"`[[S:{number}]]` names entry {number} of `cite:`, which {has}", "add the entry")
        return out

    def _named(self, target: str, match: re.Match[str]) -> tuple[Passage, ...]:
        path, _, anchor = target.partition("#")
        page = path.removeprefix("/").removeprefix("./") or self.request.declaration.page
        if page.startswith("../"):  # out of the docs folder, to a file of the project
            page = page.replace("../", "")
            files = (item.src for item in self.request.corpus.pages() if item.type is not SourceType.PAGE)
            page = f"./{page}" if f"./{page}" in files else page
        return self._passages(self._translated(page), anchor, match)

    def _translated(self, page: str) -> str:
        """A page in the language of the one that names it, where both say theirs in their names: in `index.de.md`,
        `keys.md` is `keys.de.md`, as links are to mkdocs-static-i18n."""
        declaration = self.request.declaration
        stem, _, suffix = declaration.page.removesuffix(".md").rpartition(".")
        if not stem or tag_of(suffix) != declaration.locale or not page.endswith(".md"):
            return page
        own = f"{page.removesuffix('.md')}.{suffix}.md"
        return own if any(item.src == own for item in self.request.corpus.pages()) else page

    def _without_itself(self, passages: tuple[Passage, ...], claim: str) -> tuple[Passage, ...]:
        """The passages without the one that a page's own claim is in: nothing proves itself."""
        declaration = self.request.declaration
        said = _letters(claim)
        if not declaration.prose or not said:
            return passages
        return tuple(item for item in passages if item.page.src != declaration.page or said not in _letters(item.text))

    def _passages(self, page: str, anchor: str, match: re.Match[str]) -> tuple[Passage, ...]:
        corpus: Corpus = self.request.corpus
        passages = tuple(corpus.section(page, anchor))
        if passages:
            return passages
        named = corpus.passage(f"{page}#{anchor}")
        if named is not None:
            return (named,)
        known = {item.src: item.type for item in corpus.pages()}
        anchors = tuple(corpus.anchors(page)) if page in known else ()
        if page not in known and "../" in match[0]:
            tip = f"name it in the option `extra_sources`: `- glob: {page}`"
            self._unknown(match, f"`{page}` is no file that may be cited", tip)
        elif page not in known:
            self._unknown(match, f"`{page}` is no page that may be cited", did_you_mean(page, tuple(known)[:5000]))
        elif anchor not in anchors:
            what = "heading" if known[page] in (SourceType.PAGE, SourceType.ARCHIVE) else "key, name or heading"
            tip = did_you_mean(anchor, anchors) if anchors else f"it has none: cite the page, `[@{page}]`"
            self._unknown(match, f"`{page}` has no {what} `#{anchor}`", tip)
        else:
            self._unknown(match, f"`{page}#{anchor}` has no text to cite", "cite a section that holds a passage")
        return ()

    def _unknown(self, match: re.Match[str], message: str, tip: str) -> None:
        declaration = self.request.declaration
        prose = declaration.prose_claim(match.string, match.start())
        start = declaration.text_place or declaration.place
        place = prose.place if prose else _place(start, match, declaration.text_verbatim)
        message = f"{message} (in `{match[0].strip()}`)"
        self.findings.append(found("unknown-source", place, message, tip=tip, answer=declaration.key))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def _citations(text: str) -> Iterator[re.Match[str]]:
    """The citations of a text; those that are in code are part of it."""
    code = iter(code_in(text))
    piece = next(code, None)
    for match in _CITATION.finditer(text):
        while piece is not None and piece.end <= match.start():
            piece = next(code, None)
        if piece is None or match.end() <= piece.start:
            yield match


def expand(numbers: str) -> list[int]:
    """`1,3` → [1, 3]; `2-4` → [2, 3, 4]; each number once, at most `MOST_NUMBERS`."""
    out: list[int] = []
    for part in numbers.replace("–", "-").split(","):
        first, _, last = part.strip().partition("-")
        if not first.strip().isdigit():
            continue
        start = int(first)
        stop = int(last) if last.strip().isdigit() else start
        out.extend(range(start, min(stop, start + MOST_NUMBERS - 1) + 1))
    return list(dict.fromkeys(out))[:MOST_NUMBERS]


def _place(start: Place, match: re.Match[str], verbatim: bool) -> Place:
    """Where a citation is in the author's file, as well as that can be known."""
    if not verbatim:
        return start
    return Place(start.file, start.line + match.string.count("\n", 0, match.end() - len(match[0].lstrip())))
