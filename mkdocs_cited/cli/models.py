"""`models`: the optional models on this machine. `get` is the one command that fetches something."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.cli.completion import model_names
from mkdocs_cited.cli.group import FOUND, config_option, json_option, main
from mkdocs_cited.cli.objects import Fetched, Removed, Whole
from mkdocs_cited.cli.output import echo, emit_json, progress, table
from mkdocs_cited.local_models import store
from mkdocs_cited.local_models.calibration import Calibration, calibrated, read_calibration, write_calibration
from mkdocs_cited.local_models.layout import read_layout
from mkdocs_cited.local_models.recommended import recommended
from mkdocs_cited.model.answer import PERSON, Verdict

if TYPE_CHECKING:
    from mkdocs_cited.mkdocs_host.site import Site
    from mkdocs_cited.review.interface import Case


@main.group()
def models() -> None:
    """Optional models that run on this machine (`pip install "mkdocs-cited[local]"`)."""


@models.command("list")
@json_option
def list_(as_json: bool) -> None:
    """Show the models that are here and those that are recommended."""
    rows = list(_known())
    if as_json:
        emit_json(rows)
        return
    table(
        ("name", "kind", "here", "MB", "licence", "languages", "decides"),
        [
            (row["name"], row["kind"], "yes" if row["here"] else "", str(row["megabytes"] or ""), row["licence"],
             row["languages"], _powers(row["calibration"]) if row["kind"] == "classifier" else "")
            for row in rows
        ],
    )  # fmt: skip
    echo(f"\nThey are kept in {store.home()}. `mkdocs-cited models get NAME` fetches one.")


def _known() -> Iterator[dict[str, Any]]:
    """Every model, those on this machine first."""
    here = dict(store.installed())
    for name in (*here, *(name for name in recommended() if name not in here)):
        entry, folder = recommended().get(name), here.get(name)
        calibration: Calibration | None = None
        kind: str = entry.kind if entry else ""
        if folder:
            try:
                kind, calibration = read_layout(folder).kind, read_calibration(folder)
            except CitedError as error:
                kind = f"damaged: {error.message}"
        yield {
            "name": name, "kind": kind, "here": folder is not None, "folder": str(folder or ""),
            "megabytes": entry.megabytes if entry else 0, "licence": entry.licence if entry else "",
            "languages": entry.languages if entry else "", "repository": entry.repository if entry else "",
            "revision": entry.revision if entry else "", "published": entry.published if entry else "",
            "measured": entry.measured if entry else "", "calibration": asdict(calibration) if calibration else None,
        }  # fmt: skip


def _powers(calibration: dict[str, Any] | None) -> str:
    if calibration is None:
        return "nothing: not calibrated"
    said = [f"confirms from {calibration['confirms']}"] if calibration["confirms"] is not None else []
    said += [f"fails up to {calibration['fails']}"] if calibration["fails"] is not None else []
    return ", ".join(said) or "nothing: it only hints"


@models.command()
@click.argument("name", shell_complete=model_names)
@click.option(
    "--from", "source", type=click.Path(file_okay=False, exists=True, path_type=Path), metavar="FOLDER",
    help="Copy it from a folder in place of the model hub.",
)  # fmt: skip
@json_option
def get(name: str, source: Path | None, as_json: bool) -> None:
    """Fetch a model: a recommended one by NAME, or ORGANISATION/NAME@REVISION of the hub.

    Every file is held to the hash that the hub lists for that revision, and the recommended models' networks to the
    hash that this project pins. HF_ENDPOINT names a mirror.
    """
    from mkdocs_cited.local_models import fetch

    manifest = fetch.fetch(name, lambda line: echo(line, err=True), source=source)
    folder, size = store.home() / manifest.name, sum(size for _, _, size in manifest.files)
    kind = read_layout(folder).kind
    if as_json:
        files = [path for path, _, _ in manifest.files]
        emit_json(
            Fetched(
                name=manifest.name, kind=kind, folder=str(folder), repository=manifest.repository,
                revision=manifest.revision, files=files, bytes=size,
            )
        )  # fmt: skip
        return
    echo(f"{manifest.name}: {len(manifest.files)} files, {size / 1e6:.0f} MB, in {folder}")
    option = "encoder" if kind == "encoder" else "entailment"
    echo(f"  → write `local: {{{option}: {manifest.name}}}` into the options", err=True)
    if kind == "classifier":
        echo(f"  → `mkdocs-cited models calibrate {manifest.name}` measures what it may decide", err=True)


@models.command()
@click.argument("names", nargs=-1, shell_complete=model_names)
@json_option
def verify(names: tuple[str, ...], as_json: bool) -> None:
    """Hold the files of models to the hashes that they came with; of all models by default."""
    found = [(name, store.faults(store.find(name))) for name in names or [name for name, _ in store.installed()]]
    if as_json:
        emit_json([Whole(name=name, whole=not faults, faults=list(faults)) for name, faults in found])
    else:
        for name, faults in found:
            echo(f"{name}: {'; '.join(faults) if faults else 'whole'}")
    if any(faults for _, faults in found):
        echo("  → remove what is damaged, and fetch it again", err=True)
        sys.exit(FOUND)


@models.command()
@click.argument("names", nargs=-1, required=True, shell_complete=model_names)
@json_option
def remove(names: tuple[str, ...], as_json: bool) -> None:
    """Delete models from this machine."""
    removed: list[Removed] = []
    for name in names:
        removed.append(Removed(name=name, folder=str(store.remove(name))))
        if not as_json:
            echo(f"removed {removed[-1]['folder']}")
    if as_json:
        emit_json(removed)


@models.command()
@click.argument("name", shell_complete=model_names)
@click.option(
    "--claims", "files", type=click.Path(dir_okay=False, exists=True, path_type=Path), multiple=True,
    metavar="FILE", help="Labelled claims, a JSON object a line: id, claim, evidence, label (1 = supported).",
)  # fmt: skip
@click.option("--decided", is_flag=True, help="The claims that people have decided in the records of this site.")
@config_option
@json_option
def calibrate(name: str, files: tuple[Path, ...], decided: bool, config_file: Path | None, as_json: bool) -> None:
    """Measure a model on labelled claims, and store with it what it may decide.

    Without --claims and --decided, on the open set of claims about software documentation that comes with this package.

    It may confirm from the score on above which at most 5% of the wrong claims lie, and fail up to the score below
    which at most 2% of the right ones lie. A cut that would decide next to nothing is not made. Verdicts that records
    hold stay as they are: `mkdocs-cited update --all` gives them anew.
    """
    from mkdocs_cited.evaluation.labelled import open_claims, read_rows, roc_auc
    from mkdocs_cited.local_models.classifier import Classifier
    from mkdocs_cited.mkdocs_host.site import load
    from mkdocs_cited.review.entailment import pair_of, pair_of_texts

    folder = store.find(name)
    model = Classifier(read_layout(folder), store.identity(folder), store.cache())
    rows = [row for file in files for row in read_rows(file)] if files or decided else list(open_claims())
    found = [(pair_of_texts(row.claim, row.evidence, model), row.label) for row in rows if row.label is not None]
    if decided:
        found += [(pair_of(case, model), right) for case, right in _decided(load(config_file))]
    read = [(pair, label) for pair, label in found if pair]
    if not read:
        raise UsageError("no row has a label", tip='a row is {"claim": …, "evidence": …, "label": 0 or 1}')
    with progress() as bar:
        scores = model.scores([pair for pair, _ in read], bar.claims)
    labels = [label for _, label in read]
    calibration = calibrated(labels, scores, roc_auc(labels, scores))
    write_calibration(folder, calibration)
    if as_json:
        emit_json(asdict(calibration))
        return
    for line in _said(name, calibration):
        echo(line)


def _decided(site: Site) -> Iterator[tuple[Case, bool]]:
    """The claims of a site that a person has decided, with what they cite, and whether they hold."""
    from mkdocs_cited.review.interface import Case

    for answer in site.check().answers:
        for item in answer.claims:
            if item.judgement.reviewer.startswith(f"{PERSON}:"):
                locale = item.evidence[0].passage.page.locale if item.evidence else "en"
                yield Case(item.claim, item.evidence, locale=locale), item.judgement.verdict is Verdict.SUPPORTED


def _said(name: str, found: Calibration) -> Iterator[str]:
    yield f"{name} on {found.right} right and {found.wrong} wrong claims: AUC {found.auc:.3f}"
    if found.confirms is not None:
        yield f"confirms from {found.confirms:.4f}: {found.confirmed:.0%} of the right claims, at most 5% of the wrong"
    else:
        yield "confirms nothing: no cut keeps wrong claims out and lets right ones through"
    if found.fails is not None:
        yield f"fails up to {found.fails:.4f}: {found.failed:.0%} of the wrong claims, at most 2% of the right ones"
    else:
        yield "fails nothing: no cut catches wrong claims and spares right ones"
