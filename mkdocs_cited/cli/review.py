"""The commands with which people decide: `review`, `accept`, `reject`. What waits is found in `status`."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import UsageError, command
from mkdocs_cited.cli.group import FOUND, Where, checked, chosen, main, site_options
from mkdocs_cited.cli.output import say
from mkdocs_cited.cli.person import Person
from mkdocs_cited.cli.session import Session
from mkdocs_cited.cli.status import (
    WaitingClaim,
    all_that_waits,
    decidable,
    say_end,
)
from mkdocs_cited.model.answer import Answer, Status, Verdict
from mkdocs_cited.model.declaration import AUTHORED
from mkdocs_cited.records import Broken

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


COUNTED = (
    "accepted",
    "answered",
    "confirmed",
    "rejected",
    "not documented",
    "edited",
    "skipped",
)
"""What a session may have done, in the order in which it is told."""
_REFUSED = "refused"
"""Of claims that are confirmed only one by one, and for a reason."""


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
    session = Session(Person.of(site, by))
    while True:
        items = all_that_waits(site, checked(site), keys)
        if not session.walk([item for item in items if item.name not in session.done]):
            break
        site = where()
        session.person = Person(site, session.person.name)
    done = Counter(session.done.values())
    done["edited"] += session.edited
    _end(where() if done["edited"] else site, keys, done)


@main.command()
@click.argument("names", nargs=-1, required=True)
@site_options
@claims_option
@by_option
@reason_option
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Accept all proposals of NAMES, and confirm all their claims that wait.",
)
def accept(
    names: tuple[str, ...],
    where: Where,
    claims: str | None,
    everything: bool,
    by: str | None,
    reason: str,
) -> None:
    """Accept a proposal, approve a text, or confirm claims.

    NAMES are pages, keys, ids or globs. In an answer that you wrote yourself, all claims that wait are confirmed. To
    confirm a claim that the build or a model found wrong, name it with `--claims` and give a `--reason`.
    """
    site = where()
    keys = chosen(site, names)
    who = Person.of(site, by)
    if claims is not None:
        done = _decided(who, keys, claims, Verdict.SUPPORTED, reason)
    else:
        done = Counter(accepted=_accepted_texts(who, keys, everything))
        done += _confirmed(who, keys, everything, reason)
    _finish(site, keys, done)


def _accepted_texts(who: Person, keys: Sequence[str], everything: bool) -> int:
    """Accept proposals and take quotations; approve recorded texts, unless everything that waits is to be accepted.
    Return how many."""
    site = who.site
    count = 0
    answers = checked(site).by_key
    for key in keys:
        answer = answers[key]
        record = site.store.read(key)
        if answer.status is Status.QUOTED:
            passages = [source.passage for source in answer.sources]
            who.takes(site.declaration(key), passages)
            say(f"{key}: the quotation is taken by {who.name}")
            count += 1
            continue
        if site.store.proposal(key) is None and not isinstance(record, Broken):
            if everything or answer.provider == AUTHORED:
                continue
            if answer.status is Status.STALE or record is None:
                following = command("update" if answer.model else "review", key)
                what = "without a text" if record is None else "out of date"
                say(f"{key}: {what}, and no proposal waits", following=following)
                continue
        who.accepts(key)
        say(f"{key}: accepted by {who.name}")
        count += 1
    return count


def _confirmed(
    who: Person, keys: Sequence[str], everything: bool, reason: str
) -> Counter[str]:
    """Confirm what waits in authored answers, or in all of them, but claims that were found wrong; all of an answer at
    once, as its record is written once. Return how many were confirmed and how many refused."""
    done = Counter[str]()
    confirmed = defaultdict(list)
    for item in all_that_waits(who.site, checked(who.site), keys):
        if not isinstance(item, WaitingClaim):
            continue
        if not everything and item.answer.provider != AUTHORED:
            continue
        number = item.detail.number
        if item.claim.objection:
            following = command(
                "accept", item.key, "--claims", str(number), "--reason", "…"
            )
            told = f"{item.key}: claim {number} was found wrong, and is not confirmed"
            say(told, following=following)
            done[_REFUSED] += 1
        else:
            confirmed[item.key].append(item)
    for items in confirmed.values():
        numbers = [item.detail.number for item in items]
        done += _decide(who, items[0].answer, numbers, Verdict.SUPPORTED, reason)
    return done


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
    """Delete a proposal, or decide that claims are not supported."""
    site = where()
    keys = chosen(site, names)
    who = Person.of(site, by)
    if claims is not None:
        done = _decided(who, keys, claims, Verdict.UNSUPPORTED, reason)
    else:
        done = Counter()
        for key in keys:
            if site.store.proposal(key):
                site.store.reject(key)
                say(f"{key}: rejected by {who.name}")
                done["rejected"] += 1
            else:
                say(f"{key}: no proposal waits")
    _finish(site, keys, done)


def _decided(
    who: Person, keys: Sequence[str], numbers: str, verdict: Verdict, reason: str
) -> Counter[str]:
    """Store a verdict on some claims of one answer; return how many were confirmed or rejected."""
    if len(keys) != 1:
        tip = "name one answer by its key"
        raise UsageError("`--claims` numbers the claims of one answer", tip=tip)
    key = keys[0]
    answer = checked(who.site).by_key[key]
    if not decidable(who.site, answer):
        tip = f"run `{command('accept', key)}` first, then its claims"
        raise UsageError(f"{key} is only proposed yet", tip=tip)
    picked = _picked(answer, numbers)
    for number in picked:
        claim = answer.claims[number - 1]
        if not claim.evidence:
            message = (
                f"claim {number} of {key} cites nothing, so it cannot be confirmed"
            )
            raise UsageError(message, tip="cite a passage behind it")
        if claim.objection and verdict is Verdict.SUPPORTED and not reason:
            message = (
                f"claim {number} of {key} was found wrong: {claim.objection.reason}"
            )
            tip = "say why it is right all the same: `--reason '…'`"
            raise UsageError(message, tip=tip)
    return _decide(who, answer, picked, verdict, reason)


def _decide(
    who: Person, answer: Answer, numbers: Sequence[int], verdict: Verdict, reason: str
) -> Counter[str]:
    """Store a verdict on some claims of an answer; return how many were confirmed or rejected."""
    word = "rejected"
    if verdict is Verdict.SUPPORTED:
        word = "confirmed"
    claims = [answer.claims[number - 1] for number in numbers]
    who.says(answer, claims, verdict, reason)
    for number, claim in zip(numbers, claims, strict=True):
        say(f"{answer.key}: claim {number} {word} by {who.name}: {claim.claim.text}")
    return Counter({word: len(claims)})


def _picked(answer: Answer, numbers: str) -> list[int]:
    """`1,3-5` as numbers of the answer's claims.

    Raises:
        UsageError: it is no such list, or the answer has no such claim; lists those it has.
    """
    picked: set[int] = set()
    for part in numbers.replace("–", "-").split(","):
        first, _, last = part.partition("-")
        try:
            end = min(int(last or first), int(first) + len(answer.claims))
            picked.update(range(int(first), end + 1))
        except ValueError:
            raise UsageError(
                f"`--claims {numbers}` is not a list of numbers",
                tip="write `--claims 1,3-5`",
            ) from None
    known = range(1, len(answer.claims) + 1)
    if not picked or not picked.issubset(known):
        tip = "its claims are:"
        for number in known:
            tip += f"\n  {number}. {answer.claims[number - 1].claim.text}"
        raise UsageError(f"{answer.key} has no such claim", tip=tip)
    return sorted(picked)


def _finish(site: Site, keys: Sequence[str], done: Counter[str]) -> None:
    """End a command that decides: it fails if it has decided nothing of what waits, or left what was found wrong."""
    left = _end(site, keys, done)
    if done[_REFUSED] or (left and not done.total()):
        sys.exit(FOUND)


def _end(site: Site, keys: Sequence[str], done: Counter[str]) -> int:
    """Say what was done to these answers, a count for each of `COUNTED`, and what is left; return how much that is."""
    counts = [(f"{what} {{}}", done[what]) for what in COUNTED]
    has_written = done.total() > done["skipped"] + done[_REFUSED]
    return say_end(site, checked(site), keys, counts, has_written=has_written)
