"""The options are read as people write them in YAML."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from msgspec import structs

from mkdocs_cited.base.errors import UsageError
from mkdocs_cited.base.text import did_you_mean
from mkdocs_cited.mkdocs_host.project import settings_of
from mkdocs_cited.model.finding import CATALOGUE, Severity
from mkdocs_cited.model.options import Anthropic, Local, Render, Settings, Web
from mkdocs_cited.settings import UNWRITTEN, parse


def options(text: str) -> dict[str, object]:
    return dict(yaml.safe_load(text))


def test_a_bare_off_and_a_bare_date_mean_what_was_written() -> None:
    """YAML 1.1 reads `off` as false and `2027-01-31` as a date; neither is the author's fault."""
    settings = parse(
        options(
            """
            severity: {not-documented: off, partial-claim: error}
            suppress: [{slug: partial-claim, reason: Rounded., expires: 2027-01-31}]
            """
        ),
        {},
    )
    assert settings.severity == {"not-documented": Severity.OFF, "partial-claim": Severity.ERROR}
    assert settings.suppress[0].expires == date(2027, 1, 31)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "cite_treshold: 0.5",
            "mkdocs.yml: `cite_treshold` is not an option of cited\n  → did you mean `cite_threshold`?",
        ),
        ("render: {panel: true}", "mkdocs.yml: `render.panel` is not an option of cited"),
        ("prose: answer", "mkdocs.yml: cited: option `prose`: there is no such value: 'answer'\n  → write one"),
        (
            "cite_threshold: 3",
            "mkdocs.yml: cited: option `cite_threshold`: expected a number <= 1.0\n"
            "  → write, for example, `cite_threshold: 0.3`: Lowest relevance of a source, 0 to 1.",
        ),
        (
            "include: guide/*.md",
            "mkdocs.yml: cited: option `include`: expected a list, got text\n  → write, for example, `include: ",
        ),
        (
            "extra_sources: [{type: files, glob: a.md}]",
            "mkdocs.yml: cited: option `extra_sources[0].type`: there is no such value: 'files'\n"
            "  → did you mean `type: file`? ",
        ),
        (
            "suppress: [{slug: partial-claim}]",
            "mkdocs.yml: cited: option `suppress[0]`: there is no `reason`\n  → write",
        ),
        (
            "suppress: [{slug: partial-claim, reason: x, expires: soon}]",
            "mkdocs.yml: cited: option `suppress[0].expires`: expected a date\n"
            "  → write, for example, `expires: '2027-06-30'`: The last day on which it holds",
        ),
        (
            "facts: [{page: a.md}]",
            "mkdocs.yml: `facts.page` is not an option of cited\n  → did you mean `facts.pages`?",
        ),
        (
            "severity: {partial-clam: off}",
            "mkdocs.yml: `partial-clam` is not a finding of cited\n  → did you mean `partial-claim`?",
        ),
        (
            "local: {encodr: x}",
            "mkdocs.yml: `local.encodr` is not an option of cited\n  → did you mean `local.encoder`?",
        ),
        (
            "anthropic: {prices: {mine: 3}}",
            "mkdocs.yml: cited: option `anthropic.prices.mine`: expected a list, got a whole number\n"
            "  → write, for example, `prices: {my-model: [3, 15]}`",
        ),
        (
            "suppress: [{slug: partial-claim, reason: x, claim: abc}]",
            "mkdocs.yml: `suppress.claim` is not an option of cited",
        ),
        (
            "severity: {partial-claim: true}",
            "mkdocs.yml: cited: option `severity.partial-claim`: expected text, got `true` or `false`\n"
            "  → write one of `partial-claim: error`, `partial-claim: warning`",
        ),
        (
            "severity: {off-question: info, unconfirmed-claim: warn}",
            "mkdocs.yml: cited: option `severity.unconfirmed-claim`: there is no such value: 'warn'\n"
            "  → did you mean `unconfirmed-claim: warning`? Severity per slug",
        ),
        (
            "update: stalle",
            "mkdocs.yml: cited: option `update`: there is no such value: 'stalle'\n  → did you mean `upd",
        ),
        (
            "reports: {json: 5}",
            "mkdocs.yml: cited: option `reports.json`: expected text, got a whole number\n  → write, for example, `r",
        ),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    """A misspelt option, finding or value names itself and the closest thing that exists."""
    with pytest.raises(UsageError) as caught:
        parse(options(text), {})
    assert str(caught.value).startswith(message)


def test_all_that_an_upgrade_has_to_change_is_told_at_once(tmp_path: Path) -> None:
    """What is gone since 0.2 is no misspelling of what is there; names that nobody bears any more are in the list."""
    written = {
        "provider": "extractive",
        "context": 3,
        "reports": {"junit": "a.xml"},
        "render": {"fact_check": True},
        "severity": {"not-found": "off"},
    }
    with pytest.raises(UsageError) as caught:
        settings_of(written, tmp_path / "mkdocs.yml")
    said = str(caught.value)
    assert "there is no provider `extractive`" in said
    assert "`junit`" in said
    assert "`context` is not an option of cited\n  → remove it: there is none since 0.3" in said
    assert "`render.fact_check` is not an option of cited\n  → write `render.checks` in its place" in said
    assert "`not-found` is not a finding of cited\n  → remove it: there is none since 0.3" in said


def _options_of(kind: type, path: str = "") -> Iterator[str]:
    for item in structs.fields(kind):
        if item.name in UNWRITTEN:
            continue
        inner = {"anthropic": Anthropic, "render": Render, "local": Local, "web": Web}.get(item.name)
        yield f"{path}{item.name}"
        if inner:
            yield from _options_of(inner, f"{path}{item.name}.")


@pytest.mark.parametrize("path", tuple(_options_of(Settings)))
def test_what_a_message_says_to_write_may_be_written(path: str) -> None:
    """For every option: a value of the wrong type names it, and what the tip shows is accepted in its place."""

    def placed(value: object) -> dict[str, Any]:
        for name in reversed(path.split(".")):
            value = {name: value}
        return cast("dict[str, Any]", value)

    with pytest.raises(UsageError) as caught:
        parse(placed([1]), {})
    assert caught.value.message.startswith(f"mkdocs.yml: cited: option `{path}")
    ((name, value),) = yaml.safe_load(caught.value.tip.split("`")[1]).items()
    assert name == path.rpartition(".")[2]
    parse(placed(value), {})


def test_a_wrong_override_names_its_variable() -> None:
    """The file is not at fault."""
    with pytest.raises(UsageError) as caught:
        parse({}, {"MKDOCS_CITED_ENABLED": "perhaps"})
    assert str(caught.value).startswith(
        "environment: MKDOCS_CITED_ENABLED: cited: option `enabled`: expected `true` or `false`, got text\n"
        "  → write `MKDOCS_CITED_ENABLED=false`"
    )


def test_the_environment_overrides() -> None:
    """`MKDOCS_CITED_ENABLED` and `MKDOCS_CITED_UPDATE` beat the file; `0`, `no` and `false` are off."""
    environ = {"MKDOCS_CITED_UPDATE": "Never", "MKDOCS_CITED_ENABLED": "no", "UNRELATED": "1"}
    settings = parse({"update": "stale"}, environ)
    assert (settings.update, settings.enabled) == ("never", False)


def test_an_override_of_nothing_is_named() -> None:
    """A variable with our prefix that is no option is refused, with the closest one."""
    with pytest.raises(UsageError, match="MKDOCS_CITED_REVEIW sets no option"):
        parse({}, {"MKDOCS_CITED_REVEIW": "0"})


def test_a_tip_names_few_enough_words_to_read() -> None:
    """All options and findings are named where none is close; of a site's pages only the first."""
    pages = tuple(f"page-{number}.md" for number in range(400))
    assert did_you_mean("zzz", pages).endswith("`page-49.md`, `…`")
    assert "more" not in did_you_mean("zzz", CATALOGUE)


YAML = """\
site_name: Try
plugins:
  - search
  - cited:
      cite_treshold: 0.5
      context_budget: many
      anthropic:
        modell: x
        effort: lots
        votes: {of: 3, need: 2}
      suppress:
        - {slug: partial-claim, reason: Rounded.}
        - slug: partial-clam
      severity:
        partial-claim: error
        off-question: warn
        unconfirmed-claim: loud
"""


def test_everything_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    """At once; in a configuration that it inherits from, too."""
    file = tmp_path / "mkdocs.yml"
    file.write_text(YAML, encoding="utf-8")
    block = yaml.safe_load(YAML)["plugins"][1]["cited"]
    with pytest.raises(UsageError) as caught:
        parse(block, {"MKDOCS_CITED_REVEIW": "0"}, file=file)
    told = [line for line in str(caught.value).splitlines() if not line.startswith("  → ")]
    assert told == [
        "environment: MKDOCS_CITED_REVEIW sets no option of cited",
        "mkdocs.yml:5: `cite_treshold` is not an option of cited",
        "mkdocs.yml:6: cited: option `context_budget`: expected a whole number, got text",
        "mkdocs.yml:8: `anthropic.modell` is not an option of cited",
        "mkdocs.yml:9: cited: option `anthropic.effort`: there is no such value: 'lots'",
        "mkdocs.yml:10: `anthropic.votes` is not an option of cited",
        "mkdocs.yml:13: cited: option `suppress[1]`: there is no `reason`",
        "mkdocs.yml:16: cited: option `severity.off-question`: there is no such value: 'warn'",
        "mkdocs.yml:17: cited: option `severity.unconfirmed-claim`: there is no such value: 'loud'",
        "mkdocs.yml:13: `partial-clam` is not a finding of cited",
    ]
    child = tmp_path / "de/mkdocs.yml"
    child.parent.mkdir()
    child.write_text("INHERIT: ../mkdocs.yml\nsite_name: Versuch\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"^\.\./mkdocs\.yml:6: cited: option `context_budget`"):
        parse({"context_budget": "many"}, {}, file=child)
