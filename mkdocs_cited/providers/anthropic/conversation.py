"""The conversation for one answer: what is sent, round by round, and what the last reply says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mkdocs_cited.answer_text.citing import Quote, Registry
from mkdocs_cited.anthropic_client import Reply
from mkdocs_cited.base.text import collapse
from mkdocs_cited.model.answer import Abstention, Draft, Fault
from mkdocs_cited.model.finding import Finding, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.source import Source, SourceType, Via
from mkdocs_cited.providers.anthropic import prompt
from mkdocs_cited.providers.anthropic.placing import (
    addresses_of,
    cleaned,
    holder,
    leaked,
    placed,
)
from mkdocs_cited.providers.anthropic.prompt import Contents, nearby
from mkdocs_cited.providers.anthropic.shelf import Shelf
from mkdocs_cited.providers.anthropic.tools import TOOLS, ToolRunner, text_block
from mkdocs_cited.providers.interface import Outcome, Request
from mkdocs_cited.search.select import section_of

if TYPE_CHECKING:
    from mkdocs_cited.anthropic_client.reply import (
        Body,
        ContentBlockParam,
        MessageParam,
        TextBlockParam,
    )

_NEAREST = re.compile(r"\[\[NEAREST:([^\[\]\n]{0,2000})\]\]")
_AGAIN = "run it again, or reword the question"
MOST_ROUNDS = 3
"""Times that a writer may look further for one answer; being asked to counts as one."""
MOST_WRONG = 2
"""Turns whose calls are all of no tool's form and count as no look."""


class Conversation:
    """One answer in the making. Not shared between threads."""

    def __init__(
        self,
        request: Request,
        settings: Settings,
        contents: Contents,
        *,
        looks: int,
        soon: bool = True,
    ) -> None:
        """`looks` is how often the writer may look further: not at all without tools; `soon`, whether that is within
        the minutes for which the API caches what it was sent."""
        self.request = request
        self.settings = settings
        self._looks, self._soon = looks, soon
        self._tools = looks > 0
        self._rounds = 0
        self._wrong_calls = 0
        self._contents = contents
        self.shelf = Shelf(request.corpus)
        self._runner = ToolRunner(
            request.declaration,
            request.corpus,
            self.shelf,
            least=settings.cite_threshold,
        )
        self._messages: list[MessageParam] = [
            {"role": "user", "content": self._first()}
        ]

    @property
    def last_round(self) -> bool:
        """True if the next reply must be the answer."""
        return self._rounds >= self._looks

    def body(self) -> Body:
        """The next request."""
        options = self.settings.anthropic
        system: TextBlockParam = {
            "type": "text",
            "text": prompt.system(tools=self._tools, own_server=options.own_server),
            "cache_control": {"type": "ephemeral"},
        }
        body: Body = {
            "model": options.model,
            "max_tokens": options.max_tokens,
            "system": [system],
            "messages": list(self._messages),
            "output_config": {"effort": options.effort},
        }
        if self._tools:
            body["tools"] = TOOLS
            if self.last_round:
                body["tool_choice"] = {"type": "none"}
        return body

    def look_further(self, reply: Reply) -> None:
        """Carry out the tools that a reply calls, and add what they found to the conversation. After a look that finds
        nothing, there is one more."""
        carried = self._runner.run(reply.calls)
        if carried.looked or self._wrong_calls == MOST_WRONG:
            self._rounds += 1
            if not carried.found:
                self._looks = min(self._looks, self._rounds + 1)
        else:
            self._wrong_calls += 1
        left = text_block(prompt.looks_left(self._looks - self._rounds))
        self._messages += [
            reply.turn,
            {"role": "user", "content": [*carried.results, left]},
        ]

    def gave_up_early(self, outcome: Outcome) -> bool:
        """True if this is an abstention of a writer that could have looked further, has not, and was not asked to."""
        return self._tools and not self._rounds and isinstance(outcome, Abstention)

    def urge(self, reply: Reply) -> None:
        """Answer an abstention once by asking to look further."""
        self._messages += [
            reply.turn,
            {"role": "user", "content": [text_block(prompt.LOOK_FURTHER)]},
        ]
        self._rounds += 1

    def outcome(self, reply: Reply) -> Outcome:
        """What the last reply comes to: a draft, an abstention or a fault, without provider, model and spend."""
        reply, left_open = _without_left_open(reply)
        text = reply.text.strip()
        if text.startswith(prompt.NOT_DOCUMENTED):
            return self._not_documented(text.removeprefix(prompt.NOT_DOCUMENTED))
        if not text:
            return Fault("the model's answer is empty", _AGAIN)
        markup = leaked(text)
        if markup:
            return Fault(
                f"the answer has markup that only the plugin may write: {markup!r}",
                _AGAIN,
            )
        outcome = self._cited(reply)
        if left_open and isinstance(outcome, Draft):
            return replace(outcome, findings=(self._left_open(left_open),))
        return outcome

    def _not_documented(self, said: str) -> Abstention:
        """What a reply without an answer says, and where it leads."""
        nearest = {}
        for line in _NEAREST.findall(said):
            for where in line.split("|"):
                source = self.shelf.named(where.strip())
                if source is not None:
                    nearest[where] = source
        return self._abstention(_NEAREST.sub("", said), list(nearest.values()))

    def _left_open(self, what: str) -> Finding:
        """The finding on what the writer says that the sections leave open."""
        declaration = self.request.declaration
        message = f"the answer to “{declaration.question}” leaves a part of it open: {cleaned(collapse(what))[:300]}"
        tip = "write it into the page that the answer cites, or ask less"
        return found(
            "partly-answered",
            declaration.place,
            message,
            tip=tip,
            answer=declaration.key,
        )

    def _first(self) -> list[ContentBlockParam]:
        """Sources, question, and what was wrong with the last draft, if there was one."""
        declaration = self.request.declaration
        content: list[ContentBlockParam] = []
        if self._tools:
            text = self._contents.of(
                declaration, self.request.corpus, self.request.order
            )
            content.append(
                {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}
            )
        content += self.shelf.add(self._sources())
        near = self._nearby()
        if near:
            content.append(text_block(near))
        asked = text_block(prompt.question(declaration, self.settings.length))
        if self._tools and self._soon:
            # A further look reads all of this from the cache: that saves more than writing it there costs, as soon as
            # one writer in four looks further.
            asked["cache_control"] = {"type": "ephemeral"}
        content.append(asked)
        previous = self.request.previous
        if previous is not None:
            wrong = prompt.correction(previous, self.request.findings)
            content.append(text_block(wrong))
        return content

    def _nearby(self) -> str:
        """The other headings of the pages that are sent, which a writer with tools may read; empty without tools."""
        if not self._tools:
            return ""
        pages = {}
        for source in self.request.sources:
            page = source.passage.page
            if page.type is not SourceType.NOTE:
                pages[page.src] = page
        return nearby(
            self.request.declaration,
            self.request.corpus,
            pages.values(),
            {source.passage.section.where for source in self.shelf.sources},
        )

    def _sources(self) -> list[Source]:
        """The request's, and for a correction what the earlier answer had found in addition."""
        sources = list(self.request.sources)
        previous = self.request.previous
        if previous is not None:
            for source in (*previous.sources, *previous.consulted):
                if source.via is Via.TOOL:
                    section = section_of(source.passage, self.request.corpus)
                    sources.append(replace(source, context=section))
        return sources

    def _cited(self, reply: Reply) -> Outcome:
        """The text with its numbers."""
        registry = Registry()
        pieces = []
        for span in reply.spans:
            quotes: list[Quote] = []
            for cited in span.cited:
                resolved = self.shelf.resolve(cited)
                if isinstance(resolved, Fault):
                    return resolved
                quotes += resolved
            pieces.append((span.text, self.shelf.sids(quotes, registry)))

        def of_code(code: str) -> tuple[int, ...]:
            passage = holder(code, self.shelf.passages, registry.quotes)
            if passage is not None:
                return self.shelf.sids([Quote.whole(passage)], registry)
            return ()

        content = cleaned(
            placed(pieces, of_code, self.request.declaration.locale),
            addresses_of(quote.passage for quote in registry.quotes.values()),
        )
        return Draft(
            content,
            registry.citations,
            registry.sources,
            "",
            consulted=self.shelf.found_by_tools(len(self.request.sources)),
            queries=self._runner.queries(registry.quotes),
        )

    def _abstention(self, reason: str, named: Sequence[Source]) -> Abstention:
        """Not documented, for this reason; what the model names leads, then all else that it was shown."""
        given = self.request.sources
        sources: dict[str, Source] = {}
        first = [
            item for item in named if item.passage.page.type is not SourceType.NOTE
        ]
        for source in (*first, *given, *self.shelf.found_by_tools(len(given))):
            sources.setdefault(source.passage.id, source)
        nearest = []
        for number, source in enumerate(sources.values(), 1):
            nearest.append(replace(source, sid=number))
        words = cleaned(collapse(reason))[:300].strip(" :")
        words = words or "the documentation does not answer this question"
        return Abstention(words, tuple(nearest))


def _without_left_open(reply: Reply) -> tuple[Reply, str]:
    """A reply without its last line on what is left open, and what that line says."""
    for number, span in enumerate(reply.spans):
        before, sign, behind = span.text.partition(prompt.LEFT_OPEN)
        if sign:
            rest = "".join(item.text for item in reply.spans[number + 1 :])
            last = replace(span, text=before.rstrip())
            reply = replace(reply, spans=(*reply.spans[:number], last))
            return reply, behind + rest
    return reply, ""
