"""Headings as the questions that their sections answer, in the languages that headings of steps are known in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.search.forms import Form, form_of

DOERS = frozenset(
    "add build change check choose clean configure connect convert create define delete deploy disable download edit "
    "enable export find fix generate get handle import install install link list load log make manage migrate monitor "
    "move open pin print publish read rebuild register remove rename render replace report reset restart restore "
    "restrict rotate run save schedule search secure select send set share sign skip start stop store switch sync test "
    "troubleshoot uninstall update upgrade upload use validate verify view write".split()
)
"""English verbs with which headings of steps begin."""
LONGEST = 8
"""Words of a heading that makes a question."""
LONGEST_ASKED = 16
"""Words of a heading that asks one itself."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a language says where a page of questions begins."""

    page: str
    """Title of the page."""
    how: str
    """The question about a heading of steps."""
    verb: re.Pattern[str] | None = None
    """The infinitive of such a heading, which stands at its end or at its beginning; English has `DOERS`."""
    at_the_end: bool = False


_ER = re.compile(r"\w{2,}[aei]r(?:se)?")
LANGUAGES = {
    "en": Words("Frequently asked questions", "How do I {}?"),
    "de": Words("Häufige Fragen", "Wie kann ich {}?", re.compile(r"[a-zäöüß]{2,}(?:en|eln|ern)"), True),
    "nl": Words("Veelgestelde vragen", "Hoe kan ik {}?", re.compile(r"[a-zë]{2,}en"), True),
    "fr": Words("Questions fréquentes", "Comment {} ?", re.compile(r"\w{2,}(?:er|ir|re)")),
    "es": Words("Preguntas frecuentes", "¿Cómo {}?", _ER),
    "pt": Words("Perguntas frequentes", "Como {}?", _ER),
    "it": Words("Domande frequenti", "Come {}?", re.compile(r"\w{2,}[aei]r(?:e|si)")),
}
"""Language → its words. Others have the questions that their headings ask themselves."""
_ASKING = ("when", "where", "who", "whose")
"""English words with which a question begins whose form `search.forms` does not tell."""
_ARTICLES = re.compile(r"(?:ein|eine|einen|einem|einer|der|die|das|den|dem|alle|het|een|de)", re.IGNORECASE)


def words_of(locale: str) -> Words:
    """The words of a language; English ones for a language that is not known here."""
    return LANGUAGES.get(language_of(locale), LANGUAGES["en"])


def question_of(title: str, locale: str) -> tuple[str, int]:
    """A heading as a question, and how good a one it promises to be, 0…3; empty where none can be made."""
    title = re.sub(r"^[\d.]+\s+", "", title).strip().removesuffix("¶").strip()
    words = title.split()
    known = LANGUAGES.get(language_of(locale))
    if title.endswith("?") and len(words) <= LONGEST_ASKED:
        if known is LANGUAGES["en"] and form_of(title) is Form.OTHER and words[0].lower() not in _ASKING:
            return "", 0  # `Need help?` asks nothing of the docs
        return title, 3 if " and " not in title else 1  # two questions in one are seldom answered as one
    if known is None or not 1 < len(words) <= LONGEST or not title.isprintable():
        return "", 0
    steps = _english(words) if known.verb is None else _steps(words, known)
    return (known.how.format(steps.rstrip(".:")), 1 if " and " in title else 2) if steps else ("", 0)


def _english(words: list[str]) -> str:
    """`Rotating a key`, `How to rotate a key` → `rotate a key`."""
    if (doer := _doer(words[0].lower())) and words[1].lower() not in ("and", "or"):
        return " ".join((doer, *words[1:]))
    return " ".join(words[2:]) if words[0].lower() == "how" and len(words) > 3 and words[1].lower() == "to" else ""


def _doer(word: str) -> str:
    """The verb of a heading's first word: `install` and `installing` → `install`."""
    stem = word.removesuffix("ing")
    forms = (word, stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else "")
    return next((form for form in forms if form in DOERS), "")


def _steps(words: list[str], known: Words) -> str:
    """`Einen Schlüssel rotieren` → `einen Schlüssel rotieren`, `Installer le client` → `installer le client`."""
    first, last = words[0], words[-1]
    if known.verb is None or not known.verb.fullmatch(last if known.at_the_end else first.lower()):
        return ""
    if known.at_the_end and not (_ARTICLES.fullmatch(first) or _is_adjective(words)):
        return " ".join(words)  # it begins with a noun, which German writes large
    return " ".join((first.lower(), *words[1:]))


def _is_adjective(words: list[str]) -> bool:
    """Whether the first word goes with the second: `Alte Logs löschen`."""
    return len(words) > 2 and words[1][:1].isupper() and re.fullmatch(r"\w{2,}e[nrs]?", words[0]) is not None
