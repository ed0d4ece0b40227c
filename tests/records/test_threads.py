"""Records are read by several threads at once, in a Python that has read none before."""

from __future__ import annotations

import subprocess
import sys

import pytest

READ = """
import sys, threading
from mkdocs_cited.records.format import decode
text = "---\\nversion: 1\\nquestion: How long?\\n---\\n\\nFor 30 days.\\n"
together, read = threading.Barrier(8), []
def take():
    together.wait()
    read.append(decode("faq.md#a", text, "answers/faq/a.md").content)
sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(read))
"""


@pytest.mark.parametrize("attempt", range(3))
def test_the_first_record_of_a_process_may_be_read_by_threads(attempt: int) -> None:
    """msgspec finds out about a type at its first use, without a lock: that ended two of three processes."""
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "8"), (attempt, done.stderr)
