"""`check --since` tells of what rests on a change alone; `check --watch` checks again when a file changes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from subprocess import PIPE

import pytest

from tests.projects import Project

PAGE = """
    ---
    answers:
      - id: {name}
        question: For how many days is a key valid?
        text: A key is valid for {days} days [@{cited}].
    ---
    # FAQ
"""
KEYS = "# Keys\n\n## Validity\n\nA key is valid for 90 days.\n"


@pytest.fixture
def wrong(project: Project) -> Project:
    """A repository with a wrong answer on each of two pages, which rest on pages of their own."""
    for name in ("one", "two"):
        project.page(f"{name}.md", PAGE.format(name=name, days=60, cited=f"{name}-keys.md#validity"))
        project.page(f"{name}-keys.md", KEYS)
    for arguments in (
        ("init", "-q"),
        ("add", "-A"),
        ("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *arguments], cwd=project.root, check=True)
    return project


def test_since_a_commit(wrong: Project) -> None:
    """Nothing changed, nothing is told; a changed page, a changed source and a new file are."""
    assert wrong.cited("check", "--since", "HEAD").code == 0
    wrong.page("one-keys.md", KEYS + "\nIt can be rotated.\n")
    output = wrong.cited("check", "--since", "HEAD").output
    assert ("docs/one.md" in output, "docs/two.md" in output) == (True, False), output
    wrong.page("two.md", PAGE.format(name="two", days=61, cited="two-keys.md#validity"))
    assert "docs/two.md" in wrong.cited("check", "--since", "HEAD").output
    assert "git knows no commit `nope` here" in wrong.cited("check", "--since", "nope").output


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can press Ctrl-C there for a test")
def test_watching(wrong: Project) -> None:
    """Each change is followed by a new report, also one that mends a broken option; Ctrl-C ends it."""
    # Where the suite runs in the background of a shell, Ctrl-C is ignored, and children would inherit that.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from mkdocs_cited.cli import main; main()"
    command = [sys.executable, "-u", "-c", code, "check", "--watch", "one.md"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    process = subprocess.Popen(command, cwd=wrong.root, env=environment, stdout=PIPE, stderr=PIPE, text=True)
    assert process.stdout
    assert process.stderr
    late = threading.Timer(240, process.kill)  # what it does not say by then, it never says
    late.start()

    def until(words: str) -> str:
        said = ""
        for line in process.stdout or ():
            said += line
            if words in line:
                return said
        raise AssertionError(said)

    def after(words: str) -> None:
        """A file that is looked at while it is written is checked twice."""
        until(words)
        until("waiting for changes")

    try:
        assert "altered-number" in until("waiting for changes")
        wrong.page("one.md", PAGE.format(name="one", days=90, cited="one-keys.md#validity"))
        after("no findings in 1 answer")
        wrong.configure({"cite_threshold": 7})
        assert "cite_threshold" not in until("waiting for changes")
        wrong.configure({"cite_threshold": 0.3})
        after("no findings in 1 answer")
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
        process.wait(timeout=60)
    finally:
        late.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
