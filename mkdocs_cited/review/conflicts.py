"""Whether two sentences of a site state the same fact with another value: a default, a limit, a version.

Sure rather than complete: the sentences must share nearly all of their words and every identifier, and differ in
one value only. Sentences that name different things are about different things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.base.text import collapse
from mkdocs_cited.language.quantities import Quantity, equal, quantities
from mkdocs_cited.language.stems import stems
from mkdocs_cited.model.source import Corpus, Passage, Scope, SourceType

ALIKE = 0.8
"""Least share of the words of the longer sentence that both have."""
_WORDS = 4
"""How many words, besides the value, two sentences must share; one less under headings that share one."""
_HITS = 8
_TERMS = 4
_WORD = re.compile(r"\w[\w.-]*\w")
_HISTORY = re.compile(
    r"(?:^|[/_.-])(?:changelog|changes|releases?|release-notes|whats-new|history|news|blog|posts?|upgrad\w*|migrat\w*"
    r"|versions?|v?\d+[.\d]*)(?=[/_.-])",
    re.IGNORECASE,
)
"""Pages that state what was true once."""
_SWITCHES = ({"true", "false"}, {"enabled", "disabled"}, {"aktiviert", "deaktiviert"})
_MAY_HOLD_VALUE = re.compile(
    r"\d|abled|true|false|aktiviert|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|hundred"
    r"|eine?n?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)\b",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"\b(?:this|these|it|they|such|above|below|following|here|example|instance|e\.g|chapter|section|step|figure"
    r"|dies\w*|sie|beispiel\w*|folgend\w*)\b|^(?:please |see |refer )",
    re.IGNORECASE,
)
_EVERY = frozenset(
    """a an the this that these it its is are be can will you your of to in on at for by from with and or as if then
    der die das ein eine ist sind wird kann sie und oder mit von zu im am auf für""".split()
)
_TOKEN = re.compile(r"[\w./-]+")
_CODE_SIGNS = frozenset("_/.-0123456789")


def conflicts(passage: Passage, sentences: list[str], corpus: Corpus) -> Iterator[tuple[Passage, str]]:
    """Passages of the site that disagree with one of the `sentences` of a passage, with both sentences as one text."""
    locale = passage.page.locale
    for sentence in sentences:
        if not _values(sentence, locale) or _rests_on_context(sentence):
            continue
        for hit in corpus.search(_query(sentence, locale), scope=Scope(locale=language_of(locale)), limit=_HITS):
            other = hit.passage
            if other.id == passage.id or other.hash == passage.hash or not _current(other):
                continue
            for rival in other.sentence_texts():
                if disagree(sentence, rival, locale, _headings_meet(passage, other)):
                    yield other, f"“{collapse(sentence)}” and “{collapse(rival)}”"
                    break


def _query(sentence: str, locale: str) -> str:
    """The few longest words of a sentence, in its order; the value itself is not looked for."""
    values = [value if isinstance(value, str) else value.text for value in _values(sentence, locale)]
    words = [word for word in dict.fromkeys(_WORD.findall(sentence)) if not any(word in value for value in values)]
    longest = sorted(words, key=len, reverse=True)[:_TERMS]
    return " ".join(word for word in words if word in longest)


def disagree(first: str, second: str, locale: str = "en", headed_alike: bool = False) -> bool:
    """Whether two sentences say the same of the same thing, but for one value."""
    if not _MAY_HOLD_VALUE.search(second) or _rests_on_context(first) or _rests_on_context(second):
        return False
    mine, theirs = _values(first, locale), _values(second, locale)
    if len(mine) != len(theirs) or not mine:
        return False
    differing = [(a, b) for a, b in zip(mine, theirs, strict=True) if not _agree(a, b)]
    if len(differing) != 1 or not _comparable(*differing[0]):
        return False
    if _names(first, mine) != _names(second, theirs):
        return False
    words, others = _content(first, mine, locale), _content(second, theirs, locale)
    if words - others and others - words:
        return False  # one word for another: of the server, not of the client
    shared = len(words & others)
    return shared >= _WORDS - headed_alike and shared >= ALIKE * max(len(words), len(others))


Value = Quantity | str
"""A figure with its unit, or a switch: `true`, `disabled`."""


@lru_cache(maxsize=1024)
def _values(sentence: str, locale: str) -> tuple[Value, ...]:
    """Figures in order, then switches in order."""
    read = quantities(sentence, language_of(locale))
    figures = [item for item in read if not item.spelled or item.dimension or item.value > 1]
    words = re.findall(r"[a-zäöü]+", sentence.lower())
    return (*figures, *(word for word in words if any(word in pair for pair in _SWITCHES)))


def _rests_on_context(sentence: str) -> bool:
    """Whether only what stands around a sentence says what it is about: `This needs version 2.`, `For example: 3`."""
    return sentence.rstrip().endswith((":", "：", "?")) or _CONTEXT.search(sentence) is not None


def _agree(first: Value, second: Value) -> bool:
    if isinstance(first, str) or isinstance(second, str):
        return first == second
    return equal(first, second)


def _comparable(first: Value, second: Value) -> bool:
    """Whether two values answer the same question: figures of one dimension, or the two sides of a switch."""
    if isinstance(first, str) or isinstance(second, str):
        return any({first, second} == pair for pair in _SWITCHES)
    return first.dimension == second.dimension and first.per == second.per


def _content(sentence: str, values: tuple[Value, ...], locale: str) -> set[str]:
    """The stems of its words, values and the commonest words left out; negations stay."""
    bare = sentence
    for value in values:
        bare = bare.replace(value if isinstance(value, str) else value.text, " ")
    return {stem for stem in stems(bare, language_of(locale)) if stem not in _EVERY}


def _names(sentence: str, values: tuple[Value, ...]) -> set[str]:
    """Identifiers, and names within a sentence."""
    texts = {value if isinstance(value, str) else value.text for value in values}
    found = set()
    for number, match in enumerate(_TOKEN.finditer(sentence)):
        word = match[0].strip("./-") if not match[0].startswith("-") else match[0].rstrip("./-")
        inner = word[1:] if number == 0 else word
        named = not _CODE_SIGNS.isdisjoint(word) or any(char.isupper() for char in inner)
        if named and not any(word in text for text in texts):
            found.add(word)
    return found


def _current(passage: Passage) -> bool:
    page = passage.page
    return page.type in (SourceType.PAGE, SourceType.DEFINITION, SourceType.FILE) and not _HISTORY.search(
        f"/{page.src}"
    )


def _headings_meet(first: Passage, second: Passage) -> bool:
    """Whether the sections' titles share a word: `Retries` and `How retries work`."""
    words = [set(stems(p.section.title, language_of(p.page.locale))) - _EVERY for p in (first, second)]
    return not words[0].isdisjoint(words[1])
