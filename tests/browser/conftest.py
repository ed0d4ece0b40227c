"""A small site in each theme, a server with a strict content security policy, and a Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from mkdocs.__main__ import cli as mkdocs_cli
from playwright.sync_api import Browser, BrowserContext, Page

from mkdocs_cited.render import asset_texts
from tests.servers.browsers import chromium
from tests.servers.folder import Quiet, served

HERE = Path(__file__).parent
EXTENSIONS: list[object] = [
    "abbr admonition attr_list def_list footnotes md_in_html tables pymdownx.details pymdownx.superfences".split(),
    {"toc": {"permalink": True}},
    {"pymdownx.tabbed": {"alternate_style": True}},
]
THEMES: dict[str, object] = {
    "material": {
        "name": "material",
        "font": False,
        "features": ["content.footnote.tooltips", "navigation.instant", "navigation.tracking", "toc.follow"],
        "palette": [
            {"scheme": "default", "media": "(prefers-color-scheme: light)"},
            {"scheme": "slate", "media": "(prefers-color-scheme: dark)"},
        ],
    },
    "mkdocs": {"name": "mkdocs", "color_mode": "auto"},
    "readthedocs": {"name": "readthedocs"},
}


@dataclass(frozen=True, slots=True)
class Site:
    """A built site, served on this machine."""

    theme: str
    url: str
    """With a slash at its end."""

    def page(self, path: str) -> str:
        return self.url + path


class _Handler(Quiet):
    """Serves a folder under `/docs/`, as on a host where the site is not at the root, and says nothing."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "script-src 'self'" if "csp" in self.path else "")
        self.send_header("Cache-Control", "no-cache" if "revalidate" in self.path else "max-age=600")
        super().end_headers()


def build(theme: str, folder: Path, *, kind: str = "plain", site_url: str = "http://127.0.0.1/docs/") -> Path:
    """Build the test site in a theme; the folder that is served, in which the site is at `docs/`.

    Material navigates without loading pages anew only to those that its site map names, so the address must be right.
    """
    config = {
        "site_name": "Cited",
        "docs_dir": str(HERE / "docs"),
        "site_dir": str(folder / "docs"),
        "site_url": site_url,
        "theme": THEMES[theme],
        "plugins": [],
        "hooks": [str(HERE / "hook.py")],
        "markdown_extensions": [*EXTENSIONS[0], *EXTENSIONS[1:]],  # type: ignore[misc]
    }
    path = folder / "mkdocs.yml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        patch.setenv("CITED_TEST_SITE", kind)
        done = CliRunner().invoke(mkdocs_cli, ["build", "-q", "-f", str(path)])
    assert done.exit_code == 0, done.output
    for name, text in asset_texts(serving=True).items():
        asset = folder / "docs" / name
        asset.parent.mkdir(parents=True, exist_ok=True)
        asset.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="package")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Site]]:
    """The test site by `theme` and `theme-full`, and one as an author's preview; each built once."""
    found = {}
    with ExitStack() as servers:
        for theme, kind in product(THEMES, ("plain", "full", "preview")):
            name = theme if kind == "plain" else f"{theme}-{kind}"
            folder = tmp_path_factory.mktemp(name)
            found[name] = Site(theme, servers.enter_context(served(folder, _Handler)) + "docs/")
            build(theme, folder, kind=kind, site_url=found[name].url)
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile, a desktop's window."""
    made = browser.new_context(viewport={"width": 1280, "height": 800})
    made.set_default_timeout(8000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
