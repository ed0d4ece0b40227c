"""Rows and numbered steps, through builds: which row is meant, which figure it has, and in what order steps stand."""

from __future__ import annotations

import pytest

from tests.projects import Project

KEYS = """
    # Keys

    ## General

    | Variable | Default | What |
    |---|---|---|
    | DATA_DIR | /data | Where the data of a login is |
    | TOKEN_TIME | 48 | The time in hours that a token is valid |
    | Retries | 5 | |

    ## Steps

    1. Open the settings.
    2. Press **Rotate**.
    3. Copy the new key.
"""


@pytest.fixture
def site(project: Project) -> Project:
    project.page("keys.md", KEYS)
    return project


def asked(site: Project, text: str) -> str:
    """What `check` says of an answer with this text."""
    lines = "".join(f"          {line}\n" for line in text.splitlines())
    site.page("faq.md", f"---\nanswers:\n  - question: Why?\n    id: why\n    text: |\n{lines}---\n# FAQ\n")
    return " ".join(site.cited("check").output.split())


@pytest.mark.parametrize(
    ("claim", "slug"),
    [
        ("A login is valid for 24 hours by default (TOKEN_TIME)", "unconfirmed-claim"),
        ("By default, TOKEN_TIME is 72", "unconfirmed-claim"),
        ("A login is valid for 48 hours by default (TOKEN_TIME)", "unconfirmed-claim"),
        ("A login is valid for two days by default (TOKEN_TIME)", "unconfirmed-claim"),
        ("A login takes 24 hours", "unconfirmed-claim"),
        ("TOKEN_TIME is not 24", "unconfirmed-claim"),
    ],
)
def test_a_figure_against_the_row_that_the_claim_names(site: Project, claim: str, slug: str) -> None:
    """What a sentence says of a row is a question of meaning, whatever figure it has."""
    said = asked(site, f"{claim} [@keys.md#general].")
    assert slug in said


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("Team | 600", "no findings"),
        ("Team | 700", "the claim says “700”, its passage says “600”"),
        ("Free | 600", "waits for a person"),
        ("2024 | 600", "waits for a person"),
    ],
)
def test_a_row_of_the_cited_table(site: Project, row: str, said: str) -> None:
    """Its first cell says which row it is: with another figure it is wrong."""
    site.page("plans.md", "# Plans\n\n## T\n\n| plan | rate |\n|---|---|\n| Team | 600 |\n| 2023 | 50 |\n")
    assert said in asked(site, f"| plan | rate |\n|---|---|\n| {row} [@plans.md#t] |")


def test_the_row_that_a_claim_names_is_its_evidence(site: Project) -> None:
    """Though another row shares more words with it."""
    site.page("login.md", "# Login\n\nTOKEN_TIME says how long the data of a login is kept [@keys.md#general].\n")
    assert site.cited("accept", "login.md", "--all", "--by", "Ann").code == 0
    record = (site.root / "answers/login/claims.md").read_text(encoding="utf-8")
    assert "TOKEN_TIME | 48" in record
    assert "DATA_DIR" not in record


def test_steps_in_another_order_wait(site: Project) -> None:
    """Each stands in its passage, and the list does not."""
    cite = "[@keys.md#steps]"
    in_order = f"1. Open the settings {cite}.\n2. Press **Rotate** {cite}.\n3. Copy the new key {cite}."
    assert "no findings" in asked(site, in_order)
    turned = f"1. Press **Rotate** {cite}.\n2. Open the settings {cite}.\n3. Copy the new key {cite}."
    assert "it is step 1 of its list, and stands behind step 2" in asked(site, turned)
    unordered = f"- Press **Rotate** {cite}.\n- Open the settings {cite}."
    assert "no findings" in asked(site, unordered)


def test_another_column_header_of_the_author_asks_about_a_decided_row(site: Project) -> None:
    """The same cells say something else under it."""
    table = "| Variable | {} |\n|---|---|\n| `TOKEN_TIME` | two days [@keys.md#general] |"
    asked(site, table.format("Default"))
    assert site.cited("accept", "faq.md", "--all", "--by", "Ann").code == 0
    assert "no findings" in asked(site, table.format("Default"))
    said = asked(site, table.format("Maximum"))
    assert "changed-evidence" in said
    assert "Variable Default”, and is under" in said
    assert "Variable Maximum”" in said
