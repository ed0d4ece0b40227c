"""The commands with which people decide: `review`, `accept`, `reject`. What waits is found in `waiting`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.cli.group import config_option, main, site_option
from mkdocs_cited.cli.naming import chosen, names_argument, person
from mkdocs_cited.cli.output import console, say, summary
from mkdocs_cited.cli.sites import checked, opened
from mkdocs_cited.model.answer import Answer, ReviewedClaim, Verdict
from mkdocs_cited.model.declaration import AUTHORED

if TYPE_CHECKING:
    from mkdocs_cited.cli.waiting import Person
    from mkdocs_cited.mkdocs_host.site import Site

by_option = click.option("--by", help="Your name; git's `user.name` by default, else your login.")
claims_option = click.option(
    "--claims", metavar="NUMBERS", help="Only these claims of one answer: `1,3-5`, as `check` and `review` number them."
)
reason_option = click.option("--reason", default="", help="Why, for those who read the record later.")


@main.command()
@names_argument()
@config_option
@site_option
@by_option
def review(names: tuple[str, ...], config_file: Path | None, folder: Path | None, by: str | None) -> None:
    """Decide everything that waits, a key each: proposals, and claims that no reader could tell.

    NAMES are pages, keys, ids or globs; all answers by default. Each decision is stored at once: quit when you like,
    and go on from there another time. Without a terminal, the first letter of each line of standard input is a key.
    """
    from mkdocs_cited.cli.keys import Keys
    from mkdocs_cited.cli.sitting import End, Sitting
    from mkdocs_cited.cli.waiting import Person, all_that_waits

    site = opened(config_file, folder=folder)
    keys = chosen(site, names)
    sitting = Sitting(Person(site, by or person(site.root)), console(), Keys())
    while True:
        items = [item for item in all_that_waits(site, checked(site), keys) if item.name not in sitting.seen]
        if not items or sitting.walk(items) is not End.EDITED:
            break
        site = opened(config_file, folder=folder)
        sitting.person = Person(site, sitting.person.name)
    _close(opened(config_file, folder=folder) if sitting.tally["edited"] else site, keys, sitting.tally)


def _close(site: Site, keys: Sequence[str], done: Counter[str], *, words: str = "mkdocs-cited review") -> None:
    """Say what was done, what still waits, and what comes next."""
    from mkdocs_cited.cli.waiting import all_that_waits

    left = len(all_that_waits(site, checked(site), keys))
    counts = [(f"{what} {{}}", done[what]) for what in ("accepted", "confirmed", "rejected", "edited", "skipped")]
    following = words if left else f"commit {site.settings.records_dir}/" if done else ""
    say(summary(*counts, ("{} still wait{verb}", left)) or "nothing waits", following=following)


@main.command()
@names_argument(required=True)
@config_option
@site_option
@claims_option
@click.option("--all", "everything", is_flag=True, help="Confirm every claim that waits, too.")
@by_option
@reason_option
def accept(
    names: tuple[str, ...],
    config_file: Path | None,
    folder: Path | None,
    claims: str | None,
    everything: bool,
    by: str | None,
    reason: str,
) -> None:
    """Accept waiting proposals, approve texts that stand, or confirm claims that no reader could tell.

    NAMES are pages, keys, ids or globs. Of an authored answer, whose text needs nobody's approval, every claim that
    waits is confirmed.
    """
    from mkdocs_cited.cli.waiting import Person, WaitingClaim, all_that_waits, proposal_of
    from mkdocs_cited.records import Record

    site = opened(config_file, folder=folder)
    keys, who = chosen(site, names), Person(site, by or person(site.root))
    if claims is not None:
        _decide(who, keys, claims, Verdict.SUPPORTED, reason)
        return
    authored = {answer.key for answer in checked(site).answers if answer.provider == AUTHORED}
    done: Counter[str] = Counter()
    for key in keys:
        nothing = len(keys) > 1 and not (proposal_of(site, key) or isinstance(site.store.read(key), Record))
        if nothing or (proposal_of(site, key) is None if everything else key in authored):
            continue
        who.accepts(key)
        say(f"{key}: accepted by {who.name}")
        done["accepted"] += 1
    for item in all_that_waits(site, checked(site), keys):
        if isinstance(item, WaitingClaim) and (everything or item.key in authored):
            who.says(item.answer, item.claim, Verdict.SUPPORTED, reason)
            _tell(item.answer, item.detail.number, item.claim, "confirmed", who.name)
            done["confirmed"] += 1
    _close(site, keys, done, words=f"mkdocs-cited accept {' '.join(names)} --all")


@main.command()
@names_argument(required=True)
@config_option
@site_option
@claims_option
@by_option
@reason_option
def reject(
    names: tuple[str, ...],
    config_file: Path | None,
    folder: Path | None,
    claims: str | None,
    by: str | None,
    reason: str,
) -> None:
    """Throw waiting proposals away, or say that claims are not supported.

    A text that was thrown away is not proposed again.
    """
    from mkdocs_cited.cli.waiting import Person
    from mkdocs_cited.records import Record

    site = opened(config_file, folder=folder)
    keys = chosen(site, names)
    if claims is not None:
        _decide(Person(site, by or person(site.root)), keys, claims, Verdict.UNSUPPORTED, reason)
        return
    for key in keys:
        waits = isinstance(site.store.proposal(key), Record)
        site.store.reject(key)
        say(f"{key}: {'rejected' if waits else 'no proposal waits'}")


def _decide(who: Person, keys: Sequence[str], numbers: str, verdict: Verdict, reason: str) -> None:
    """Store a verdict on some claims of one answer."""
    from mkdocs_cited.cli.waiting import decidable

    if len(keys) != 1:
        raise UsageError("`--claims` numbers the claims of one answer", tip="name one answer by its key")
    answer = next(answer for answer in checked(who.site).answers if answer.key == keys[0])
    if not decidable(who.site, answer):
        raise UsageError(
            f"{answer.key} is only proposed yet", tip=f"run `mkdocs-cited accept {answer.key}` first, then its claims"
        )
    picked, word = _picked(answer, numbers), "confirmed" if verdict is Verdict.SUPPORTED else "rejected"
    for number in picked:
        claim = answer.claims[number - 1]
        who.says(answer, claim, verdict, reason)
        _tell(answer, number, claim, word, who.name)
    _close(who.site, keys, Counter({word: len(picked)}), words=f"mkdocs-cited review {answer.key}")


def _tell(answer: Answer, number: int, claim: ReviewedClaim, done: str, by: str) -> None:
    from mkdocs_cited.cli.waiting import proofs

    say(f"{answer.key}: claim {number} {done} by {by}: {claim.claim.text}")
    for finding in proofs(answer, claim) if done == "confirmed" else ():
        say(f"  the build still fails: {finding.slug} is a proof, which no word outranks: {finding.message}")


def _picked(answer: Answer, numbers: str) -> list[int]:
    """`1,3-5` as numbers of the answer's claims.

    Raises:
        UsageError: it is no such list, or the answer has no such claim; lists those it has.
    """
    picked: set[int] = set()
    for part in numbers.split(","):
        match = re.fullmatch(r"\s*(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?\s*", part)
        if not match:
            raise UsageError(f"`--claims {numbers}` is not a list of numbers", tip="write `--claims 1,3-5`")
        first, last = int(match[1]), int(match[2] or match[1])
        picked.update(range(first, last + 1))
        if not 1 <= first <= last <= len(answer.claims):
            known = "\n".join(f"  {i}. {item.claim.text}" for i, item in enumerate(answer.claims, 1))
            raise UsageError(f"{answer.key} has {len(answer.claims)} claims", tip=f"name some of them:\n{known}")
    cited = [number for number in sorted(picked) if answer.claims[number - 1].evidence]
    if len(cited) < len(picked):
        lacking = min(picked - set(cited))
        raise UsageError(
            f"claim {lacking} of {answer.key} cites nothing, so there is nothing to hold it against",
            tip="cite a passage behind it",
        )
    return cited
