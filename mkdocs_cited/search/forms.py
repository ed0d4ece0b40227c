"""What kind of answer a question asks for, told by its words. What a section offers is judged in `answering`."""

from __future__ import annotations

import re
from enum import StrEnum

from mkdocs_cited.base.language_tags import language_of


class Form(StrEnum):
    """The kind of answer that is asked for."""

    HOW = "how"
    """What to do: steps, a command, an example."""
    WHAT = "what"
    """What something is, means or is for."""
    AMOUNT = "amount"
    """A figure: a limit, a default, a number of things."""
    WHICH = "which"
    """A name: a command, an option, a file, a rule."""
    WHETHER = "whether"
    """Yes or no."""
    DIFFERENCE = "difference"
    """What sets two things apart."""
    ERROR = "error"
    """What a message means, and what to do about it."""
    WHY = "why"
    OTHER = "other"


_NAMED = (
    r"(?:commands?|options?|settings?|flags?|variables?|files?|class|rule|functions?|methods?|keys?|headers?|plugins?)"
)
_ENGLISH = (
    (
        Form.DIFFERENCE,
        r"\b(?:differences?|differs?|vs\.?|versus|compared? (?:to|with)|sets? \w+ apart"
        r"|which (?:one )?is (?:better|faster)|which of the (?:two|both)"
        r"|which one is)\b|^(?:\S+ ){1,3}or \S+(?: \S+){0,2} ?\?$",
    ),
    (
        Form.ERROR,
        r"\b(?:an?|the|this|no|following) (?:\S+ )?(?:errors?|exception|traceback)\b|\b(?:error|exception|err):"
        r"|\brefuses\b|\bfail(?:s|ed)? (?:with|to)\b|\b(?:get|says?|answers|with|see)\s*[\"'“{`]|[\"“][^\"”]{15,}[\"”]",
    ),
    (Form.WHY, r"\bwhy\b|\bhow come\b|what is (?:wrong|bad) (?:with|about)"),
    (Form.WHICH, rf"(?:^|[.,;:] )(?:which (?:\w+ )?|what ){_NAMED}\b"),
    (
        Form.AMOUNT,
        r"\bhow (?:many|much|long|big|large|often|old|fast|far|soon|small|high|wide)\b"
        r"|\bwhat(?:'s| is| are)? the"
        r" (?:\w+ )?(?:maximum|minimum|max|limits?|default|longest|largest|biggest|smallest|oldest|newest"
        r"|lowest|highest|size)\b|\b(?:default|limits?) (?:of|for|value)\b"
        r"|\bwh(?:at|ich) (?:port|size|version|number)s?\b|\b(?:after|from) how\b",
    ),
    (Form.WHICH, r"\bwhich\b|\bwhat (?:do|can|should|must) i (?:run|call|type|write|set|use|put|drop|enter)\b"),
    (Form.HOW, r"\bhow\b|\bwhat (?:now|do|should|must|can) i\b|\bwhat now\b|\b(?:steps|ways?) to\b"),
    (Form.WHAT, r"\bwhat\b|\bwhat's\b|\bwhen is .{1,60} called\b|\bmeaning of\b|\bstand for\b|^(?:define|explain)\b"),
    (
        Form.WHETHER,
        r"(?:^|[.,;:?!–-] )(?:and |so |but )?(?:is|are|was|can|could|may|does|do|did|will|would|should|has|have|am|must"
        r"|might)\b",
    ),
)
_GERMAN = (
    (Form.DIFFERENCE, r"\bunterschied|\bvergleich|\boder\b.*\?$|\bbesser\b"),
    (Form.ERROR, r"\bfehler|\bmeldung\b|[\"„“][^\"“”]{15,}[\"“”]"),
    (Form.WHY, r"\b(?:warum|wieso|weshalb)\b"),
    (Form.AMOUNT, r"\bwie (?:viele?|lange?|gro(?:ß|ss)|oft|hoch|alt|schnell|weit)\b|\b(?:maximal|standardwert|grenze)"),
    (Form.WHICH, r"\bwelche[rsnm]?\b"),
    (Form.HOW, r"\bwie\b|\bwas (?:tun|muss ich|kann ich|soll ich)\b"),
    (Form.WHAT, r"\bwas\b|\bwozu\b|\bwofür\b"),
    (Form.WHETHER, r"^(?:kann|können|darf|ist|sind|gibt|hat|muss|soll|wird|läuft)\b"),
)
_FRENCH = (
    (Form.DIFFERENCE, r"\bdifférence"),
    (Form.WHY, r"\bpourquoi\b"),
    (Form.AMOUNT, r"\bcombien\b"),
    (Form.WHICH, r"\bquel(?:le)?s?\b"),
    (Form.HOW, r"\bcomment\b"),
    (Form.WHETHER, r"^est-ce\b|^peut-on\b"),
    (Form.WHAT, r"\bqu['’]est|\bc['’]est quoi"),
)
_SPANISH = (
    (Form.DIFFERENCE, r"\bdiferencia"),
    (Form.WHY, r"\bpor qué\b"),
    (Form.AMOUNT, r"\bcuánt[oa]s?\b"),
    (Form.WHICH, r"\bcuál(?:es)?\b"),
    (Form.HOW, r"\bcómo\b"),
    (Form.WHAT, r"\bqué\b"),
    (Form.WHETHER, r"^¿?(?:puedo|se puede|es|está|hay)\b"),
)
_FORMS = {
    language: tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in patterns)
    for language, patterns in {"en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH, "es": _SPANISH}.items()
}
_SENTENCE = re.compile(r"(?<=[.!?:])\s+")

ASKS_PURPOSE = frozenset(("use", "purpos"))
"""Terms of words that ask what a thing is for, and do not name it."""


def form_of(question: str, language: str = "en") -> Form:
    """The kind of answer that a question asks for; `OTHER` where its words do not tell.

    What is asked stands in the sentence with the question mark: those before it tell the case. Only a message that is
    quoted anywhere makes it a question about an error.
    """
    patterns = _FORMS.get(language_of(language), ())
    text = " ".join(question.split())
    asking = [part for part in _SENTENCE.split(text) if part.endswith(("?", "？"))] or [text]
    for part in (asking[-1], " ".join(asking), text):
        for form, pattern in patterns:
            if pattern.search(text if form is Form.ERROR else part):
                return form
    return Form.OTHER
