"""Headings as the questions that their sections answer, in the languages that headings of steps are known in.

Only where the words of a heading make its form certain: a question that nobody would ask so is worse than none.
"""

from __future__ import annotations

import re

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.search.forms import Form, form_of

DOERS = frozenset(
    "add authenticate avoid choose configure connect convert create customise customize decrypt define delete deploy "
    "disable discover enable encrypt extend find generate get handle initialise initialize install integrate invoke "
    "make manage migrate obtain prevent provide publish read rebuild recover register remove rename replace resolve "
    "restore restrict retrieve revoke rotate run save select send specify troubleshoot uninstall validate verify "
    "write".split()
)
"""English verbs with which headings of steps begin."""
NOUNS_TOO = frozenset(
    "back build change check clean download edit export fix import link list load log monitor move open pin print "
    "release render report reset restart schedule search secure set share sign skip start stop store switch sync test "
    "update upgrade upload use view".split()
)
"""Those that may be no verb: `Reset instructions`, `Open issues`. What follows tells."""
_DETERMINERS = frozenset(
    "a an the your our my its their this that these those all any each every both several multiple another one two "
    "three it them no".split()
)
_PARTICLES = {
    "log": "in out", "sign": "in out", "set": "up", "back": "up", "clean": "up", "switch": "to from between",
    "upgrade": "to from", "update": "to from", "link": "to", "search": "for", "check": "for", "build": "from",
    "export": "to", "import": "from", "move": "to from", "migrate": "to from", "connect": "to", "get": "started",
}  # fmt: skip
"""Verb → what may stand between it and its object."""
_WITHIN = frozenset(
    "about after and as at before between by during for from if in into of on onto or over per through to under "
    "using via when while with within without".split()
)
"""English words at which an object ends."""
_FINITE = re.compile(
    r"\b(?:is|are|was|were|am|be|has|have|had|do|does|did|can|could|will|would|should|must|may|might|fail(?:s|ed)?"
    r"|works?|worked|hangs?|crash(?:es|ed)?|returns?|throws?|takes?|not|cannot|\w+n[’']t|vs\.?|versus)\b",
    re.IGNORECASE,
)
"""Words that make a sentence of a heading, or put two things beside each other."""
_ASKS = re.compile(
    r"(?:(?:who|whose|what|which)|(?:how|why|when|where)(?: [\w-]+){0,3} "
    r"(?:is|are|was|were|do|does|did|can|could|shall|should|will|would|must|may|might|has|have|had|isn[’']t|aren[’']t"
    r"|don[’']t|doesn[’']t|can[’']t))\b"
    r"|(?:why (?:not|use)|how come|(?:wo|ca|do|does|is|are)n[’']t|is|are"
    r"|do|does|did|can|could|shall|should|will|would|must|may|has|have)\b",
    re.IGNORECASE,
)
"""How an English question begins."""
_WORKINGS = re.compile(r"How (?P<thing>.+?) work(?P<one>s?)", re.IGNORECASE)
_POINTERS = frozenset("it this that they these those things we you".split())
"""Words for what only the page knows."""
LONGEST = 8
"""Words of a heading that makes a question."""
LONGEST_ASKED = 16
"""Words of a heading that asks one itself."""
_FALSE_PLURAL = re.compile(r".*(?:ss|us|is)", re.IGNORECASE)


class Words(Struct, frozen=True):
    """What a language says where a page of questions begins."""

    page: str
    """Title of the page."""
    how: str
    """The question about a heading of steps."""
    verb: re.Pattern[str] | None = None
    """The infinitive of such a heading, which stands at its end or at its beginning; English has `DOERS`."""
    object: re.Pattern[str] | None = None
    """How the rest of such a heading begins, where it is certain to be what is done something to."""
    at_the_end: bool = False
    what: str = ""
    """The question about a heading whose section says what it is."""
    article: str = ""
    """What may stand before it there, a pattern: no definite one, which means what only the page knows."""
    copula: str = ""
    """And between it and what it is."""


_GERMAN_PLURAL = r"\w+(?:ungen|[hk]eiten|ionen|täten|ien|[^sui]s)\b"
_ER = re.compile(r"\w{2,}[aei]r(?:se)?")
LANGUAGES = {
    "en": Words(
        "Frequently asked questions", "How do I {}?", what="What {is} {thing}?", article="an?", copula="is|are"
    ),
    "de": Words(
        "Häufige Fragen", "Wie kann ich {}?",
        re.compile(r"(?!verloren|vergessen|verboten|\w*ge\w+en$|(?:sollt|könn|müss|werd|wurd|hab|war|woll|möcht|dürf)\w+)"
                   r"[a-zäöüß]{2,}(?:en|eln|ern)"),
        re.compile(r"(?:(?:[mds]?ein|kein|unser|ihr)e?[nmrs]?|d(?:er|ie|as|en|em)|alle|mehrere|mit|ohne|auf|über|aus"
                   r"|von|nach|in|im|ins|per|zu|zur|zum)\b"
                   rf"|[a-zäöüß]+e {_GERMAN_PLURAL}|(?P<noun>{_GERMAN_PLURAL})", re.IGNORECASE),
        at_the_end=True, what="Was {is} {thing}?", article="eine?", copula="ist|sind",
    ),
    "nl": Words(
        "Veelgestelde vragen", "Hoe kan ik {}?", re.compile(r"[a-zë]{2,}en"),
        re.compile(r"(?:de|het|een|alle|je|uw|met|zonder)\b", re.IGNORECASE),
        at_the_end=True, what="Wat {is} {thing}?", article="een", copula="is|zijn",
    ),
    "fr": Words(
        "Questions fréquentes", "Comment {} ?", re.compile(r"\w{2,}(?:er|ir|re)"),
        re.compile(r"(?:les?|la|une?|votre|vos|ces?|cette|plusieurs|tou(?:s|tes) les)\b|l[’']", re.IGNORECASE),
    ),
    "es": Words(
        "Preguntas frecuentes", "¿Cómo {}?", _ER,
        re.compile(r"(?:el|las?|los|un|unos|unas?|sus?|tus?|varios|varias)\b", re.IGNORECASE),
        what="¿Qué {is} {thing}?", article="una?", copula="es|son",
    ),
    "pt": Words(
        "Perguntas frequentes", "Como {}?", _ER,
        re.compile(r"(?:os?|as?|uma?|seus?|suas?|vários|várias)\b", re.IGNORECASE),
        what="O que {is} {thing}?", article="uma?", copula="é|são",
    ),
    "it": Words(
        "Domande frequenti", "Come {}?", re.compile(r"\w{2,}[aei]r(?:e|si)"),
        re.compile(r"(?:il|lo|la|i|gli|le|un|uno|una)\b|(?:l|un)[’']", re.IGNORECASE),
        what="Che cosa {is} {thing}?", article="una?|uno", copula="è|sono",
    ),
}  # fmt: skip
"""Language → its words. Others have the questions that their headings ask themselves."""


def words_of(locale: str) -> Words:
    """The words of a language; English ones for a language that is not known here."""
    return LANGUAGES.get(language_of(locale), LANGUAGES["en"])


def question_of(title: str, locale: str, text: str = "") -> tuple[str, int]:
    """A heading as a question, and how good a one it promises to be, 0…3; empty where none can be made.

    Args:
        title: the heading.
        locale: its language.
        text: what its section begins with.
    """
    title = re.sub(r"^[\d.]+\s+", "", title).strip().removesuffix("¶").strip()
    known = LANGUAGES.get(language_of(locale))
    is_english = known is LANGUAGES["en"]
    if title.endswith("?") and len(title.split()) <= LONGEST_ASKED and (not is_english or _asks(title)):
        return title, 3 if " and " not in title else 1  # two questions in one are seldom answered as one
    title = re.sub(r"\s*\([^()]*\)$", "", title).rstrip(".:?").strip()
    words = title.split()
    if known is None or not words or len(words) > LONGEST or not title.isprintable() or re.search(r"[:;,–—|/]", title):
        return "", 0
    if is_english and (workings := _workings(title)):
        return workings, 2
    if steps := _english(words) if is_english else _steps(words, known):
        return known.how.format(steps), 1 if " and " in title else 2
    return (what, 1) if (what := _what(title, text, known)) else ("", 0)


def _asks(title: str) -> bool:
    """Whether an English question asks something of the docs (`Need help?` does not), as a sentence would."""
    return bool(_ASKS.match(title)) and not _is_steps(title.split())


def _is_steps(words: list[str]) -> bool:
    return [word.lower() for word in words[:2]] == ["how", "to"]


def _workings(title: str) -> str:
    """`How phases work` → `How do phases work?`; `What is a phase` → `What is a phase?`."""
    if found := _WORKINGS.fullmatch(title):
        thing = found["thing"]
        if thing.lower() in _POINTERS or _FINITE.search(thing) or thing.split()[0].lower() == "to":
            return ""
        return f"How {'does' if found['one'] else 'do'} {_article_small(thing)} work?"
    is_what = re.match(r"what (?:is|are) ", title, re.IGNORECASE) and form_of(title) is Form.WHAT
    return f"{title}?" if is_what and title.split()[2].lower() not in _POINTERS else ""


def _english(words: list[str]) -> str:
    """`Rotating your key`, `How to rotate your key` → `rotate my key`."""
    if _is_steps(words):
        words = words[2:]
    if len(words) < 2 or _FINITE.search(" ".join(words[1:])):
        return ""
    doer, is_noun_too = _doer(words[0].lower())
    rest = words[1:]
    between = _PARTICLES.get(doer, "").split()
    if led := rest[0].lower() in between:
        rest = rest[1:]
    certain = not rest or (led and rest[0].lower() in _WITHIN) or _is_object(rest, bare=not is_noun_too or led)
    mine = [{"your": "my", "yourself": "myself", "yours": "mine"}.get(word.lower(), word) for word in words[1:]]
    return _article_small(" ".join((doer, *mine))) if doer and certain else ""


def _doer(word: str) -> tuple[str, bool]:
    """The verb of a heading's first word, `install` for `install` and `installing`, and whether it may be a noun."""
    stem = word.removesuffix("ing")
    forms = (word, stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else "")
    doer = next((form for form in forms if form in DOERS or form in NOUNS_TOO), "")
    return doer, doer in NOUNS_TOO


def _is_object(words: list[str], *, bare: bool) -> bool:
    """Whether words are certain to be what is done something to: with an article or the like, or, `bare` of one, a
    plural, an activity or a name. `Delete account` lacks its article."""
    if words[0].lower() in _DETERMINERS:
        return len(words) > 1 or words[0].lower() in ("it", "them")
    end = next((at for at, word in enumerate(words) if word.lower() in _WITHIN), len(words))
    if not bare or not end:
        return False
    head = words[end - 1]
    plural = head.endswith("s") and not _FALSE_PLURAL.fullmatch(head)
    name = any(char.isupper() for char in head[1:]) or (len(head) > 1 and not head.isalpha())
    return plural or name or (head.islower() and head.endswith("ing"))


def _article_small(text: str) -> str:
    """The text with small articles and the like, which titles may write large."""
    small = _DETERMINERS | _WITHIN | {"up", "out"}
    return " ".join(word.lower() if word.lower() in small and word != "IT" else word for word in text.split())


def _steps(words: list[str], known: Words) -> str:
    """`Einen Schlüssel rotieren` → `einen Schlüssel rotieren`, `Installer le client` → `installer le client`."""
    if known.verb is None or known.object is None or len(words) < 2:
        return ""
    verb, rest = (words[-1], words[:-1]) if known.at_the_end else (words[0].lower(), words[1:])
    certain = known.object.match(" ".join(rest))
    if not certain or not known.verb.fullmatch(verb):
        return ""
    if not known.at_the_end:
        return " ".join((verb, *rest))
    begins_with_noun = "noun" in certain.re.groupindex and certain["noun"] is not None  # which German writes large
    return " ".join(words if begins_with_noun else (rest[0][:1].lower() + rest[0][1:], *rest[1:], verb))


def _what(title: str, text: str, known: Words) -> str:
    """`Rollout`, over “A rollout is a change in phases.” → `What is a rollout?`: the docs' own words make its form."""
    if not known.what or not title[0].isalpha():
        return ""
    pattern = rf"(?P<thing>(?:(?:{known.article})\s+)?{re.escape(title)})\s+(?P<is>{known.copula})\s+(?!not\b)\w"
    found = re.match(pattern, text, re.IGNORECASE)
    if not found:
        return ""
    first, _, rest = found["thing"].partition(" ")
    is_article = bool(rest) and re.fullmatch(known.article, first, re.IGNORECASE)
    thing = f"{first.lower()} {rest}" if is_article else found["thing"]
    return known.what.format(**{"is": found["is"], "thing": thing})
