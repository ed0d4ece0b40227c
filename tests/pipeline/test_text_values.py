"""A marked sentence states a word that a file has as a value: with another word there, the build fails and has both."""

from __future__ import annotations

import pytest

from tests.projects import Project

FILES = {
    "conf/app.env": ("GATE_MODE={}\n", "GATE_MODE"),
    "conf/app.yml": ("gate:\n  mode: {}  # how the gate works\n", "gate.mode"),
    "conf/app.toml": ('[gate]\nmode = "{}"\n', "gate.mode"),
    "src/app.py": ('GATE_MODE: str = "{}"\n"""How the gate works."""\n', "GATE_MODE"),
}
STATED = [
    "`{}` is `safe`",
    "The `{}` is `safe` by default",
    "`{}` defaults to `safe`",
    "The default of `{}` is `safe`",
    "By default, `{}` is `safe`",
]
WAITS = [
    "The gate mode is safe",
    "The gate runs in safe mode",
    "The gate is careful",
    "Set `{}` to `off` to open the gate",
    "If `{}` is `off`, the gate is open",
    "`{}=off` opens the gate",
    "`{}=slow`",
    "`{}` accepts `off`",
    "`{}` is a `str`",
    "`{}` is not `safe`",
    "`{}` is `safe` or `slow`",
    "`{}` is `faster`",
    "The old default of `{}` is `safe`",
]


@pytest.mark.parametrize("file", FILES)
def test_another_word_is_an_error_with_both(project: Project, file: str) -> None:
    """Whatever the file; a sentence that says it in words of its own waits for a person."""
    text, name = FILES[file]
    project.write(file, text.format("safe"))
    project.belongs_to_ann()
    project.git("add", "-A")
    lines = [f"{claim.format(name)} [@../{file}#{name}].\n" for claim in STATED]
    project.page("gate.md", "# Gate\n\n" + "\n".join(lines))
    assert project.build("--strict").code == 0
    project.write(file, text.format("fast"))
    output = " ".join(project.build().output.split())
    assert output.count(f"it states “safe”, and `{name}` is `fast`") == len(STATED), output
    lines = [f"{claim.format(name)} [@../{file}#{name}].\n" for claim in WAITS]
    project.page("gate.md", "# Gate\n\n" + "\n".join(lines))
    result = project.build()
    assert result.code == 0, result.output
    assert f"{len(WAITS)} of {len(WAITS)} claims wait" in " ".join(result.output.split())


def test_a_decided_sentence_that_states_a_word_fails_too(project: Project) -> None:
    """In words of its own, and for every other word in the place of that."""
    project.write("conf/app.env", "GATE_MODE=safe\n")
    project.belongs_to_ann()
    project.git("add", "-A")
    project.page("gate.md", "# Gate\n\nNobody gets past it, since it is safe [@../conf/app.env#GATE_MODE].\n")
    assert project.cited("accept", "gate.md", "--all", "--by", "Ann").code == 0
    assert project.build("--strict").code == 0
    project.write("conf/app.env", "GATE_MODE=fast\n")
    result = project.build()
    assert result.code == 1
    assert "it was “safe”, it is “fast”" in " ".join(result.output.split())
