"""What `init` proposes: the plugin's line in `mkdocs.yml`, questions that the site answers, a workflow for CI."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from itertools import islice
from pathlib import Path

import yaml
from msgspec import Struct

from mkdocs_cited.base.bounded_yaml import compose, end_of
from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.values import replace
from mkdocs_cited.cli.headings import question_of
from mkdocs_cited.cli.naming import git
from mkdocs_cited.cli.output import working
from mkdocs_cited.cli.sites import opened
from mkdocs_cited.mkdocs_host.site import Site
from mkdocs_cited.model.answer import Status
from mkdocs_cited.model.source import Section, SourceType
from mkdocs_cited.pipeline.asking import asked, declared
from mkdocs_cited.pipeline.run import Run

QUESTIONS = 2
"""On a first page."""
MOST_TRIED = 40
"""Headings that are tried for them."""
REQUIREMENTS = ("docs/requirements.txt", "requirements-docs.txt", "requirements.txt")


class Change(Struct, frozen=True):
    """A file that would be written."""

    path: Path
    before: str
    """Empty for a new file."""
    after: str
    following: str = ""
    """What is left to a person."""


def with_plugin(config: Path) -> Change | None:
    """`mkdocs.yml` with the plugin among its plugins, every other character as it is; nothing where it is there.

    Raises:
        UsageError: the file is not YAML, or its plugins are written in a way that this cannot add to.
    """
    try:
        text = config.read_text(encoding="utf-8")
        root = compose(text)
    except (ValueError, yaml.YAMLError) as error:
        raise UsageError(f"{config}: cannot be read: {error}", tip="mend it first: `mkdocs build` says more") from None
    found = _plugins(root)
    if "cited" in _names(found):
        return None
    if found is None:
        gap = "" if text.endswith("\n") or not text else "\n"
        made = f"{text}{gap}\nplugins:\n  - search\n  - cited\n"
    else:
        made = _added(config, text, found)
    try:
        right = _names(_plugins(compose(made))) == [*(_names(found) if found else ["search"]), "cited"]
    except (ValueError, yaml.YAMLError):
        right = False
    if not right:
        raise UsageError(f"{config}: `plugins` cannot be added to", tip="write `- cited` at its end by hand")
    return Change(config, text, made)


def _plugins(root: yaml.Node | None) -> yaml.Node | None:
    """What stands under `plugins` in a configuration."""
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    found = [value for key, value in pairs if isinstance(key, yaml.ScalarNode) and key.value == "plugins"]
    return found[-1] if found else None


def _names(plugins: yaml.Node | None) -> list[str]:
    """The plugins of a list or a mapping of them."""
    if not isinstance(plugins, yaml.CollectionNode):
        return []
    nodes = [key for key, _ in plugins.value] if isinstance(plugins, yaml.MappingNode) else plugins.value
    names = [node.value[0][0] if isinstance(node, yaml.MappingNode) and node.value else node for node in nodes]
    return [str(node.value) for node in names if isinstance(node, yaml.ScalarNode)]


def _added(config: Path, text: str, plugins: yaml.Node) -> str:
    start, last = plugins.start_mark.index, end_of(plugins)
    if not isinstance(plugins, (yaml.SequenceNode, yaml.MappingNode)) or not plugins.value:
        raise UsageError(f"{config}: `plugins` is no list", tip="write `plugins: [search, cited]`")
    mapping = isinstance(plugins, yaml.MappingNode)
    last = len(text[:last].rstrip())
    if plugins.flow_style:
        return f"{text[: last - 1].rstrip()}, {'cited: {}' if mapping else 'cited'}{text[last - 1 :]}"
    line = text.rfind("\n", 0, start) + 1
    indent = text[line : line + len(text[line:]) - len(text[line:].lstrip(" "))]
    stop = text.find("\n", last)
    head, tail = (text, "") if stop < 0 else (text[:stop], text[stop:])
    return f"{head}\n{indent}{'cited: {}' if mapping else '- cited'}{tail or chr(10)}"


@contextmanager
def asking(config: Path, plugin: Change | None) -> Iterator[Site]:
    """The site as it will be with the plugin: read through a copy of `mkdocs.yml` beside it, which goes again."""
    if plugin is None:
        yield opened(config)
        return
    copy = config.with_name(f".{config.stem}-{secrets.token_hex(4)}.yml")
    try:
        copy.write_text(plugin.after, encoding="utf-8")
        yield opened(copy)
    finally:
        copy.unlink(missing_ok=True)


def first_questions(site: Site) -> list[str]:
    """Questions made of headings that their own sections answer without a fault, from different pages where there are
    such."""
    pipeline = site.pipeline(Run("always", writes=False, calls_models=False))
    taken: list[str] = []
    more: list[str] = []
    pages: set[str] = set()

    def answers(section: Section, question: str) -> bool:
        answer = asked(replace(declared(question, site.locale), provider="extractive"), pipeline)
        cited = {source.passage.section for source in answer.sources}
        return answer.status is Status.ACCEPTED and not answer.findings and section in cited

    with working("looking for questions that the pages answer"):
        for section, question in islice(_candidates(site), MOST_TRIED):
            if len(taken) == QUESTIONS:
                break
            known = section.page.src in pages
            if (not known or len(more) < QUESTIONS) and answers(section, question):
                pages.add(section.page.src)
                (more if known else taken).append(question)
    return [*taken, *more][:QUESTIONS]


def _candidates(site: Site) -> Iterator[tuple[Section, str]]:
    """Sections with a question that each answers, those that ask or tell how to do something first."""
    questions: dict[Section, tuple[str, int]] = {}
    for page in site.corpus.pages():
        if page.type is SourceType.PAGE and page.locale == site.locale:
            for passage in site.corpus.section(page.src, ""):
                section = passage.section
                if section.anchor and section.level > 1 and section not in questions:
                    questions[section] = question_of(section.title, site.locale, passage.text)
    for section, (question, _) in sorted(questions.items(), key=lambda item: -item[1][1]):
        if question:
            yield section, question


def workflow(root: Path, config: Path, theme: str | None) -> Change | None:
    """A workflow for the service that the repository is set up for; nothing where there is none, or one already."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    if (top / ".github").is_dir():
        path, template, following = top / ".github/workflows/answers.yml", "github.yml", ""
    elif (top / ".gitlab-ci.yml").is_file():
        path, template = top / ".gitlab/answers.yml", "gitlab.yml"
        following = "write `include: .gitlab/answers.yml` into .gitlab-ci.yml"
    else:
        return None
    if path.exists() or any("mkdocs-cited" in _text(item) for item in path.parent.glob("*.y*ml")):
        return None
    place = (root / config.name).relative_to(top).as_posix()
    theme = " mkdocs-material" if theme == "material" else ""
    needed = next((name for name in REQUIREMENTS if (top / name).is_file()), "")
    text = resources.files("mkdocs_cited.cli").joinpath("workflows", template).read_text(encoding="utf-8")
    for name, value in (
        (
            "install",
            f"mkdocs-cited -r {needed}" if needed else f"mkdocs-cited{theme} # and what your site needs",
        ),
        ("config", "" if place == "mkdocs.yml" else f" --config-file {place}"),
        ("path", ".gitlab/answers.yml"),
        ("branch", json.dumps(_branch(top), ensure_ascii=False)),
    ):
        text = text.replace(f"{{{name}}}", value)
    return Change(path, "", text, following)


def _branch(top: Path) -> str:
    """The branch that others clone, where git knows it, or else the current one."""
    cloned = git(top, "symbolic-ref", "--short", "refs/remotes/origin/HEAD").strip().removeprefix("origin/")
    return cloned or git(top, "symbolic-ref", "--short", "HEAD").strip() or "main"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
