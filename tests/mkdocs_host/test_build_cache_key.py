"""A warm build is a cold one that takes no time: whatever can change its outcome makes it cold."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mkdocs_cited.mkdocs_host.installed import contents, packages, software
from tests.installed import install, install_ours
from tests.projects import INSTALL, Project

REVIEWER = """
from mkdocs_cited.model.answer import Judgement, Verdict
from mkdocs_cited.review.interface import Review, Reviewer


class Other(Reviewer):
    id = "other"
    version = "{version}"

    def review(self, cases, corpus):
        return Review(tuple(Judgement(Verdict.{verdict}, reason="so it says") for _ in cases))
"""
PROVIDER = """
from mkdocs_cited.model.answer import Abstention
from mkdocs_cited.providers.interface import Provider


class Silent(Provider):
    id = "silent"

    def write(self, request):
        return Abstention("it says nothing", ())
"""
WARM = "nothing has changed since the last build"


class Site:
    """A project whose reviewer and provider another package brings."""

    def __init__(self, project: Project, packages: Path) -> None:
        self.project = project
        self.packages = packages
        self.options = {"reviewer": "other", "extra_sources": [{"glob": "NOTES.md", "type": "note"}]}
        project.configure(self.options, hooks=["hook.py"], theme={"name": "mkdocs", "custom_dir": "overrides"})
        project.write("hook.py", "def on_env(env, config, files): ...\n")
        project.write("NOTES.md", "# Notes\n\nNobody knows.\n")
        project.write("overrides/cited/unused.html", "<p>")
        project.page("faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n---\n# FAQ\n")
        self.code(REVIEWER.format(verdict="SUPPORTED", version=1), PROVIDER)
        install_ours(packages)
        groups = {"reviewers": {"other": "other_reviewer:Other"}, "providers": {"silent": "silent_provider:Silent"}}
        install(packages, "other", {f"mkdocs_cited.{name}": points for name, points in groups.items()})

    def code(self, reviewer: str = "", provider: str = "") -> None:
        for name, text in (("other_reviewer.py", reviewer), ("silent_provider.py", provider)):
            if text:
                (self.packages / name).write_text(text, encoding="utf-8")

    def process(self, *options: str) -> subprocess.CompletedProcess[str]:
        """A build by a Python that has imported nothing yet."""
        path = os.pathsep.join([str(self.packages), str(Path(__file__).parents[2])])
        command = [sys.executable, "-B", "-m", "mkdocs", "build", *options]
        environ = {**os.environ, "PYTHONPATH": path, "COLUMNS": "200"}
        return subprocess.run(command, cwd=self.project.root, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture
def site(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    (tmp_path / "packages").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "packages")
    return Site(project, tmp_path / "packages")


def test_an_upgraded_reviewer_is_asked_again(site: Site) -> None:
    """What it let through it may refuse now: a warm build fails where a cold one does."""
    assert site.process("--strict").returncode == 0
    site.code(reviewer=REVIEWER.format(verdict="CONTRADICTED", version=2))
    result = site.process("--strict")
    assert result.returncode == 1, result.stderr
    assert "so it says" in result.stderr


def _upgraded(site: Site) -> None:
    for info in site.packages.glob("other-*"):
        info.rename(site.packages / "other-2.dist-info")


CHANGES: dict[str, Callable[[Site], object]] = {
    "a page": lambda site: site.project.page("guide/install.md", INSTALL + "\nIt is free.\n"),
    "a declaration": lambda site: site.project.page(
        "faq.md", "---\nanswers:\n  - question: How do I rotate an API key?\n    queries: [keys]\n---\n# FAQ\n"
    ),
    "an option": lambda site: site.project.configure({**site.options, "max_sources": 3}, **_kept(site)),
    "the site's name": lambda site: site.project.configure(site.options, **_kept(site), site_name="Other"),
    "a note": lambda site: site.project.write("NOTES.md", "# Notes\n\nSomebody knows.\n"),
    "a hook": lambda site: site.project.write("hook.py", "def on_env(env, config, files): return env\n"),
    "an overridden template": lambda site: site.project.write("overrides/cited/unused.html", "<b>"),
    "a template beside it": lambda site: site.project.write("overrides/partials/x.html", "<b>"),
    "a record": lambda site: site.project.write("answers/gone.md/how.md", "---\nversion: 1\nquestion: How?\n---\n"),
    "the code of a reviewer": lambda site: site.code(
        reviewer=REVIEWER.format(verdict="SUPPORTED", version=1) + "# x\n"
    ),
    "the code of a provider": lambda site: site.code(provider=PROVIDER + "# x\n"),
    "the version of a package": _upgraded,
    "one more package": lambda site: install(site.packages, "another", {}),
    "one more reviewer": lambda site: install(
        site.packages, "third", {"mkdocs_cited.reviewers": {"third": "other_reviewer:Other"}}
    ),
}


def _kept(site: Site) -> dict[str, object]:
    return {key: site.project.config[key] for key in ("hooks", "theme")}


def test_every_change_is_seen(site: Site) -> None:
    """One after the other: the build behind each is cold, and the one behind that is warm again."""
    warm, cold = [], []
    site.project.build()
    for name, change in CHANGES.items():
        if WARM not in site.project.build("-v").output:
            cold.append(name)
        change(site)
        software.cache_clear()  # as in a process of its own
        if WARM in site.project.build("-v").output:
            warm.append(name)
    assert (warm, cold) == ([], [])


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Code, word data, weights: that is how our own package is looked at, whatever its version."""
    (tmp_path / "package" / "data").mkdir(parents=True)
    for name in ("words.py", "data/weights.json"):
        (tmp_path / "package" / name).write_text("1", encoding="utf-8")
    return tmp_path / "package"


def lies_for_a_while(folder: Path) -> None:
    """Its files look as if nobody had touched them lately, as far as anybody but the system can have it so."""
    for path in folder.rglob("*.*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.mark.parametrize("path", ["words.py", "data/weights.json", "data/new.json"])
def test_every_file_of_a_package_counts(package: Path, tmp_path: Path, path: str) -> None:
    """One that is new, too."""
    memory = tmp_path / "memory"
    before = contents([package], memory)
    assert contents([package], memory) == before
    (package / path).write_text("2", encoding="utf-8")
    assert contents([package], memory) != before


def test_compiled_files_do_not_count(package: Path, tmp_path: Path) -> None:
    """They come and go with the Python that runs."""
    before = contents([package], tmp_path / "memory")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "words.pyc").write_bytes(b"1")
    assert contents([package], tmp_path / "memory") == before


def test_files_that_nobody_touched_are_not_read_again(package: Path, tmp_path: Path) -> None:
    """Their digest is kept, for these very files: a copy of them is read, wherever the digest came from."""
    memory = tmp_path / "memory"
    time.sleep(2.1)  # files that have just changed are not trusted
    before = contents([package], memory)
    kept = memory.read_bytes()
    memory.write_bytes(kept[:32] + bytes(32))
    assert contents([package], memory) == bytes(32)
    copy = shutil.copytree(package, tmp_path / "copy" / "package")
    assert contents([copy], memory) == before


@pytest.mark.parametrize("damaged", [b"", b"1", bytes(64)])
def test_a_damaged_digest_is_made_anew(package: Path, tmp_path: Path, damaged: bytes) -> None:
    """As is one of other files."""
    before = contents([package], tmp_path / "memory")
    (tmp_path / "memory").write_bytes(damaged)
    assert contents([package], tmp_path / "memory") == before


def test_a_change_that_keeps_size_and_time_is_seen(package: Path, tmp_path: Path) -> None:
    """As archives unpack it that give every file one date."""
    memory = tmp_path / "memory"
    lies_for_a_while(package)
    time.sleep(2.1)
    before = contents([package], memory)
    assert memory.is_file()
    (package / "words.py").write_text("2", encoding="utf-8")
    lies_for_a_while(package)
    assert contents([package], memory) != before


def test_packages_are_named_with_their_versions(tmp_path: Path) -> None:
    """Wherever on the path they stand; what is not there is passed over."""
    install(tmp_path, "one", {})
    assert packages([str(tmp_path), str(tmp_path / "nowhere")]) == ["one-1.dist-info"]
