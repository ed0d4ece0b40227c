"""Addresses of marks on a whole site: what is proven by which file, and what is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.projects import Project

CODE = "TTL = 30\n\n\ndef tries():\n    return range(5)\n"
LIMITS = "# Limits\n\nLimits are per key.\n\n## Free\n\n### Quota\n\nSix.\n\n## Pro\n\n### Quota\n\nSeven.\n"
PAGES = {
    "right.md": "The `TTL` is 30 [@../../src/app.py#TTL]. Woof [@smith04, p. 3] [@Jarse.2023] [@doi:10.7554/eLife.3].",
    "guide/right.md": "Limits are per key [@../limits.md].",
    "guide/also.md": "Limits are per key [@limits.md].",
    "wrong.md": "The `TTL` is 60 [@../../src/app.py#TTL].",
    "elsewhere.md": "It is tried 8 times [@../../src/app.py#tries].",
    "first.md": "Six [@limits.md#quota].",
    "second.md": "Seven [@limits.md#quota_1].",
    "doubled.md": "The quota is six [@one-id.md#quota].",
    "named.md": "The quota is seven [@one-id.md#monthly-quota].",
    "title.md": "The `TTL` is 30 [@twice.md#twice].",
    "words.md": "文件名长度：255 字节 [@zh.md#文件系统限制]。",
    "unknown.md": "文件名长度：255 字节 [@zh.md#_9]。",
    "empty.md": "The quota is six [@bare.md].",
    "untracked.md": "The `TTL` is 30 [@../../secret.py#TTL].",
}
FOUND = {
    "wrong.md": ("contradicted-claim", "it states “60”, and `TTL` is `30`"),
    "elsewhere.md": ("unconfirmed-claim", "1 of 1 claim waits for a person"),
    "doubled.md": ("unknown-source", "`one-id.md#quota` fits 2 things: `#daily-quota`, `#monthly-quota`"),
    "unknown.md": ("unknown-source", "`zh.md` has no heading `#_9`"),
    "empty.md": ("unknown-source", "`bare.md` has no text before its first sub-heading"),
    "untracked.md": ("unknown-source", "`../secret.py` is a file that git does not track"),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A site in a folder of a repository, without `extra_sources`."""
    made = Project(tmp_path / "website", monkeypatch)
    made.configure({})
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text(CODE)
    made.page("limits.md", LIMITS)
    made.page("twice.md", "# Twice\n\nThe `TTL` is 30.\n\n## Twice\n\nSeven.\n")
    made.page(
        "one-id.md", "# X\n\n## Daily quota {#quota}\n\nSix.\n\n## Monthly quota {#quota}\n\nThe quota is seven.\n"
    )
    made.page("zh.md", "# 规格\n\n## 文件系统限制\n\n* 文件名长度：255 字节\n")
    made.page("bare.md", "# Bare\n\n## Quota\n\nSix.\n")
    for name, text in PAGES.items():
        made.page(name, f"# Facts\n\n{text}\n")
    for command in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (tmp_path / "secret.py").write_text(CODE)
    return made


def test_marks_reach_what_git_tracks_and_are_refused_with_a_reason(site: Project) -> None:
    """Also beside the folder of `mkdocs.yml`."""
    told: dict[str, tuple[str, str]] = {}
    output = site.cited("check", "--json").output
    for item in json.loads(output[output.index("{") :])["findings"]:
        if item["severity"] != "info":
            told.setdefault(item["page"], (item["slug"], item["message"]))
    assert {page: slug for page, (slug, _) in told.items()} == {page: slug for page, (slug, _) in FOUND.items()}
    for page, (_, message) in FOUND.items():
        assert message in told[page][1]
