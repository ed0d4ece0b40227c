"""The provider for answers that a person wrote: it turns their citations into numbers and finds the quotes.

It writes nothing itself. `[@guide/keys.md#rotate]` cites a section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from msgspec.structs import replace

from mkdocs_cited.answer_text.citing import Registry, best_quotes, sentence_before
from mkdocs_cited.answer_text.markdown import TARGET, prose
from mkdocs_cited.base.errors import command
from mkdocs_cited.base.text import letters
from mkdocs_cited.model.answer import Draft
from mkdocs_cited.model.declaration import is_mark, targets_of
from mkdocs_cited.model.finding import IS, WAS, Finding, Place, Related, found
from mkdocs_cited.model.source import Passage, Refused, Source, Via
from mkdocs_cited.providers.interface import Provider, Request
from mkdocs_cited.sources.cited import cited

_CITATION = re.compile(f"(?<![ \\t])[ \\t]*{TARGET}")


class Authored(Provider):
    """A person's text, with the citations they wrote in it."""

    id = "authored"

    def write(self, request: Request) -> Draft:
        """The text with numbered markers; what cannot be resolved stays out and is a finding of the draft."""
        return _Rewrite(request).draft()


@dataclass
class _Rewrite:
    """One pass over an author's text, whose citations become numbers."""

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
            content,
            self.registry.citations,
            self.registry.sources,
            Authored.id,
            prompt_version="",
            findings=tuple(self.findings),
            unresolved=tuple(self.unresolved),
            named=tuple(self.named),
        )

    def _markers(self, match: re.Match[str], before: str) -> str:
        """The numbers of one citation, for the sentence that ends where it is."""
        language = self.request.declaration.language
        claim = sentence_before(before, language)
        sids = []
        failed = False
        for target in targets_of(match["target"]):
            named = self._named(target, claim, match)
            passages = self._without_itself(named, claim)
            failed |= not passages
            if passages:
                self.named.append((len(before), passages))
                for quote in best_quotes(claim, passages, language):
                    source = Source(0, quote.passage, Via.AUTHOR, context=passages)
                    sids.append(self.registry.cite(quote, source))
            elif named:
                self._unknown(
                    match,
                    "the sentence cites itself",
                    "cite another passage that says so",
                )
        if failed:
            self.unresolved.append(len(before))
        return "".join(f"[^{sid}]" for sid in dict.fromkeys(sids))

    def _named(
        self, target: str, claim: str, match: re.Match[str]
    ) -> tuple[Passage, ...]:
        """The passages that a target names, followed to where they are now; none after noting why."""
        named = cited(target, self.request.declaration, self.request.corpus)
        if not isinstance(named, Refused):
            return named
        tip = named.tip
        move = self.request.moved(target, claim) if self.request.moved else None
        if move and move.to != target:
            there = cited(move.to, self.request.declaration, self.request.corpus)
            if move.followed and not isinstance(there, Refused):
                self._moved(match, target, move.to)
                return there
            tip = f"its words are at `{move.to}` now: cite `[@{move.to}]`"
        self._unknown(match, named.message, tip)
        return ()

    def _moved(self, match: re.Match[str], target: str, to: str) -> None:
        """Note that an address is followed to another one."""
        tip = f"run `{command('update', self.request.declaration.key)}` to write the new address"
        message = f"`{target}` has moved, and is followed to `{to}`"
        moved = self._about(match, "moved-source", message, tip)
        related = (Related(WAS, text=target), Related(IS, text=to))
        self.findings.append(replace(moved, related=related))

    def _without_itself(
        self, passages: tuple[Passage, ...], claim: str
    ) -> tuple[Passage, ...]:
        """The passages without the one that a page's own claim is in: nothing proves itself."""
        declaration = self.request.declaration
        said = letters(claim)
        if not declaration.prose or not said:
            return passages
        others = []
        for item in passages:
            if item.page.src != declaration.page or said not in letters(item.text):
                others.append(item)
        return tuple(others)

    def _unknown(self, match: re.Match[str], message: str, tip: str) -> None:
        """Note that a citation leads nowhere."""
        message = f"{message} (in `{match[0].strip()}`)"
        self.findings.append(self._about(match, "unknown-source", message, tip))

    def _about(
        self, match: re.Match[str], slug: str, message: str, tip: str
    ) -> Finding:
        declaration = self.request.declaration
        place = declaration.text_place or declaration.place
        claim = declaration.prose_claim(match.string, match.start())
        if claim:
            place = claim.place
        elif declaration.text_verbatim:
            start = match.end() - len(match[0].lstrip())
            line = place.line + match.string.count("\n", 0, start)
            place = Place(place.file, line)
        return found(slug, place, message, tip=tip, answer=declaration.key)


def _citations(text: str) -> Iterator[re.Match[str]]:
    """The citations of a text; those that are in code, or around it, are part of it."""
    shown = prose(text)
    for match in _CITATION.finditer(text):
        mark = match[0].lstrip()
        is_shown = shown.startswith(mark, match.end() - len(mark))
        if is_shown and is_mark(match["target"]):
            yield match
