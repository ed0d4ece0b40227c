"""Wrong claims made from right ones, by kind: each one small change away, and beyond dispute.

A maker takes a claim, what its passages say, and dice, and returns the changed text, or nothing where its kind does
not apply. It reads text by patterns of its own, not by those of the reviewers that it tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from mkdocs_cited.base.language_tags import language_of
from mkdocs_cited.evaluation.dice import Dice

KINDS = (
    "figure",
    "unit",
    "version",
    "identifier",
    "default",
    "negation",
    "quantifier",
    "condition",
    "component",
    "added clause",
    "swapped citation",
    "dropped citation",
)
"""Every kind of mutant. The last two change a claim's citation instead of its words: `mutation` makes them."""


class Material(Struct, frozen=True):
    """What a maker may use."""

    claim: str
    said: str
    """All that the cited passages say, their headings included."""
    names: tuple[str, ...]
    """Flags, options, variables and names of code that stand elsewhere on the site."""
    locale: str = "en"

    def says(self, words: str) -> bool:
        """Whether the passages hold these words, in any case."""
        return _whole(words).search(self.said) is not None


Maker = Callable[[Material, Dice], str | None]


def mutant(kind: str, material: Material, dice: Dice) -> str | None:
    """A wrong claim of a kind that changes words; `None` where the kind does not apply to this claim."""
    made = MAKERS[kind](material, dice)
    return made if made and made != material.claim else None


def _whole(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])", re.IGNORECASE)


_FIGURE = re.compile(r"(?<![\w.,:/#+=$€£-])\d{1,3}(?:,\d{3})+(?![\w.,-]*\d)|(?<![\w.,:/#+=-])\d{1,6}(?![\w-]|[.,:/]\d)")
_NUMBER_WORDS = "two three four five six seven eight nine ten twelve twenty".split()
_NUMBER_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(_NUMBER_WORDS)})(?![\w-])")


def _figure(material: Material, dice: Dice) -> str | None:
    """Another number: one more, double, ten times, a half."""
    found = [*_FIGURE.finditer(material.claim), *_NUMBER_WORD.finditer(material.claim)]
    for match in dice.order(found):
        before = material.claim[: match.start()].rstrip().lower()
        if before.endswith(("version", "python", "v", "step", "section", "figure", "rfc", "iso", "http", "example")):
            continue
        if match[0] in _NUMBER_WORDS:
            others = [word for word in _NUMBER_WORDS if not material.says(word)]
        else:
            value = int(match[0].replace(",", ""))
            figures = (value + 1, value * 2, value * 10, value // 2, value + 3)
            others = [f"{other:,}" if "," in match[0] else str(other) for other in figures if other not in (value, 0)]
            others = [other for other in others if not material.says(other)]
        if others:
            return _replaced(material.claim, match.span(), dice.pick(others))
    return None


_UNITS: tuple[tuple[str, ...], ...] = (
    ("milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years"),
    ("millisecond", "second", "minute", "hour", "day", "week", "month", "year"),
    ("ms", "s", "min", "h"),
    ("KB", "MB", "GB", "TB"),
    ("KiB", "MiB", "GiB", "TiB"),
    ("kilobytes", "megabytes", "gigabytes", "terabytes"),
    ("bits", "bytes"),
    ("Sekunden", "Minuten", "Stunden", "Tage", "Wochen", "Monate", "Jahre"),
)
_UNIT = re.compile(r"(?<=\d)( ?|-)([A-Za-z]{1,12})(?![\w-])|(?<=\b(?:one|two|six|ten) )()([a-z]{3,12})(?![\w-])")


def _unit(material: Material, dice: Dice) -> str | None:
    """The same number of something else."""
    for match in dice.order(list(_UNIT.finditer(material.claim))):
        group = 2 if match[2] else 4
        for row in _UNITS:
            if match[group] in row:
                others = [
                    unit for unit in row if unit != match[group] and not re.search(rf"\d ?{unit}\b", material.said)
                ]
                if others:
                    return _replaced(material.claim, match.span(group), dice.pick(others))
    return None


_VERSION = re.compile(
    r"(?<![\w.-])(v?)(\d{1,4})((?:\.\d{1,4}){1,3})(?![\w-]|\.\d)"
    r"|(?<=[Vv]ersion )(v?)(\d{1,4})()(?![\w.-]*\d)|(?<=Python )()(\d)()(?![\w.-]*\d)"
)
_MEASURED = re.compile(r" ?(?:%|[kKMGT]i?B|ms|s|seconds|minutes|hours|times|percent|Hz|GHz|x)\b|%")


def _version(material: Material, dice: Dice) -> str | None:
    """The next, the last or another minor version."""
    for match in dice.order(list(_VERSION.finditer(material.claim))):
        prefix, major, rest = (match[1] or "", match[2], match[3]) if match[2] else ("", match[5] or match[8], "")
        before = material.claim[: match.start()].rstrip().lower()
        dots = rest.count(".")
        if _MEASURED.match(material.claim, match.end()):
            continue
        if dots == 1 and not prefix and not before.endswith(("version", "python", "since", "release", "in", "java")):
            continue  # may be a plain decimal
        parts = [int(part) for part in f"{major}{rest}".split(".")]
        others = []
        for at, step in ((0, 1), (len(parts) - 1, 1), (len(parts) - 1, 2)):
            changed = [part + step * (number == at) for number, part in enumerate(parts)]
            others.append(prefix + ".".join(map(str, changed)))
        others = [other for other in others if other not in material.said]
        if others:
            return _replaced(material.claim, match.span(), dice.pick(others))
    return None


IDENTIFIER = re.compile(
    r"(?<![\w./@-])(?:--[a-z][a-z0-9]+(?:-[a-z0-9]+)*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+"
    r"|[a-z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[a-z][\w-]*\.(?:ya?ml|json|toml|py|conf|md|txt|ini|sh|lua|js|ts))(?![\w/@]|-\w|\.\w)"
)
"""A long flag, a constant, a snake_case or camelCase name, a file name."""
_SHAPES = (
    re.compile(r"--.*"),
    re.compile(r"[A-Z0-9_]+"),
    re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+"),
    re.compile(r"[a-z]+(?:[A-Z].*)"),
    re.compile(r".*\.\w+"),
)


def shape(identifier: str) -> int:
    """The number of the shape of an identifier: flags are swapped for flags, files for files."""
    return next((at for at, pattern in enumerate(_SHAPES) if pattern.fullmatch(identifier)), -1)


def _identifier(material: Material, dice: Dice) -> str | None:
    """Another flag, option, variable, function or file of the same site, or one that no page names."""
    for match in dice.order(list(IDENTIFIER.finditer(material.claim))):
        alike = [name for name in material.names if shape(name) == shape(match[0]) and not material.says(name)]
        other = dice.pick(alike) if alike else _bent(match[0])
        if not material.says(other):
            return _replaced(material.claim, match.span(), other)
    return None


def _bent(identifier: str) -> str:
    stem, dot, suffix = identifier.partition(".")
    if identifier.startswith("--"):
        return "--no-" + identifier[2:] if not identifier.startswith("--no-") else "--" + identifier[5:]
    joint = "_" if "_" in stem else "-" if "-" in stem else ""
    extra = "EXTRA" if stem.isupper() else "extra" if joint or not re.search("[A-Z]", stem) else "Extra"
    return f"{stem}{joint or ('-' if dot else '')}{extra}{dot}{suffix}"


_DEFAULTS: Mapping[str, str] = {
    "true": "false", "false": "true", "enabled": "disabled", "disabled": "enabled", "on": "off", "off": "on",
    "yes": "no", "no": "yes", "allowed": "forbidden", "forbidden": "allowed",
    "aktiviert": "deaktiviert", "deaktiviert": "aktiviert",
}  # fmt: skip
_SWITCH = re.compile(rf"(?<![\w-])(?:{'|'.join(_DEFAULTS)})(?![\w-])")
_DEFAULT = re.compile(r"\bdefaults?\b|\bby default\b|\bstandardmäßig\b|\bVoreinstellung\b", re.IGNORECASE)


def _default(material: Material, dice: Dice) -> str | None:
    """Another default: the switch turned, or the number after `default` changed."""
    found = _DEFAULT.search(material.claim)
    if not found:
        return None
    near = [match for match in _SWITCH.finditer(material.claim) if abs(match.start() - found.start()) <= 40]
    near = [match for match in near if match[0] not in ("on", "off", "no", "yes") or _is_value(material.claim, match)]
    if near:
        match = dice.pick(near)
        return _replaced(material.claim, match.span(), _DEFAULTS[match[0]])
    behind = _FIGURE.search(material.claim, found.end())
    if behind and behind.start() - found.end() <= 25:
        other = str(int(behind[0].replace(",", "")) * 4 + 1)
        return None if material.says(other) else _replaced(material.claim, behind.span(), other)
    return None


def _is_value(claim: str, match: re.Match[str]) -> bool:
    """Whether `on`, `off`, `yes` or `no` is a setting, and not a preposition: `is on by default`, `default: no`."""
    return bool(re.search(r"(?:\bis|\bto|[:=(\"'`]) ?$", claim[: match.start()]))


_AUXILIARIES = "is are can will must should does do has have was were could would ist sind kann wird muss darf".split()
_AUXILIARY = re.compile(rf"(?<![\w-])(?<!\bto )(?<!\bTo )({'|'.join(_AUXILIARIES)})(?= [a-z])")
_NEGATED = re.compile(
    r"(?<![\w-])(?:(is|are|can|will|must|should|does|do|has|was|were|could|would) not|(can)not"
    r"|(is|are|does|do|will)n['’]t|never|nicht|niemals)(?![\w-])",
    re.IGNORECASE,
)
_UNSAFE_TO_NEGATE = re.compile(
    r"\b(?:not|no|never|cannot|only|nor|neither|none|without|unless|nicht|kein\w*|nie)\b|n['’]t\b", re.IGNORECASE
)


def _negation(material: Material, dice: Dice) -> str | None:
    """The opposite: a `not` put in behind a verb, or taken out."""
    claim = material.claim
    negated = [
        match for match in _NEGATED.finditer(claim) if not re.match(r" (?:only|just|necessarily)", claim[match.end() :])
    ]
    if negated:
        match = dice.pick(negated)
        verb = next(filter(None, match.groups()), "")
        replacement = verb or {"never": "always", "niemals": "immer"}.get(match[0].lower(), "")
        return re.sub(r" {2,}", " ", _replaced(claim, match.span(), replacement))
    if _UNSAFE_TO_NEGATE.search(claim):
        return None
    main = _AUXILIARY.search(claim)
    if (
        not main
        or main[1] in ("ist", "sind", "kann", "wird", "muss", "darf")
        or claim.startswith(("If", "When", "Once"))
    ):
        return None
    return _replaced(claim, main.span(1), "cannot" if main[1] == "can" else f"{main[1]} not")


_QUANTIFIERS: tuple[tuple[str, str], ...] = (
    ("at least", "at most"), ("at most", "at least"), ("up to", "at least"), ("more than", "less than"),
    ("less than", "more than"), ("always", "never"), ("never", "always"), ("maximum", "minimum"),
    ("minimum", "maximum"), ("both", "neither"), ("often", "never"), ("greater than", "less than"),
    ("all", "none of"), ("every", "no"), ("each", "no"), ("most", "none of the"), ("multiple", "no"), ("many", "no"),
    ("mindestens", "höchstens"), ("höchstens", "mindestens"), ("immer", "nie"), ("alle", "keine"),
)  # fmt: skip


def _quantifier(material: Material, dice: Dice) -> str | None:
    """At most for at least, never for always, none for all."""
    found = []
    for word, other in _QUANTIFIERS:
        match = re.search(rf"(?<![\w-]){word}(?![\w-])", material.claim, re.IGNORECASE)
        if match and not _odd(word, match, material.claim):
            found.append((match, other))
    if not found:
        return None
    match, other = dice.pick(found)
    return _replaced(material.claim, match.span(), other.capitalize() if match[0][0].isupper() else other)


def _odd(word: str, match: re.Match[str], claim: str) -> bool:
    """Whether a word does not count anything here: `at all`, `after all`, `each other`, `up to date`, `not all`."""
    before, after = claim[: match.start()].rstrip().lower(), claim[match.end() :].lstrip().lower()
    if before.endswith(
        (" at", " after", " not", " not,", " above", " with", "the", " over", " in", " first", "cannot", " on")
    ):
        return True
    if after.startswith(("other", "date", "you", "time", "of which", "-")) or (
        word == "up to" and not after[:1].isdigit()
    ):
        return True
    return word in ("all", "most") and not re.match(r"(?:the |of the |of |these |your |its )?[a-z]+s\b", after)


_LEADING_IF = re.compile(
    r"^(?:If|When|Unless|Wenn|Falls|Sofern) (?!you (?:want|wish|would|need|prefer))[^,.;:]{6,120}, (?:then )?(?=[a-z])"
)
_TRAILING = re.compile(
    r",? (?:only )?(?:if|unless|as long as|provided that|except (?:for|when|if|in)|only when|except) "
    r"[^,.;:]{6,120}(?=\.?$)"
)
_ONLY = re.compile(
    r"(?<=[a-z]) only (?=(?:if|when|on|for|in|by|with|works|be|from|to|the|those|one) )|\bonly (?=applies|works|runs)"
)
_ASKS = re.compile(
    r"\b(?:on|see|know|checks?|tests?|decides?|even|determines?|ask|asks|nothing|everything|all|as|regardless"
    r"|what|than|depending)$"
)
"""Behind these, `if` means `whether` or `though`, and `except` belongs to the word."""
_DANGLING = re.compile(r"^(?:it|they|this|that|these|those|he|she|which|the latter|es|sie)\b", re.IGNORECASE)


def _condition(material: Material, dice: Dice) -> str | None:
    """The statement without the condition, exception or `only` that its passage puts to it."""
    claim, made = material.claim, []
    leading = _LEADING_IF.match(claim)
    if leading:
        rest = claim[leading.end() :]
        if len(rest.split()) >= 4 and not _DANGLING.match(rest):
            made.append("In any case, " + rest)
    trailing = _TRAILING.search(claim)
    left = claim[: trailing.start()] if trailing else ""
    if trailing and len(left.split()) >= 4 and " only " not in left and not _ASKS.search(left):
        made.append(left + " in any case" + claim[trailing.end() :])
    only = _ONLY.search(claim)
    if only and " not only " not in claim:
        made.append(re.sub(r" {2,}", " ", _replaced(claim, only.span(), " ")).strip())
    return dice.pick(made) if made else None


_PAIRS: tuple[tuple[str, str], ...] = (
    ("client", "server"), ("clients", "servers"), ("source", "destination"), ("input", "output"),
    ("inputs", "outputs"), ("local", "remote"), ("upload", "download"), ("uploads", "downloads"),
    ("uploaded", "downloaded"), ("Linux", "Windows"), ("macOS", "Windows"), ("request", "response"),
    ("requests", "responses"), ("parent", "child"), ("public", "private"), ("row", "column"), ("rows", "columns"),
    ("read", "write"), ("encrypt", "decrypt"), ("encrypted", "compressed"), ("first", "last"), ("before", "after"),
    ("older", "newer"), ("left", "right"), ("start", "stop"), ("import", "export"), ("memory", "disk"),
    ("username", "password"), ("JSON", "YAML"), ("HTTP", "FTP"), ("CPU", "memory"), ("cluster", "namespace"),
    ("warning", "error"), ("create", "delete"),
    ("created", "deleted"), ("added", "removed"), ("increase", "decrease"), ("increases", "decreases"),
    ("synchronous", "asynchronous"), ("GET", "POST"), ("PUT", "DELETE"), ("Python", "Java"), ("Git", "Subversion"),
)  # fmt: skip
_OTHERS = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_COMPONENT = re.compile(rf"(?<![\w./-])(?:{'|'.join(map(re.escape, _OTHERS))})(?![\w/-]|\.\w)")


def _component(material: Material, dice: Dice) -> str | None:
    """What is said of one part, said of another that the passage does not name."""
    for match in dice.order(list(_COMPONENT.finditer(material.claim))):
        other = _OTHERS[match[0]]
        before = material.claim[: match.start()].rstrip().rpartition(" ")[2].lower()
        verb = match[0] in ("request", "response", "disk") and before in ("to", "you", "we", "they", "can", "will")
        if not material.says(other) and not verb and not material.claim.startswith(" time", match.end()):
            return _replaced(material.claim, match.span(), other)
    return None


_CLAUSES: Mapping[str, tuple[str, ...]] = {
    "en": (
        "and no restart is needed", "and this cannot be undone", "and it is encrypted before it is stored",
        "and a notice is sent by mail", "and administrators are exempt from this", "and it costs nothing extra",
        "and the result is kept for thirty days", "and it needs a paid licence", "and Windows is not supported",
        "and every attempt is written to the audit log",
    ),
    "de": (
        "und ein Neustart ist nicht nötig", "und das lässt sich nicht rückgängig machen",
        "und dafür ist eine bezahlte Lizenz nötig", "und jeder Versuch wird protokolliert",
    ),
}  # fmt: skip


def _added(material: Material, dice: Dice) -> str | None:
    """The claim with a clause behind it of which its passages say nothing."""
    clauses = _CLAUSES.get(language_of(material.locale), _CLAUSES["en"])
    said = material.said.lower()
    new = [clause for clause in clauses if not any(word in said for word in clause.split()[1:] if len(word) > 5)]
    if not new or len(material.claim) > 240:
        return None
    bare = material.claim.rstrip(".。 ")
    return f"{bare}, {dice.pick(new)}."


def _replaced(text: str, span: tuple[int, int], by: str) -> str:
    return text[: span[0]] + by + text[span[1] :]


MAKERS: Mapping[str, Maker] = {
    "figure": _figure,
    "unit": _unit,
    "version": _version,
    "identifier": _identifier,
    "default": _default,
    "negation": _negation,
    "quantifier": _quantifier,
    "condition": _condition,
    "component": _component,
    "added clause": _added,
}
"""How each kind that changes words is made."""


def identifiers(texts: Sequence[str]) -> tuple[str, ...]:
    """Every identifier in texts, each once, sorted: what one claim's may be swapped for."""
    return tuple(sorted({match[0] for text in texts for match in IDENTIFIER.finditer(text)}))
