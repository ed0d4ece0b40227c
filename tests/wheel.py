"""`make wheel`: the wheel, installed next to nothing else, sets a new site up, builds it and checks it.

    python -m tests.wheel

What a test of the working copy cannot see is tried here: files that the wheel lacks, and requirements that only other
packages of a developer's machine bring.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.docs.roots import ROOT

PAGES = {
    "mkdocs.yml": "site_name: Try\ntheme: mkdocs\n",
    "docs/index.md": "# Try\n\n## Retention\n\nLogs are kept for 30 days.\n",
    "docs/faq.md": (
        "---\nanswers:\n  - question: How long are logs kept?\n"
        "    text: Logs are kept for 30 days [@index.md#retention].\n---\n# FAQ\n"
    ),
}
COMMANDS = (
    ("mkdocs-cited", "--version"),
    ("mkdocs-cited", "explain", "altered-number"),
    ("mkdocs-cited", "facts"),
    ("mkdocs-cited", "init", "--yes"),
    ("mkdocs-cited", "check", "--strict"),
    ("mkdocs", "build", "--strict"),
)
"""What a person does first, in this order."""


def main() -> None:
    """Build, install, and run each command; the first that fails ends this with its exit code."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", name, str(ROOT)], ROOT)
        (wheel,) = folder.glob("*.whl")
        venv.create(folder / "venv", with_pip=True)
        scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        run([str(scripts / "python"), "-m", "pip", "install", "--quiet", str(wheel)], folder)
        site = folder / "site"
        for path, text in PAGES.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_text(text, encoding="utf-8")
        for program, *words in COMMANDS:
            run([str(scripts / program), *words], site)
        built = (site / "site" / "faq" / "index.html").read_text(encoding="utf-8")
        if "cited-answer" not in built:
            raise SystemExit("the built page has no answer")


def run(words: list[str], folder: Path) -> None:
    """Run a command, without what the environment of a developer sets for Python."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    subprocess.run(words, cwd=folder, env=environment | {"NO_MKDOCS_2_WARNING": "1"}, check=True)


if __name__ == "__main__":
    main()
