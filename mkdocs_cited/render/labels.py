"""The words that the rendering adds to a page in its language, its templates, and what readers are told of a review.

The words are in `labels.json`, the templates in `templates/`; a site's own `cited/*.html` come first.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

import jinja2
import msgspec
from msgspec import Struct

from mkdocs_cited.answer_text.markdown import markers
from mkdocs_cited.base.errors import CitedError, readable
from mkdocs_cited.base.html import with_code
from mkdocs_cited.base.text import language_of
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Status, Verdict
from mkdocs_cited.render.cited import reviewers_of
from mkdocs_cited.render.markdown import Mark


class Labels:
    """The words for one language; English for one that we have none of."""

    def __init__(self, locale: str) -> None:
        self._words = _all().get(language_of(locale), _all()["en"])

    def __call__(self, key: str, **values: object) -> str:
        """A label with its values put in. Values are put in as they are, whatever braces they hold.

        Raises:
            KeyError: there is no such label.
        """
        return self._words[key].format(**values)


def filled(
    template: str,
    labels: Labels,
    loader: jinja2.BaseLoader | None,
    **values: object,
) -> str:
    """A template with these values, and its words as `label`. The loader has a site's own.

    Raises:
        CitedError: a site's own template cannot be read or filled.
    """
    try:
        found = environment(loader).get_template(f"cited/{template}.html")
        return found.render(values, label=labels)
    except jinja2.TemplateError as error:
        place = f"cited/{template}.html"
        # Jinja makes a frame of each template with its file and line
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename.endswith(".html"):
                place = f"{frame.filename}:{frame.lineno}"
        raise CitedError(
            f"{place}: the template cannot be filled: {error}",
            tip="compare it with the template of this version of mkdocs-cited that it was copied from",
        ) from error


def asset(name: str) -> str:
    """The text of a style sheet or script of this package."""
    path = files("mkdocs_cited.render").joinpath("assets", name)
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _all() -> dict[str, dict[str, str]]:
    data = files("mkdocs_cited.render").joinpath("labels.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, dict[str, str]])


# an environment keeps the templates that it compiled, which takes longer than to render them
@lru_cache(maxsize=4)
def environment(loader: jinja2.BaseLoader | None) -> jinja2.Environment:
    """An environment in which everything that is not marked safe is escaped; `loader` as in `filled`."""
    ours = jinja2.PackageLoader("mkdocs_cited.render")
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader([loader, ours]) if loader else ours,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        finalize=_readable,
    )
    made.filters["code"] = with_code
    return made


def _readable(value: object) -> object:
    """What a template puts out, without characters that steer instead of being read."""
    if isinstance(value, str):
        return type(value)(readable(value))
    return value


class Check(Struct, frozen=True, kw_only=True):
    """A claim with what was said of it, as a template sees it."""

    text: str
    numbers: str
    """Of its footnotes, as shown."""
    verdict: str
    """In words."""
    unsure: bool
    reason: str


def counted(answer: Answer, labels: Labels) -> list[str]:
    """How many sentences are checked and by whom, and how many are not yet, not any more, or do not hold; nothing for
    an answer without claims."""
    count = len(answer.claims)
    if not count:
        return []
    states = Counter(map(_state, answer.claims))
    done = states["supported"]
    parts = []
    if done:
        told = labels("checked", done=done, all=count)
        if done == count == 1:
            told = labels("checked_one")
        names = ", ".join(reviewers_of(answer))
        if names:
            told = f"{told} ({names})"
        parts.append(told)
    outdated, waiting = states["changed"], states["unchecked"]
    wrong = count - done - outdated - waiting
    for label, number in (("outdated", outdated), ("open", waiting), ("wrong", wrong)):
        if number:
            parts.append(labels(label, n=number))
    return ["; ".join(parts)]


def doubts_of(answer: Answer, labels: Labels) -> dict[int, str]:
    """Which number of an answer's text, counted from 0 → what keeps its sentence from being proven, in words."""
    doubts = {}
    for number, (_, at, _) in enumerate(markers(answer.content)):
        if answer.status is Status.STALE:
            doubts[number] = labels("changed")
        for item in answer.claims:
            if not item.claim.start <= at < item.claim.end:
                continue
            doubts.pop(number, None)
            if item.judgement.verdict is not Verdict.SUPPORTED:
                doubts[number] = labels(_state(item))
    return doubts


def checked(item: ReviewedClaim, marks: Mapping[int, Mark], labels: Labels) -> Check:
    """A claim with what was said of it; of a maintainers' note the reason is left out."""
    notes = {marks[sid].note for sid in item.claim.sids if sid in marks}
    return Check(
        text=item.claim.text,
        numbers="".join(f"[{note}]" for note in sorted(notes)),
        verdict=labels(_state(item)),
        unsure=item.judgement.verdict is not Verdict.SUPPORTED,
        reason="" if item.is_of_a_note else item.judgement.reason,
    )


def _state(item: ReviewedClaim) -> str:
    """The verdict on a claim; `changed` where it was decided, and waits since its source has changed."""
    if item.change is not None and item.judgement.verdict is Verdict.UNCHECKED:
        return "changed"
    return item.judgement.verdict.value
