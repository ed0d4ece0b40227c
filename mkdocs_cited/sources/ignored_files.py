"""Files that a glob names and nobody means: hidden ones, those that git ignores, and what looks like a key.

Whoever wants one of them as a source names it by itself.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

PATIENCE = 10.0
"""Seconds that git is waited for; without its word, nothing counts as ignored."""
MOST_BYTES = 100_000
"""How much of a file is searched for keys."""

_NAME = re.compile(
    r"(?:.*\.(?:pem|key|p8|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|age|tfstate|tfvars|ovpn|mobileprovision)(?:\..*)?"
    r"|(?:.*\.)?env(?:rc|\..*)?|[._](?:netrc|npmrc|pypirc|htpasswd|git-credentials|pgpass|my\.cnf)(?:\..*)?"
    r"|(?:.*[._-])?kubeconfig(?:[._-].*)?|id_(?:rsa|dsa|ecdsa|ed25519).*|service[_-]account.*\.json"
    r"|.*(?:secret|credential|password|passwd)s?(?:[._-].*)?|(?:.*\.)?env~|.*(?:private|api)[_-]?key.*|key\.json"
    r"|.*firebase-adminsdk.*\.json|.*vault[_-]pass.*)",
    re.IGNORECASE | re.DOTALL,
)
_KEY = re.compile(
    rb"-----BEGIN [A-Z ]{0,40}PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30}|\bgithub_pat_\w{20}"
    rb"|\bglpat-[\w-]{18}|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20}|\bxox[abpsr]-[\w-]{10}|\bAIza[\w-]{30}|\bnpm_[A-Za-z0-9]{30}"
    rb"|\bpypi-[\w-]{50}"
)
"""Keys of which a few characters tell what they are."""


def ignored_files(root: Path, glob: str, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of the paths, relative to the root, that are no sources unless they are named one by one.

    Args:
        root: the project's folder.
        glob: what named them; a hidden folder that it spells out (`.github/*.md`) is meant.
        paths: what it names.
    """
    ignored, spelled = _ignored(root, paths), set(glob.replace("\\", "/").split("/"))
    return tuple(path for path in paths if path in ignored or _is_hidden(path, spelled) or _is_key(root / path))


def _is_hidden(path: str, spelled: Collection[str]) -> bool:
    return any(part.startswith(".") and part not in spelled for part in path.split("/"))


def _is_key(file: Path) -> bool:
    """Whether a file is called as keys are, or holds one. Code and docs about passwords are neither."""
    if _NAME.fullmatch(file.name) and file.suffix.lower() not in (".md", ".markdown", ".rst", ".py", ".pyi", ".html"):
        return True
    try:
        if not file.is_file():
            return False
        with file.open("rb") as opened:
            return _KEY.search(opened.read(MOST_BYTES)) is not None
    except OSError:
        return False


def _ignored(root: Path, paths: Sequence[str]) -> frozenset[str]:
    """Those that git would ignore; none without git or outside a repository."""
    command = ["git", "check-ignore", "--stdin", "-z"]
    try:
        sent = "\0".join(paths).encode("utf-8", "surrogateescape")
        done = subprocess.run(command, cwd=root, input=sent, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603 -- no shell
    except (OSError, subprocess.SubprocessError):
        return frozenset()
    return frozenset(done.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""}
