"""Commands in processes of their own, for what only these show: a terminal, a kill, two builds at once.

Each is a fork of a server that has imported everything, and takes the time of its work. What asks how Python starts, or
what a command imports, needs a Python of its own.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

MKDOCS, CITED = "mkdocs.__main__:cli", "mkdocs_cited.cli:main"
METHOD = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
CONTEXT: Any = get_context(METHOD)
if METHOD == "forkserver":
    CONTEXT.set_forkserver_preload([  # what takes long to import
        "mkdocs_cited.cli",
        "mkdocs_cited.mkdocs_host.loading", "mkdocs_cited.mkdocs_host.rendering", "mkdocs_cited.mkdocs_host.site",
        "mkdocs_cited.providers.quote", "mkdocs_cited.render", "mkdocs_cited.review.lexical",
        "mkdocs.commands.build", "mkdocs.commands.serve", "pytest", "rich.progress", "rich.table", __name__,
    ])  # fmt: skip


def started(
    main: str,
    words: Sequence[str],
    folder: Path,
    *,
    files: tuple[str, str, str] = (os.devnull,) * 3,
    environment: Mapping[str, str] | None = None,
    missing: Sequence[str] = (),
) -> BaseProcess:
    """A command that has begun.

    Args:
        main: of the command, as `module:object`.
        words: what it is given.
        folder: where it runs.
        files: its standard input, output and error; a terminal is one that it can be stopped from.
        environment: what differs from ours.
        missing: modules that it cannot import.
    """
    given = (main, tuple(words), str(folder), files, {**os.environ, **(environment or {})}, tuple(missing))
    process: BaseProcess = CONTEXT.Process(target=_run, args=given)
    process.start()
    return process


def run(main: str, words: Sequence[str], folder: Path, **more: Any) -> CompletedProcess[str]:
    """A command that has ended, and what it said; like `started`."""
    with tempfile.TemporaryDirectory() as place:
        out, error = Path(place, "out"), Path(place, "error")
        process = started(main, words, folder, files=(os.devnull, str(out), str(error)), **more)
        process.join()
        assert process.exitcode is not None
        return CompletedProcess([main, *words], process.exitcode, out.read_text("utf-8"), error.read_text("utf-8"))


def _run(
    main: str,
    words: Sequence[str],
    folder: str,
    files: tuple[str, str, str],
    environment: Mapping[str, str],
    missing: Sequence[str],
) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background ignores it
    for number, path in enumerate(files):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY), number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, encoding="utf-8", buffering=-1 if number == 0 else 1, closefd=False)  # noqa: SIM115
        for number, mode in enumerate("rww")
    )
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    tempfile.tempdir = None  # it is where the environment says
    sys.path[:0] = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.modules.update(dict.fromkeys(missing))  # type: ignore[arg-type]  # importing them fails
    module, _, name = main.partition(":")
    sys.argv = [name, *words]
    getattr(import_module(module), name)(prog_name=module.partition(".")[0].replace("_", "-"))
