"""Follows every citation of real sites in Chromium: `python -m benchmarks.landing SITES_DIR [NAME ...]`.

For each site and width, each footnote and pointer to a closest section is clicked on the page of its answer. Counted
are those after which some of the passage is in view, those after which nothing but the passage is highlighted, those
from which one Back leads to the answer, and those of which the build said beforehand that they lead to a section only.
What a browser highlights for a text fragment is in no document tree, so it is given a colour of its own and looked for
in a picture of the window. With `--numbers`, each number in the text is clicked right after its page was come to by a
link, from a host that has the browser revalidate: counted are those after which the footnote is in view, under no
header, and those to whose place Back leads exactly, from the footnote and from the passage.

`--theme NAME` builds in another theme, `--instant` with Material's instant navigation and tracking, `--throttle 6` on
a processor that is six times slower; `--keep DIR` keeps the built sites, for a link checker; `--built` takes SITES_DIR
for a site that is built already.
"""

from __future__ import annotations

import argparse
import base64
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, Route

from benchmarks.sites import QUESTIONS, prepare
from tests.servers.browsers import chromium
from tests.servers.folder import Revalidating, served

WIDTHS = {1280: 800, 768: 1024, 320: 740}
"""Width of the window → its height, in CSS pixels."""
BOXES = """blocks => {
  const squeezed = text => text.replace(/\\s+/g, "");
  const saying = words => [...document.querySelectorAll("p, li, dt, dd, tr, pre, td")]
    .filter(element => squeezed(element.textContent).includes(squeezed(words)))
    .sort((one, other) => one.textContent.length - other.textContent.length)[0];
  return blocks.map(block => document.getElementById(block) || saying(block)).filter(Boolean)
    .map(element => element.getBoundingClientRect()).filter(box => box.height > 0)
    .map(box => [box.left, box.top, box.right, box.bottom]);
}"""
COLOUR = "*::target-text { background: rgb(255, 0, 254) !important; color: rgb(255, 0, 254) !important }"
HIGHLIGHTED = """async ([picture, boxes]) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + picture)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const data = canvas.getImageData(0, 0, image.width, image.height).data;
  let inside = 0, outside = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] !== 255 || data[i + 1] !== 0 || data[i + 2] !== 254) continue;
    const x = (i / 4) % image.width, y = Math.floor(i / 4 / image.width);
    const within = boxes.some(([left, top, right, bottom]) =>
      x > left - 4 && x < right + 4 && y > top - 4 && y < bottom + 4);
    if (within) inside++; else outside++;
  }
  return [inside, outside];
}"""
CITATIONS = """() => [...document.querySelectorAll(".cited-answer a.cited-link[href]:not(.cited-copy)")]
  .map(link => [link.closest("li[id]")?.id.slice("fn:cited-".length) ?? "", link.getAttribute("href")])"""
CLICK = """place => {
  const links = [...document.querySelectorAll(".cited-answer a.cited-link[href]:not(.cited-copy)")];
  const link = links[place];
  setTimeout(() => link.click());
}"""

NUMBERS = """() => [...document.querySelectorAll("a.cited-ref")].map(link => link.parentElement.id)"""
GO_ON = """url => {
  const link = document.createElement("a");
  link.href = url;
  (document.querySelector("article, [role=main]") || document.body).append(link);
  link.click();
}"""
OPEN = """link => {
  for (let node = link; node; node = node.parentElement) if (node.localName === "details") node.open = true;
}"""
NOTE_SEEN = """id => {
  const note = document.getElementById(id), box = note?.getBoundingClientRect();
  if (!box?.height || box.top < 0 || box.top + 12 > innerHeight) return false;
  const top = document.elementFromPoint(box.left + 60, box.top + 12);
  return note.contains(top) || top.contains(note);
}"""


@dataclass(frozen=True, slots=True)
class Link:
    """A footnote's link, or a pointer of an answer that the docs do not give."""

    address: str
    """Where it leads, relative to the site's root."""
    blocks: tuple[str, ...]
    """Of what it cites: ids of blocks, or the words of those that have none of their own."""
    exact: bool
    """Whether the build did not say that it only leads to a section."""
    page: str
    """Address of the page that it is on."""
    place: int
    """Which of the links of its page it is, from 0."""


def links(site: Path, page: Page, base: str) -> Iterator[Link]:
    """The links to evidence that the pages of a site show, each address once."""
    answers = json.loads((site / "cited.json").read_text(encoding="utf-8"))["answers"]
    cited: dict[tuple[str, str], list[dict[str, str]]] = {}
    for answer in answers:
        for source in answer.get("sources", ()):
            note = f"{answer['id']}-{source.get('note', source['sid'])}"
            cited.setdefault((answer["url"], note), []).append(source)
    seen = set()
    for url in dict.fromkeys(answer["url"] for answer in answers):
        page.goto(base + url)
        for place, (note, href) in enumerate(page.evaluate(CITATIONS)):
            address = urljoin(base + url, href).removeprefix(base)
            if address in seen or "://" in address:
                continue
            seen.add(address)
            sources = cited.get((url, note), [{"href": address}])
            blocks = tuple(_block(source) for source in sources)
            yield Link(address, blocks, all(source.get("exact", True) for source in sources), base + url, place)


def _block(source: dict[str, str]) -> str:
    anchor = source["href"].partition("#")[2].partition(":~:")[0]
    section = source.get("passage", "").partition("#")[2].rpartition("~")[0]
    return source["quote"] if anchor in ("", section) and source.get("quote") else anchor


def follow(site: Path, browser: Browser, base: str, width: int, throttle: float) -> Counter[str]:
    """Click each citation of a built site in a window of this width."""
    counts: Counter[str] = Counter()
    page = browser.new_page(viewport={"width": width, "height": WIDTHS[width]})
    page.route("**", _only_here)
    page.route("**/sitemap.xml", partial(_sitemap, site, base))
    reader = browser.new_page()
    followed = list(links(site, page, base))
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    for link in followed:
        counts["followed"] += 1
        landed, back = clicked(page, reader, base, link)
        counts["one Back"] += back
        fine = landed.seen and not landed.outside and (landed.inside or ":~:" not in link.address)
        counts["in view"] += landed.seen
        counts["something else highlighted"] += landed.outside > 0
        counts["with a fragment"] += ":~:" in link.address
        counts["fragment highlighted"] += landed.inside > 0
        counts["said beforehand"] += not link.exact
        counts["as promised"] += bool(fine) or not link.exact
        if not fine:
            where = "in view" if landed.seen else "NOT IN VIEW"
            print(f"  {where}, highlighted {landed.inside}, elsewhere {landed.outside}: {link.address}", flush=True)
    page.close()
    reader.close()
    return counts


def follow_numbers(site: Path, browser: Browser, base: str, width: int, throttle: float) -> Counter[str]:
    """Click each number of a built site, then the link of its footnote, in a window of this width."""
    counts: Counter[str] = Counter()
    page = browser.new_page(viewport={"width": width, "height": WIDTHS[width]})
    page.route("**", _only_here)
    page.route("**/sitemap.xml", partial(_sitemap, site, base))
    answers = json.loads((site / "cited.json").read_text(encoding="utf-8"))["answers"]
    numbers = []
    for url in dict.fromkeys(answer["url"] for answer in answers):
        page.goto(base + url)
        numbers += [(url, number) for number in page.evaluate(NUMBERS)]
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    for url, number in numbers:
        counts["numbers"] += 1
        seen, back, back_from_passage = number_clicked(page, base, url, number)
        counts["footnote in view"] += seen
        counts["Back exact"] += back
        counts["Back from passage exact"] += back_from_passage
        if not (seen and back and back_from_passage):
            print(f"  in view {seen}, Back {back}, from the passage {back_from_passage}: {url}#{number}", flush=True)
    page.close()
    return counts


def number_clicked(page: Page, base: str, url: str, number: str) -> tuple[bool, bool, bool]:
    """Come to a page by a link of the home page, and click a number: whether its footnote is in view, whether Back
    leads to where the reader was, and whether it does so after a visit to the passage."""
    page.goto("about:blank")
    page.goto(base, wait_until="load")
    page.wait_for_timeout(300)
    page.evaluate(GO_ON, base + url)
    link = page.locator(f"[id='{number}'] a")
    link.wait_for()
    page.wait_for_timeout(400)
    link.evaluate(OPEN)
    link.evaluate("link => link.scrollIntoView({ block: 'center', behavior: 'instant' })")
    place = _rests_at(page, number)
    note = (link.get_attribute("href") or "").partition("#")[2]
    link.click()
    _rests_at(page, note)
    seen = page.evaluate(NOTE_SEEN, note)
    page.go_back()
    back = abs(_rests_at(page, number) - place) <= 2
    source = page.locator(f"[id='{note}'] a.cited-link[href]").first
    if not source.count():
        return seen, back, True
    page.go_forward()
    at_note = _rests_at(page, note)
    source.evaluate("link => setTimeout(() => link.click())")
    page.wait_for_url(lambda address: address.partition("#")[0] != base + url, wait_until="load")
    page.wait_for_timeout(900)
    page.go_back(wait_until="load")
    return seen, back, abs(_rests_at(page, note) - at_note) <= 2


def _rests_at(page: Page, name: str) -> float:
    """Where the element with this id is in the window, once it no longer moves: pixels from the top."""
    page.locator(f"[id='{name}']").wait_for(state="attached")
    places: list[float] = []
    for _ in range(40):
        page.wait_for_timeout(150)
        places.append(page.evaluate("name => document.getElementById(name).getBoundingClientRect().top", name))
        if len(places) > 5 and len(set(places[-5:])) == 1:
            break
    return places[-1]


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a browser came to."""

    seen: bool
    """Whether a cited block is in view."""
    inside: int
    """Highlighted pixels of the cited blocks."""
    outside: int
    """Highlighted pixels elsewhere."""


def clicked(page: Page, reader: Page, base: str, link: Link) -> tuple[Landing, bool]:
    """Click a link on the page of its answer: where that leads, and whether one Back leads from there to the answer."""
    page.goto("about:blank")
    page.goto(link.page, wait_until="load")
    page.wait_for_timeout(300)
    page.evaluate(CLICK, link.place)
    target = base + link.address.partition("#")[0]
    page.wait_for_url(lambda url: url.partition("#")[0] == target, wait_until="load")
    landed = _where(page, reader, list(link.blocks))
    page.go_back()
    page.wait_for_timeout(500)
    return landed, page.url.partition("#")[0] == link.page


def landing(page: Page, reader: Page, address: str, blocks: list[str]) -> Landing:
    """Follow a link.

    Args:
        page: where it is followed.
        reader: another one, which reads the picture.
        address: where the link leads.
        blocks: as in `Link`.
    """
    page.goto("about:blank")
    page.goto(address, wait_until="load")
    return _where(page, reader, blocks)


def _where(page: Page, reader: Page, blocks: list[str]) -> Landing:
    """Where a page has come to, once it has settled."""
    height = (page.viewport_size or {"height": 0})["height"]
    boxes: list[list[float]] = []
    for _ in range(40):
        page.wait_for_timeout(120)
        before, boxes = boxes, page.evaluate(BOXES, blocks)
        if boxes == before and any(bottom > 0 and top < height for _, top, _, bottom in boxes):
            break
    page.add_style_tag(content=COLOUR)
    picture = ""
    for _ in range(20):
        before, boxes = boxes, page.evaluate(BOXES, blocks)
        picture = base64.b64encode(page.screenshot(animations="disabled")).decode()
        if before == boxes == page.evaluate(BOXES, blocks):
            break  # nothing moved while the picture was taken: themes scroll smoothly
    inside, outside = reader.evaluate(HIGHLIGHTED, [picture, boxes])
    return Landing(any(bottom > 0 and top < height for _, top, _, bottom in boxes), inside, outside)


def _sitemap(site: Path, base: str, route: Route) -> None:
    """The site map with the addresses at which the site is served: instant navigation goes by it."""
    text = (site / "sitemap.xml").read_text(encoding="utf-8")
    home = text.partition("<loc>")[2].partition("</loc>")[0]
    route.fulfill(body=text.replace(f"<loc>{home}", f"<loc>{base}"), content_type="application/xml")


def _only_here(route: Route) -> None:
    here = route.request.url.startswith("http://127.0.0.1")
    route.continue_() if here else route.abort()


def build(site: Path, folder: Path, theme: str, questions: int, *, instant: bool = False) -> Path:
    """Build a site with its questions; the folder with the result."""
    prepare(site, folder, questions)
    config = folder / "mkdocs.yml"
    if theme:
        config.write_text(config.read_text(encoding="utf-8").replace("name: material", f"name: {theme}"), "utf-8")
    if instant:
        text = config.read_text(encoding="utf-8")
        features = "name: material\n  features: [navigation.instant, navigation.tracking]\n"
        config.write_text(text.replace("name: material\n", features, 1), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "-q"]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return folder / "site"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="folder of sites, each with mkdocs.yml, docs/ and qa.jsonl")
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--built", action="store_true", help="SITES_DIR is one built site, with its cited.json")
    parser.add_argument("--keep", type=Path, help="folder to build in")
    parser.add_argument("--theme", default="", help="build in this theme: material, mkdocs, readthedocs")
    parser.add_argument("--instant", action="store_true", help="with Material's instant navigation and tracking")
    parser.add_argument("--numbers", action="store_true", help="click the numbers, and go back")
    parser.add_argument("--throttle", type=float, default=1, help="how many times slower the processor is")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="most questions of each site")
    parser.add_argument("--width", type=int, action="append", choices=WIDTHS, help="of the window; all by default")
    arguments = parser.parse_args()
    root = arguments.keep or Path(tempfile.mkdtemp())
    total: Counter[str] = Counter()
    with chromium() as browser:
        sites = [path.parent for path in arguments.sites.glob("*/mkdocs.yml")]
        for site in [arguments.sites] if arguments.built else sorted(sites):
            if arguments.names and site.name not in arguments.names:
                continue
            built = site if arguments.built else root / site.name / "site"
            if not built.is_dir():
                built = build(site, root / site.name, arguments.theme, arguments.questions, instant=arguments.instant)
            way = follow_numbers if arguments.numbers else follow
            with served(built, Revalidating) as base:
                for width in arguments.width or WIDTHS:
                    counts = way(built, browser, base, width, arguments.throttle)
                    total.update(counts)
                    print(f"{site.name} at {width}: {dict(counts)}", flush=True)
    print(f"all: {dict(total)}")
    if not arguments.keep:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
