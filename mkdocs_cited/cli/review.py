"""The commands with which people decide: `review`, `accept`, `reject`. What waits is found in `status`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.cli.group import Where, checked, chosen, main, site_options
from mkdocs_cited.cli.output import command, console, say, summary
from mkdocs_cited.cli.person import Person
from mkdocs_cited.cli.review_session import Session
from mkdocs_cited.cli.status import WaitingClaim, all_that_waits, decidable, proposal_of
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.declaration import AUTHORED
from mkdocs_cited.model.finding import Severity
from mkdocs_cited.records import Record

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site

by_option = click.option(
    "--by", help="Your name. By default git's `user.name`, else your login."
)
claims_option = click.option(
    "--claims",
    metavar="NUMBERS",
    help="Only these claims of one answer, by the numbers that `check` prints: `1,3-5`.",
)
reason_option = click.option(
    "--reason", default="", help="Why you decide so. It is stored in the record."
)


COUNTED = ("accepted", "answered", "confirmed", "rejected", "edited", "skipped")
"""What a session may have done, in the order in which it is told."""
Done = tuple[str, str]
"""What `accept` or `reject` did about a claim or a text, in a word and in a line."""


@main.command()
@click.argument("names", nargs=-1)
@site_options
@by_option
def review(names: tuple[str, ...], where: Where, by: str | None) -> None:
    """Decide what waits, with a key for each.

    These are questions, proposals and claims.

    NAMES are pages, keys, ids or globs; all answers by default. Each decision is stored at once, so you can quit and go
    on later. Without a terminal, the first letter of each line of standard input is a key. `mkdocs-cited check --json`
    lists what waits.
    """
    site = where()
    keys = chosen(site, names)
    session = Session(Person.of(site, by), console())
    while True:
        items = [
            item
            for item in all_that_waits(site, checked(site), keys)
            if item.name not in session.done
        ]
        if not items or not session.walk(items):
            break
        site = where()
        session.person = Person(site, session.person.name)
    done = Counter([*session.done.values(), *["edited"] * session.edited])
    _close(where() if session.edited else site, keys, done)


def _close(
    site: Site,
    keys: Sequence[str],
    done: Counter[str],
    *,
    words: str = "mkdocs-cited review",
) -> None:
    """Say what was done, what still waits, and what comes next."""
    report = checked(site)
    left = len(all_that_waits(site, report, keys))
    counts = [(f"{what} {{}}", done[what]) for what in COUNTED]
    fails = any(
        item.severity is Severity.ERROR and item.answer in keys for item in report.shown
    )
    then = "mkdocs-cited check"
    if not fails:
        then = ""
        if done:
            then = f"commit {site.settings.records_dir}/"
    following = then
    if left:
        following = words
    say(
        summary(*counts, ("{} still waiting", left)) or "nothing waits",
        following=following,
    )


@main.command()
@click.argument("names", nargs=-1, required=True)
@site_options
@claims_option
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Accept all proposals, and confirm all claims that wait.",
)
@by_option
@reason_option
def accept(
    names: tuple[str, ...],
    where: Where,
    claims: str | None,
    everything: bool,
    by: str | None,
    reason: str,
) -> None:
    """Accept a proposal, approve a text, or confirm claims.

    NAMES are pages, keys, ids or globs. In an answer that you wrote yourself, all claims that wait are confirmed. A
    claim that was found wrong is confirmed only if you name it with `--claims` and give a `--reason`.
    """
    site = where()
    keys, who = chosen(site, names), Person.of(site, by)
    if claims is not None:
        done, words = (
            _decided(who, keys, claims, Verdict.SUPPORTED, reason),
            command("review", keys[0]),
        )
    else:
        rest = (
            command("review", *names)
            if everything
            else command("accept", *names, "--all")
        )
        done, words = _accepted(who, keys, everything, reason), rest
    _say_done(site, keys, done, words)


def _accepted(
    who: Person, keys: Sequence[str], everything: bool, reason: str
) -> list[Done]:
    """Accept what waits of these answers; claims of authored ones only, unless everything is to be confirmed."""
    site, report = who.site, checked(who.site)
    answers = {answer.key: answer for answer in report.answers}
    stale = {item.answer for item in report.shown if item.slug == "stale-answer"}
    done: list[Done] = []
    for key in keys:
        answer = answers.get(key)
        is_authored = answer is not None and answer.provider == AUTHORED
        if answer is not None and answer.status is Status.QUOTED:
            done.append(_taken(who, answer))
            continue
        proposed = proposal_of(site, key)
        nothing = len(keys) > 1 and not (
            proposed or isinstance(site.store.read(key), Record)
        )
        if nothing or (proposed is None and (everything or is_authored)):
            continue
        if proposed is None and key in stale:
            say(
                f"{key}: out of date, and no proposal waits",
                following=command("update", key),
            )
            continue
        who.accepts(key)
        done.append(("accepted", f"{key}: accepted by {who.name}"))
    claims = []
    for item in all_that_waits(site, checked(site), keys):
        if isinstance(item, WaitingClaim) and (
            everything or answers[item.key].provider == AUTHORED
        ):
            claims.append(item)
    return [*done, *_confirmed(who, claims, reason)]


def _confirmed(who: Person, items: Sequence[WaitingClaim], reason: str) -> list[Done]:
    """Confirm claims but those that were found wrong, all of an answer at once: its record is written once."""
    numbers: dict[str, list[int]] = {}
    for item in items:
        if item.claim.wrong:
            overrule = f"{command('accept', item.key)} --claims {item.detail.number} --reason '…'"
            say(
                f"{item.key}: claim {item.detail.number} was found wrong, and is not confirmed",
                following=overrule,
            )
        else:
            numbers.setdefault(item.key, []).append(item.detail.number)
    answers = {item.key: item.answer for item in items}
    done: list[Done] = []
    for key, picked in numbers.items():
        done += _decide(who, answers[key], picked, Verdict.SUPPORTED, reason)
    return done


def _taken(who: Person, answer: Answer) -> Done:
    """Take the quotation that stands for an answer."""
    declaration = next(each for each in who.site.declarations if each.key == answer.key)
    who.takes(declaration, [source.passage for source in answer.sources])
    return "accepted", f"{answer.key}: the quotation is taken by {who.name}"


@main.command()
@click.argument("names", nargs=-1, required=True)
@site_options
@claims_option
@by_option
@reason_option
def reject(
    names: tuple[str, ...],
    where: Where,
    claims: str | None,
    by: str | None,
    reason: str,
) -> None:
    """Delete a proposal, or decide that claims are not supported.

    A text that you have rejected is not proposed again.
    """
    site = where()
    keys, who = chosen(site, names), Person.of(site, by)
    if claims is not None:
        done = _decided(who, keys, claims, Verdict.UNSUPPORTED, reason)
        _say_done(site, keys, done, command("review", keys[0]))
        return
    done = []
    for key in keys:
        if proposal_of(site, key):
            site.store.reject(key)
            done.append(("rejected", f"{key}: rejected by {who.name}"))
        else:
            say(f"{key}: no proposal waits")
    _say_done(site, keys, done, "mkdocs-cited review")


def _decided(
    who: Person, keys: Sequence[str], numbers: str, verdict: Verdict, reason: str
) -> list[Done]:
    """Store a verdict on some claims of one answer."""
    if len(keys) != 1:
        raise UsageError(
            "`--claims` numbers the claims of one answer",
            tip="name one answer by its key",
        )
    answer = next(
        answer for answer in checked(who.site).answers if answer.key == keys[0]
    )
    if not decidable(who.site, answer):
        tip = f"run `{command('accept', answer.key)}` first, then its claims"
        raise UsageError(f"{answer.key} is only proposed yet", tip=tip)
    picked = _picked(answer, numbers)
    wrong = [number for number in picked if answer.claims[number - 1].wrong]
    if wrong and verdict is Verdict.SUPPORTED and not reason:
        message = f"claim {wrong[0]} of {answer.key} was found wrong: {answer.claims[wrong[0] - 1].judgement.reason}"
        raise UsageError(
            message, tip="say why it is right all the same: `--reason '…'`"
        )
    return _decide(who, answer, picked, verdict, reason)


def _decide(
    who: Person, answer: Answer, numbers: Sequence[int], verdict: Verdict, reason: str
) -> list[Done]:
    """Store a verdict on some claims of an answer."""
    word = "rejected"
    if verdict is Verdict.SUPPORTED:
        word = "confirmed"
    claims = [answer.claims[number - 1] for number in numbers]
    who.says(answer, claims, verdict, reason)
    done = []
    for number, claim in zip(numbers, claims, strict=True):
        done.append(
            (
                word,
                f"{answer.key}: claim {number} {word} by {who.name}: {claim.claim.text}",
            )
        )
    return done


def _say_done(
    site: Site, keys: Sequence[str], done: Sequence[Done], words: str
) -> None:
    """What was decided, what still waits, and what comes next."""
    for _, line in done:
        say(line)
    _close(site, keys, Counter(word for word, _ in done), words=words)


def _picked(answer: Answer, numbers: str) -> list[int]:
    """`1,3-5` as numbers of the answer's claims.

    Raises:
        UsageError: it is no such list, or the answer has no such claim; lists those it has.
    """
    picked: set[int] = set()
    for part in numbers.split(","):
        match = re.fullmatch(r"\s*(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*", part)
        if not match:
            raise UsageError(
                f"`--claims {numbers}` is not a list of numbers",
                tip="write `--claims 1,3-5`",
            )
        first, last = int(match[1]), int(match[2] or match[1])
        picked.update(range(first, last + 1))
        if not 1 <= first <= last <= len(answer.claims):
            known = "\n".join(
                f"  {i}. {item.claim.text}" for i, item in enumerate(answer.claims, 1)
            )
            raise UsageError(
                f"{answer.key} has {len(answer.claims)} claims",
                tip=f"its claims are:\n{known}",
            )
    lacking = [
        number for number in sorted(picked) if not answer.claims[number - 1].evidence
    ]
    if lacking:
        message = f"claim {lacking[0]} of {answer.key} cites nothing, so it cannot be confirmed"
        raise UsageError(message, tip="cite a passage behind it")
    return sorted(picked)
