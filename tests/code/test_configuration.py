"""What files of configuration define: YAML, JSON, TOML, INI, `.env`, shell scripts and Dockerfiles."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mkdocs_cited.code import definitions, is_read
from mkdocs_cited.code.interface import Computed, Definition, Duration, Entries, Items, Kind


def of(source: str, file: str) -> dict[str, Definition]:
    """The definitions of a file by their dotted paths; of those with one path, the last."""
    return {".".join(item.path): item for item in definitions(dedent(source), file)}


def test_yaml() -> None:
    """Keys of every document, aliases, merged keys, elements of lists."""
    found = of(
        """\
        base: &base
          ttl: 30
          tags: [a, b]
        prod:
          <<: *base
          size: 010
        text: "{{ x }}"
        none: ~
        --- # another
        steps:
          - name: x
            on: true
        """,
        "conf.yaml",
    )
    assert (found["base.ttl"].value, found["prod.ttl"].value) == (30, 30)
    assert found["base.tags"].value == Items(("a", "b"))
    assert (found["prod.size"].value, found["text"].value, found["none"].value) == (Computed(), Computed(), None)
    assert (found["steps.0.on"].value, found["steps.0.on"].line) == (True, 12)
    assert found["base"].value == Entries((("ttl", 30), ("tags", Items(("a", "b")))))


def test_variables_with_defaults_in_yaml() -> None:
    """As compose files, Spring and others write them: the entry has the default, and the variable's name as another."""
    found = of(
        """\
        port: ${APP_PORT:-8080}
        ttl: "${app.ttl:5}"
        level: ${LEVEL:?it is needed}
        url: http://${HOST:-x}/
        name: ${NAME}
        """,
        "application.yml",
    )
    assert (found["port"].value, found["port"].also) == (8080, ("APP_PORT",))
    assert (found["ttl"].value, found["ttl"].also) == (5, ("app.ttl",))
    assert {found[name].value for name in ("level", "url", "name")} == {Computed()}


def test_properties() -> None:
    """Their names are paths."""
    found = of("# comment\nserver.port=80\nspring.cache.ttl = 5m\n", "application.properties")
    assert (found["server.port"].value, found["server.port"].scope) == (80, ("server",))
    assert found["spring.cache.ttl"].value == Duration(300)


def test_settings_described_by_a_mapping() -> None:
    """JSON Schema, OpenAPI, inputs of actions, lists of options: a name with a default besides."""
    found = of(
        """\
        {
            // a schema
            "properties": {"port": {"type": "integer", "default": 8080, "enum": [8080, 9090]}},
            "parameters": [{"name": "limit", "default": 20}]
        }
        """,
        "schema.json",
    )
    fields = {name: item.value for name, item in found.items() if item.kind is Kind.FIELD}
    assert fields == {"properties.port": 8080, "parameters.limit": 20}
    assert found["properties.port"].choices == (8080, 9090)


def test_json_with_comments_and_tabs() -> None:
    """As editors allow it; a text that looks like a comment is a text."""
    found = of('{\n\t"url": "http://x/*y*/", /* a\nb */ "n": 1, // c\n}\n', "x.jsonc")
    assert {name: (item.value, item.line) for name, item in found.items()} == {"url": ("http://x/*y*/", 2), "n": (1, 3)}


def test_toml() -> None:
    """Keys with their lines, in tables and lists of tables."""
    found = of(
        """\
        [project]
        requires-python = ">=3.11"
        [tool.x]
        a.b = 1
        [[item]]
        n = 1
        [[item]]
        n = 2
        """,
        "pyproject.toml",
    )
    shown = {name: (item.value, item.line) for name, item in found.items() if not isinstance(item.value, Entries)}
    assert shown["project.requires-python"] == (">=3.11", 2)
    assert (shown["tool.x.a.b"], shown["item.0.n"], shown["item.1.n"]) == ((1, 4), (1, 6), (2, 8))


def test_ini_and_env() -> None:
    """Settings under their sections; comments are none; a quoted value is a text."""
    found = of('; PORT = 1\n[server]\nPORT = 80 ; x\nttl: 5m\nname = "a # b"\n', "app.ini.sample")
    shown = {name: item.value for name, item in found.items()}
    assert shown == {"server.PORT": 80, "server.ttl": Duration(300), "server.name": "a # b"}
    found = of("export PORT=80 # x\n# A=1\nURL=http://x/#a\nON=true\nX=${Y}\nEMPTY=\n", ".env.example")
    assert {name: item.value for name, item in found.items()} == {
        "PORT": 80, "URL": "http://x/#a", "ON": True, "X": Computed(), "EMPTY": None,
    }  # fmt: skip


def test_shell() -> None:
    """Variables, and the defaults of those that come from outside; what is set within a block is no constant."""
    found = of('export PORT="${PORT:-80}"\nNAME=x\nA="$(run)"\nrun ${TTL:=5m}\n  DEBUG=1\n', "run.sh")
    shown = {name: (item.value, item.kind) for name, item in found.items()}
    assert shown == {
        "PORT": (80, Kind.LOOKUP),
        "NAME": ("x", Kind.CONSTANT),
        "A": (Computed(), Kind.CONSTANT),
        "TTL": (Duration(300), Kind.LOOKUP),
        "DEBUG": (1, Kind.KEY),
    }


def test_dockerfile() -> None:
    """`ENV`, `ARG`, and the version of an image."""
    text = "FROM --platform=$X docker.io/node:20-slim AS build\nARG TTL=5\nENV A=1 \\\n    B=two\nENV C 3\n"
    found = of(text, "docker/Dockerfile.dev")
    shown = {name: (item.value, item.line) for name, item in found.items()}
    assert shown == {"FROM.node": ("20-slim", 1), "TTL": (5, 2), "A": (1, 3), "B": ("two", 4), "C": (3, 5)}


@pytest.mark.parametrize("file", ["x.yaml", "x.json", "x.toml", "x.ini", "x.env", "x.sh", "Dockerfile", "x.txt"])
@pytest.mark.parametrize("text", ["", "\x00", "{" * 3000, "a: &a [*a]", "[[", "a: b: c", "${" * 999])
def test_nothing_that_a_file_holds_is_fatal(file: str, text: str) -> None:
    """What does not parse defines nothing, or little."""
    assert len(definitions(text, file)) < 10


def test_names_say_who_reads() -> None:
    """A suffix anywhere in the name, a name, or nobody."""
    known = ["a/b.py", "settings.ini.sample", ".env", ".env.example", "prod.env", "Dockerfile.dev", "x.json5"]
    assert [is_read(name) for name in known] == [True] * len(known)
    assert not any(is_read(name) for name in ["a.md", "LICENSE", "x.png"])
