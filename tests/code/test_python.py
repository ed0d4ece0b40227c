"""What a Python file defines."""

from __future__ import annotations

from textwrap import dedent

import pytest

from mkdocs_cited.code import definitions
from mkdocs_cited.code.interface import Computed, Definition, Duration, Entries, Items, Kind, Reference


def of(source: str, file: str = "app.py") -> dict[str, Definition]:
    """The definitions of a source by their dotted paths."""
    found = definitions(dedent(source), file)
    return {".".join(item.path): item for item in found}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("300", 300),
        ("-1", -1),
        ("1_048_576", 1048576),
        ("60 * 60", 3600),
        ("10 * 1024 ** 2", 10485760),
        ("2 ** 10 ** 10", Computed()),
        ("timedelta(minutes=5)", Duration(300)),
        ("datetime.timedelta(1)", Duration(86400)),
        ("timedelta(hours=1) * 2", Duration(7200)),
        ("None", None),
        ("'a' 'b'", "ab"),
        ("b'x'", "x"),
        ("['a', 1]", Items(("a", 1))),
        ("{'a': 1}", Entries((("a", 1),))),
        ("dict(a=1)", Entries((("a", 1),))),
        ("frozenset({'a'})", Items(("a",))),
        ("list()", Items(())),
        ("int('25')", 25),
        ("_('name')", "name"),
        ("OTHER", Reference("OTHER")),
        ("f'{x}'", Computed()),
        ("run()", Computed()),
        ("os.environ.get('TTL', 5)", 5),
        ("int(getattr(settings, 'TTL', '7'))", 7),
        ("config('TTL', default=8, cast=int)", 8),
    ],
)
def test_values(written: str, value: object) -> None:
    """The parsed expression is the value, however it is written."""
    assert of(f"TTL = {written}")["TTL"].value == value


@pytest.mark.parametrize(
    ("call", "name", "value"),
    [
        ("getattr(configuration, 'TTL', 300)", "TTL", 300),
        ("os.getenv('TTL', '5')", "TTL", "5"),
        ("os.environ.get('TTL', '5')", "TTL", "5"),
        ("EMAIL.get('PORT', 25)", "PORT", 25),
        ("options.setdefault('size', 9)", "size", 9),
        ("env.int('TTL', default=5)", "TTL", 5),
        ("anything('TTL', default=5)", "TTL", 5),
        ("ConfigParam(name='TTL', label='x', default=5)", "TTL", 5),
        ("get_bool('APP_TTL_ON', 'NO')", "APP_TTL_ON", "NO"),
        ("os.environ.get('APP_TTL')", "APP_TTL", None),
        ("get_flag('APP_TTL')", "APP_TTL", Reference("get_flag()")),
        ("getattr(settings, TTL_NAME, 5)", "TTL_NAME", 5),
    ],
)
def test_calls_with_a_name_and_a_default(call: str, name: str, value: object) -> None:
    """The most frequent form of truth: a setting is read under its name, with what it is otherwise."""
    found = [item for item in definitions(f"def load():\n    run({call})\n", "app.py") if item.name == name]
    assert [(item.value, item.kind, item.line) for item in found] == [(value, Kind.LOOKUP, 2)]


@pytest.mark.parametrize("call", ["text.replace('APP_NAME', 'x')", "print('hello', 'world')", "f('a b', 5)"])
def test_other_calls_define_nothing(call: str) -> None:
    """A text before another one is no name with its default."""
    assert definitions(call, "app.py") == ()


def test_options_of_command_lines() -> None:
    """argparse, click, typer and plumbum, each under the longest flag."""
    found = of(
        """
        parser.add_argument("-p", "--port", type=int, default=8000, dest="number")
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--level", choices=["low", "high"], default="low")

        @click.command()
        @click.option("--size", "-s", default=5, envvar="APP_SIZE")
        @click.option("--color/--no-color", default=True)
        def run(ttl: int = typer.Option(30, "--ttl", "-t"), name: Annotated[str, typer.Option("--name")] = "x"): ...

        class App(cli.Application):
            depth = cli.SwitchAttr(["-d", "--depth"], int, default=3)
        """
    )
    assert {name: item.value for name, item in found.items() if item.kind is Kind.OPTION} == {
        "--port": 8000, "--fast": False, "--level": "low", "run.--size": 5, "run.--color": True,
        "run.--ttl": 30, "run.--name": None, "App.depth.--depth": 3,
    }  # fmt: skip
    assert found["--port"].also == ("-p", "number")
    assert found["run.--size"].also == ("-s", "APP_SIZE")
    assert found["--level"].choices == ("low", "high")
    assert (found["run.ttl"].value, found["run.name"].value) == (30, "x")


def test_fields_and_parameters() -> None:
    """Dataclasses, pydantic with its variables, Django's models, attributes of `self`, parameters."""
    found = of(
        """
        class Cache:
            ttl: int = 30
            kind: Literal["lru", "fifo"] = "lru"
            items: list = field(default_factory=list)
            size: int = Field(16, alias="cacheSize")
            needed: str = Field(description="x")

            def __init__(self, depth: int = 2, *, wide: bool = False) -> None:
                self.depth = 4
                local = 5

        class Conf(BaseSettings):
            model_config = SettingsConfigDict(env_prefix="app_")
            port: int = 80

        class Note(Model):
            message = models.CharField(verbose_name=_("m"), max_length=200, default="hi")
        """
    )
    shown = {name: item.value for name, item in found.items()}
    assert shown["Cache.ttl"] == 30
    assert found["Cache.kind"].choices == ("lru", "fifo")
    assert shown["Cache.items"] == Items(())
    assert (shown["Cache.size"], found["Cache.size"].also) == (16, ("cacheSize",))
    assert "Cache.needed" not in shown
    assert (shown["Cache.__init__.depth"], shown["Cache.__init__.wide"], shown["Cache.depth"]) == (2, False, 4)
    assert found["Conf.port"].also == ("APP_PORT",)
    assert (shown["Note.message"], shown["Note.message.max_length"]) == ("hi", 200)
    assert not any("local" in name for name in shown)


def test_entries_of_dicts() -> None:
    """Under what they lie in."""
    found = of(
        """
        REST = {"PAGE_SIZE": 50, "inner": {"on": True}, **more, 5: 6}
        VALIDATORS = [{"NAME": "x.Length", "OPTIONS": {"min_length": 12}}]
        """
    )
    assert (found["REST.PAGE_SIZE"].value, found["REST.PAGE_SIZE"].kind) == (50, Kind.KEY)
    assert found["REST.inner.on"].value is True
    assert found["VALIDATORS.OPTIONS.min_length"].value == 12


def test_sets_of_values() -> None:
    """Enumerations and `Literal` have what they allow as their value."""
    found = of(
        """
        class Phase(str, Enum):
            PROMPT = "prompt"
            RENDER = "render"

        class State(TextChoices):
            ON = "on", _("On")
        """
    )
    assert found["Phase"].value == Items(("prompt", "render"))
    assert (found["Phase.PROMPT"].value, found["State"].value) == ("prompt", Items(("on",)))


def test_places_and_source_text() -> None:
    """Lines count from 1; the source of a value is on one line."""
    found = of('\nTTL = get(\n    "é",  # comment\n)\nNAME = "é" "ü"\n')
    assert (found["TTL"].line, found["TTL"].end_line, found["NAME"].text) == (2, 4, '"é" "ü"')


@pytest.mark.parametrize("text", ["def (", "x = 1\x00", "(" * 5000, "-" * 100_000 + "1"])
def test_what_does_not_parse_defines_nothing(text: str) -> None:
    """No traceback, whatever a file holds."""
    assert definitions(text, "app.py") == ()
