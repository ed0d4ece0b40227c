"""Whether a person is at work here: a build of a server writes nothing, asks no model, and says what it lacks."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

SERVERS = (
    "CI", "CONTINUOUS_INTEGRATION", "BUILD_ID", "BUILD_NUMBER", "CODEBUILD_BUILD_ID", "JENKINS_URL", "READTHEDOCS",
    "TEAMCITY_VERSION", "TF_BUILD",
)  # fmt: skip
"""Variables that build servers set; a build on one that sets none of them is told by its lack of a terminal."""

OFFLINE = "MKDOCS_CITED_OFFLINE"
"""The variable that forbids requests to external pages and for the sentence encoder."""
YES = ("true", "1", "yes", "on")
NO = ("", "false", "0", "no", "off")


def on_server(environ: Mapping[str, str] | None = None) -> bool:
    """True if the environment (by default the process's own) is a build server's. `CI=false` says that it is none."""
    known = os.environ if environ is None else environ
    said = known.get("CI", "")
    if said and not truthy(said):
        return False
    return any(truthy(known.get(name, "")) for name in SERVERS)


def offline() -> bool:
    """True if the environment forbids requests to external pages."""
    return truthy(os.environ.get(OFFLINE, ""))


def at_terminal() -> bool:
    """True if a person sees what this process says, or can answer it."""
    for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        if stream is not None and not stream.closed and stream.isatty():
            return True
    return False


def truthy(value: str) -> bool:
    """True if a variable of the environment says anything but no."""
    return value.strip().lower() not in NO
