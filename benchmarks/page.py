"""What answers cost the readers of a page: `python -m benchmarks.page SITE_DIR [PAGE]`.

Of a built site and a page with answers (`faq/`): bytes of HTML per answer, style sheet and script as they are sent
(gzip), tab stops of the page and of its answers, the smallest target of ours, layout shift while the page loads, and
what axe finds in answers and nowhere else.
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.test_reader import violations
from tests.servers.browsers import chromium
from tests.servers.folder import served

WIDTHS = {1280: 800, 768: 1024, 320: 740}
SHIFT = """
  window.shift = 0;
  new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
"""
STOPS = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const shown = all.filter(item => item.checkVisibility({ visibilityProperty: true }) && item.tabIndex >= 0);
  return [shown.length, shown.filter(item => item.closest(".cited-answer")).length];
}"""
TARGETS = """() => {
  const ours = "a.cited-ref, .cited-answer summary, .cited-back";
  const boxes = [...document.querySelectorAll(ours)].map(item => item.getBoundingClientRect());
  return Math.min(...boxes.filter(box => box.width).map(box => Math.min(box.width, box.height)));
}"""
ANSWERS = """() => [...document.querySelectorAll(".cited-answer")].map(item => new Blob([item.outerHTML]).size)"""


def measure(browser: Browser, address: str, width: int) -> dict[str, object]:
    """The figures of one page in a window of this width."""
    page = browser.new_page(viewport={"width": width, "height": WIDTHS[width]})
    page.add_init_script(SHIFT)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(1500)
    sizes = page.evaluate(ANSWERS)
    total, ours = page.evaluate(STOPS)
    shift = page.evaluate("window.shift")
    for summary in page.locator(".cited-answer summary").all():
        summary.click()
    found = violations(page)
    page.evaluate("document.querySelectorAll('.cited-answer').forEach(answer => answer.remove())")
    theirs = {kind for kind, _ in violations(page)}
    figures = {
        "answers": len(sizes),
        "bytes of HTML per answer": sum(sizes) // max(1, len(sizes)),
        "tab stops": total,
        "of answers": ours,
        "smallest target": 0.0,
        "layout shift": round(shift, 4),
        "axe": [where for kind, where in found if kind not in theirs],
    }
    page.reload(wait_until="load")
    figures["smallest target"] = round(page.evaluate(TARGETS), 1)
    page.close()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="folder of a built site")
    parser.add_argument("page", nargs="?", default="faq/", help="address of a page with answers")
    arguments = parser.parse_args()
    assets = [path for name in ("cited.css", "cited.js") for path in arguments.site.glob(f"assets/**/{name}")]
    print("CSS and JS, gzip:", sum(len(gzip.compress(path.read_bytes(), 9)) for path in assets), "bytes")
    with chromium() as browser, served(arguments.site) as base:
        for width in WIDTHS:
            print(f"at {width}:", measure(browser, base + arguments.page, width), flush=True)


if __name__ == "__main__":
    main()
