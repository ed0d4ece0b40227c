"""What a preview pays for the plugin on a large site: `python -m benchmarks.preview SITES_DIR`.

The site is made by `benchmarks.large`, and built as `mkdocs serve` does: at its start, again with nothing changed,
after one page has changed. Counted is the processor time within the plugin's own hooks, less what MkDocs would take
itself to read the pages' files, which the plugin does for it: that is what a rebuild takes beyond MkDocs' own. Then the
box is asked, for the first time and again.
"""

from __future__ import annotations

import io
import json
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from mkdocs.commands.build import build
from mkdocs.config import load_config

from benchmarks.large import Site, measured, options

QUESTIONS = ("How is a snapshot verified?", "What does the retention policy keep?", "How do I sort imports?")


class Clock:
    """Processor time within the plugin's hooks."""

    def __init__(self) -> None:
        self.hooks: defaultdict[str, float] = defaultdict(float)

    def around(self, hook: Callable[..., Any], name: str) -> Callable[..., Any]:
        """The hook, timed."""

        def timed(*arguments: Any, **named: Any) -> Any:
            began = time.process_time()
            try:
                return hook(*arguments, **named)
            finally:
                taken = time.process_time()
                if name == "page_read_source":
                    _ = named["page"].file.content_string
                self.hooks[name] += taken - began - (time.process_time() - taken)

        return timed


def rebuilt(site: Site, clock: Clock, plugins: list[Any]) -> tuple[float, float]:
    """Build once as the preview does, with the same plugin; seconds of the build, and of the plugin's hooks."""
    config = load_config(str(site.folder / "mkdocs.yml"), site_dir=str(site.folder / "served"))
    plugin: Any = config.plugins["cited"]
    if not plugins:
        plugins.append(plugin)
        plugin.on_startup(command="serve", dirty=False)
    for name, hooks in config.plugins.events.items():
        hooks[:] = [clock.around(hook, name) if getattr(hook, "__self__", None) is plugin else hook for hook in hooks]
    clock.hooks.clear()
    began = time.process_time()
    build(config)
    return time.process_time() - began, sum(clock.hooks.values())


def asked(plugin: Any, question: str) -> float:
    """Seconds that the box takes for a question."""
    body = json.dumps({"question": question}).encode()
    environ = {
        "PATH_INFO": "/qa", "REQUEST_METHOD": "POST", "HTTP_HOST": "127.0.0.1:8000", "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(body)), "wsgi.input": io.BytesIO(body),
    }  # fmt: skip
    said: list[str] = []
    began = time.process_time()
    plugin.preview.around(lambda *_: [])(environ, lambda status, _: said.append(status))
    seconds = time.process_time() - began
    assert said == ["200 OK"], said
    return seconds


def main() -> None:
    arguments = options(__doc__, pages=2000, questions=100).parse_args()
    os.environ["CI"] = ""
    with measured(arguments) as site:
        page = next(path for path in sorted((site.folder / "docs").rglob("*.md")) if path.parent.name != "docs")
        clock = Clock()
        plugins: list[Any] = []
        print("| build | whole, CPU s | plugin, CPU ms | most of it |")
        print("|---|---|---|---|")

        def tell(name: str) -> None:
            seconds, ours = rebuilt(site, clock, plugins)
            spent = sorted(clock.hooks.items(), key=lambda item: -item[1])[:3]
            most = ", ".join(f"{hook} {1000 * taken:.0f}" for hook, taken in spent)
            print(f"| {name} | {seconds:.2f} | {1000 * ours:.0f} | {most} |", flush=True)

        tell("start")
        tell("nothing changed")
        for number in range(arguments.rounds):
            with page.open("a", encoding="utf-8") as file:
                file.write(f"\n\nThis is change {number} of it.\n")
            tell("one page changed")
        first = asked(plugins[0], QUESTIONS[0])
        later = statistics.median(asked(plugins[0], question) for question in QUESTIONS * 3)
        print(f"\nasked: the first time {1000 * first:.0f} ms, later {1000 * later:.0f} ms")


if __name__ == "__main__":
    main()
