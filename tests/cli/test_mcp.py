"""`mcp` serves an assistant, which is played by the SDK's own client over stdio."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import pytest

from mkdocs_cited.cli import mcp_server
from tests.projects import Project

FAQ = """
    ---
    answers:
      - id: valid
        question: For how many days is a key valid?
        text: A key is valid for 90 days [@guide/install.md#keys].
    ---
    # FAQ

    The client retries a failed request 5 times before it gives up.
"""


@pytest.fixture
def faq(project: Project) -> Project:
    """A site with a proven answer, a note, and a hook that prints."""
    project.page("faq.md", FAQ)
    project.write("notes/prices.md", "# Prices\n\nThe secret price of the zebra plan is 7 dollars.\n")
    project.write("hook.py", "def on_config(config):\n    print('a hook speaks')\n")
    project.configure({"extra_sources": [{"type": "note", "glob": "notes/*.md"}]}, hooks=["hook.py"])
    return project


def played(project: Project, *calls: tuple[str, dict[str, Any]]) -> list[tuple[bool, str]]:
    """What each call of a tool gives: whether it is an error, and its text. First of all, the tools are listed."""
    sdk = pytest.importorskip("mcp")
    words = ["-m", "mkdocs_cited", "mcp", "-f", str(project.root / "mkdocs.yml")]

    async def play() -> list[tuple[bool, str]]:
        async with sdk.Client(sdk.StdioServerParameters(command=sys.executable, args=words)) as client:
            tools = await client.list_tools()
            said = [(False, " ".join(sorted(tool.name for tool in tools.tools)))]
            for name, arguments in calls:
                result = await client.call_tool(name, arguments)
                said.append((bool(result.is_error), result.content[0].text))
            return said

    return asyncio.run(play())


def test_an_assistant_asks_before_it_states(faq: Project) -> None:
    """It finds, reads, verifies, checks and is offered marks; nothing is written, and no note is shown."""
    before = faq.tree()
    tools, found, read, missing, verified, checked, marks, note, secret = played(
        faq,
        ("find", {"question": "How long is a key valid?", "limit": 3}),
        ("read_section", {"address": "guide/install.md#keys"}),
        ("read_section", {"address": "guide/instal.md"}),
        ("verify", {"text": "A key is valid for 30 days."}),
        ("check", {"names": ["faq.md"]}),
        ("cite", {"page": "faq.md"}),
        ("read_section", {"address": "notes/prices.md"}),
        ("find", {"question": "What is the secret price of the zebra plan?"}),
    )
    assert tools == (False, "check cite find read_section verify")
    (first, *_) = json.loads(found[1])["passages"]
    assert (first["section"], first["text"]) == ("guide/install.md#keys", "A key is valid for 90 days.")
    assert "A key is valid for 90 days." in read[1]
    assert (missing[0], "did you mean `guide/install.md`?" in missing[1]) == (True, True)
    assert [item["verdict"] for item in json.loads(verified[1])] == ["contradicted"]
    assert json.loads(checked[1]) == []
    assert json.loads(marks[1]) == []  # no code says so
    assert note[0] is True
    assert "7 dollars" not in note[1] + secret[1]
    after = {path: data for path, data in faq.tree().items() if "__pycache__" not in path}
    assert after == before


def test_what_an_edit_made_false_is_told(faq: Project) -> None:
    """With file and line."""
    faq.page("faq.md", FAQ.replace("90 days [", "60 days ["))
    _, (is_error, text) = played(faq, ("check", {}))
    (finding,) = json.loads(text)
    assert (is_error, finding["slug"], finding["place"]["file"]) == (False, "altered-number", "docs/faq.md")


def test_without_the_sdk_it_says_what_to_install(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a sentence, with exit code 3."""

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(mcp_server, "import_module", missing)
    result = project.cited("mcp")
    assert (result.code, 'run `pip install "mkdocs-cited[mcp]"`' in result.output) == (3, True)


HOOKS = {
    "ends": "import sys\n\ndef on_pre_build(**_):\n    sys.exit('set RELEASE first')\n",
    "ends as it is loaded": "raise SystemExit('set RELEASE first')\n",
    "prints by a program": "import subprocess\n\ndef on_config(config):\n    subprocess.run(['echo', '{}'])\n",
    "reads": "def on_config(config):\n    try:\n        input()\n    except EOFError:\n        pass\n",
    "reads by a program": "import subprocess\n\ndef on_config(config):\n    subprocess.run(['cat'])\n",
}


@pytest.mark.parametrize("does", HOOKS)
def test_no_hook_silences_the_server(faq: Project, does: str) -> None:
    """Each call has its reply, and so has the next."""
    faq.write("hook.py", HOOKS[does])
    _, first, second = played(faq, ("find", {"question": "key"}), ("check", {}))
    assert first[0] is second[0] is does.startswith("ends")
    assert ("RELEASE" in second[1]) is does.startswith("ends")
