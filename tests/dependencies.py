"""`python -m tests.dependencies`: known holes and licences of what an installation brings along.

Exits 1 for a hole that is known, or a licence that nobody has looked at; where no registry answers, says so and passes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from packaging.requirements import Requirement

PERMISSIVE = re.compile(
    r"\b(?:MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|Unlicense|0BSD|Zlib|HPND|CC0)\b", re.IGNORECASE
)
"""Licences under which a dependency may be used as this package does."""
LOOKED_AT = {
    "pystemmer": "MIT and BSD-3-Clause (its LICENSE file)",
}
"""Licences that a distribution's metadata does not tell."""
EXTRAS = ("", "anthropic")


def main() -> int:
    """Print both, and say whether either fails."""
    packages = {found.name.lower(): found for found in shipped("mkdocs-cited")}
    unknown = []
    print("Licences of what an installation brings along:")
    for name, found in sorted(packages.items()):
        licence = licence_of(found)
        print(f"  {name} {found.version}: {licence or 'not told'}")
        if not PERMISSIVE.search(licence):
            unknown.append(name)
    for name in unknown:
        print(f"error: the licence of {name} is not known to be a permissive one: look, then add it to LOOKED_AT")
    holes = known_holes([f"{name}=={found.version}" for name, found in sorted(packages.items())])
    return 1 if unknown or holes else 0


def shipped(name: str) -> Iterator[Distribution]:
    """The distributions that an installation of this one brings along, itself left out; those that are installed."""
    todo: list[tuple[str, tuple[str, ...]]] = [(name, EXTRAS)]
    seen = {name}
    while todo:
        parent, extras = todo.pop()
        try:
            found = distribution(parent)
        except PackageNotFoundError:
            continue
        if parent != name:
            yield found
        for line in found.requires or ():
            wanted = Requirement(line)
            marker = wanted.marker
            here = marker is None or any(marker.evaluate({"extra": extra}) for extra in extras)
            if here and wanted.name.lower() not in seen:
                seen.add(wanted.name.lower())
                todo.append((wanted.name, ("", *wanted.extras)))


def licence_of(found: Distribution) -> str:
    """What a distribution's metadata says (of a whole licence text the first line), or what somebody has looked up."""
    told = _told(found, "License-Expression")
    classified = [
        line.rpartition("::")[2].strip() for line in found.metadata.get_all("Classifier") or () if "License" in line
    ]
    free = _told(found, "License").strip().split("\n")[0][:80]
    return told or ", ".join(classified) or free or LOOKED_AT.get(found.name.lower(), "")


def _told(found: Distribution, name: str) -> str:
    return next(iter(found.metadata.get_all(name) or ()), "")


def known_holes(pins: list[str]) -> bool:
    """Whether pip-audit knows of a hole. What it could not look up is counted, and is no proof of anything."""
    options = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    command = [sys.executable, "-m", "pip_audit", *options, "-r", "/dev/stdin"]
    try:
        done = subprocess.run(command, input="\n".join(pins), text=True, capture_output=True, timeout=120, check=False)
        looked_up = json.loads(done.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
        print(f"pip-audit could not be asked ({type(error).__name__}): known holes were not looked up")
        return False
    skipped = sum("skip_reason" in item for item in looked_up)
    holes = [(item["name"], hole) for item in looked_up for hole in item.get("vulns", ())]
    for name, hole in holes:
        print(f"error: {name}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version yet'}")
    unanswered = f"; the registry could not tell of {skipped}" if skipped else ""
    print(f"Known holes: {len(holes)} in {len(looked_up) - skipped} packages that were looked up{unanswered}")
    return bool(holes)


if __name__ == "__main__":
    sys.exit(main())
