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
from mkdocs_cited.base.git import git_or_nothing
from mkdocs_cited.site_host.configuration import REQUIREMENTS

PACKAGES = {"material": "mkdocs-material", "zensical": "zensical"}
"""What the workflow installs for a theme or host."""


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
        config: `mkdocs.yml`.
        options: those of the plugin, as YAML on a line.

    Raises:
        UsageError: the file is not YAML, or its plugins are not a list.
    """
    item = f"cited: {{{options}}}" if options else "cited"
    try:
        text = config.read_text(encoding="utf-8")
        names = _names(_plugins(text))
        if "cited" in names:
            return None
        made = _appended(text, item)
        right = _names(_plugins(made)) == [*(names or ["search"]), "cited"]
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(f"{config}: cannot be read: {error}", tip="fix it first: `mkdocs build` says more") from None
    if not right:
        raise UsageError(f"{config}: `plugins` cannot be added to", tip=f"write `- {item}` at its end by hand")
    return Change(config, text, made)


def _plugins(text: str) -> yaml.Node | None:
    """The value of `plugins` in `mkdocs.yml`."""
    root = compose(text)
    if isinstance(root, yaml.MappingNode):
        for name, value in root.value:
            if name.value == "plugins":
                return value  # type: ignore[no-any-return]
    return None


def _names(listed: yaml.Node | None) -> list[str]:
    """The names in a list of names and mappings of one name each, or the keys of a mapping."""
    names = []
    for node in listed.value if isinstance(listed, yaml.CollectionNode) else ():
        if isinstance(node, yaml.MappingNode) and node.value:
            node = node.value[0]
        if isinstance(node, tuple):
            node = node[0]
        if isinstance(node, yaml.ScalarNode):
            names.append(str(node.value))
    return names


def _appended(text: str, item: str) -> str:
    """A configuration with one more plugin; unchanged if its plugins are no list."""
    plugins = _plugins(text)
    if plugins is None:
        gap = "" if text.endswith("\n") or not text else "\n"
        return f"{text}{gap}\nplugins:\n  - search\n  - {item}\n"
    if not isinstance(plugins, yaml.SequenceNode) or not plugins.value:
        return text
    last = len(text[: end_of(plugins)].rstrip())
    if plugins.flow_style:
        return f"{text[: last - 1].rstrip()}, {item}{text[last - 1 :]}"
    head, _, tail = text[last:].partition("\n")
    indent = " " * plugins.start_mark.column
    return f"{text[:last]}{head}\n{indent}- {item}\n{tail}"


def workflow(config: Path, host: str, built: str = "") -> Change | None:
    """A workflow for GitHub or GitLab; `None` where the repository has neither, or the file is there.

    Args:
        config: the configuration, as an absolute path.
        host: the theme of MkDocs, or `zensical`.
        built: the folder that Zensical builds the site into, relative to the configuration.
    """
    root = config.parent
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    following = ""
    if (top / ".github").is_dir():
        path, template, step = top / ".github/workflows/answers.yml", "github.yml", "      - run: "
    elif (top / ".gitlab-ci.yml").is_file():
        path, template, step = top / ".gitlab/answers.yml", "gitlab.yml", "    - "
        following = "write `include: .gitlab/answers.yml` into .gitlab-ci.yml"
    else:
        return None
    if path.exists():
        return None
    place = config.relative_to(top).as_posix()
    if not place.isprintable() or "${{" in place:
        raise UsageError(f"no shell line can name `{place}`", tip="rename the folder, or write the workflow by hand")
    own = "" if place in ("mkdocs.yml", "zensical.toml") else f" --config-file {shlex.quote(place)}"
    build = site = ""
    if built:
        site = f" --site {shlex.quote((root / built).relative_to(top).as_posix())}"
        build = f"{step}zensical build --strict{own}\n{step}mkdocs-cited publish{own}{site}\n"
    text = resources.files("mkdocs_cited.cli").joinpath("workflows", template).read_text(encoding="utf-8")
    text = text.replace("{install}", _packages(top, host)).replace("{build}", build).replace("{config}", own + site)
    return Change(path, "", text.replace("{branch}", json.dumps(_branch(top), ensure_ascii=False)), following)


def _packages(top: Path, host: str) -> str:
    """What `pip install` is given."""
    for name in REQUIREMENTS:
        if (top / name).is_file():
            return f"mkdocs-cited -r {name}"
    return f"mkdocs-cited {PACKAGES.get(host, '')}".rstrip() + " # and what your site needs"


def _branch(top: Path) -> str:
    """The branch that others clone, else the current one."""
    cloned = git_or_nothing(top, "symbolic-ref", "--short", "refs/remotes/origin/HEAD").removeprefix("origin/")
    return cloned or git_or_nothing(top, "symbolic-ref", "--short", "HEAD") or "main"
