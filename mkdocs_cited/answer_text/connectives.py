"""Which sentences of an answer only lead on (`Here is how:`, `In short`), and so state nothing to cite.

A sentence passes for one only when every word of its main clause is on the list of its language, for a claim that is
taken for a lead-in would escape the review. The vocabularies are data; no other module keeps any.
"""

from __future__ import annotations

import re

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of

_MOST_WORDS = 30
_LABEL_WORDS = 3
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SPECIFIC = re.compile(r"[\d_/\\=<>$@#`\"“”„«»*+]|(?:^|\s)--?\w|\w\.\w\w")
"""Figures, names, paths and quotations: a sentence that holds one states something."""
_QUESTION = ("?", "？", "؟")
_COLON = (":", "：")


class _Vocabulary(Struct, frozen=True):
    """The words of one language that carry no fact of a documentation."""

    filler: frozenset[str]
    """Words that may stand in a lead-in."""
    pointers: frozenset[str]
    """Words of which a lead-in needs one, unless it ends in a colon."""
    openers: frozenset[str]
    """First words of a subordinate clause that a lead-in may start with: `To rotate a key, follow these steps.`"""
    purposes: frozenset[str]
    """Words that start a purpose behind the main clause: `Follow these steps to rotate a key:`"""
    references: tuple[str, ...]
    """How a sentence starts that sends the reader elsewhere: `See the guide.`"""
    finite: frozenset[str]
    """Verbs in a form that makes a clause; the commonest in documentation."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH_POINTERS = _words("following follow follows below here how steps step instructions example examples instance"
                           " short summary brief conclusion overall sum follows: way ways")  # fmt: skip
_ENGLISH = _Vocabulary(
    filler=_ENGLISH_POINTERS
    | _words(
        """a an the this that these those it its they them you your we our us i one some several different few
        is are be can could may might will would should do does did done has have let let's lets here's that's
        in on at of to for by from with and or also then next first firstly second finally lastly now so as
        above note please look refer see procedure process method methods approach option options
        command commands code snippet list table section page details detail information more
        use using run try need perform complete execute take choose gives give get goes go work works there
        make create enter type"""
    ),
    pointers=_ENGLISH_POINTERS,
    openers=_words("to for if when once in before after"),
    purposes=_words("to for in"),
    references=("see ", "see also ", "refer to ", "read more", "learn more", "for more information", "for details"),
    finite=_words(
        """is are was were has have had can cannot may might must should will would does do did isn't aren't doesn't
        uses needs requires supports returns defaults runs takes stores keeps sends writes reads works contains
        provides allows expires applies accepts rejects lets makes gives gets creates deletes starts stops fails
        becomes remains means lies stands goes holds ends begins waits removes adds sets shows replaces ignores"""
    ),
)
_GERMAN_POINTERS = _words(
    "folgt folgende folgenden folgender folgendes folgen hier unten so beispiel beispiele kurz zusammengefasst"
    " zusammenfassung zusammenfassend schritte schritten schritt anleitung wie"
)
_GERMAN = _Vocabulary(
    filler=_GERMAN_POINTERS
    | _words(
        """der die das den dem des ein eine einen einem einer es sie man wir ihr du er ich dies diese dieser dieses
        diesen diesem ist sind kann können sollte sollten gehen geht gehe machen macht vor oben zum zur gesagt
        insgesamt befehl befehle befehlen code dazu dafür damit dann danach zuerst schließlich und oder auch nun
        bitte siehe finden findet führen führe führt aus verwenden nutzen benutzen befolgen möglichkeiten möglichkeit
        weg wege liste tabelle abschnitt seite gibt zu um in im mit von für auf an bei z b d h hinweis
        verfahren vorgehen funktioniert optionen einige mehrere als nächstes"""
    ),
    pointers=_GERMAN_POINTERS,
    openers=_words("um wenn falls für damit zum zur sobald nachdem bevor"),
    purposes=_words("um für"),
    references=("siehe ", "vgl. ", "mehr dazu", "weitere informationen", "näheres"),
    finite=_words(
        """ist sind war waren hat haben kann können muss müssen soll sollen sollte wird werden darf dürfen braucht
        unterstützt verwendet läuft laufen gilt gelten enthält erlaubt liefert nutzt liegt steht bleibt startet
        endet schreibt liest speichert sendet löscht"""
    ),
)
_FRENCH_POINTERS = _words(
    "suivant suivante suivants suivantes suit voici comment étapes étape exemple bref résumé suivez"
)
_FRENCH = _Vocabulary(
    filler=_FRENCH_POINTERS
    | _words(
        """le la les l un une des de du ce cette ces c'est est sont il elle on vous nous pouvez peut faire fait pour
        à au en et ou puis ensuite enfin d'abord aussi par plus dans avec procédez procédure comme ci dessous dessus
        commande commandes code liste tableau utilisez exécutez lancez méthode options"""
    ),
    pointers=_FRENCH_POINTERS,
    openers=_words("pour si quand lorsque afin"),
    purposes=_words("pour afin"),
    references=("voir ", "voyez ", "consultez ", "pour plus d"),
    finite=_words(
        "est sont était a ont peut peuvent doit doivent sera seront utilise nécessite prend contient renvoie"
    ),
)
_SPANISH_POINTERS = _words("siguiente siguientes sigue siga aquí cómo pasos paso ejemplo resumen continuación así")
_SPANISH = _Vocabulary(
    filler=_SPANISH_POINTERS
    | _words(
        """el la los las un una unos unas de del lo esto este esta estos estas es son se puede puedes debe para a al
        en y o luego después finalmente primero también por más con hacer hacerlo como comando comandos código lista
        tabla use usa ejecute ejecuta procedimiento método opciones haga"""
    ),
    pointers=_SPANISH_POINTERS,
    openers=_words("para si cuando"),
    purposes=_words("para"),
    references=("véase ", "vea ", "ver ", "consulte ", "para más información"),
    finite=_words("es son era está están ha han puede pueden debe deben será serán usa requiere contiene devuelve"),
)
_VOCABULARIES = {"en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH}
_WHOLE = (
    "手順は次のとおりです", "手順は以下のとおりです", "次のとおりです", "以下のとおりです", "以下の通りです",
    "次の手順に従います", "次の手順に従ってください", "以下の手順に従ってください", "例えば", "たとえば",
    "まとめると", "要約すると",
    "步骤如下", "具体步骤如下", "操作步骤如下", "如下所示", "如下", "例如", "总之", "简而言之",
    "请按照以下步骤操作", "请按以下步骤操作",
    "다음과 같습니다", "다음 단계를 따르세요", "예를 들어", "요약하면",
)  # fmt: skip


def connective(text: str, locale: str = "en") -> bool:
    """Whether a sentence states nothing: a question, a label, a lead-in, a pointer to elsewhere.

    `text` is plain. Without a vocabulary of the language, English is asked, which then finds little.
    """
    text = text.strip()
    if text.endswith(_QUESTION):
        return True
    if not any(char.isalnum() for char in text):
        return True
    if text.rstrip("。：:.!、，,") in _WHOLE:
        return True
    words = [match[0].lower().replace("’", "'") for match in _WORD.finditer(text)]
    if not words or len(words) > _MOST_WORDS or _SPECIFIC.search(text):
        return False
    vocabulary = _VOCABULARIES.get(language_of(locale), _ENGLISH)
    if text.endswith(_COLON) and len(words) <= _LABEL_WORDS and not vocabulary.finite.intersection(words):
        return True
    if text.lower().startswith(vocabulary.references) and not vocabulary.finite.intersection(words):
        return True
    return any(_leads_on(clause, text, vocabulary) for clause in _main_clauses(text, vocabulary))


def states(text: str, locale: str = "en") -> bool:
    """Whether a part of a sentence can stand as a statement of its own: a subject, and then a verb we know."""
    vocabulary = _VOCABULARIES.get(language_of(locale), _ENGLISH)
    words = [match[0].lower().replace("’", "'") for match in _WORD.finditer(text)]
    if len(words) < _LABEL_WORDS or words[0] in vocabulary.finite:
        return False
    return not vocabulary.finite.isdisjoint(words[1:])


def _main_clauses(text: str, vocabulary: _Vocabulary) -> tuple[list[str], ...]:
    """The words of the sentence, and of what is left when a purpose before or behind it is taken away."""
    words = [match[0].lower().replace("’", "'") for match in _WORD.finditer(text)]
    clauses = [words]
    if words[0] in vocabulary.openers and "," in text:
        clauses.append([match[0].lower() for match in _WORD.finditer(text.rpartition(",")[2])])
    if text.endswith(_COLON):
        cut = next((at for at, word in enumerate(words) if at and word in vocabulary.purposes), 0)
        if cut:
            clauses.append(words[:cut])
    return tuple(clauses)


def _leads_on(words: list[str], text: str, vocabulary: _Vocabulary) -> bool:
    if not words or not vocabulary.filler.issuperset(words):
        return False
    return text.endswith(_COLON) or not vocabulary.pointers.isdisjoint(words)
