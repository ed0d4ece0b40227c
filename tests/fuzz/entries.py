"""The doors of the package: what each is given, and what it may do with anything at all. How long, says `runner`."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from mkdocs_cited import reporters
from mkdocs_cited.answer_text.citing import best_quotes
from mkdocs_cited.answer_text.claims import split
from mkdocs_cited.answer_text.markdown import blocks, markers, prose, seen_by_browsers
from mkdocs_cited.anthropic_client import Reply as ModelReply
from mkdocs_cited.anthropic_client import Span
from mkdocs_cited.anthropic_client.own_server import plain as in_plain
from mkdocs_cited.anthropic_client.reply import parsed
from mkdocs_cited.base.bounded_yaml import TooMuchError, compose, dump, value_of, where
from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.text import glob_matches, slugify
from mkdocs_cited.cli.group import opened
from mkdocs_cited.cli.mcp_server import LONGEST, Tools
from mkdocs_cited.declarations import PageDeclarations, read_page, read_questions, with_entry
from mkdocs_cited.declarations.front_matter import SourceText, source_text
from mkdocs_cited.declarations.front_matter import decode as decoded
from mkdocs_cited.findings import read_baseline
from mkdocs_cited.language import tokens
from mkdocs_cited.language.quantities import quantities
from mkdocs_cited.language.sentences import sentences
from mkdocs_cited.mkdocs_host.claims import check_markers, claims_of
from mkdocs_cited.mkdocs_host.configuration import with_plugin
from mkdocs_cited.model.answer import Claim, Draft, Evidence, Spend
from mkdocs_cited.model.finding import Place, Related, found
from mkdocs_cited.model.options import Settings
from mkdocs_cited.model.report import Report
from mkdocs_cited.model.source import Page, Passage, PassageKind, Scope, SitePage, SourceType
from mkdocs_cited.pipeline import declared
from mkdocs_cited.providers.anthropic.conversation import Conversation
from mkdocs_cited.providers.anthropic.placing import addresses_of, cleaned, leaked, placed
from mkdocs_cited.providers.anthropic.prompt import Contents
from mkdocs_cited.providers.authored import Authored
from mkdocs_cited.providers.interface import Request
from mkdocs_cited.providers.quote import QuoteProvider
from mkdocs_cited.records.following import freshness, to_draft
from mkdocs_cited.records.format import decode, encode
from mkdocs_cited.records.record import Broken
from mkdocs_cited.render import markdown
from mkdocs_cited.render.cited_json import build as cited_json
from mkdocs_cited.render.links import Links
from mkdocs_cited.review.interface import Case, Review
from mkdocs_cited.review.lexical import Lexical
from mkdocs_cited.review.request import ReviewRequest
from mkdocs_cited.review.rules import audit
from mkdocs_cited.search.as_markdown import blocks as as_markdown
from mkdocs_cited.search.index import Index
from mkdocs_cited.search.select import select
from mkdocs_cited.settings import parse
from mkdocs_cited.sources.addressed import AddressedFile
from mkdocs_cited.sources.fetching import Reply, main_text
from mkdocs_cited.sources.from_files import document_of
from mkdocs_cited.sources.marks import read_marks
from mkdocs_cited.sources.snapshots import decode as read_snapshot
from mkdocs_cited.sources.snapshots import encode as encode_snapshot
from mkdocs_cited.sources.snapshots import page_of as page_elsewhere
from tests.corpora import extract
from tests.fuzz.seeds import (
    ANSWERS,
    CALLS,
    CLAIMS,
    CODE,
    CONFIGURATIONS,
    FRONT_MATTER,
    HTML,
    OPTIONS,
    PROSE,
    QUESTION_FILES,
    QUESTIONS,
    RECORDS,
    SNAPSHOTS,
    TEXTS,
    YAML,
)
from tests.providers.site import RATE, SITE, declaration, request
from tests.providers.site import passage as passage_of
from tests.render.values import answer as rendered_answer
from tests.render.values import passage as rendered_passage
from tests.review.site import audit_of


@dataclass(frozen=True)
class Entry:
    """One door."""

    name: str
    seeds: tuple[str, ...]
    """What is damaged on the way in."""
    run: Callable[[str], object]
    """Raises whatever the door must not raise, and `AssertionError` for what must not come out of it."""
    halves: bool = False
    """Whether halves of characters come this far; every other door is behind a file or a reply, which hold none."""


PAGE = Page("a.md", "a/", "A")
_ACTIVE = re.compile(r"<(?:script|iframe|object|embed|style|form|svg|base|meta|link)\b|\son[a-z]+\s*=", re.IGNORECASE)
_BIG = re.compile(r"\d{400,}")
"""A figure that no float holds, which is nobody's limit to state."""


def whole(value: object) -> None:
    """It can be written: no halves of characters."""
    str(value).encode("utf-8")


def _page(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    read = read_page("faq.md", "docs/faq.md", data, known_providers=("quote", "authored", "anthropic"))
    for finding in read.findings:
        assert finding.place.line >= 1
    body = data.decode("utf-8", "replace")
    list(check_markers(body, source_text("a.md", body), "a.md", read.ids))


def _yaml(text: str) -> None:
    try:
        root = compose(text)
    except TooMuchError:
        return
    except yaml.YAMLError as error:
        at, problem = where(text, error)
        assert 0 <= at <= len(text)
        assert problem
        return
    if root is not None:
        try:
            value_of(root)
        except (ValueError, RecursionError):
            return


def _dump(text: str) -> None:
    back = yaml.safe_load(dump({"a": text, "b": [text]}))
    assert back["a"] == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _record(text: str) -> None:
    record = decode("faq.md#q", text, "answers/faq/q.md")
    if isinstance(record, Broken):
        record.finding("faq.md#q")
        return
    again = decode("faq.md#q", encode(record), "answers/faq/q.md")
    assert not isinstance(again, Broken), again
    assert replace(again, place=record.place) == record, again
    freshness(record, declaration(), SITE)
    draft = to_draft(record, SITE)
    _shown(draft.content)


def _claims(text: str) -> None:
    for claim in split(text):
        assert 0 <= claim.start <= claim.end <= len(text)
    blocks(text)
    prose(text)
    markers(text)


def _language(text: str) -> None:
    for locale in ("en", "de", "ja"):
        tokens(text, locale)
        spans = sentences(text, locale)
        assert all(0 <= start <= end <= len(text) for start, end in spans)
        if not _BIG.search(text):
            list(quantities(text, locale))


def _html(text: str) -> None:
    passages = extract(PAGE, text)
    assert len({passage.id for passage in passages}) == len(passages)
    links = Links(lambda url: text)
    for passage in passages[:5]:
        links(passage, passage.text)
    ids = re.compile(' id="cited-[a-z2-7-]+"')
    assert ids.sub("", links.with_ids_in("a/", text)) == ids.sub("", text)


def _file(text: str) -> None:
    page = Page("notes/a", "", "A", type=SourceType.FILE)
    for suffix in (".md", ".txt", ".yml", ".json", ".toml", ".py"):
        for passage in document_of(page, text, suffix).passages:
            assert 1 <= passage.lines[0] <= passage.lines[1]


@cache
def _index() -> Index:
    return Index.open(None)


def _search(text: str) -> None:
    index = _index()
    half = len(text) // 2
    index.sync([(PAGE, f"<h1>A</h1><p>{text}</p>"), (replace(PAGE, src="b.md", url="b/"), f"<p>{text[:half]}</p>")])
    index.search(text, scope=Scope(locale="en"), limit=8)
    index.search(text[half:], scope=Scope(include=(text[:20] or "*",)), limit=8)
    select(declaration(" ".join(text.split())[:300] or "Why?"), index, Settings())


def _lexical(text: str) -> None:
    claim, _, said = text.partition("\n")
    passage = passage_of(said or claim)
    review = Lexical(Settings()).review([Case(Claim(claim, (1,)), (Evidence(passage, passage.text),), "Why?")], SITE)
    assert isinstance(review, Review)
    (judgement,) = review.judgements
    assert all(0 <= start <= end <= len(claim) for start, end in judgement.missing)


def _audit(text: str) -> None:
    answer, _, said = text.partition("\n\n")
    for count in (0, 1):
        case = {"passages": [{"at": "a.md#b", "text": said or answer}], "answer": answer, "prose": count}
        for finding in audit(audit_of(case)):
            assert finding.place.line >= 1


def _shown(text: str) -> str:
    marks = {n: markdown.Mark(n, f"Source {n}") for n in (1, 2)}
    html = markdown.to_html(text, markdown.Numbers("cited-q", marks))
    assert not _ACTIVE.search(re.sub(r">[^<]*<|\"[^\"]*\"", "><", f">{html}<")), html
    for node in LexborHTMLParser(html).css("a[href], img[src]"):
        address = seen_by_browsers(node.attributes.get("href") or node.attributes.get("src") or "").lower()
        assert not address.startswith(("javascript:", "data:", "vbscript:", "//")), address
        assert node.tag != "img" or not re.match(r"[a-z][a-z0-9+.-]*:", address), address
    return html


def _rendered(text: str) -> None:
    _shown(text)


def _machines(text: str) -> None:
    answer = rendered_answer(f"{text}[^1]", rendered_passage(text or "x"), question=text or "Why?")
    links = Links(lambda url: f"<p>{text}</p>")
    for target in ("markdown", "prose"):
        data = cited_json([replace(answer, target=target, claims=())], {answer.page: "a/"}, links, {})
        msgspec.json.encode(data)


def _provider_text(text: str) -> None:
    named = addresses_of(SITE.passages)
    cleaned(text, named)
    leaked(text)
    half = len(text) // 2
    placed([(text[:half], (1,)), (text[half:], (1, 2))])


def _form(text: str) -> None:
    case = Case(Claim(RATE.text, (1,)), (Evidence(RATE, RATE.text),))
    outcome_ = ReviewRequest.of((case,), SITE).read(text)
    whole(outcome_)
    try:
        whole(parsed(text))
    except ValueError:
        return


def _plain_reply(text: str) -> None:
    talk = Conversation(request(), Settings(), Contents(), looks=0)
    try:
        said = in_plain(talk.body()).read(
            ModelReply((Span(text),), (), "small", Spend(), {"role": "assistant", "content": ""})
        )
    except ValueError as error:
        whole(str(error))
        return
    outcome = talk.outcome(said)
    if isinstance(outcome, Draft):
        whole(outcome.content)
        assert all(citation.quote in RATE.text for citation in outcome.citations)


def _reports(text: str) -> None:
    third = len(text) // 3
    place = Place(text[:third] or "a.md", 3, 2)
    related = (Related(text[third : 2 * third], place, text[:40], text),)
    marks = ((0, third), (third, len(text)))
    findings = (
        found("unsupported-claim", place, text, tip=text, answer=text[:50], claim=text, related=related, marks=marks),
        found("missing-answer", Place("b.md"), text[::-1]),
    )
    report = Report(shown=findings, notices=(text,))
    for name in reporters.FAMILY.names():
        whole(reporters.get(name).render(report))


def _settings(text: str) -> None:
    try:
        options = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError, OverflowError, LookupError):
        return  # MkDocs reads its file first, and says what is wrong with it
    if isinstance(options, dict) and all(isinstance(key, str) for key in options):
        try:
            parse(options, {"MKDOCS_CITED_UPDATE": text[:9]} if len(text) % 5 == 0 else {})
        except UsageError:
            return


def _authored(text: str) -> None:
    for provider in (Authored(Settings()), QuoteProvider(Settings())):
        asked = declaration(" ".join(text.split())[:500] or "Why?", text=text)
        provider.write(Request(asked, request().sources, SITE))


def _question(text: str) -> None:
    try:
        declared(text, "en")
    except UsageError:
        return


def _names(text: str) -> None:
    assert slugify(text).isascii()
    first, _, second = text.partition("\n")
    glob_matches(first[:300], (second[:300], f"!{first[:50]}"))


def _baseline(text: str) -> None:
    path = _scratch("baseline.yml", text)
    try:
        read_baseline(path, "baseline.yml")
    except CitedError:
        return


def _quotes(text: str) -> None:
    claim, _, said = text.partition("\n")
    kinds = (PassageKind.PARAGRAPH, PassageKind.CODE, PassageKind.ROW)
    passages: list[Passage] = [passage_of(said or claim, kind=kind) for kind in kinds]
    best_quotes(claim, passages, "en")


def _added(text: str) -> None:
    """`add`: the page has one more question, and what it had before."""
    page, _, question = text.rpartition("\n\n")
    data = page.encode("utf-8", "surrogatepass")
    fields = [
        ("id", ""),
        ("question", " ".join(question.split()) or "Why?"),
        ("sources", ("a/*.md", question[:20] or "*")),
    ]
    try:
        made = with_entry("faq.md", data, fields)
    except UsageError:
        return
    before, after = read_page("faq.md", "faq.md", data), read_page("faq.md", "faq.md", made)
    assert len(after.declarations) == len(before.declarations) + 1
    assert after.declarations[-1].question == fields[1][1]


def _set_up(text: str) -> None:
    """`init`: the plugin is in `mkdocs.yml` afterwards, and all else as it was."""
    try:
        made = with_plugin(Path("mkdocs.yml"), text.encode("utf-8", "surrogatepass"))
    except UsageError:
        return
    assert with_plugin(Path("mkdocs.yml"), made) == made


def _elsewhere(text: str) -> None:
    """A page of strangers, through the file of its snapshot and back."""
    url = "https://a.example/b"
    for media in ("text/html", "text/markdown; charset=latin-1", "text/plain"):
        reply = Reply(url, 200, {"content-type": media}, text.encode("utf-8", "surrogatepass"))
        snapshot = replace(main_text(reply), url=url)
        again = read_snapshot(encode_snapshot(snapshot))
        assert again == snapshot
        extract(page_elsewhere(again, "b", "a.md"), again.body)


def _snapshot(text: str) -> None:
    """A file that claims to be one."""
    try:
        snapshot = read_snapshot(text.encode("utf-8", "surrogatepass"))
    except ValueError:
        return
    extract(page_elsewhere(snapshot, "b", "a.md"), snapshot.body)


def _prose(text: str) -> None:
    """A page's marks: nothing but marks is taken out, and a page without any is untouched."""
    source = decoded("docs/a.md", text.encode("utf-8", "surrogatepass"))
    if not isinstance(source, SourceText):
        return
    text = source.text
    for locale, quiet in (("en", False), ("de", True)):
        page = SitePage("a.md", "a/", text, locale)
        marks = read_marks(Page("a.md", "a/", "A", locale), text)
        found = claims_of(page, marks, PageDeclarations(source), quiet=quiet)
        for made in found.declarations:
            assert len(made.text.split("\n\n")) == len(made.prose) >= 1
            assert all(claim.place.line >= 1 for claim in made.prose)


def _code(text: str) -> None:
    """A file of every kind that authors may address, by all its names and by others."""
    first, _, rest = text.partition("\n")
    for suffix in (".py", ".toml", ".json", ".env", ".yml", ".md", ".sh"):
        path = _scratch(f"code{suffix}", text)
        page = Page(f"../{path.name}", "", path.name, path.name, type=SourceType.FILE)
        file = AddressedFile(path.parent, page)
        names = file.names
        for address in (*names[:20], *names[-5:], first[:100], f"/{first[:50]}", rest[:50], "", "/", ".", "#"):
            for passage in file.section(address):
                assert 1 <= passage.lines[0] <= passage.lines[1]
                assert passage.value in passage.text


def _outline(text: str) -> None:
    """`read_section`: a page's passages as Markdown."""
    for block in as_markdown(extract(PAGE, text)):
        assert block.first <= block.last
        whole(block.text)


def _questions_file(text: str) -> None:
    read = read_questions("questions.yml", text.encode("utf-8", "surrogatepass"), known_providers=("quote",))
    for finding in read.findings:
        assert finding.place.line >= 1


class _Tools(Tools):
    """The tools of `mcp` on a site that is opened once."""

    @contextmanager
    def _site(self) -> Iterator[Any]:
        yield _opened()


@cache
def _opened() -> Any:
    folder = Path(_folder().name, "site")
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    (folder / "mkdocs.yml").write_text("site_name: A\nplugins: [cited]\n")
    (folder / "docs/index.md").write_text(
        "# Limits\n\nThe limit is 60 requests per minute.\n\n## Keys\n\nKeys last a year.\n"
    )
    return opened(folder / "mkdocs.yml")


def _called(text: str) -> None:
    """What an assistant may send to the tools."""
    tools, (tool, _, said) = _Tools(None), text.partition("\n")
    calls: tuple[Callable[[], str], ...] = (
        lambda: tools.find(said or tool, len(text) % 40 - 5),
        lambda: tools.read_section(tool),
        lambda: tools.read_section(f"index.md#{said}"),
        lambda: tools.verify(text),
        lambda: tools.check([tool[:100]], "" if len(text) % 3 else said[:50]),
        lambda: tools.cite(tool[:200]),
    )
    for call in calls:
        try:
            told = call()
        except CitedError as error:
            told = str(error)
        whole(told)
        assert len(told) < 100 * LONGEST


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="cited-fuzz-")


def _scratch(name: str, text: str) -> Path:
    path = Path(_folder().name, name)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


JSON = tuple(
    json.dumps(value)
    for value in (
        {"claims": [{"id": "c1", "evidence_quotes": ["The limit is 60"], "missing_condition": "", "reverses": False,
                     "reason": "", "verdict": "supported", "better_passages": ["p1"], "not_stated": ""}],
         "conflicts": [{"first": "p1", "second": "p1", "fact": "x"}],
         "answers_question": {"missing": "the limit", "answers": "in part"}},
    )
)  # fmt: skip

PLAIN = (
    '{"pieces": [{"text": "Sixty.", "quotes": [{"n": 1, "quote": "The limit is 60 requests per minute."}]}]}',
    '```json\n{"pieces": [{"text": "- a", "quotes": []}, {"text": "- b", "quotes": [{"n": 9, "quote": ""}]}]}\n```',
    "[[NOT-DOCUMENTED]] No price is named.\n[[NEAREST:guide/keys.md#rotation]]",
)

ENTRIES = (
    Entry("front matter and markers", FRONT_MATTER, _page),
    Entry("YAML", YAML, _yaml),
    Entry("YAML written", TEXTS, _dump, halves=True),
    Entry("records", RECORDS, _record),
    Entry("claims and marks", ANSWERS, _claims),
    Entry("words, sentences, figures", TEXTS, _language),
    Entry("HTML to passages and links", HTML, _html),
    Entry("repository files", (*TEXTS, *YAML, *ANSWERS), _file),
    Entry("index, search, selection", (*QUESTIONS, *TEXTS), _search),
    Entry("lexical review", CLAIMS, _lexical),
    Entry("audit", tuple(f"{answer}\n\n{text}" for answer in ANSWERS[:4] for text in TEXTS[:3]), _audit),
    Entry("rendering", (*ANSWERS, *HTML), _rendered),
    Entry("cited.json", TEXTS, _machines),
    Entry("a model's text", (*ANSWERS, *HTML), _provider_text),
    Entry("a model's JSON", JSON, _form, halves=True),
    Entry("a plain model's reply", PLAIN, _plain_reply),
    Entry("reporters", TEXTS, _reports, halves=True),
    Entry("options", OPTIONS, _settings),
    Entry("authored and quoted", (*ANSWERS, *QUESTIONS), _authored),
    Entry("questions asked", QUESTIONS, _question, halves=True),
    Entry("ids and globs", (*QUESTIONS, "guide/*.md\n**/a?.md"), _names, halves=True),
    Entry("baselines", YAML, _baseline),
    Entry("add", tuple(f"{page}\n\n{question}" for page in FRONT_MATTER for question in QUESTIONS), _added),
    Entry("init", CONFIGURATIONS, _set_up),
    Entry("pages elsewhere", (*HTML, *ANSWERS), _elsewhere),
    Entry("snapshots", SNAPSHOTS, _snapshot),
    Entry("quotes", CLAIMS, _quotes),
    Entry("prose marks", PROSE, _prose),
    Entry("code and configuration", (*CODE, *YAML), _code),
    Entry("outline", HTML, _outline),
    Entry("questions of a file", QUESTION_FILES, _questions_file),
    Entry("mcp tools", CALLS, _called),
)
