"""Reporters are found by name, loaded only when asked for, and each is what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mkdocs_cited import reporters
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.reporters.interface import Report, Reporter
from tests.installed import install

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", reporters.FAMILY.names())
def test_a_reporter_is_found_by_its_name(name: str) -> None:
    """The name is the family's: no reporter knows its own."""
    assert isinstance(reporters.get(name), Reporter)


def test_an_unknown_format_is_refused_with_the_closest_one() -> None:
    """A misspelt format names the one that was meant."""
    with pytest.raises(UsageError) as caught:
        reporters.get("githbu")
    assert "githbu" in caught.value.message
    assert "did you mean `github`?" in caught.value.tip


def test_no_reporter_is_loaded_before_it_is_asked_for() -> None:
    """Importing the family imports neither rich nor any format."""
    code = (
        "import sys, mkdocs_cited.reporters as r; r.FAMILY.names();"
        "sys.exit(any(m == 'rich' or m.startswith('mkdocs_cited.reporters.') and m.split('.')[2] in r.FAMILY.ours"
        " for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_reporter_of_the_docs_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example that the docs give is found by its entry point and renders a report."""
    page = (ROOT / "example_site/docs/guide/extend.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    entry = page.partition('[project.entry-points."mkdocs_cited.reporters"]\n')[2].partition("\n")[0]
    name, _, target = entry.partition(" = ")
    module, _, _ = target.strip('"').partition(":")
    package = tmp_path / module.partition(".")[0]
    package.mkdir()
    (package / "__init__.py").touch()
    (package / f"{module.partition('.')[2]}.py").write_text(code, encoding="utf-8")
    install(tmp_path, "our-docs", {reporters.FAMILY.group: {name: target.strip('"')}})
    monkeypatch.syspath_prepend(tmp_path)
    assert name in reporters.FAMILY.names()
    assert reporters.get(name).render(Report()) == "0 findings\n"
