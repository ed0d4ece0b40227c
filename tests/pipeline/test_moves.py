"""A citation whose address is dead is followed where nobody can doubt it, and said to have moved elsewhere."""

from __future__ import annotations

import pytest

from tests.projects import Project

CACHE = "CACHE_TTL = 30\n" + "".join(f"PART_{number} = {number}\n" for number in range(20))


@pytest.fixture
def committed(project: Project) -> Project:
    """A repository with marks that lead to code and to a page, all decided."""
    project.page("index.md", "# Cache\n\nThe cache TTL is 30 [@../src/cache.py#CACHE_TTL].\n")
    project.page("login.md", "# Login\n\nYou stay logged in for two days [@keys.md#logins].\n")
    project.page("keys.md", "# Keys\n\n## Logins\n\nA login is valid for 48 hours, unless the keys are rotated.\n")
    project.write("src/cache.py", CACHE)
    project.git("init", "-q")
    project.belongs_to_ann()
    assert project.cited("accept", "login.md", "--all", "--by", "Ann").code == 0
    project.git("add", "-A")
    project.git("commit", "-qm", "1")
    assert project.cited("check", "--strict").code == 0
    return project


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_renamed_file_is_followed_and_update_writes_its_new_address(committed: Project, is_committed: bool) -> None:
    """The build goes on and says so; nobody has to decide anything; the page is changed by `update` alone."""
    committed.git("mv", "src/cache.py", "src/_cache.py")
    if is_committed:
        committed.git("commit", "-qm", "2")
    before = committed.tree()["docs/index.md"]
    checked = committed.cited("check", "--strict")
    assert checked.code == 0, checked.output
    assert "`../src/cache.py#CACHE_TTL` has moved, and is followed to `../src/_cache.py#CACHE_TTL`" in " ".join(
        checked.output.split()
    )
    assert committed.build("--strict").code == 0
    assert committed.tree()["docs/index.md"] == before
    assert "1 citation of docs/index.md renewed" in committed.cited("update").output
    assert b"[@../src/_cache.py#CACHE_TTL]" in committed.tree()["docs/index.md"]
    assert "moved-source" not in committed.cited("check").output


def test_all_citations_that_are_renewed_are_counted(committed: Project) -> None:
    """Also those of one address."""
    mark = "The cache TTL is 30 [@../src/cache.py#CACHE_TTL].\n"
    committed.page("index.md", f"# Cache\n\n{mark}\nPart 1 is 1 [@../src/cache.py#PART_1].\n\nAgain: {mark}")
    committed.git("mv", "src/cache.py", "src/_cache.py")
    assert "3 citations of docs/index.md renewed" in committed.cited("update").output
    assert committed.tree()["docs/index.md"].count(b"_cache.py") == 3


def test_a_mark_that_nobody_sees_is_renewed_too(committed: Project) -> None:
    """`<!-- cite: … -->` is rewritten like any other."""
    committed.page("index.md", "# Cache\n\nThe cache TTL is 30 <!-- cite: ../src/cache.py#CACHE_TTL -->.\n")
    committed.git("mv", "src/cache.py", "src/_cache.py")
    assert "1 citation of docs/index.md renewed" in committed.cited("update").output
    assert b"<!-- cite: ../src/_cache.py#CACHE_TTL -->" in committed.tree()["docs/index.md"]


def test_a_renamed_file_with_another_value_is_an_error(committed: Project) -> None:
    """What is followed is checked as ever."""
    committed.git("mv", "src/cache.py", "src/_cache.py")
    committed.write("src/_cache.py", CACHE.replace("30", "60"))
    committed.git("add", "-A")
    committed.git("commit", "-qm", "2")
    checked = committed.cited("check")
    assert checked.code == 1
    assert "60" in checked.output


def test_a_renamed_heading_is_followed_by_its_words(committed: Project) -> None:
    """The same page has the words under another heading: where the heading says something else, a person looks."""
    committed.page("keys.md", "# Keys\n\n## Login\n\nA login is valid for 48 hours, unless the keys are rotated.\n")
    checked = committed.cited("check", "--strict")
    assert checked.code == 0, checked.output
    assert "followed to `keys.md#login`" in " ".join(checked.output.split())


def test_a_heading_is_followed_again_after_update_has_written_it(committed: Project) -> None:
    """The decision is found by its words, whatever the heading was called when it was made."""
    page = "# Keys\n\n## {}\n\nA login is valid for 48 hours, unless the keys are rotated.\n"
    for heading, anchor in (("Login", "login"), ("A login", "a-login"), ("Log in", "log-in")):
        committed.page("keys.md", page.format(heading))
        assert "moved-source" in committed.cited("check").output
        committed.cited("update")
        assert f"[@keys.md#{anchor}]".encode() in committed.tree()["docs/login.md"]


def test_a_heading_in_other_order_is_followed_though_its_words_differ(committed: Project) -> None:
    """A correction of both: nobody has to look for the place, and a person reads the sentence again."""
    committed.page("keys.md", "# Keys\n\n## How I can log in\n\nA login is valid for 48 hours here.\n")
    committed.page("login.md", "# Login\n\nYou stay logged in for two days [@keys.md#how-i-can-log-in].\n")
    assert committed.cited("accept", "login.md", "--all", "--by", "Ann").code == 0
    committed.page("keys.md", "# Keys\n\n## How can I log in\n\nThe login is valid for 48 hours here.\n")
    result = committed.build()
    assert result.code == 0, result.output
    words = " ".join(committed.cited("check").output.split())
    assert "followed to `keys.md#how-can-i-log-in`" in words
    assert "changed-evidence" in words


def test_a_section_that_is_gone_is_not_followed_to_its_neighbour(committed: Project) -> None:
    """Nearly the same words about another thing are other words: nothing has moved."""
    free = "## Free\n\nLogs of the free plan are kept for 7 days. They cannot be restored.\n\n"
    team = "## Team\n\nLogs of the team plan are kept for 90 days.\n"
    committed.page("limits.md", f"# Limits\n\n{free}{team}")
    committed.page("logs.md", "# Logs\n\nThey stay for 7 days [@limits.md#free].\n")
    committed.page(
        "faq.md", "---\nanswers:\n  - {id: q, question: How long are logs of the free plan kept?}\n---\n# FAQ\n"
    )
    assert committed.cited("answer", "faq.md#q", "--take", "limits.md#free", "--by", "Ann").code == 0
    assert committed.cited("accept", "logs.md", "--all", "--by", "Ann").code == 0
    assert committed.cited("check", "--strict").code == 0
    committed.page("limits.md", f"# Limits\n\n{team}")
    told = committed.cited("check").output
    assert "moved-source" not in told
    assert "#team" not in told.replace("known: `limits`, `team`", "")
    assert "stale-answer" in told


def test_words_that_are_struck_out_have_not_moved(committed: Project) -> None:
    """The next step does not lead to the section that is cited."""
    committed.page(
        "keys.md", "# Keys\n\n## Logins\n\n<del>A login is valid for 48 hours, unless the keys are rotated.</del>\n"
    )
    told = committed.cited("check").output
    assert "changed-evidence" in told
    assert "now: cite" not in told


def test_of_a_sentence_that_nobody_decided_the_new_heading_is_named(committed: Project) -> None:
    """It repeats its passage, so no record has its words: it could have been said of the other heading by mistake."""
    sentence = "A login is valid for 48 hours, unless the keys are rotated"
    committed.page("more.md", f"# More\n\n{sentence} [@keys.md#logins].\n")
    assert committed.cited("check", "--strict").code == 0
    committed.page("keys.md", f"# Keys\n\n## Validity\n\n{sentence}.\n")
    result = committed.cited("check")
    assert result.code == 1
    assert "its words are at `keys.md#validity` now: cite `[@keys.md#validity]`" in " ".join(result.output.split())


def test_the_words_on_another_page_are_named_and_not_followed(committed: Project) -> None:
    """The page is gone, and another one has the same sentence: it may be about something else."""
    text = committed.tree()["docs/keys.md"]
    committed.page("other.md", text)
    (committed.root / "docs/keys.md").unlink()
    committed.git("add", "-A")
    committed.git("commit", "-qm", "2", "--", "docs/keys.md")
    checked = committed.cited("check")
    assert checked.code == 1
    assert "unknown-source" in checked.output
    assert "/other.md#logins" in checked.output


def test_the_words_of_a_page_that_is_gone_are_named_where_no_mark_is(committed: Project) -> None:
    """Not on the page of the sentence itself, nor where another sentence is marked; also where nobody decided."""
    words = "A login is valid for 48 hours, unless the keys are rotated"
    committed.page("repeated.md", f"# K\n\n{words} [@keys.md#logins].\n")
    committed.page("m.md", f"# M\n\n{words} [@keys.md#logins].\n")
    committed.page("login.md", "# Login\n\nNothing.\n")
    (committed.root / "docs/keys.md").unlink()
    assert "did you mean `keys.md`" not in committed.cited("check", "m.md").output  # which git still tracks
    committed.git("add", "-A")
    gone = committed.cited("check", "m.md").output
    assert "`keys.md` leads nowhere" in gone
    assert ("repeated.md" in gone, "`m.md`" in gone, "/m.md" in gone.replace("docs/m.md", "")) == (False,) * 3
    committed.page("other.md", f"# Other\n\n## Logins\n\n{words}.\n")
    assert "its words are at `/other.md#logins` now" in " ".join(committed.cited("check", "m.md").output.split())


def test_changed_words_are_not_told_to_be_in_a_marked_sentence(committed: Project) -> None:
    """What lost its words is not said to have them where a mark cites the same section."""
    words = "A login is valid for 48 hours, unless the keys are rotated"
    committed.page("k.md", f"# K\n\n## Facts\n\n{words} [@keys.md#logins].\n")
    committed.page("keys.md", "# Keys\n\n## Logins\n\nEach member may invite others.\n")
    said = committed.cited("check", "login.md").output
    assert "changed-evidence" in said
    assert "k.md#facts" not in said
    committed.page("k.md", f"# K\n\n## Facts\n\n{words}.\n")
    assert "k.md#facts" in committed.cited("check", "login.md").output


def test_the_own_sentence_is_no_place_for_words_that_are_gone(committed: Project) -> None:
    """A name that the code has no more is not said to be where the sentence about it is."""
    committed.page("index.md", "# Cache\n\nCACHE_TTL is 30, as the team agreed [@../src/cache.py#CACHE_TTL].\n")
    assert committed.cited("accept", "index.md", "--all", "--by", "Ann").code == 0
    committed.write("src/cache.py", CACHE.replace("CACHE_TTL = 30\n", ""))
    checked = committed.cited("check")
    assert "no key, name or heading `#CACHE_TTL`" in " ".join(checked.output.split()), checked.output
    assert "/index.md" not in checked.output.replace("docs/index.md", "")
