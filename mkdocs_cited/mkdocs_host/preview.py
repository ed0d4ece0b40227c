"""`POST /qa` on MkDocs' preview server: an author's question, answered from the site as it was last built.

It answers this machine only, and apart from the build: over the pages of the last build that ended, so that neither
waits for the other.
"""

from __future__ import annotations

import ipaddress
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

import click

from mkdocs_cited.base.errors import CitedError, UsageError
from mkdocs_cited.base.language_tags import tag_of
from mkdocs_cited.base.values import replace
from mkdocs_cited.mkdocs_host.answering import Answering
from mkdocs_cited.mkdocs_host.build import Build
from mkdocs_cited.mkdocs_host.languages import as_one
from mkdocs_cited.mkdocs_host.logger import log
from mkdocs_cited.pipeline.asking import answer_object, asked, declared, locale_of
from mkdocs_cited.pipeline.run import Run
from mkdocs_cited.render.answer import AnswerRenderer
from mkdocs_cited.render.highlighting import colours_of

ENDPOINT = "/qa"
MOST_BYTES = 32_768
"""Of a request's body: 2,000 characters, each escaped, and room to spare."""

Environ = dict[str, Any]
Start = Callable[..., Any]
App = Callable[[Environ, Start], Iterable[bytes]]


def has_endpoint() -> bool:
    """Whether this preview answers questions: `mkdocs serve --no-livereload` lets no plugin near its server."""
    context = click.get_current_context(silent=True)
    return context is None or bool(context.params.get("livereload", True))


class RefusedError(Exception):
    """A request that is not answered: HTTP status line and message."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


class Preview:
    """Answers over the last build that ended; one question at a time."""

    def __init__(self) -> None:
        self._build: Build | None = None
        self._ready: tuple[Build, Callable[[str, str], dict[str, Any]]] | None = None
        self._alone = threading.Lock()

    def show(self, build: Build) -> None:
        """Answer from this build from now on: every page of it is rendered, and nothing changes it any more."""
        self._build = build

    def around(self, app: App) -> App:
        """The preview server's application with the endpoint before it."""

        def with_endpoint(environ: Environ, start: Start) -> Iterable[bytes]:
            if environ.get("PATH_INFO") != ENDPOINT or environ.get("REQUEST_METHOD") != "POST":
                return app(environ, start)
            status, data = self._reply(environ)
            body = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
            headers = {"Content-Type": "application/json; charset=utf-8", "Content-Length": str(len(body))}
            start(status, [*headers.items(), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")])
            return [body]

        return with_endpoint

    def _reply(self, environ: Environ) -> tuple[str, dict[str, Any]]:
        """Status line, and the answer or what is wrong."""
        try:
            return "200 OK", self._answer(*question_of(environ))
        except RefusedError as error:
            return error.status, {"error": str(error), "tip": ""}
        except UsageError as error:
            return "400 Bad Request", {"error": error.message, "tip": error.tip}
        except CitedError as error:
            return "500 Internal Server Error", {"error": error.message, "tip": error.tip}
        except Exception as error:
            log.warning("a question could not be answered: %s: %s", type(error).__name__, error)
            log.debug("the question failed here", exc_info=True)
            return "500 Internal Server Error", {"error": "the question could not be answered", "tip": "see the log"}

    def _answer(self, question: str, lang: str) -> dict[str, Any]:
        with self._alone:
            build = self._build
            if build is None:
                raise RefusedError("503 Service Unavailable", "the site is not built yet")
            if self._ready is None or self._ready[0] is not build:
                self._ready = (build, _answerer(build))
            return self._ready[1](question, lang)


def question_of(environ: Environ) -> tuple[str, str]:
    """The question of a request, and its language: that of the page with the box, empty for the site's own.

    Raises:
        RefusedError: it comes from elsewhere than this machine, or is not `{"question": "…"}` as JSON, with or without
            `"lang": "de"`. That it must be JSON also keeps out other sites' pages, whose forms cannot send it.
    """
    host = environ.get("HTTP_HOST", "")
    if not (_is_here(_name(f"//{host}")) and _is_here(environ.get("REMOTE_ADDR", ""))):
        raise RefusedError("403 Forbidden", "questions are answered on this machine only, at localhost or 127.0.0.1")
    if environ.get("HTTP_ORIGIN", f"http://{host}") != f"http://{host}":
        raise RefusedError("403 Forbidden", "the question was sent by a page of another site")
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != "application/json":
        raise RefusedError("415 Unsupported Media Type", "send the question as application/json")
    length = environ.get("CONTENT_LENGTH", "")
    if not (length.isascii() and length.isdecimal()):
        raise RefusedError("411 Length Required", "the request must say how long it is")
    if len(length) > 9 or int(length) > MOST_BYTES:
        raise RefusedError("413 Content Too Large", f"a question has at most {MOST_BYTES:,} bytes")
    try:
        data = json.loads(environ["wsgi.input"].read(int(length)))
    except (ValueError, RecursionError):
        data = None
    question = data.get("question") if isinstance(data, dict) else None
    if not isinstance(question, str):
        raise RefusedError("400 Bad Request", 'send {"question": "…"}')
    return question, tag_of(data.get("lang"))


def _name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _is_here(host: str) -> bool:
    """Whether a name or an address is this machine's own."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _answerer(build: Build) -> Callable[[str, str], dict[str, Any]]:
    """From a question and its language to its answer, over one build with all of its languages."""
    whole = as_one(build.languages)
    answering = Answering(whole)
    run = Run("always", writes=False, calls_models=False)
    own, links = whole.locale or locale_of(answering.corpus), answering.links()

    addresses = {page.src: page.url for page, _ in whole.documents}
    renderer = AnswerRenderer(build.settings, links, addresses, colours_of=colours_of(links))

    def answer(question: str, lang: str) -> dict[str, Any]:
        locale = lang or own
        given = asked(declared(question, locale), answering.pipeline(run))
        html = renderer.render(replace(given, id="asked"), base="", locale=locale)
        return {**answer_object(given, links), "html": html}

    return answer
