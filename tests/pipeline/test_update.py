"""A run with models at work: written, reviewed, corrected, recorded; and the next one asks for nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from msgspec.structs import replace

from mkdocs_cited.anthropic_client import Batches
from mkdocs_cited.model.answer import Answer, Fit, Status
from mkdocs_cited.model.declaration import Declaration
from mkdocs_cited.model.finding import Place, Severity
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page
from mkdocs_cited.pipeline import Pipeline
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.records import Store
from mkdocs_cited.search.index import Index
from mkdocs_cited.settings import parse
from tests.servers.messages import MessagesServer
from tests.servers.rules import said, search_results
from tests.servers.script import Answer as Reply
from tests.servers.script import Call, Quote, Refused, Turn, overloaded, say, say_json, spent

TOPICS = ("limits", "keys", "backups", "logs", "regions")


def page_html(topic: str, number: int) -> str:
    """A page on one topic, with one sentence that answers the question on it."""
    return (
        f"<h1>{topic.title()}</h1><h2 id='about'>About {topic}</h2>"
        f"<p>The number of {topic} is {number} for every project.</p>"
        f"<p>Nothing else is known about them here, and nobody asks.</p>"
    )


class Project:
    """A site of one page a topic, and a question on each."""

    def __init__(self, root: Path, api: MessagesServer, **options: Any) -> None:
        self.root, self.api, self.options = root, api, options
        self.declared: dict[str, Any] = {}
        self.pages = {topic: page_html(topic, 10 + number) for number, topic in enumerate(TOPICS)}

    def update(self, update: str = "stale", *, batches: bool = False, **run: Any) -> Report:
        """One run over the site as it is."""
        index = Index.open(None)
        index.sync((Page(f"{topic}.md", f"{topic}/", topic.title()), html) for topic, html in self.pages.items())
        options = {"provider": "anthropic", "reviewer": "anthropic", "cite_threshold": 0.1, **self.options}
        if batches:
            run["batches"] = self.root / "batches"
        pipeline = Pipeline(parse(options, {}), index, Store(self.root), Run(update, **run))  # type: ignore[arg-type]
        if isinstance(pipeline.access, Batches):
            pipeline.access._poll = 0.01
        declarations = [replace(self.declaration(topic), **self.declared) for topic in self.pages]
        report = pipeline.report(declarations)
        index.close()
        return report

    @staticmethod
    def declaration(topic: str) -> Declaration:
        """The question on a topic."""
        question = f"What is the number of {topic}?"
        return Declaration("faq.md", topic, question, Place("docs/faq.md", 3), sources=(f"{topic}.md",))


def honest(body: dict[str, Any]) -> Reply:
    """A writer that repeats the sentence with the number, and a reviewer that finds it again."""
    if "format" in body["output_config"]:
        return reviewed(body, "supported")
    return repeated(body)


def repeated(body: dict[str, Any], change: Callable[[str], str] = str) -> Turn:
    """The sentence with the number, cited."""
    for result, block in enumerate(search_results(body)):
        for number, part in enumerate(block["content"]):
            if said(part).startswith("The number of"):
                return say(Quote(change(said(part)), result, number, number + 1))
    return say("[[NOT-DOCUMENTED]] There is no number.")


ANSWERED = {"missing": "", "answers": "yes"}


def reviewed(body: dict[str, Any], verdict: str, whole: dict[str, str] | None = None) -> Turn:
    """A form with this verdict on every claim, the passage's own words as its quote, and a word on the whole answer."""
    sent = json.loads(body["messages"][0]["content"][0]["text"])
    shown = [item.partition(": ") for section in sent["sections"] for item in section["passages"]]
    texts = {name: text for name, _, text in shown}
    lines = [
        {
            "id": claim["id"],
            "verdict": verdict if _has_numbers(claim, texts) else "contradicted",
            "evidence_quotes": [texts[claim["cites"][0]]],
            "missing_condition": "",
            "reverses": False,
            "reason": "" if verdict == "supported" else "it says something else",
            "better_passages": [],
            "not_stated": "",
        }
        for claim in sent["claims"]
    ]
    return say_json({"claims": lines, "conflicts": [], "answers_question": whole or ANSWERED})


def _has_numbers(claim: dict[str, Any], texts: dict[str, str]) -> bool:
    """Whether the passages of a claim have its numbers."""
    cited = " ".join(texts[name] for name in claim["cites"])
    return set(re.findall(r"\d+", claim["text"])) <= set(re.findall(r"\d+", cited))


def topic_of(body: dict[str, Any]) -> str:
    """Which topic a request of the writer or the reviewer is about."""
    text = json.dumps(body["messages"])
    return next(topic for topic in TOPICS if f"the number of {topic}?" in text)


def statuses(report: Report) -> dict[str, Status]:
    """Status of each answer."""
    return {answer.id: answer.status for answer in report.answers}


def answer(report: Report, topic: str) -> Answer:
    """One answer of a report."""
    return next(item for item in report.answers if item.id == topic)


def slugs(report: Report) -> list[str]:
    """What was found, each once."""
    return sorted({finding.slug for finding in report.shown})


@pytest.fixture
def api(api: MessagesServer) -> MessagesServer:
    """The server, which answers like `honest`."""
    api.answer_with(honest)
    return api


@pytest.fixture
def project(tmp_path: Path, api: MessagesServer) -> Project:
    """A project with nothing written yet."""
    return Project(tmp_path, api)


def test_a_doubt_of_the_offline_reader_does_not_outweigh_a_model(project: Project) -> None:
    """A `supported` counts where the offline reader only doubts."""

    def generous(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            return reviewed(body, "supported")
        return repeated(body, lambda _: "Only administrators can rename regions after midnight because Berlin decides.")

    project.api.answer_with(generous)
    assert slugs(project.update()) == []
    assert "verdict: supported" in (project.root / "answers/faq/keys.md").read_text(encoding="utf-8")
    asked = len(project.api.requests)
    project.options["reviewer"] = "anthropic"
    report = project.update()
    assert (slugs(report), set(statuses(report).values())) == ([], {Status.ACCEPTED})
    assert len(project.api.requests) == asked


def test_every_question_is_answered_and_reviewed_once(project: Project) -> None:
    """Two requests an answer; the report is clean, and says what it cost."""
    report = project.update()
    assert slugs(report) == []
    assert set(statuses(report).values()) == {Status.ACCEPTED}
    assert len(project.api.requests) == 2 * len(TOPICS)
    keys = answer(report, "keys")
    assert keys.content == "The number of keys is 11 for every project.[^1]"
    assert (keys.spend.calls, keys.reviewed, keys.reviewer) == (2, True, "anthropic")
    assert keys.spend.cost > 0


def test_a_reviewer_reads_a_claim_with_all_of_its_markdown(project: Project) -> None:
    """The emphasis that opens it, too."""
    claims: list[str] = []

    def bold(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            claims.extend(claim["text"] for claim in json.loads(body["messages"][0]["content"][0]["text"])["claims"])
            return reviewed(body, "supported")
        return repeated(body, lambda words: f"**{words.removesuffix('.')}**.")

    project.api.answer_with(bold)
    project.update()
    assert "**The number of keys is 11 for every project**." in claims


def test_words_that_a_writer_found_something_with_are_recorded_and_searched_with(project: Project) -> None:
    """What the question's own words do not find is in the first request of the next run."""
    stripes = "<h2 id=stripes>Zebra</h2><p>Eleven zebra stripes open a door.</p>"
    project.pages = {"keys": f"<p>{'Welcome. ' * 1500}</p>{stripes}"}
    project.declared = {"question": "How do I enter?"}

    def searching(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            sent = str(body["messages"])
            return reviewed(body, "contradicted" if "open a door" in sent and "open each door" in sent else "supported")
        for result, block in enumerate(search_results(body)):
            if said(block["content"][0]).startswith("Eleven zebra"):
                return say(Quote(said(block["content"][0]), result))
        queries = ("unicorn horns", "zebra stripes")
        return say(*[Call("search_docs", {"query": query}) for query in queries])

    project.api.answer_with(searching)
    report = project.update()
    assert answer(report, "keys").queries == ("zebra stripes",)
    assert "queries:\n  - zebra stripes\n" in (project.root / "answers/faq/keys.md").read_text(encoding="utf-8")
    project.pages["keys"] = project.pages["keys"].replace("a door", "each door")
    project.api.requests.clear()
    assert "each door" in answer(project.update(), "keys").content
    _review, first, _again = project.api.requests
    assert "Eleven zebra stripes open each door." in json.dumps(first), "no further look was needed"


def test_a_rebuild_with_nothing_changed_asks_for_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one request, and no key is needed."""
    first = project.update()
    project.api.requests.clear()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    for mode in ("stale", "never", "missing"):
        again = project.update(mode)
        assert slugs(again) == []
        assert [item.content for item in again.answers] == [item.content for item in first.answers]
    assert project.api.requests == []
    assert project.api.headers[2 * len(TOPICS) :] == []


def test_what_the_model_says_of_the_whole_answer_is_kept(project: Project) -> None:
    """It outranks the check by words, stands in the record, and holds in builds that ask nobody."""
    beside = {"missing": "It does not say how many keys a team has.", "answers": "no"}

    def strict(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"] and topic_of(body) == "keys":
            return reviewed(body, "supported", beside)
        return honest(body)

    project.api.answer_with(strict)
    for mode in ("stale", "never"):
        report = project.update(mode)
        assert slugs(report) == ["off-question"]
        assert beside["missing"] in report.shown[0].message
        checked = answer(report, "keys").check
        assert checked is not None
        assert (checked.fit, checked.reason) == (Fit.NO, beside["missing"])
        assert checked.reviewer.startswith("anthropic-")
    assert len(project.api.requests) == 2 * len(TOPICS)
    assert f"left_open: {beside['missing']}" in (project.root / "answers/faq/keys.md").read_text(encoding="utf-8")


STEP = "Ask the owner to confirm it, or it is lost."


@pytest.mark.parametrize("length", [9, 0], ids=["cut", "whole"])
def test_a_step_that_was_cut_from_what_its_writer_saw_comes_once(project: Project, length: int) -> None:
    """The reader says what is missing, and the writer is sent the rest of the section; of one that it saw whole,
    nothing is asked again."""
    filler = "".join(f"<p>The number of keys {'and so on ' * 60}.</p>" for _ in range(length))
    last = f"<p>{STEP} {'Or so. ' * 150}</p>"
    project.pages = {"keys": f"<h2 id=a>About keys</h2><p>The number of keys is 11.</p>{filler}{last}"}
    beside = {"missing": "Who has to confirm it.", "answers": "in part"}
    shown: list[bool] = []

    def reader(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            has_step = length and STEP in body["messages"][0]["content"][0]["text"]
            return reviewed(body, "supported", ANSWERED if has_step else beside)
        shown.append(STEP in json.dumps(body["messages"]))
        for number, part in enumerate(search_results(body)[0]["content"]):
            if STEP in part["text"]:
                return say(Quote("The number of keys is 11.", 0), " ", Quote(STEP, 0, number, number + 1))
        return repeated(body)

    project.options = {"context_budget": 3000}
    project.api.answer_with(reader)
    report = project.update()
    kept = answer(report, "keys")
    if not length:
        assert (shown, kept.retries, slugs(report)) == ([True], 0, ["partly-answered"])
        return
    assert shown == [False, True]
    assert kept.content == f"The number of keys is 11.[^1] {STEP}[^2]"
    assert kept.check is not None
    assert (kept.check.fit, kept.retries, slugs(report)) == (Fit.YES, 1, [])
    again = json.dumps(project.api.requests[2]["messages"])
    assert "Who has to confirm it." in again
    assert len(project.api.requests) == 4


def test_a_second_try_that_is_no_better_changes_nothing(project: Project) -> None:
    """A fault or an answer that fails leaves the first one."""
    filler = "".join(f"<p>The number of keys {'and so on ' * 60}.</p>" for _ in range(9))
    project.pages = {"keys": f"<h2 id=a>About keys</h2><p>The number of keys is 11.</p>{filler}<p>{STEP}</p>"}
    project.options = {"context_budget": 3000}
    beside = {"missing": "Who has to confirm it.", "answers": "in part"}

    def reader(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            return reviewed(body, "supported", beside)
        if "earlier_answer" in json.dumps(body["messages"]):
            return say("No.", stop="refusal")
        return repeated(body)

    project.api.answer_with(reader)
    report = project.update()
    assert answer(report, "keys").content == "The number of keys is 11.[^1]"
    assert slugs(report) == ["partly-answered"]


def test_what_the_sections_leave_open_needs_no_citation(project: Project) -> None:
    """The writer says so as it is told to, and is not sent back for it."""
    project.pages = {"keys": project.pages["keys"]}

    def writer(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            return reviewed(body, "supported")
        return say(*repeated(body).parts, "\n[[LEFT-OPEN]] They do not say who may raise it.")

    project.api.answer_with(writer)
    report = project.update()
    assert answer(report, "keys").retries == 0
    assert slugs(report) == ["partly-answered"]
    assert len(project.api.requests) == 2


def test_an_edited_paragraph_asks_for_the_answers_that_cite_it(project: Project) -> None:
    """And for no other; a paragraph that nobody cites asks for none."""
    project.update()
    project.api.requests.clear()
    project.pages["logs"] = page_html("logs", 99)
    project.pages["keys"] = project.pages["keys"].replace("nobody asks", "somebody asks")
    report = project.update()
    assert [topic_of(body) for body in project.api.requests] == ["logs", "logs", "logs"], "review, write, review"
    assert "99" in answer(report, "logs").content
    assert slugs(report) == []


def test_a_proposal_with_an_error_leaves_the_accepted_text(project: Project) -> None:
    """In the run that wrote it and in the next ones, which ask for nothing."""
    accepted = answer(project.update(), "limits").content
    project.declared = {"queries": ("caps",)}

    def wrong(body: dict[str, Any]) -> Reply:
        if "format" in body["output_config"]:
            return reviewed(body, "contradicted")
        return repeated(body, lambda text: text.replace("number", "count"))

    project.api.answer_with(wrong)
    asked = set()
    for _ in range(3):
        now = answer(project.update(), "limits")
        assert (now.status, now.content) == (Status.STALE, accepted)
        assert "contradicted-claim" in [finding.slug for finding in now.findings]
        assert now.proposal
        asked.add(len(project.api.requests))
    assert len(asked) == 1


def test_without_a_key_what_is_stale_names_the_command(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork has no key: nothing stale passes, something stale says what to run."""
    project.update()
    project.pages["logs"] = page_html("logs", 99)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    for update in ("never", "stale"):
        report = project.update(update)
        assert slugs(report) == ["outdated-claim"]
        assert "it is “99”" in report.shown[0].message


class TestCorrection:
    """What falls short goes back to the writer, twice at most."""

    def test_an_altered_number_is_corrected(self, project: Project) -> None:
        """The second text passes the whole audit and review; that it took two is kept."""
        wrong = {"keys"}

        def script(body: dict[str, Any]) -> Reply:
            if "format" not in body["output_config"] and topic_of(body) in wrong:
                wrong.clear()
                return repeated(body, lambda text: text.replace("11", "17"))
            if "format" in body["output_config"] and "keys is 17" in json.dumps(body["messages"]):
                return reviewed(body, "contradicted")
            return honest(body)

        project.api.answer_with(script)
        report = project.update()
        assert slugs(report) == []
        assert answer(report, "keys").retries == 1
        sent = [body for body in project.api.requests if "earlier_answer" in json.dumps(body["messages"])]
        assert len(sent) == 1
        assert "The number of keys is 17 for every project." in json.dumps(sent[0])
        assert answer(report, "keys").content == "The number of keys is 11 for every project.[^1]"

    @pytest.mark.parametrize("verdict", ["unsupported", "contradicted"])
    def test_what_still_falls_short_stays_pending_and_fails(self, project: Project, verdict: str) -> None:
        """Three texts, three reviews, and then a person must look."""

        def script(body: dict[str, Any]) -> Reply:
            if "format" in body["output_config"] and topic_of(body) == "keys":
                return reviewed(body, verdict)
            return honest(body)

        project.api.answer_with(script)
        report = project.update()
        assert answer(report, "keys").status is Status.WAITING
        assert answer(report, "keys").retries == 2
        assert slugs(report) == [f"{verdict}-claim"]
        assert report.failed()
        assert sum(topic_of(body) == "keys" for body in project.api.requests) == 6


REVIEW_FAULTS: dict[str, Reply] = {
    "refusal": Turn(("",), "refusal"),
    "max_tokens": Turn(('{"claims": [',), "max_tokens"),
    "no stop reason": say_json({"claims": [], "conflicts": [], "answers_question": ANSWERED}, stop=None),
    "cut off": say_json({"claims": [], "conflicts": [], "answers_question": ANSWERED}, hang_up=True),
    "not JSON": say("supported"),
    "claims missing": say_json({"claims": [], "conflicts": [], "answers_question": ANSWERED}),
    "overload": overloaded(x_should_retry="false"),
    "spend limit": spent(),
    "no access": Refused(403, "permission_error", "no"),
    "slow": say("{}", delay=8),
}


@pytest.mark.parametrize("reply", REVIEW_FAULTS.values(), ids=REVIEW_FAULTS.keys())
@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.WARNING])
def test_a_review_that_cannot_finish_is_never_a_pass(
    tmp_path: Path, api: MessagesServer, reply: Reply, severity: Severity
) -> None:
    """It is `review-incomplete`; its severity says whether the build fails."""
    slow = isinstance(reply, Turn) and reply.delay
    anthropic = {"timeout": 1.5 if slow else 30.0}
    project = Project(tmp_path, api, severity={"review-incomplete": severity}, anthropic=anthropic)
    project.pages = {"keys": project.pages["keys"]}
    api.answer_with(lambda body: reply if "format" in body["output_config"] else honest(body))
    report = project.update()
    assert slugs(report) == ["review-incomplete"]
    assert report.shown[0].tip
    assert report.failed() is (severity is Severity.ERROR)
    assert not answer(report, "keys").reviewed
    assert answer(report, "keys").retries == 0  # the writer has done nothing wrong


WRITE_FAULTS: dict[str, Reply] = {
    "refusal": Turn(("",), "refusal"),
    "max_tokens": Turn(("The number of keys",), "max_tokens"),
    "leaked markup": say("The number <cite index='0'>is</cite> 11."),
    "spend limit": spent(),
    "overload": overloaded(x_should_retry="false"),
    "cut off": Turn((Quote("The number of keys is 11 for every project.", 0),), hang_up=True),
}


@pytest.mark.parametrize("reply", WRITE_FAULTS.values(), ids=WRITE_FAULTS.keys())
def test_an_answer_that_cannot_be_written_fails_alone(tmp_path: Path, api: MessagesServer, reply: Reply) -> None:
    """The others are written, reviewed and kept."""
    project = Project(tmp_path, api)
    api.answer_with(lambda body: reply if topic_of(body) == "keys" else honest(body))
    report = project.update()
    assert slugs(report) == ["provider-error"]
    assert statuses(report) == dict.fromkeys(TOPICS, Status.ACCEPTED) | {"keys": Status.FAILED}
    api.answer_with(honest)
    api.requests.clear()
    assert slugs(project.update()) == []
    assert {topic_of(body) for body in api.requests} == {"keys"}


def test_a_run_that_is_interrupted_loses_and_repeats_nothing(project: Project) -> None:
    """Each answer is recorded as soon as it is done."""

    def interrupt(resolved: Answer) -> None:
        if resolved.id == "limits":  # the last by key but one
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        project.update(progress=interrupt)
    done = {path.stem for path in (project.root / "answers").rglob("*.md")}
    assert done
    project.api.requests.clear()
    assert slugs(project.update()) == []
    assert {topic_of(body) for body in project.api.requests} == set(TOPICS) - done


class TestBatches:
    """`update --batch`."""

    def test_writing_and_reviewing_are_a_batch_each(self, project: Project) -> None:
        """At half the price, and recorded like any other."""
        report = project.update(batches=True)
        assert slugs(report) == []
        assert [len(batch["results"]) for batch in project.api.batches.values()] == [5, 5]
        project.api.requests.clear()
        assert slugs(project.update()) == []
        assert project.api.requests == []

    def test_one_that_fails_fails_alone(self, project: Project) -> None:
        """The next run sends it again."""
        project.api.answer_with(lambda body: overloaded() if topic_of(body) == "keys" else honest(body))
        assert slugs(project.update(batches=True)) == ["provider-error"]
        project.api.answer_with(honest)
        project.api.requests.clear()
        assert slugs(project.update(batches=True)) == []
        assert {topic_of(body) for body in project.api.requests} == {"keys"}


def test_an_estimate_goes_by_what_answers_of_the_site_have_cost(project: Project) -> None:
    """In the median, and by the price table as long as none is recorded; no message is sent."""
    index = Index.open(None)
    index.sync((Page(f"{topic}.md", f"{topic}/", topic.title()), html) for topic, html in project.pages.items())
    settings = parse({"provider": "anthropic", "reviewer": "anthropic", "cite_threshold": 0.1}, {})
    pipeline = Pipeline(settings, index, Store(project.root), Run("always", writes=False))
    asked = [project.declaration(topic) for topic in TOPICS]
    first = pipeline.estimate(asked)
    assert (first.answers, first.measured) == (len(TOPICS), 0)
    assert first.each is not None
    assert 0.01 < first.each < 0.1
    assert project.api.requests == []
    project.api.answer_with(honest)
    costs = [item.spend.cost for item in project.update().answers]
    again = pipeline.estimate(asked)
    index.close()
    assert again.measured == len(TOPICS)
    assert again.each == pytest.approx(median(costs))


def test_an_estimate_asks_no_model_about_what_has_changed(project: Project) -> None:
    """What is said before a model is asked costs nothing, and changes no record."""
    project.update()
    project.pages["logs"] = page_html("logs", 99)
    before = (project.root / "answers/faq/logs.md").read_bytes()
    asked = len(project.api.requests)
    index = Index.open(None)
    index.sync((Page(f"{topic}.md", f"{topic}/", topic.title()), html) for topic, html in project.pages.items())
    settings = parse({"provider": "anthropic", "reviewer": "anthropic", "cite_threshold": 0.1}, {})
    pipeline = Pipeline(settings, index, Store(project.root), Run("stale"))
    estimate = pipeline.estimate([project.declaration(topic) for topic in TOPICS])
    index.close()
    assert (estimate.answers, len(project.api.requests)) == (1, asked)
    assert (project.root / "answers/faq/logs.md").read_bytes() == before
