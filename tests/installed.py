"""Packages that exist for a test only: modules on the path with entry points, as if they had been installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path

OURS = {"mkdocs.plugins": {"cited": "mkdocs_cited.mkdocs_host.plugin:CitedPlugin"}}


def install(folder: Path, name: str, points: Mapping[str, Mapping[str, str]]) -> None:
    """Write what Python looks for in a folder of its path to find a package's entry points.

    Args:
        folder: where the package's modules are.
        name: of the distribution.
        points: group → name → `module:object`.
    """
    info = folder / f"{name.replace('-', '_')}-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in of.items()) for group, of in points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def install_ours(folder: Path) -> None:
    """The plugin's own entry point, where the package runs from its folder and is not installed."""
    if not entry_points(group="mkdocs.plugins", name="cited"):
        install(folder, "mkdocs-cited-from-here", OURS)
