"""What a command costs before it does anything."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SLOW = ("mkdocs", "jinja2", "markdown", "mkdocs_cited.pipeline", "mkdocs_cited.search", "mkdocs_cited.review")
"""What takes long to import, and is of no use to `--help` and the TAB key."""
CODE = f"""
import atexit, sys
from mkdocs_cited.cli import main
atexit.register(lambda: print("read:", *(name for name in {SLOW} if name in sys.modules), file=sys.stderr))
main(prog_name='mkdocs-cited')
"""


@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        (["--help"], {}, "Docs that stay true"),
        ([], {"_MKDOCS_CITED_COMPLETE": "bash_complete", "COMP_WORDS": "mkdocs-cited che", "COMP_CWORD": "1"}, "check"),
        ([], {"_MKDOCS_CITED_COMPLETE": "bash_complete", "COMP_WORDS": "mkdocs-cited check --st", "COMP_CWORD": "2"},
         "--strict"),
    ],
)  # fmt: skip
def test_help_and_the_tab_key_read_nothing_slow(words: list[str], environment: dict[str, str], said: str) -> None:
    """click completes commands and options by itself."""
    command = [sys.executable, "-c", CODE, *words]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert said in done.stdout
    assert done.stderr.strip() == "read:"
