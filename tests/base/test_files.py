"""A file is written whole or not at all, even when the process dies at any byte of it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mkdocs_cited.base.errors import CitedError
from mkdocs_cited.base.files import locked, make_cache, write_atomically

OLD, NEW = b"old " * 40, b"new " * 64


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and limits on the size of files")
@pytest.mark.parametrize("dies", [True, False], ids=["the process is killed", "the disk is full"])
@pytest.mark.parametrize("limit", [*range(0, len(NEW), 17), len(NEW) - 1])
def test_a_crash_at_any_byte(tmp_path: Path, limit: int, dies: bool) -> None:
    """The old file stands as it was, and the next write is whole."""
    path = tmp_path / "folder" / "file.md"
    write_atomically(path, OLD)
    child = os.fork()
    if child == 0:  # the kernel lets this process write `limit` bytes of a file, and then kills it or refuses
        _limited(path, limit, dies)
    _, status = os.waitpid(child, 0)
    assert (os.WIFSIGNALED(status), os.WEXITSTATUS(status) if not dies else 0) == (dies, 0)
    assert path.read_bytes() == OLD
    assert [entry.name for entry in path.parent.iterdir() if not entry.name.startswith(".")] == ["file.md"]
    assert write_atomically(path, NEW)
    assert path.read_bytes() == NEW


def test_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    """Without a lock, too: the last one wins."""
    path = tmp_path / "file.md"
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda number: write_atomically(path, b"%d" % number), range(120)))
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.md"]


def _limited(path: Path, limit: int, dies: bool) -> None:
    """Try to write within a limit, in a child process that does not come back."""
    import resource

    code = 2
    try:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL if dies else signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        write_atomically(path, NEW)
    except CitedError as error:
        code = 0 if "File too large" in error.message else 3
    finally:
        os._exit(code)


def test_equal_bytes_are_not_written(tmp_path: Path) -> None:
    """Nothing that watches the file wakes up."""
    path = tmp_path / "file.md"
    assert write_atomically(path, OLD)
    os.utime(path, (1, 1))
    assert not write_atomically(path, OLD)
    assert path.stat().st_mtime == 1


@pytest.mark.skipif(sys.platform == "win32", reason="has no umask")
def test_the_file_has_ordinary_permissions(tmp_path: Path) -> None:
    """As the user's umask says, not those of a temporary file."""
    before = os.umask(0o022)
    try:
        write_atomically(tmp_path / "file.md", OLD)
    finally:
        os.umask(before)
    assert (tmp_path / "file.md").stat().st_mode & 0o777 == 0o644


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    """Says which file, why, and what to do."""
    (tmp_path / "folder").write_bytes(OLD)
    with pytest.raises(CitedError, match=r"file\.md: cannot be written: "):
        write_atomically(tmp_path / "folder" / "file.md", NEW)


def test_threads_take_turns(tmp_path: Path) -> None:
    """The lock holds between the threads of one process, too."""
    inside, most = 0, 0

    def work() -> None:
        nonlocal inside, most
        with locked(tmp_path / "cache" / "lock"):
            inside += 1
            most = max(most, inside)
            time.sleep(0.01)
            inside -= 1

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (inside, most) == (0, 1)


def test_a_cache_keeps_itself_out_of_git(tmp_path: Path) -> None:
    """A new folder says what it is; one that was there before is somebody's, and left as it is."""
    folder, known = tmp_path / ".cache" / "plugin" / "cited", tmp_path / "known"
    known.mkdir()
    for cache in (folder, folder, known):
        make_cache(cache)
    assert (folder / ".gitignore").read_text(encoding="utf-8").splitlines()[-1] == "*"
    assert [*folder.parent.iterdir(), *known.iterdir()] == [folder]
