"""`facts`: docs and code of a repository are compared, without a mark and without configuration."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mkdocs_cited.cli import main
from tests.projects import Project

SETTINGS = """
TTL = getattr(config, "APP_TTL", 300)
RETRIES = os.getenv("APP_RETRIES", "5")
"""
PAGE = "# Settings\n\n## APP_TTL\n\nDefault: `60`\n\n## APP_RETRIES\n\nDefault: `5`\n\n## APP_GONE\n\nDefault: `1`\n"


def written(root: Path, files: dict[str, str]) -> Path:
    """A git repository with these files, committed."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", *who, "commit", "-qm", "x"], cwd=root, check=True)
    return root


def facts(root: Path, *words: str, answers: str = "") -> Result:
    """The command in a folder."""
    return CliRunner().invoke(main, ["facts", str(root), *words], input=answers)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """One default agrees, one differs, one is not found."""
    return written(tmp_path, {"docs/settings.md": PAGE, "app/settings.py": SETTINGS})


def test_a_difference_is_shown_with_both_places(project: Path) -> None:
    """Both values, both places, who changed them; exit code 1."""
    done = facts(project)
    assert done.exit_code == 1
    assert done.output.startswith("3 defaults read: 1 agree, 1 differ, 1 not found\n")
    assert "APP_TTL\n  docs  60  docs/settings.md:5  (Ann, " in done.output
    assert "code  300  app/settings.py:2  (Ann, " in done.output
    assert "APP_GONE" not in done.output


@pytest.mark.parametrize("name", ["mkdocs.yml", "zensical.toml"])
def test_a_built_site_is_not_read(name: str, tmp_path: Path) -> None:
    """Where git tracks nothing yet, and ignores nothing: the configuration says what was built."""
    lines = {"mkdocs.yml": "site_name: S\nsite_dir: out\n", "zensical.toml": '[project]\nsite_dir = "out"\n'}
    for file in ("docs/settings.md", "out/settings.md"):
        path = tmp_path / file
        path.parent.mkdir()
        path.write_text(PAGE, encoding="utf-8")
    (tmp_path / "settings.py").write_text(SETTINGS, encoding="utf-8")
    assert facts(tmp_path).output.startswith("6 defaults read")
    (tmp_path / name).write_text(lines[name], encoding="utf-8")
    assert facts(tmp_path).output.startswith("3 defaults read")


def test_all_lists_what_is_not_decided(project: Path) -> None:
    """With the reason."""
    assert "APP_GONE: the code has no value with this name" in facts(project, "--all").output


def test_json(project: Path) -> None:
    """Each fact with its status, and counts."""
    done = facts(project, "--json")
    told = json.loads(done.output)
    assert done.exit_code == 1
    assert told["counts"] == {"read": 3, "agrees": 1, "differs": 1, "unknown": 1}
    assert told["facts"][0] == {
        "name": "APP_TTL",
        "status": "differs",
        "reason": "",
        "docs": {"file": "docs/settings.md", "line": 5, "value": "60"},
        "code": {"file": "app/settings.py", "line": 2, "value": "300"},
    }
    assert told["facts"][2]["code"] is None


def test_json_and_formats_together(project: Path) -> None:
    """Both are given; two on standard output are refused."""
    done = facts(project, "--json", "--format", "sarif", "--output", str(project / "facts.sarif"))
    assert json.loads(done.output)["counts"]["differs"] == 1
    assert "altered-number" in (project / "facts.sarif").read_text(encoding="utf-8")
    assert facts(project, "--json", "--format", "sarif").exit_code == 2


def test_rules_of_the_configuration_hold(project: Path) -> None:
    """The command goes by the rules of a project, where it has some."""
    options = "plugins:\n- cited:\n    facts:\n    - value: 'Vorgabe: {value}'\n"
    (project / "mkdocs.yml").write_text(f"site_name: x\n{options}", encoding="utf-8")
    (project / "docs/more.md").write_text("## APP_TTL\n\nVorgabe: 9\n", encoding="utf-8")
    assert facts(project).output.startswith("4 defaults read: 1 agree, 2 differ")


def test_a_page_that_is_not_added_yet_is_read(project: Path) -> None:
    """It is what an author writes now. One that git ignores is not, and neither is code that nobody has added."""
    (project / "docs/new.md").write_text("## APP_TTL\n\nDefault: `9`\n", encoding="utf-8")
    (project / "docs/draft.md").write_text("## APP_TTL\n\nDefault: `8`\n", encoding="utf-8")
    (project / ".gitignore").write_text("draft.md\n", encoding="utf-8")
    (project / "secret.py").write_text('import os\nos.getenv("APP_LOST", "7")\n', encoding="utf-8")
    done = facts(project)
    assert (done.exit_code, "docs  9  docs/new.md:3\n" in done.output) == (1, True), done.output
    assert "read 2 pages, 1 file of code" in done.output


def test_formats_of_the_reporters(project: Path) -> None:
    """A difference is a finding, for annotations and reports."""
    done = facts(project, "--format", "github")
    assert done.exit_code == 1
    assert "file=docs/settings.md,line=5" in done.output
    assert "altered-number" in done.output


def test_agreement_exits_0(project: Path) -> None:
    """Nothing is wrong, nothing to do."""
    (project / "docs/settings.md").write_text(PAGE.replace("60", "5 minutes"), encoding="utf-8")
    done = facts(project)
    told = "3 defaults read: 2 agree, 0 differ, 1 not found\nread 1 page, 1 file of code and configuration (.py)\n"
    assert (done.exit_code, done.output) == (
        0,
        f"{told}  → `mkdocs-cited facts --all` says why 1 could not be decided\n",
    )


def test_fix_shows_the_change_and_asks(project: Path) -> None:
    """One place states the old value: it is written after a yes."""
    page = project / "docs/settings.md"
    done = facts(project, "--fix", answers="n\n")
    assert done.exit_code == 1
    assert "\nAPP_TTL\n  docs  60  docs/settings.md:5" in done.output
    assert done.output.endswith("\nleft 1 value\n")
    assert "-Default: `60`\n+Default: `300`" in done.output
    assert page.read_text(encoding="utf-8") == PAGE
    assert facts(project, "--fix", "--yes").exit_code == 0
    assert page.read_text(encoding="utf-8") == PAGE.replace("60", "300")
    assert facts(project).exit_code == 0


@pytest.mark.parametrize(
    ("stated", "code", "expected"),
    [
        ("`True`", "False", "`False`"),
        ("enabled", "False", "disabled"),
        ("5 minutes", "timedelta(minutes=10)", "10 minutes"),
        ("5 minutes", "600", "10 minutes"),
        ("`300`", "os.getenv('APP_Y', '600')", "`600`"),
        ("`1 MiB`", "2 * 1024**2", "`2 MiB`"),
        ("`1,000`", "2000", "`2,000`"),
        ("`'a.html'`", "'b.html'", "`'b.html'`"),
        ("`3` (there are `3` of them)", "5", "`3` (there are `3` of them)"),
        ("`644`", "0o600", "`644`"),
    ],
)
def test_fix_writes_as_the_page_does(tmp_path: Path, stated: str, code: str, expected: str) -> None:
    """Words for yes, units, separators, quotes, a number that code writes as a text; nothing where two spans state the
    value, or where it has another base."""
    page = f"## APP_X\n\nDefault: {stated}\r\n"
    written(tmp_path, {"docs/x.md": page, "app/settings.py": f'X = getattr(config, "APP_X", {code})\n'})
    assert facts(tmp_path).exit_code == 1
    facts(tmp_path, "--fix", "--yes")
    after = (tmp_path / "docs/x.md").read_bytes().decode()
    assert after == f"## APP_X\n\nDefault: {expected}\r\n"


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("`5 minutes`", "docs/x.md:3: APP_X: 100 cannot be said like 5 minutes\n"),
        ("`3` (there are `3` of them)", "docs/x.md:3: APP_X: 2 places say 3\n"),
        ("`300` (five minutes)", "docs/x.md:3: APP_X: does (five minutes) still hold behind 100?\n"),
    ],
)
def test_fix_says_what_is_left(tmp_path: Path, stated: str, said: str) -> None:
    """Why a value is not written, and which note behind a new one may say the old one."""
    code = 'X = getattr(config, "APP_X", 100)\n'
    written(tmp_path, {"docs/x.md": f"## APP_X\n\nDefault: {stated}\n", "app/settings.py": code})
    done = facts(tmp_path, "--fix", "--yes")
    assert done.output.startswith(said)
    is_left = "still hold" not in said
    assert (done.exit_code, "left 1 value" in done.output) == (int(is_left), is_left)


@pytest.mark.parametrize(
    ("page", "name", "code"),
    [
        ("## APP_ON\n\nDefault: `false`", "a.py", "def flag(k, default='NO'): ...\nON = flag('APP_ON')\n"),
        ("## APP_ON\n\nDefault: `5`", "a.py", "NAME = 'APP_ON'\nON = getattr(settings, NAME, 5)\n"),
        ("- `size`: default `5`", "a.py", "class A:\n    def __init__(self, size=5):\n        self.size = size\n"),
        ("- `server.port`: default `5`", "values.yaml", "client: {port: 9}\nserver: {port: 5}\n"),
        ("- `watch`: default `false`", "a.go", 'package x\ntype T struct {\n Watch bool `yaml:"watch"`\n}\n'),
        ("#### APP_MODE\n\n- `fast` (default): x\n", "a.py", "MODE = getattr(config, 'APP_MODE', 'fast')\n"),
        (
            "#### --s3-auth\n\n- Config: env_auth\n- Default: 5\n",
            "a.go",
            'package x\nvar x = O{Name: "env_auth", Default: 5}\n',
        ),
    ],
)
def test_how_code_gives_a_default(tmp_path: Path, page: str, name: str, code: str) -> None:
    """By a helper's own default, under a constant's text, through a parameter, under a whole path, by its type."""
    written(tmp_path, {"docs/things.md": page, f"app/{name}": code})
    assert facts(tmp_path).output.startswith("1 default read: 1 agree"), facts(tmp_path, "--all").output


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("## timeout\n\nDefault: `5`", "class Cache:\n    timeout: int = 9\n"),
        (
            "## Cache\n\n- `timeout`: default `5`",
            "class Cache:\n    timeout: int = 9\nclass Web:\n    timeout: int = 5\n",
        ),
        ("## APP_X\n\nDefault: `5`", "def f(APP_X=9): ...\n"),
        ("## APP_X\n\nDefault: `5`", "X = getattr(config, 'APP_X', compute())\n"),
        ("## APP_X\n\nDefault: `5`", "X = getattr(config, 'APP_X', None)\n"),
        ("- `--retries`: default `0`", "parser.add_argument('--retries', default=-1)\n"),
        ("## appX\n\nDefault: `5`", "APP_X = 9\n"),
        ("## IDLE_TIME\n\nDefault: `5`", "IDLE_TIME = 9\n"),
        ("## server.port\n\nDefault: `5`", "class Client:\n    port: int = 9\n"),
        ("## options.detached\n\nDefault: `5`", "def spawn_options():\n    return {'detached': 9}\n"),
        ("## room_name\n\nDefault: `5`", "def f(room_name=None): ...\nc = d.get('room_name', 9)\n"),
        ("## APP_X\n\nDefault: `APP_X`", "X = getattr(config, 'APP_X', 'y')\n"),
        ("## APP_X\n\nFor example, the global_factor default is 5.", "X = getattr(config, 'APP_X', 9)\n"),
        ("| Name | Default |\n|---|---|\n| `APP_X[0]` | `5` |", "X = getattr(config, 'APP_X', 9)\n"),
        ("| Name | Default |\n|---|---|\n| `APP_X` | [repo](a.md) |", "X = getattr(config, 'APP_X', 'x')\n"),
        ("| Name | Type | Default |\n|---|---|---|\n| `APP_X` | text | text |", "X = getattr(config, 'APP_X', 'x')\n"),
        ("## APP_X\n\nWithout it, the default is used.", "X = getattr(config, 'APP_X', 'x')\n"),
        ("| Name | Default |\n|---|---|\n| `APP_X` | `latest release` |", "X = getattr(config, 'APP_X', 'v2')\n"),
    ],
)
def test_what_is_not_sure_is_no_difference(tmp_path: Path, page: str, code: str) -> None:
    """A plain word, several of a name, a parameter, a value of a run, another writing, another owner."""
    written(tmp_path, {"docs/other.md": page, "app/things.py": code})
    done = facts(tmp_path)
    assert (done.exit_code, done.output.count("0 differ")) == (0, 1), done.output


GO = "package x\n\nvar DefaultConfig = Config{{{}}}\n"
ROWS = "# Config\n\n| Name | Default |\n|---|---|\n| `IdleTime` | `5` |\n| `MaxConns` | `1` |\n| `Retries` | `2` |\n"


@pytest.mark.parametrize(
    ("others", "shown"),
    [
        ("MaxConns: 1, Retries: 2, Depth: 3", True),
        ("MaxConns: 1, Retries: 2, Depth: 7", False),
        ("MaxConns: 1", False),
        ("", False),
    ],
)
def test_a_page_is_about_what_its_other_statements_agree_with(tmp_path: Path, others: str, shown: bool) -> None:
    """A difference is shown where three others agree with the file, and three for each that differs."""
    page = f"{ROWS}| `Depth` | `3` |\n"
    written(tmp_path, {"docs/x.md": page, "app/exporter/x.go": GO.format(f"IdleTime: 9, {others}")})
    done = facts(tmp_path)
    assert done.exit_code == int(shown), done.output


def test_a_page_about_several_files_is_about_none_of_them(tmp_path: Path) -> None:
    """A difference is shown where at least half of the page agrees with the file."""
    names = [f"app_field_{name}" for name in "abcdefg"]
    code = [f"class C{at}:\n    {name}: int = 5\n" for at, name in enumerate([*names, "app_field_x"])]
    page = "".join(f"- `{name}`: default `5`\n" for name in names) + "- `app_field_x`: default `9`\n"
    written(tmp_path, {"docs/x.md": page, "app/a.py": "".join(code[:4]), "app/b.py": "".join(code[4:])})
    assert facts(tmp_path).output.startswith("8 defaults read: 7 agree, 0 differ")
    written(tmp_path, {"app/a.py": "".join(code[:3]), "app/b.py": "".join(code[3:])})
    assert facts(tmp_path).output.startswith("8 defaults read: 7 agree, 1 differ")


def test_a_flag_on_a_page_about_several_files(tmp_path: Path) -> None:
    """What a command line declares is meant, whichever file most of the page agrees with."""
    names = [f"app_field_{name}" for name in "abcdefg"]
    code = [f"class C{at}:\n    {name}: int = 5\n" for at, name in enumerate(names)]
    flag = "p.add_argument('--app-depth', default=5)\n"
    page = "".join(f"- `{name}`: default `5`\n" for name in names) + "- `app_depth` (`--app-depth`): default `9`\n"
    more = "class D:\n    app_depth = compute()\n\ndef f(app_depth=7): ...\n"
    written(tmp_path, {"docs/x.md": page, "app/a.py": "".join(code[:4]) + more, "app/b.py": "".join([*code[4:], flag])})
    assert facts(tmp_path).output.startswith("8 defaults read: 7 agree, 1 differ")


@pytest.mark.parametrize(("of_c", "differs"), [(2, 0), (4, 1)])
def test_a_page_agrees_with_all_files_that_have_its_values(tmp_path: Path, of_c: int, differs: int) -> None:
    """The file that comes first has no precedence: the last one has all of them."""
    rows = "".join(f"| `APP_{name}` | `1` |\n" for name in "XYZ")
    page = f"| Name | Default |\n|---|---|\n{rows}| `APP_W` | `2` |\n"
    file = "FROM x\nENV APP_X=1 APP_Y=1 APP_Z=1 APP_W={}\n"
    files = {f"{name}/Dockerfile": file.format(value) for name, value in (("a", 3), ("b", 3), ("c", of_c))}
    written(tmp_path, {"docs/x.md": page, **files})
    assert facts(tmp_path).output.startswith(f"4 defaults read: {4 - differs} agree, {differs} differ")


def test_another_definition_of_the_file_with_the_stated_value(tmp_path: Path) -> None:
    """It is not sure which of the two is the default."""
    rows = (
        "# Cache\n\n| Name | Default |\n|---|---|\n| `depth` | `5` |\n"
        + "| `a` | `1` |\n| `b` | `2` |\n| `c` | `3` |\n"
    )
    fields = "class C:\n    a: int = 1\n    b: int = 2\n    c: int = 3\n    depth: int = 9\n"
    written(tmp_path, {"docs/x.md": rows, "app/x.py": fields})
    assert facts(tmp_path).output.startswith("4 defaults read: 3 agree, 1 differ")
    written(tmp_path, {"app/x.py": f"{fields}\n\ndef made(depth=5): ...\n"})
    assert facts(tmp_path).output.startswith("4 defaults read: 3 agree, 0 differ")


def test_a_page_that_has_it_right_elsewhere_states_a_case(tmp_path: Path) -> None:
    """Where one of two sections has the code's value, the other one's is no error."""
    page = "# A\n\n- `APP_TTL`: default `300`\n\n# B\n\n- `APP_TTL`: default `60`\n"
    written(tmp_path, {"docs/x.md": page, "app/settings.py": SETTINGS})
    assert facts(tmp_path).output.startswith("2 defaults read: 1 agree, 0 differ, 0 not found, 1 not sure")


def test_a_name_of_another_thing_is_no_value(tmp_path: Path) -> None:
    """What is set to a member of a package is not set to the same member of something else."""
    code = GO.format("IdleTime: azure.PublicCloud.Name, MaxConns: 1, Retries: 2, Depth: 3")
    page = f"{ROWS}| `Depth` | `3` |\n"
    written(tmp_path, {"docs/azure.md": page, "app/azure/azure.go": f'{code}\nvar x = T{{Name: "y"}}\n'})
    assert facts(tmp_path).exit_code == 0


def test_a_page_beside_code_is_about_that_code(tmp_path: Path) -> None:
    """A README of a part is compared with what lies below it: a chart with its values, and with no flag of the same
    name."""
    page = "| Name | Default |\n|---|---|\n| `metricsServer` | `http://a:90` |\n| `logLevel` | `info` |\n"
    code = 'flag.String("metrics-server", "http://b:90", "")\nflag.String("log-level", "debug", "")\n'
    files = {"charts/x/README.md": page, "cmd/main.go": f"package x\nfunc main() {{\n{code}}}\n"}
    written(tmp_path, files)
    assert facts(tmp_path).output.startswith("2 defaults read: 0 agree, 0 differ")
    written(tmp_path, {"charts/x/values.yaml": "metricsServer: http://a:90\nlogLevel: warn\n"})
    assert facts(tmp_path).output.startswith("2 defaults read: 1 agree, 1 differ")


def test_a_page_beside_code_is_about_no_other_code(tmp_path: Path) -> None:
    """Where a part's own values are not read, or do not have a name, those of its neighbour prove nothing."""
    rows = "".join(f"| `image.{name}` | `of-{name}` |\n" for name in ("tag", "registry", "policy"))
    page = f"| Name | Default |\n|---|---|\n{rows}| `image.port` | `80` |\n"
    values = "image: {tag: of-tag, registry: of-registry, policy: of-policy, port: 90}\n"
    written(tmp_path, {"charts/x/README.md": page, "charts/y/values.yaml": values})
    assert facts(tmp_path).output.startswith("4 defaults read: 0 agree, 0 differ, ")
    (tmp_path / "charts/x/README.md").rename(tmp_path / "charts/y/README.md")
    written(tmp_path, {})
    assert facts(tmp_path).output.startswith("4 defaults read: 3 agree, 1 differ")


def test_a_whole_path_is_not_the_end_of_another(tmp_path: Path) -> None:
    """`image.tag` of the docs is not `sentinel.image.tag`, which had the value before, also where it has no value."""
    page = "| Name | Default |\n|---|---|\n| `image.tag` | `v1` |\n| `image.name` | `x` |\n"
    values = "sentinel: {{image: {{tag: {}}}}}\nimage:\n  tag: {}\n  name: x\n"
    written(tmp_path, {"charts/x/README.md": page, "charts/x/values.yaml": values.format("v1", "v0")})
    written(tmp_path, {"charts/x/values.yaml": values.format("v2", "v3")})
    output = facts(tmp_path).output
    assert "  code  v3  charts/x/values.yaml:3  (Ann" in output, output
    written(tmp_path, {"charts/x/values.yaml": "sentinel: {image: {tag: v2}}\nimage:\n  name: x\n"})
    assert facts(tmp_path).output.startswith("2 defaults read: 1 agree, 0 differ")


def test_a_member_without_a_value_may_be_what_a_section_is_about(tmp_path: Path) -> None:
    """It is false, also where another struct's member of that name was false before."""
    names = ("start_tls", "only_tls", "use_proxy", "verify_tls")
    rows = "".join(f"| `{name}` | `false` |\n" for name in names)
    page = f"# Directory\n\n| Name | Default |\n|---|---|\n{rows}\n# Mail\n\n| Name | Default |\n|---|---|\n"
    page += "".join(f"| `mail_{name}` | `1` |\n" for name in "abcdef")
    members = "\n".join(f'\t{name.title().replace("_", "")} bool `yaml:"{name}"`' for name in names)
    values = ", ".join(f"Mail{name}: 1" for name in "ABCDEF")
    mail = f"package x\n\nvar mail = Mail{{{{VerifyTls: {{}}, {values}}}}}\n"
    written(tmp_path, {"docs/x.md": page, "a.go": f"package x\n\ntype Directory struct {{\n{members}\n}}\n"})
    written(tmp_path, {"b.go": mail.format("false")})
    written(tmp_path, {"b.go": mail.format("true")})
    assert facts(tmp_path).output.startswith("10 defaults read: 10 agree")


def test_a_chart_is_not_its_neighbour(tmp_path: Path) -> None:
    """An equal value of another chart does not excuse a wrong one."""
    page = "| Name | Default |\n|---|---|\n| `image.tag` | `v1` |\n| `image.name` | `x` |\n"
    values = {
        f"charts/{name}/values.yaml": f"image: {{tag: {tag}, name: x}}\n" for name, tag in (("x", "v2"), ("y", "v1"))
    }
    written(tmp_path, {"charts/x/README.md": page, **values})
    assert facts(tmp_path).output.startswith("2 defaults read: 1 agree, 1 differ")


@pytest.mark.parametrize("folder", ["", "charts/x/"])
def test_a_chart_is_described_by_the_readme_beside_its_values(tmp_path: Path, folder: str) -> None:
    """The values of a chart below it are others, whether it has them itself or not."""
    rows = "".join(f"| `service.{name}` | `80` |\n" for name in ("port", "https", "metrics"))
    page = f"| Name | Default |\n|---|---|\n{rows}| `service.admin` | `80` |\n"
    values = {
        "values.yaml": "service: {port: 80, https: 81}\n",
        "charts/y/values.yaml": "service: {port: 90, https: 90}",
    }
    written(tmp_path, {f"{folder}{name}": text for name, text in {"README.md": page, **values}.items()})
    output = facts(tmp_path).output
    assert output.startswith("4 defaults read: 1 agree, 1 differ"), output
    assert f"code  81  {folder}values.yaml:1" in output


def test_an_equal_value_of_another_thing_proves_nothing(tmp_path: Path) -> None:
    """A plain word that several things are called, and no other default of the page agrees with one of them."""
    code = "class Cache:\n    timeout: int = 9\nclass Web:\n    timeout: int = 5\n"
    written(tmp_path, {"docs/web.md": "## `timeout`\n\nDefault: `5`\n", "app/a.py": code})
    assert facts(tmp_path).output.startswith("1 default read: 0 agree, 0 differ, 0 not found, 1 not sure")


def test_the_name_of_another_setting_is_no_value(tmp_path: Path) -> None:
    """It says: as much as that."""
    page = "- `server.timeout`: default `client.timeout`\n"
    written(tmp_path, {"docs/x.md": page, "values.yaml": "client: {timeout: 5s}\nserver: {timeout: 5s}\n"})
    assert facts(tmp_path).exit_code == 0
    (tmp_path / "docs/x.md").write_text(page.replace("client.timeout", "3s"), encoding="utf-8")
    assert facts(tmp_path).exit_code == 1


def test_the_name_of_a_value_in_another_file_is_no_value(tmp_path: Path) -> None:
    """`chart.appVersion` is that of `Chart.yaml`."""
    rows = "| Name | Default |\n|---|---|\n| `image.tag` | `chart.appVersion` |\n"
    files = {"README.md": rows, "values.yaml": "image: {tag: latest}\n", "Chart.yaml": "appVersion: latest\n"}
    written(tmp_path, files)
    assert facts(tmp_path).output.startswith("1 default read: 0 agree, 0 differ")


def test_a_folder_names_pages(tmp_path: Path) -> None:
    """Of a folder that is named, the pages are read; the code is that of the repository."""
    written(tmp_path, {"docs/a/x.md": PAGE, "docs/b/x.md": PAGE, "app/settings.py": SETTINGS})
    assert facts(tmp_path / "docs").output.startswith("6 defaults read: 2 agree, 2 differ")
    done = facts(tmp_path / "docs/a")
    assert done.output.startswith("3 defaults read: 1 agree, 1 differ, 1 not found\nread 1 page, 1 file of code")


@pytest.mark.parametrize("name", ["tests/settings.py", "examples/settings.py", "app/test_settings.py", "vendor/x.py"])
def test_other_code_is_not_the_product(tmp_path: Path, name: str) -> None:
    """Tests, examples and copies of others' code define nothing."""
    written(tmp_path, {"docs/settings.md": PAGE, name: SETTINGS})
    assert facts(tmp_path).output.startswith("3 defaults read: 0 agree, 0 differ, 3 not found\n")


@pytest.mark.parametrize(
    "name", ["CHANGELOG.md", "docs/release-notes.md", "versioned_docs/version-1/x.md", "docs/de/x.md"]
)
def test_other_pages_are_not_todays_docs(tmp_path: Path, name: str) -> None:
    """Change logs, old versions and translations are not read."""
    written(tmp_path, {name: PAGE, "docs/x.md": "", "app/settings.py": SETTINGS})
    assert facts(tmp_path).output.startswith("0 defaults read")


@pytest.mark.parametrize("name", ["charts/x/VALUES.md", "docs/ui/settings.md", "src/app/notes.md"])
def test_pages_in_any_folder(tmp_path: Path, name: str) -> None:
    """A page next to code is a page; two letters are no language where no page in English is there."""
    written(tmp_path, {name: PAGE, "app/settings.py": SETTINGS})
    assert facts(tmp_path).output.startswith("3 defaults read")


@pytest.mark.parametrize("name", ["config.yaml", "config.yaml.example", "deploy/settings.json", ".env.sample"])
def test_what_a_file_of_configuration_sets_is_no_default(tmp_path: Path, name: str) -> None:
    """It may be an example, or one installation."""
    text = '{"APP_TTL": 300}' if "json" in name else "APP_TTL=300\n" if "env" in name else "APP_TTL: 300\n"
    written(tmp_path, {"docs/settings.md": PAGE, name: text})
    assert facts(tmp_path).exit_code == 0


def test_without_git(tmp_path: Path) -> None:
    """All files of the folder are read."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/x.md").write_text(PAGE, encoding="utf-8")
    (tmp_path / "settings.py").write_text(SETTINGS, encoding="utf-8")
    assert facts(tmp_path).output.startswith("3 defaults read: 1 agree, 1 differ, 1 not found\n")


def test_the_option_makes_it_part_of_builds_and_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A difference is an error of `check`, with places relative to `mkdocs.yml`; a suppression silences it."""
    site = Project(tmp_path / "repo" / "site", monkeypatch)
    site.configure({"facts": True})
    site.page("settings.md", PAGE)
    written(tmp_path / "repo", {"app/settings.py": SETTINGS})
    done = site.cited("check", "--json")
    found = json.loads(done.output)["findings"]
    assert [(item["slug"], item["place"]["file"], item["place"]["line"]) for item in found] == [
        ("altered-number", "docs/settings.md", 5)
    ]
    assert found[0]["related"][0]["place"]["file"] == "../app/settings.py"
    assert site.build("--strict").code == 1
    site.configure({"facts": True, "suppress": [{"slug": "altered-number", "reason": "The next release."}]})
    assert site.cited("check").code == 0


@pytest.mark.parametrize(
    ("page", "before", "after"),
    [
        ("- `ctl_file`: default `app.ctl`", "ctl_file = 'app.ctl'\n", "ctl_file = '/run/app.ctl'\n"),
        ("## `schemes`\n\nDefault: `http,https`", "schemes = ['http', 'https']\n", "schemes = ['https']\n"),
        ("## APP_TTL\n\nDefault: `60`, or `90` on Windows", *(f"X = get('APP_TTL', {value})\n" for value in (60, 70))),
        ("## APP_TTL\n\nDefault: `60`", *(f"T = {value}\nX = get('APP_TTL', T)\n" for value in (60, 70))),
        ("## APP_TTL\n\nDefault: none", *(f"X = get('APP_TTL', {value})\n" for value in ("''", 70))),
    ],
)
def test_what_agreed_before_the_code_changed_is_a_difference(
    tmp_path: Path, page: str, before: str, after: str
) -> None:
    """Also where the two values alone would not be sure: the docs say what the code was, and not what it is."""
    written(tmp_path, {"docs/x.md": page, "app/x.py": before})
    assert facts(tmp_path).output.startswith("1 default read: 1 agree")
    (tmp_path / "app/x.py").write_text(f"# moved\n\n{after}", encoding="utf-8")
    assert facts(tmp_path).output.startswith("1 default read: 0 agree, 1 differ")
    written(tmp_path, {"app/y.py": "# committed\n"})
    assert facts(tmp_path).output.startswith("1 default read: 0 agree, 1 differ")


def test_what_the_value_was_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the terminal, and in the finding."""
    project = Project(tmp_path, monkeypatch)
    written(tmp_path, {"docs/x.md": "- `ctl_file`: default `app.ctl`\n", "app/x.py": "ctl_file = 'app.ctl'\n"})
    project.write("app/x.py", "ctl_file = '/run/app.ctl'\n")
    assert "  code  '/run/app.ctl', app.ctl before  app/x.py:1\n" in facts(tmp_path).output
    told = facts(tmp_path, "--format", "console").output
    assert (
        "the default of `ctl_file` is app.ctl here, and '/run/app.ctl' in app/x.py:1, where it was app.ctl before"
        in told
    )


def test_a_page_that_is_outdated_as_a_whole(tmp_path: Path) -> None:
    """One more default that changes turns no run green: each was right before."""
    names = "ABCD"
    written(tmp_path, {"docs/x.md": "".join(f"- `APP_{name}`: default `5`\n" for name in names)})
    code = "".join(f"{name} = getattr(config, 'APP_{name}', 5)\n" for name in names)
    written(tmp_path, {"x.py": code})
    for count in (1, 2, 3, 4):
        code = code.replace(", 5)", ", 7)", 1)
        written(tmp_path, {"x.py": code})
        assert f", {count} differ" in facts(tmp_path).output


@pytest.mark.parametrize(("file", "differs"), [("app.environment.py", 1), ("production.env.py", 0)])
def test_an_environment_in_code_is_no_sample(tmp_path: Path, file: str, differs: int) -> None:
    """`env` is a part of its name, and not how one begins."""
    code = "X = getattr(config, 'APP_X', 9)\n"
    written(tmp_path, {"docs/x.md": "## APP_X\n\nDefault: `5`\n", file: code})
    assert f", {differs} differ" in facts(tmp_path).output


def test_the_last_of_three_that_agreed(tmp_path: Path) -> None:
    """The one that was right counts, when it is asked what the section is about."""
    written(tmp_path, {"docs/x.md": ROWS, "app/x.go": GO.format("IdleTime: 5, MaxConns: 1, Retries: 2")})
    assert facts(tmp_path).output.startswith("3 defaults read: 3 agree")
    written(tmp_path, {"app/x.go": GO.format("IdleTime: 5, MaxConns: 1, Retries: 7")})
    assert facts(tmp_path).output.startswith("3 defaults read: 2 agree, 1 differ")


@pytest.mark.parametrize("sample", [".env.example", "settings_example.py"])
def test_what_a_sample_was_is_no_difference(tmp_path: Path, sample: str) -> None:
    """It may be changed without the default; an option that is 0 may stand for what code fills in."""
    names = "".join(f"- `APP_{name}`: default `5`\n" for name in "ABCD")
    env = "".join(f"APP_{name}=5\n" for name in "ABCD")
    written(tmp_path, {"docs/x.md": f"{names}\n# Flags\n\n- `--retries`: default `5`\n"})
    written(tmp_path, {sample: env, "x.py": "parser.add_argument('--retries', default=5)\n"})
    assert facts(tmp_path).output.startswith("5 defaults read: 5 agree")
    written(tmp_path, {sample: env.replace("A=5", "A=7"), "x.py": "p.add_argument('--retries', default=0)\n"})
    assert facts(tmp_path).output.startswith("5 defaults read: 3 agree, 0 differ")


def test_what_the_value_was_under_other_names_of_the_file(tmp_path: Path) -> None:
    """Git is asked for the file as it was called, line by line: it may begin with blank ones."""
    page = "- `ctl_file`: default `app.ctl`\n"
    written(tmp_path, {"docs/x.md": page, "app/ä b/x.py": "\n\nctl_file = 'app.ctl'\n"})
    (tmp_path / "app/ä b/x.py").rename(tmp_path / "app/ä b/y.py")
    written(tmp_path, {"README.md": "# Moved\n"})
    written(tmp_path, {"app/ä b/y.py": "\n\nctl_file = '/run/app.ctl'\n"})
    written(tmp_path, {"app/ä b/y.py": "\n\nctl_file = '/var/app.ctl'\n"})
    assert facts(tmp_path).output.startswith("1 default read: 0 agree, 1 differ")


def test_a_clone_without_its_history_is_told(tmp_path: Path) -> None:
    """What the code was decides in none of its statements, until git has it."""
    origin, shallow = tmp_path / "origin", tmp_path / "shallow"
    written(origin, {"docs/x.md": "- `ctl_file`: default `app.ctl`\n", "x.py": "ctl_file = 'app.ctl'\n"})
    written(origin, {"x.py": "ctl_file = '/run/app.ctl'\n"})
    subprocess.run(["git", "clone", "-q", "--depth=1", origin.as_uri(), shallow], check=True)
    assert "  → git fetch --unshallow\n" in facts(shallow).output
    assert ", 0 differ" in facts(shallow).output
    assert "unshallow" not in facts(origin).output
    subprocess.run(["git", "fetch", "-q", "--unshallow"], cwd=shallow, check=True)
    assert ", 1 differ" in facts(shallow).output


@pytest.mark.parametrize(
    ("page", "more"),
    [
        ("## APP_TTL\n\nThe default was `60` before version 2.", ""),
        ("## APP_TTL\n\nDefault: `60`", "Y = get('APP_TTL', 60)\n"),
        ("- `ttl`: default `60`", "class Other:\n    ttl = 60\n"),
        ("## APP_TTL\n\nDefault: `60`", "Y = get('APP_TTL', 'a minute')\n"),
        ("## tunnel_opts\n\nDefault: `{}`", ""),
    ],
)
def test_what_the_value_was_is_no_difference_where_the_docs_may_mean_something_else(
    tmp_path: Path, page: str, more: str
) -> None:
    """An older version, or a definition that has the value still."""
    code = "ttl = {0}\nX = get('APP_TTL', {0})\ntunnel_opts = {1}\n"
    written(tmp_path, {"docs/x.md": page, "app/x.py": code.format(60, "{}")})
    written(tmp_path, {"app/x.py": code.format(70, "{'a': 1}"), "app/y.py": more})
    assert ", 0 differ" in facts(tmp_path).output


def test_what_only_the_code_changed_is_reported_since_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page that states the default is as it was. A record is no page of the docs; a mark is none of the value."""
    site = Project(tmp_path, monkeypatch)
    site.configure({"facts": True})
    site.page("settings.md", PAGE.replace("`60`", "`60` [@../app/settings.py#$APP_TTL]"))
    site.write("answers/faq/ttl.md", PAGE)
    written(tmp_path, {"app/settings.py": SETTINGS.replace("300", "60")})
    assert site.cited("check").code == 0
    site.write("app/settings.py", SETTINGS)
    found = json.loads(site.cited("check", "--since", "HEAD", "--json").output)["findings"]
    assert {(item["slug"], item["place"]["file"]) for item in found} == {
        ("altered-number", "docs/settings.md"),
        ("contradicted-claim", "docs/settings.md"),
    }


def test_propose_shows_lists_and_their_gaps(tmp_path: Path) -> None:
    """A page that names most variables of a file is its list: what it lacks, and what the code lacks."""
    names = [f"APP_SETTING_{letter}" for letter in "ABCDEF"]
    page = "".join(f"- `{name}`: x\n" for name in [*names[:5], "APP_SETTING_GONE"])
    code = "".join(f'{name} = os.getenv("{name}", "1")\n' for name in names)
    written(tmp_path, {"docs/settings.md": page, "docs/other.md": "`APP_SETTING_A`\n", "app/settings.py": code})
    done = facts(tmp_path, "--propose")
    assert (done.exit_code, done.output) == (
        0,
        "docs/settings.md lists 5 of app/settings.py#variables\n"
        "  app/settings.py:6: APP_SETTING_F is on no page\n"
        "  docs/settings.md:6: APP_SETTING_GONE is in no code\n",
    )


CLI = """import click


@click.command()
@click.option("--depth", default=3)
@click.option("--force", is_flag=True)
def run(): ...
"""


def test_inventories_are_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name of the code stands on the page, and the page lists no other; suppressed like any finding."""
    site = Project(tmp_path / "repo" / "site", monkeypatch)
    listed = {"inventories": [{"names": "app/cli.py#options", "documented_in": "cli.md"}]}
    site.configure(listed)
    site.page("cli.md", "# CLI\n\n| Option | Meaning |\n|---|---|\n| `--depth` | How deep. |\n| `--deep` | Gone. |\n")
    written(tmp_path / "repo", {"app/cli.py": CLI})
    found = json.loads(site.cited("check", "--json").output)["findings"]
    assert [(item["slug"], item["place"]["file"], item["place"]["line"]) for item in found] == [
        ("undocumented-name", "../app/cli.py", 6),
        ("unknown-name", "docs/cli.md", 6),
    ]
    assert "`--force` is not on docs/cli.md" in found[0]["message"]
    assert site.build("--strict").code == 1
    silenced = [{"slug": item["slug"], "reason": "Internal."} for item in found]
    site.configure({**listed, "suppress": silenced})
    assert site.cited("check", "--strict").code == 0


@pytest.mark.parametrize(
    ("what", "code", "page", "expected"),
    [
        ("app.py#DEFAULTS", "DEFAULTS = {'ttl': 5, 'size': 9}", "- `ttl`: x\n- `old`: y", {"size", "old"}),
        ("app.py#Phase", "class Phase(Enum):\n    A_B = 'a'\n    C_D = 'c'", "## A_B\n\nx\n\n## C_D\n\ny\n", set()),
        ("app.py#*", "TTL = 5\ndef run(): ...\n_X = 3\n", "`TTL` is the time to live.", set()),
        ("app.py#variables", "os.getenv('APP_TTL')", "| Name |\n|---|\n| `APP_TTL` |\n| `APP_OLD` |", {"APP_OLD"}),
        ("a.json#properties", '{"properties": {"ttl": {"type": "integer"}}}', "- `ttl`\n- `age`", {"age"}),
    ],
)
def test_what_an_inventory_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, code: str, page: str, expected: set[str]
) -> None:
    """Keys of a mapping, members of a class, what a file defines, variables, keys of a schema."""
    site = Project(tmp_path, monkeypatch)
    site.configure({"inventories": [{"names": what, "documented_in": "list.md"}]})
    site.page("list.md", page)
    (tmp_path / what.partition("#")[0]).write_text(code, encoding="utf-8")
    found = json.loads(site.cited("check", "--json").output)["findings"]
    assert {item["claim"] for item in found} == expected


@pytest.mark.parametrize(("names", "page"), [("gone.py#*", "list.md"), ("app.py#GONE", "list.md"), ("app.py", "no.md")])
def test_an_inventory_of_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: str, page: str) -> None:
    """A file that is not there, and a set without names, are errors at the option."""
    site = Project(tmp_path, monkeypatch)
    site.configure({"inventories": [{"names": names, "documented_in": page}]})
    site.page("list.md", "# X\n")
    (tmp_path / "app.py").write_text("TTL = 5\n", encoding="utf-8")
    found = json.loads(site.cited("check", "--json").output)["findings"]
    assert [(item["slug"], item["place"]["file"]) for item in found] == [("invalid-declaration", "mkdocs.yml")]


@pytest.mark.parametrize(
    ("rule", "page", "differs"),
    [
        ({"name": "heading", "value": "Vorgabe: {value}"}, "## Ttl\n\n`x` ist da. Vorgabe: 60\n", True),
        ({"value": "Vorgabe: {value}"}, "| Name | Vorgabe |\n|---|---|\n| `ttl` | 60 |\n", True),
        ({"value": "{name} ist {value} lang"}, "Das `ttl` ist 60 lang.\n", True),
        ({"value": "{value} als Vorgabe"}, "## ttl_max\n\n`60` als Vorgabe.\n", False),
        ({"value": "Vorgabe: {value}", "pages": "andere/*.md"}, "## `ttl`\n\nVorgabe: 60\n", False),
        ({"value": "Vorgabe: {value}", "in": "andere.py"}, "## `ttl`\n\nVorgabe: 60\n", False),
    ],
)
def test_rules_of_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: dict[str, str], page: str, differs: bool
) -> None:
    """A rule says on which pages, what names a value, how it is stated, and which file has it."""
    site = Project(tmp_path, monkeypatch)
    site.configure({"facts": [{"in": "app.py", **rule}]})
    site.page("settings/list.md", page)
    written(tmp_path, {"app.py": "def run(ttl=300): ...\n"})
    found = json.loads(site.cited("check", "--json").output)["findings"]
    assert [item["slug"] for item in found] == ["altered-number"] * differs


def test_the_rows_of_a_table_tell_what_it_is_about(tmp_path: Path) -> None:
    """Where most rows agree with one mapping, a row that differs from it is an error, and no guess."""
    rows = "".join(f"| `{letter}Gate` | `false` |\n" for letter in "ABCDE")
    code = "".join(f"    {letter}Gate: {'true' if letter == 'E' else 'false'},\n" for letter in "ABCDE")
    page = f"# Gates\n\n| Name | Default |\n|---|---|\n{rows}"
    go = f"package x\n\nvar gates = map[string]bool{{\n{code}}}\n"
    written(tmp_path, {"docs/x.md": page, "app/a.go": go})
    done = facts(tmp_path)
    assert done.output.startswith("5 defaults read: 4 agree, 1 differ"), done.output
    assert "EGate" in done.output


def test_an_entry_that_declares_no_default_is_none(tmp_path: Path) -> None:
    """An object that has most of the stated values may be anybody's use of them."""
    rows = "".join(f"| `{letter}Gate` | `false` |\n" for letter in "ABCDE")
    entries = "".join(f"{letter}Gate: {'true' if letter == 'E' else 'false'}, " for letter in "ABCDE")
    written(tmp_path, {"docs/x.md": f"# Gates\n\n| Name | Default |\n|---|---|\n{rows}"})
    written(tmp_path, {"types/a.ts": f"const options = {{{entries}}}\n"})
    assert facts(tmp_path).output.startswith("5 defaults read: 4 agree, 0 differ")
    written(tmp_path, {"types/a.ts": f"const defaults = {{{entries}}}\n"})
    assert facts(tmp_path).output.startswith("5 defaults read: 4 agree, 1 differ")


def test_vast_numbers(tmp_path: Path) -> None:
    """A number of code that no store holds is compared all the same."""
    written(tmp_path, {"docs/x.md": PAGE, "app/settings.py": f"{SETTINGS}\nAPP_GONE = {10**30}\n"})
    assert facts(tmp_path).output.startswith("3 defaults read: 1 agree, 1 differ")
