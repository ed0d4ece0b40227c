"""A site that names local models: `update` finds by meaning; what is committed needs none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from mkdocs_cited.search.encoder import VECTORS
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


def test_update_finds_by_meaning_and_records_who_helped(site: Project) -> None:
    """The record names the encoder."""
    site.cited("update")
    assert "encoder: all-MiniLM-L6-v2" in (site.root / "answers/faq/days.md").read_text()


def test_a_gap_is_recorded_so_that_no_build_searches_for_it_again(site: Project) -> None:
    """By words it would be searched for in vain, or answered otherwise, wherever there is no model."""
    site.page("faq.md", "---\nanswers:\n  - id: gap\n    question: Which planets have rings?\n---\n# FAQ\n")
    site.cited("update")
    text = (site.root / "answers/faq/gap.md").read_text()
    assert "abstained: true" in text
    assert "encoder: all-MiniLM-L6-v2" in text


@pytest.mark.parametrize("words", [(forks.MKDOCS, "build", "--strict"), (forks.CITED, "check")])
def test_what_is_committed_is_checked_without_a_model(site: Project, words: tuple[str, ...]) -> None:
    """With the runtime blocked, build and check pass, by default options and with CI's; found and read by models."""
    site.cited("update")
    text = (site.root / "answers/faq/days.md").read_text()
    assert "encoder: all-MiniLM-L6-v2" in text
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


def test_status_tells_what_was_written_without_the_encoder(site: Project) -> None:
    """Turning one on makes nothing stale, and `update` with the answer's name renews it."""
    site.page("keys.md", "# Keys\n\nA token is a key for one day.\n")
    site.page("faq.md", "---\nanswers:\n  - id: token\n    question: What is a token?\n---\n# FAQ\n")
    site.configure({"update": "stale"})
    site.cited("update")
    assert "encoder" not in (site.root / "answers/faq/token.md").read_text()
    site.configure({**OPTIONS, "update": "stale"})
    told = site.cited("status").output
    assert (
        "1 answer: the encoder was `none` and is `all-MiniLM-L6-v2` now\n  → mkdocs-cited update faq.md#token" in told
    )
    site.cited("update", "faq.md#token")
    assert "encoder: all-MiniLM-L6-v2" in (site.root / "answers/faq/token.md").read_text()
    assert "the encoder was" not in site.cited("status").output


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
    stored = site.root / VECTORS
    wanted = site.cited("check", "--json").output
    assert '"findings"' in wanted
    stored.write_bytes(forged(stored.read_bytes(), Random(7)))
    assert site.cited("check", "--json").output == wanted


def test_the_command_fetches_what_the_options_name(site: Project) -> None:
    """A folder is checked; a name that fastembed does not have is met with a close one."""
    assert f"{tiny.NAME} is here" in site.cited("encoder").output
    site.configure({"local": {"encoder": "sentence-transformers/all-minilm-l6"}})
    assert f"did you mean `{tiny.NAME}`?" in site.cited("encoder").output
    site.configure({})
    assert site.cited("encoder").code == 2


def test_an_encoder_that_is_not_here_is_named_with_the_command_that_fetches_it(site: Project) -> None:
    """No other command fetches it."""
    site.configure({"local": {"encoder": tiny.NAME}, "update": "stale"})
    run = site.cited("update")
    assert (run.code, "`mkdocs-cited encoder` fetches it" in run.output) == (2, True)
