"""A site that names local models: `update` finds by meaning; what is committed needs none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mkdocs_cited.search.meaning import FOLDER
from tests import forks
from tests.projects import Project
from tests.search import tiny

MISSING = ("fastembed", "numpy")
OPTIONS = {"local": {"encoder": tiny.NAME, "folder": "tiny"}}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A question that shares no content word with the page that answers it."""
    project = Project(tmp_path / "site", monkeypatch)
    tiny.encoder(project.root / "tiny")
    project.configure({**OPTIONS, "update": "stale"})
    project.page("logs.md", "# Logs\n\nLogs can be on for seven days.\n")
    project.page("keys.md", "# Keys\n\nEach token is thirty files.\n")
    project.page("faq.md", "---\nanswers:\n  - id: days\n    question: How long can it be on for?\n---\n# FAQ\n")
    return project


@pytest.mark.parametrize("words", [(forks.MKDOCS, "build", "--strict"), (forks.CITED, "check")])
def test_what_is_committed_is_checked_without_a_model(site: Project, words: tuple[str, ...]) -> None:
    """With the runtime blocked, build and check pass, by default options and with CI's."""
    taken = site.cited("answer", "days", "--take", "logs.md", "--by", "Ann")
    assert taken.code == 0, taken.output
    for update in ("stale", "never"):
        site.configure({**OPTIONS, "update": update})
        run = forks.run(words[0], words[1:], site.root, missing=MISSING)
        assert run.returncode == 0, run.stdout + run.stderr


def test_without_the_extra_what_needs_it_says_what_to_install(site: Project) -> None:
    """Not a traceback, and nothing is written by other means."""
    run = forks.run(forks.CITED, ["update"], site.root, missing=MISSING)
    assert run.returncode == 2
    assert 'pip install "mkdocs-cited[local]"' in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


FORGERIES: tuple[Callable[[bytes, Random], bytes], ...] = (
    lambda data, dice: b"",
    lambda data, dice: data[: dice.randrange(len(data))],
    lambda data, dice: dice.randbytes(len(data)),
    lambda data, dice: data[:4096] + dice.randbytes(len(data) - 4096),  # the numbers of a sound database
)


@pytest.mark.parametrize("forged", FORGERIES)
def test_forged_vectors_decide_nothing(site: Project, forged: Callable[[bytes, Random], bytes]) -> None:
    """Whatever the stored vectors say: a check goes by the texts, and finds what it finds without them."""
    site.cited("update")
    stored = site.root / FOLDER / "vectors.sqlite3"
    wanted = site.cited("check", "--json").output
    assert '"findings"' in wanted
    stored.write_bytes(forged(stored.read_bytes(), Random(7)))
    assert site.cited("check", "--json").output == wanted


def test_an_encoder_that_fastembed_does_not_have_is_met_with_a_close_one(site: Project) -> None:
    site.configure({"local": {"encoder": "sentence-transformers/all-minilm-l6"}, "update": "stale"})
    assert f"did you mean `{tiny.NAME}`?" in site.cited("update").output


def test_an_encoder_that_cannot_be_downloaded_is_told(site: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKDOCS_CITED_OFFLINE", "1")
    site.configure({"local": {"encoder": tiny.NAME}, "update": "stale"})
    run = site.cited("update")
    assert (run.code, "`local.folder`" in run.output) == (2, True)
