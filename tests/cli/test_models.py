"""`models list | get`, run as commands."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from mkdocs_cited.cli import main
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


def test_a_model_is_fetched_and_listed(tmp_path: Path) -> None:
    """From a hub that speaks as the real one does: each file as listed, and nothing else."""
    files = contents(tiny.encoder(tmp_path / "original"))
    (home := tmp_path / "models").mkdir()
    with hub("docs/tiny-encoder", REVISION, files) as endpoint:
        done = run_with_hub(home, "get", NAME, endpoint=endpoint)
    assert done.returncode == 0, done.stderr
    stored = contents(home / "tiny-encoder")
    assert f"tiny-encoder: {len(stored)} files, 0 MB, in {home / 'tiny-encoder'}" in done.stdout
    assert set(stored) < set(files)
    assert {name: files[name] for name in stored} == stored
    listed = run(home, "list").stdout
    assert "tiny-encoder\tyes\t" in listed
    assert "\nminilm\t\t" in listed
    (home / "tiny-encoder" / "tokenizer.json").unlink()
    assert "tiny-encoder: tokenizer.json missing" in run(home, "list").stdout


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
    """Without a traceback, and with both ways out: a mirror, or a folder."""
    done = run_with_hub(tmp_path, "get", "minilm")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "HF_ENDPOINT" in done.stderr
    assert "copy the model's folder" in done.stderr


@pytest.mark.parametrize("name", ["../outside", "nonsense", "docs/tiny-encoder@main", "minilmm"])
def test_a_name_that_names_nothing(tmp_path: Path, name: str) -> None:
    """A usage error that says what a name is; nothing is written outside the folder of models."""
    done = run(tmp_path / "models", "get", name)
    assert done.returncode == 2
    assert "minilm" in done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name != "models"] == []
