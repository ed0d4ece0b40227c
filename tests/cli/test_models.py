"""`models list | get | verify | remove | calibrate`, run as commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
from tests.docs.commands import command_objects
from tests.local_models import tiny
from tests.servers.hub import hub

REVISION = "0123456789abcdef0123456789abcdef01234567"
NAME = f"docs/tiny-encoder@{REVISION}"


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(home: Path, *args: str | Path) -> Done:
    """A `models` command with a folder of models of its own."""
    done = CliRunner(env={"MKDOCS_CITED_MODELS": str(home)}).invoke(main, ["models", *map(str, args)])
    return Done(done.exit_code, done.stdout, done.stderr)


def run_with_hub(home: Path, *args: str, endpoint: str = "http://127.0.0.1:9") -> Done:
    """The same in a process of its own: the hub's client reads its address when it is imported."""
    environment = {**os.environ, "MKDOCS_CITED_MODELS": str(home), "HF_ENDPOINT": endpoint, "HF_HOME": str(home / "hf")}
    environment |= {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DOWNLOAD_TIMEOUT": "5"}
    command = [sys.executable, "-c", "from mkdocs_cited.cli import main; main()", "models", *map(str, args)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def contents(folder: Path) -> dict[str, bytes]:
    """Path → bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_model_is_fetched_verified_and_removed(tmp_path: Path) -> None:
    """From a hub that speaks as the real one does: each file as listed, and a manifest that `verify` holds it to."""
    files = contents(tiny.encoder(tmp_path / "original"))
    home = tmp_path / "models"
    with hub("docs/tiny-encoder", REVISION, files) as endpoint:
        done = run_with_hub(home, "get", NAME, endpoint=endpoint)
    assert done.returncode == 0, done.stderr
    assert "encoder: tiny-encoder" in done.stderr
    kept = contents(home / "tiny-encoder")
    assert {name: kept[name] for name in files} == files
    assert kept.keys() - files.keys() == {"manifest.json"}
    assert run(home, "verify").stdout == "tiny-encoder: whole\n"
    listed = json.loads(run(home, "list", "--json").stdout)
    assert [row["kind"] for row in listed if row["here"]] == ["encoder"]
    assert {row["name"] for row in listed} > {"tiny-encoder", "minilm"}

    (home / "tiny-encoder" / "model.onnx").write_bytes(files["model.onnx"][:-1] + b"x")
    damaged = run(home, "verify", "tiny-encoder")
    assert damaged.returncode == 1
    assert "model.onnx: its content has changed" in damaged.stdout
    assert run(home, "remove", "tiny-encoder").returncode == 0
    assert not (home / "tiny-encoder").exists()


@pytest.mark.parametrize("name", ["config.json", "model.onnx"])
def test_a_mirror_with_other_bytes_is_refused(tmp_path: Path, name: str) -> None:
    """Small files are held to the hash of git, large ones to that of LFS; nothing is left of another model."""
    files = contents(tiny.encoder(tmp_path / "original"))
    with hub("docs/tiny-encoder", REVISION, files, {name: files[name].replace(b"5", b"6") + b" "}) as endpoint:
        done = run_with_hub(tmp_path / "models", "get", NAME, endpoint=endpoint)
    assert done.returncode == 3
    assert name in done.stderr
    assert not (tmp_path / "models" / "tiny-encoder").exists()


def test_without_a_network_it_says_what_to_do(tmp_path: Path) -> None:
    """At once, without a traceback, and with both ways out: a mirror, or a folder."""
    started = time.monotonic()
    done = run_with_hub(tmp_path, "get", "minilm")
    assert time.monotonic() - started < 15  # the hub's client would try for twenty seconds and more
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "HF_ENDPOINT" in done.stderr
    assert "--from FOLDER" in done.stderr


def test_a_folder_that_was_copied_by_hand(tmp_path: Path) -> None:
    """Only what belongs to the model is taken over."""
    original = tiny.encoder(tmp_path / "original")
    (original / "notes.txt").write_text("mine")
    done = run(tmp_path / "models", "get", "mine", "--from", original)
    assert done.returncode == 0, done.stderr
    assert "encoder: mine" in done.stderr
    kept = {"model.onnx", "config.json", "tokenizer.json", "manifest.json", "modules.json"}
    assert kept <= set(contents(tmp_path / "models" / "mine"))
    assert "notes.txt" not in contents(tmp_path / "models" / "mine")


@pytest.mark.parametrize("name", ["../outside", "nonsense", "docs/tiny-encoder@main", "minilmm"])
def test_a_name_that_names_nothing(tmp_path: Path, name: str) -> None:
    """A usage error that says what a name is; nothing is written outside the folder of models."""
    done = run(tmp_path / "models", "get", name)
    assert done.returncode == 2
    assert "minilm" in done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name != "models"] == []


def as_json(home: Path, *args: str | Path, code: int = 0) -> Any:
    """What a command prints with `--json`, held to the published schema."""
    done = run(home, *args, "--json")
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout)
    jsonschema.validate(found, {**command_objects(), "$ref": f"#/$defs/models%20{args[0]}"})
    return found


def test_the_way_of_a_model_as_json(tmp_path: Path) -> None:
    """Fetched, listed, measured, found damaged and removed: each as its schema says, and nothing else is printed."""
    home = tmp_path / "models"
    got = as_json(home, "get", "mine", "--from", tiny.encoder(tmp_path / "original"))
    assert (got["name"], got["kind"], got["folder"]) == ("mine", "encoder", str(home / "mine"))
    assert set(got["files"]) >= {"config.json", "model.onnx", "modules.json", "tokenizer.json"}
    assert got["bytes"] == sum(
        len(content) for name, content in contents(home / "mine").items() if name in got["files"]
    )
    assert next(row for row in as_json(home, "list") if row["here"])["name"] == "mine"
    assert as_json(home, "verify") == [{"name": "mine", "whole": True, "faults": []}]
    (home / "mine" / "config.json").unlink()
    assert as_json(home, "verify", code=1) == [{"name": "mine", "whole": False, "faults": ["config.json: missing"]}]
    assert as_json(home, "remove", "mine") == [{"name": "mine", "folder": str(home / "mine")}]
