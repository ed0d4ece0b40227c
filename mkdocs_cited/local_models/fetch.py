"""Fetches a model into the user's cache, pinned by revision and checked by hash: one explicit command, never a build.

From the model hub by `huggingface_hub`, which obeys `HF_ENDPOINT` (a mirror), `HF_TOKEN` and `HF_HUB_OFFLINE`; or from
a folder that somebody copied.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.local_models.layout import ONNX_FILES, read_layout
from mkdocs_cited.local_models.recommended import Recommended, recommended
from mkdocs_cited.local_models.runtime import needed
from mkdocs_cited.local_models.store import Manifest, new_folder, seal, sha256_of

SMALL_FILES = (
    "config.json", "tokenizer.json", "tokenizer_config.json", "modules.json", "1_Pooling/config.json",
    "sentence_bert_config.json", "config_sentence_transformers.json",
)  # fmt: skip
"""What a model has besides its network, as far as its repository holds it."""
PATIENCE = 30.0
"""Seconds that the hub has for its list of files."""
_REPOSITORY = re.compile(r"(?P<repository>[\w.-]{1,96}/[\w.-]{1,96})@(?P<revision>[0-9a-f]{40})")

Said = Callable[[str], None]
"""Told what is being done, a line each."""


def fetch(name: str, said: Said, *, source: Path | None = None) -> Manifest:
    """Bring a model onto this machine.

    Args:
        name: a recommended model's name, or `organisation/name@revision` of the hub.
        said: is told each step.
        source: a folder to copy it from, in place of the hub.

    Raises:
        UsageError: there is no such model, or the extra `[local]` is not installed.
        CitedError: it cannot be fetched, or is not what it should be. Nothing is left behind.
    """
    entry = recommended().get(name)
    match = _REPOSITORY.fullmatch(name)
    short = match["repository"].rpartition("/")[2] if match else name
    if source is None and entry is None and match is None:
        tip = did_you_mean(name, tuple(recommended())) + "; or `organisation/name@` with all 40 digits of a revision"
        raise UsageError(f"there is no recommended model `{name}`", tip=tip)
    target = new_folder(short)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as temporary:
        folder = Path(temporary) / short
        if source is not None:
            _copied(source, folder, said)
            origin = (str(source), "")
        else:
            origin = (entry.repository, entry.revision) if entry else (match["repository"], match["revision"])  # type: ignore[index]
            _downloaded(*origin, entry, folder, said)
        read_layout(folder)
        if entry and source is None:
            _held_to(folder, entry.sha256)
        manifest = seal(folder, short, *origin)
        if target.exists():
            shutil.rmtree(target)
        folder.rename(target)
    return manifest


def _copied(source: Path, folder: Path, said: Said) -> None:
    """Copy what of a folder belongs to a model."""
    layout = read_layout(source)
    said(f"copying {source}")
    names = [layout.network.relative_to(source).as_posix(), *SMALL_FILES]
    for name in names:
        if (source / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, folder / name)


def _downloaded(repository: str, revision: str, entry: Recommended | None, folder: Path, said: Said) -> None:
    """Download the files of a revision, and hold each to the hash that the hub has for it."""
    hub = needed("huggingface_hub")
    try:
        api = hub.HfApi(library_name="mkdocs-cited")
        # Unlike what lists files page by page, this is asked once: without a network it says so at once.
        found = api.model_info(repository, revision=revision, files_metadata=True, timeout=PATIENCE)
        listed = {item.rfilename: item for item in found.siblings or ()}
        for name in _wanted(listed, entry):
            said(f"fetching {repository} {name}")
            hub.hf_hub_download(repository, name, revision=revision, local_dir=folder)
            if not _is(folder / name, listed[name]):
                raise CitedError(
                    f"{repository}@{revision[:12]}: {name} is not the file that the hub lists",
                    tip="try again; if it stays so, the mirror is damaged",
                )
    except (CitedError, UsageError):
        raise
    except Exception as error:  # the hub's client raises what its HTTP client does
        said_so = (str(error).splitlines() or [""])[0][:300]
        raise CitedError(
            f"{repository} cannot be fetched: {type(error).__name__}: {said_so}",
            tip="check the network or set HF_ENDPOINT to a mirror; or copy the model's folder by hand and run"
            " `mkdocs-cited models get NAME --from FOLDER`",
        ) from error
    shutil.rmtree(folder / ".cache", ignore_errors=True)  # the client's notes


def _wanted(listed: Mapping[str, Any], entry: Recommended | None) -> list[str]:
    """Which files of a repository make the model."""
    if entry:
        missing = [name for name in (entry.network, *entry.files) if name not in listed]
        if missing:
            raise CitedError(f"{entry.repository}: no {', '.join(missing)}", tip="another mirror may be complete")
        return [entry.network, *entry.files]
    network = next((name for name in ONNX_FILES if name in listed), None)
    if network is None:
        raise CitedError("the repository holds no ONNX file", tip=f"it must hold one of {', '.join(ONNX_FILES)}")
    return [network, *(name for name in SMALL_FILES if name in listed)]


def _is(path: Path, listed: Any) -> bool:
    """Whether a file has the hash that the hub lists: SHA-256 of a large one, git's blob id of a small one."""
    large = getattr(listed, "lfs", None)
    if large is not None:
        return sha256_of(path) == str(large["sha256"])
    data = path.read_bytes()
    name = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return name == str(listed.blob_id)


def _held_to(folder: Path, pinned: Mapping[str, str]) -> None:
    """Hold the files to the hashes that this project pins."""
    for name, sha256 in pinned.items():
        if sha256_of(folder / name) != sha256:
            raise CitedError(
                f"{name} is not the file that mkdocs-cited pins", tip="nothing was installed; try a mirror"
            )
