"""What `init` writes into files: the plugin's line in `mkdocs.yml`, a workflow for CI."""

from __future__ import annotations

import json
import shlex
from importlib import resources
from pathlib import Path

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import compose, end_of
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.git import git_or_nothing, repository_of
from mkdocs_cited.site_host.configuration import REQUIREMENTS, Configuration

PACKAGES = {"material": "mkdocs-material", "zensical": "zensical"}
"""Theme or host → what the workflow installs."""


class Change(Struct, frozen=True):
    """A file that would be written."""

    path: Path
    before: str
    """Empty for a new file."""
    after: str
    following: str = ""
    """The step that is left to a person."""


def with_plugin(config: Path, options: str = "") -> Change | None:
    """`mkdocs.yml` with the plugin at the end of its plugins, every other character as it is; `None` if it is there.

    Args:
        options: those of the plugin, as YAML on a line.

    Raises:
        UsageError: the file is not YAML, or its plugins are not a list.
    """
    item = "cited"
    if options:
        item = f"cited: {{{options}}}"
    try:
        text = config.read_text(encoding="utf-8")
        plugins = _plugins(text)
        names = _names(plugins)
        if "cited" in names:
            return None
        made = _appended(text, plugins, item)
        is_right = _names(_plugins(made)) == [*(names or ["search"]), "cited"]
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(
            f"{config}: cannot be read: {error}",
            tip="fix it first: `mkdocs build` says more",
        ) from None
    if not is_right:
        raise UsageError(
            f"{config}: `plugins` is not a list that can be added to",
            tip=f"add `- {item}` by hand",
        )
    return Change(config, text, made)


def _plugins(text: str) -> yaml.Node | None:
    """The value of `plugins` in `mkdocs.yml`: the last one, which is the one that MkDocs reads."""
    root = compose(text)
    plugins = None
    if isinstance(root, yaml.MappingNode):
        for name, value in root.value:
            if name.value == "plugins":
                plugins = value
    return plugins


def _names(plugins: yaml.Node | None) -> list[str]:
    """The names of plugins: items of a list, keys of a mapping, or each item's one key."""
    names = []
    for node in plugins.value if isinstance(plugins, yaml.CollectionNode) else ():
        if isinstance(node, yaml.MappingNode) and node.value:
            node = node.value[0]
        if isinstance(node, tuple):
            node = node[0]
        names.append(str(node.value))
    return names


def _appended(text: str, plugins: yaml.Node | None, item: str) -> str:
    """A configuration with one more plugin; unchanged if its plugins are not a list."""
    if plugins is None:
        gap = "\n"
        if text.endswith("\n") or not text:
            gap = ""
        return f"{text}{gap}\nplugins:\n  - search\n  - {item}\n"
    if not isinstance(plugins, yaml.SequenceNode) or not plugins.value:
        return text
    last = len(text[: end_of(plugins)].rstrip())
    if plugins.flow_style:
        return f"{text[: last - 1].rstrip()}, {item}{text[last - 1 :]}"
    head, _, tail = text[last:].partition("\n")
    indent = " " * plugins.start_mark.column
    return f"{text[:last]}{head}\n{indent}- {item}\n{tail}"


def workflow(known: Configuration) -> Change | None:
    """A workflow for GitHub or GitLab; `None` where the repository has neither, or the file is there."""
    top = repository_of(known.root) or known.root
    following = ""
    if (top / ".github").is_dir():
        path, template, step = (
            top / ".github/workflows/answers.yml",
            "github.yml",
            "      - run: ",
        )
    elif (top / ".gitlab-ci.yml").is_file():
        path, template, step = top / ".gitlab/answers.yml", "gitlab.yml", "    - "
        following = "write `include: .gitlab/answers.yml` into .gitlab-ci.yml"
    else:
        return None
    if path.exists():
        return None
    place = known.file.relative_to(top).as_posix()
    if not place.isprintable() or "${{" in place:
        raise UsageError(
            f"no shell line can name `{place}`",
            tip="rename the folder, or write the workflow by hand",
        )
    own = ""
    if place not in ("mkdocs.yml", "zensical.toml"):
        own = f" --config-file {shlex.quote(place)}"
    theme = known.keys.get("theme")
    host = str(theme.get("name") if isinstance(theme, dict) else theme)
    build = site = ""
    if known.file.suffix == ".toml":
        host = "zensical"
        built = known.root / (known.text("site_dir") or "site")
        site = f" --site {shlex.quote(built.relative_to(top).as_posix())}"
        build = f"{step}zensical build --strict{own}\n{step}mkdocs-cited publish{own}{site}\n"
    text = (
        resources.files("mkdocs_cited.cli")
        .joinpath("workflows", template)
        .read_text(encoding="utf-8")
    )
    text = (
        text.replace("{install}", _packages(top, host))
        .replace("{build}", build)
        .replace("{config}", own + site)
    )
    return Change(
        path,
        "",
        text.replace("{branch}", json.dumps(_branch(top), ensure_ascii=False)),
        following,
    )


def _packages(top: Path, host: str) -> str:
    """What `pip install` is given."""
    for name in REQUIREMENTS:
        if (top / name).is_file():
            return f"mkdocs-cited -r {name}"
    return (
        f"mkdocs-cited {PACKAGES.get(host, '')}".rstrip()
        + " # and what your site needs"
    )


def _branch(top: Path) -> str:
    """The branch that others clone, else the current one."""
    cloned = git_or_nothing(
        top, "symbolic-ref", "--short", "refs/remotes/origin/HEAD"
    ).removeprefix("origin/")
    return cloned or git_or_nothing(top, "symbolic-ref", "--short", "HEAD") or "main"
