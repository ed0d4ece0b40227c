"""The configuration of a site, whatever builds it, read (and one plugin added) without its generator: no plugin, theme
or extension is loaded.

MkDocs' own builds read theirs through MkDocs; this is for sites that are read from a folder, and for Zensical.
"""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import yaml
from msgspec import Struct, field
from yaml.constructor import ConstructorError
from yaml_env_tag import construct_env_tag

from mkdocs_cited.base.bounded_yaml import compose, end_of
from mkdocs_cited.base.errors import NAMED, UsageError, command, gathered
from mkdocs_cited.base.files import read_text
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.model.finding import MOST_PARENTS, OWN

OF_MKDOCS = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml")
"""What configurations of MkDocs and ProperDocs are called."""
NAMES = (*OF_MKDOCS, "zensical.toml", OWN)
"""What all configurations are called, in the order in which they are looked for."""
OWN_KEYS = (
    "cited", "main", "site_name", "site_url", "repo_url", "edit_uri", "site_dir", "use_directory_urls", "theme",
    "INHERIT",
)  # fmt: skip
"""The keys of a `cited.yml`."""
QUESTIONS = "questions.yml"
"""The file of questions about a site whose generator is neither MkDocs nor Zensical, next to its configuration."""
_OF_BUILT = (
    "to commands that read pages, name the folder of the built site, `--site FOLDER`"
)
MOST_CHARACTERS = 2_000_000
"""Of one configuration."""
EXTENSION = "mkdocs_cited.extension"
"""What keeps marks whole there, among `markdown_extensions`."""
REQUIREMENTS = ("docs/requirements.txt", "requirements-docs.txt", "requirements.txt")
"""Files that name what builds a site."""


class Configuration(Struct, frozen=True):
    """What a site's configuration says, as far as we ask."""

    file: Path
    """The configuration; where there is none, the one that could be in the folder."""
    keys: Mapping[str, Any] = field(default_factory=dict)
    """Its keys, as written: `site_name`, `site_url`, `docs_dir` …"""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of cited."""
    files: tuple[Path, ...] = ()
    """Those that it was read from: itself, and what it inherits from."""

    @property
    def root(self) -> Path:
        """The folder that paths are relative to."""
        return self.file.parent

    def listed(self, key: str) -> dict[str, Any]:
        """Name → options of what is listed under a key: plugins, extensions."""
        return _named(self.keys.get(key))

    def text(self, *path: str) -> str:
        """The value at a path of keys as text; empty where there is none. What is listed is a key of its list."""
        value: Any = self.keys
        for key in path:
            value = _named(value).get(key)
        return str(value or "")

    def edit_url(self, path: str) -> str:
        """Where a page is edited: its path behind `edit_uri`, as MkDocs has it; empty where that is not written."""
        repository, uri = self.text("repo_url"), self.text("edit_uri")
        if repository and uri:
            return urljoin(f"{repository.rstrip('/')}/", f"{uri.strip('/')}/{path}")
        return ""

    @property
    def site_dir(self) -> Path:
        """The folder that the site is built into, unless a command names another."""
        return self.root / (self.text("site_dir") or "site")

    @property
    def docs_dir(self) -> Path:
        """The folder of the pages' Markdown."""
        return Path(os.path.normpath(self.root / (self.text("docs_dir") or "docs")))

    @property
    def has_pages(self) -> bool:
        """True if the pages' Markdown is where MkDocs and Zensical have it; elsewhere only built pages are read."""
        return not is_own(self.file)


def is_own(file: Path) -> bool:
    """True for the configuration of a site whose generator is neither MkDocs nor Zensical."""
    return file.name == OWN


def find(folder: Path) -> Path | None:
    """The configuration in a folder; nothing where there is none."""
    return next((folder / name for name in NAMES if (folder / name).is_file()), None)


def name_site(file: Path) -> None:
    """Let the commands that people are told to run name this configuration, where they would not find it here."""
    here = Path.cwd()
    NAMED.clear()
    if find(here) == file:
        return
    if file.is_relative_to(here):
        file = file.relative_to(here)
    NAMED["-f"] = file.as_posix()


def step_to_check(file: Path | None) -> str:
    """The command that checks a site of which a command has read no page, or what comes before that.

    Args:
        file: its configuration, if there is one.
    """
    if file is None:
        start = command("init")
        return f"readers see marks as text: write a {OF_MKDOCS[0]}, then run `{start}`"
    name_site(file)
    if is_own(file):
        return command("check", "--site", "FOLDER")
    known = read(file, file.parent)
    if "cited" in known.listed("plugins") or EXTENSION in known.listed(
        "markdown_extensions"
    ):
        return command("check")
    return command("init")


def configured(file: Path | None) -> Path:
    """The configuration of MkDocs or Zensical that is named, or that is where the program runs.

    Raises:
        UsageError: it is not there, or is that of another generator's site.
    """
    known = file or find(Path())
    if known is None and Path(QUESTIONS).exists():
        known = Path(QUESTIONS)
    if known is None or not known.exists():
        tip = f"go to the folder of your site, or name its configuration: `-f FILE`; {_OF_BUILT}"
        for below in sorted(Path().glob(f"*/{OF_MKDOCS[0]}")):
            tip = f"name it: `-f {shlex.quote(below.as_posix())}`"
        raise UsageError(f"there is no `{file or OF_MKDOCS[0]}` here", tip=tip)
    if known.name in (OWN, QUESTIONS):
        message = f"`{known}` is of a site that another generator builds"
        tip = f"write questions into {QUESTIONS}; {_OF_BUILT}"
        raise UsageError(message, tip=tip)
    return known


def read(file: Path | None, folder: Path) -> Configuration:
    """A configuration; for `None` the one in a folder, and where there is none, what holds without.

    Raises:
        UsageError: it cannot be read, or is no mapping.
    """
    there = file or find(folder)
    file = (there or folder / OWN).resolve()
    files: list[Path] = []
    keys = {}
    if there:
        keys = _keys(file, files)
    options = keys.get("cited")
    if not is_own(file):
        options = _named(keys.get("plugins")).get("cited")
    if options is not None and not isinstance(options, Mapping):
        raise UsageError(
            f"{file}: the options of `cited` are not a mapping",
            tip="write `cited:` and options below it",
        )
    return Configuration(file, keys, dict(options or {}), tuple(files))


def _plugins(text: str) -> yaml.Node | None:
    """The value of `plugins` in a configuration, of several the last one, as MkDocs reads them."""
    pair = None
    root = compose(text)
    if isinstance(root, yaml.MappingNode):
        for name, value in root.value:
            if name.value == "plugins":
                pair = value
    return pair


def with_plugin(
    file: Path, data: bytes, options: str = "", inherited: Any = None
) -> bytes:
    """`mkdocs.yml` with the plugin at the end of its plugins, every other character as it is; unchanged if it is there.

    Args:
        file: for messages.
        data: the text of the file.
        options: those of the plugin, as YAML on a line.
        inherited: the plugins of the site, with those that the file inherits.

    Raises:
        UsageError: the file is not YAML, or a plugin cannot be added to it.
    """
    item = "cited"
    if options:
        item += f": {{{options}}}"
    try:
        text = data.decode()
        plugins = _plugins(text)
        if "cited" in (*_plugin_names(plugins), *_named(inherited)):
            return data
        made = _with_plugin_item(text, plugins, item, inherited)
        names_now = _plugin_names(_plugins(made))
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(
            f"{file}: cannot be read: {error}",
            tip="fix it first: `mkdocs build` says more",
        ) from None
    if plugins is None and isinstance(inherited, list):
        raise UsageError(
            f"{file}: a list of `plugins` here would replace the one that it inherits",
            tip=f"add `- {item}` to that one, or write all of it here",
        )
    if names_now[-1:] != ["cited"]:
        raise UsageError(
            f"{file}: `plugins` is nothing that can be added to",
            tip=f"add `- {item}` by hand",
        )
    return made.encode()


def _plugin_names(plugins: yaml.Node | None) -> list[str]:
    """The names of the plugins of a configuration."""
    if plugins is None:
        return []
    return [*_named(_Loader("").construct_document(plugins))]


def _with_plugin_item(
    text: str, plugins: yaml.Node | None, item: str, inherited: Any
) -> str:
    """A configuration with one more plugin; unchanged if its plugins are neither a list nor a mapping."""
    dash, others = "- ", "  - search\n"
    if isinstance(plugins or inherited, (yaml.MappingNode, Mapping)):
        dash, others = "", ""
        item = item if ":" in item else f"{item}: {{}}"
    if plugins is None:
        return f"{text.rstrip()}\n\nplugins:\n{others}  {dash}{item}\n"
    if not isinstance(plugins, yaml.CollectionNode):
        return text
    if not plugins.value:
        first = plugins.start_mark.index + 1
        return f"{text[:first]}{item}{text[first:]}"
    last = plugins.value[-1]
    if isinstance(plugins, yaml.MappingNode):
        last = last[1]
    at = len(text[: end_of(last)].rstrip())
    if plugins.flow_style:
        return f"{text[:at]}, {item}{text[at:]}"
    rest_of_line, _, below = text[at:].partition("\n")
    indent = " " * plugins.start_mark.column
    return f"{text[:at]}{rest_of_line}\n{indent}{dash}{item}\n{below}"


def runs_zensical(root: Path) -> bool:
    """True if Zensical builds a project: it has its configuration, or is named where it is installed."""
    if (root / "zensical.toml").is_file():
        return True
    files = [root / name for name in (*REQUIREMENTS, "pyproject.toml")]
    return any(b"zensical" in file.read_bytes() for file in files if file.is_file())


def _named(listing: Any) -> dict[str, Any]:
    """Name → options of what is a list of names and mappings, or one mapping."""
    named: dict[str, Any] = {}
    for item in listing if isinstance(listing, list) else [listing]:
        if isinstance(item, Mapping):
            named |= item
        elif isinstance(item, str):
            named[item] = None
    return named


def _keys(file: Path, read: list[Path]) -> dict[str, Any]:
    """The keys of a configuration, over those of the one that it inherits from, as MkDocs merges them."""
    root = None
    try:
        text = read_text(file, tip="see `--config-file`")
        if file.suffix == ".toml":
            keys = tomllib.loads(text)
            keys = keys.get("project", keys)
        else:
            root = compose(text, most_characters=MOST_CHARACTERS)
            keys = _Loader("").construct_document(root) if root else {}
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        language = "TOML" if file.suffix == ".toml" else "YAML"
        raise UsageError(
            f"{file}: this is not valid {language}: {error}", tip="fix that line"
        ) from error
    if not isinstance(keys, dict):
        raise UsageError(
            f"{file}: this is not a mapping of keys to values",
            tip="write `site_name: …` in it",
        )
    if root and is_own(file):
        _check_keys(file, root)
    parent = keys.pop("INHERIT", None)
    read.append(file)
    if not isinstance(parent, str):
        return keys
    if len(read) > MOST_PARENTS:
        raise UsageError(
            f"{file}: more than {MOST_PARENTS} configurations inherit from one another",
            tip="join some",
        )
    return dict(_merged(_keys(file.parent / parent, read), keys))


def _check_keys(file: Path, root: yaml.Node) -> None:
    """Refuse keys of `cited.yml` that nothing reads.

    Raises:
        UsageError: there are some; names each with its line.
    """
    problems = []
    for key, _ in root.value:
        if key.value not in OWN_KEYS:
            message = f"{file.name}:{key.start_mark.line + 1}: `{key.value}` is not a key of {file.name}"
            tip = did_you_mean(key.value, OWN_KEYS)
            problems.append(UsageError(message, tip=tip))
    if problems:
        raise gathered(problems)


def _merged(below: Any, above: Any) -> Any:
    """A mapping over another one; of anything else, what is above."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return {
        **below,
        **{key: _merged(below.get(key), value) for key, value in above.items()},
    }


class _Loader(yaml.SafeLoader):
    """YAML as generators write it: `!ENV` is looked up, and what names Python objects or paths is left as its text."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """A node's value; of one that has none, such as the date 2026-13-45, the error has its place."""
        try:
            return super().construct_object(node, deep)
        except ValueError as error:
            raise ConstructorError(None, None, str(error), node.start_mark) from error


def _as_text(_: _Loader, __: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    return None


_Loader.add_constructor("!ENV", construct_env_tag)
_Loader.add_multi_constructor("!", _as_text)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _as_text)
