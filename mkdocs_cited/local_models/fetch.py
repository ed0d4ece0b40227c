"""Fetches a model from the model hub into the user's cache, pinned by revision and checked by hash.

`huggingface_hub` does it, which obeys `HF_ENDPOINT` (a mirror), `HF_TOKEN` and `HF_HUB_OFFLINE`. No build fetches.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.local_models.encoder import needed
from mkdocs_cited.local_models.layout import ONNX_FILES, read_layout
from mkdocs_cited.local_models.store import Origin, home, recommended, sha256_of

SMALL_FILES = (
    "config.json", "tokenizer.json", "tokenizer_config.json", "1_Pooling/config.json", "sentence_bert_config.json",
    "config_sentence_transformers.json",
)  # fmt: skip
"""What a model has besides its network, as far as its repository holds it."""
_REPOSITORY = re.compile(r"(?P<repository>[\w.-]{1,96}/(?P<name>\w[\w.-]{0,95}))@(?P<revision>[0-9a-f]{40})")


def fetch(name: str, report: Callable[[str], None]) -> Path:
    """Bring a model onto this machine, by recommended name or as `organisation/name@revision` of the hub; its folder.
    `report` receives a line for each step.

    Raises:
        UsageError: there is no such model, or the extra `[local]` is not installed.
        CitedError: it cannot be fetched, or is not what it should be. Nothing is left behind.
    """
    match = _REPOSITORY.fullmatch(name)
    origin = Origin(match["repository"], match["revision"]) if match else recommended().get(name)
    if origin is None:
        tip = did_you_mean(name, tuple(recommended())) + "; or `organisation/name@` with all 40 digits of a revision"
        raise UsageError(f"there is no recommended model `{name}`", tip=tip)
    target = home() / (match["name"] if match else name)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetch-") as temporary:
        folder = Path(temporary) / target.name
        _download(origin, folder, report)
        for path, sha256 in origin.sha256.items():
            if sha256_of(folder / path) != sha256:
                raise CitedError(f"{path} is not the file that mkdocs-cited pins", tip="try a mirror")
        read_layout(folder)
        if target.exists():
            shutil.rmtree(target)
        folder.rename(target)
    return target


def _download(origin: Origin, folder: Path, report: Callable[[str], None]) -> None:
    """Download the files of a revision, and compare each with the hash that the hub has for it."""
    hub = needed("huggingface_hub")
    repository, revision = origin.repository, origin.revision
    try:
        api = hub.HfApi(library_name="mkdocs-cited")
        found = api.model_info(repository, revision=revision, files_metadata=True, timeout=30)
        listed = {item.rfilename: item for item in found.siblings or ()}
        networks = [name for name in ((origin.network,) if origin.network else ONNX_FILES) if name in listed]
        if not networks:
            tip = f"it must hold {origin.network or ' or '.join(ONNX_FILES)}"
            raise CitedError("the repository lacks the model", tip=tip)
        for name in listed:
            if not name.startswith((networks[0], *SMALL_FILES)):
                continue
            report(f"fetching {repository} {name}")
            hub.hf_hub_download(repository, name, revision=revision, local_dir=folder)
            if not _is(folder / name, listed[name]):
                tip = "try again; if it stays so, the mirror is damaged"
                raise CitedError(f"{repository}@{revision[:12]}: {name} is not the file that the hub lists", tip=tip)
    except CitedError:
        raise
    except Exception as error:  # the hub's client raises what its HTTP client does
        first = (str(error).splitlines() or [""])[0][:300]
        raise CitedError(
            f"{repository} cannot be fetched: {type(error).__name__}: {first}",
            tip="check the network or set HF_ENDPOINT to a mirror; or copy the model's folder to this machine and name"
            " its path as `local.encoder`",
        ) from error
    shutil.rmtree(folder / ".cache", ignore_errors=True)  # the client's notes


def _is(path: Path, listed: Any) -> bool:
    """Whether a file has the hash that the hub lists: SHA-256 of a large one, git's blob id of a small one."""
    if listed.lfs is not None:
        return sha256_of(path) == str(listed.lfs["sha256"])
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == str(listed.blob_id)
