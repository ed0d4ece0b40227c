"""HTML as tests ask about it: what must be there is there, or the test fails with the HTML in hand."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode


class Dom:
    """An element, or a whole fragment."""

    def __init__(self, node: LexborNode | None, html: str = "") -> None:
        assert node is not None, html
        self._node = node

    @classmethod
    def parse(cls, html: str) -> Dom:
        """The body of a page or fragment."""
        return cls(LexborHTMLParser(html).body, html)

    def all(self, selector: str) -> list[Dom]:
        """Every element that a CSS selector names."""
        return [Dom(node) for node in self._node.css(selector)]

    def one(self, selector: str) -> Dom:
        """The first element that a CSS selector names; there must be one."""
        return Dom(self._node.css_first(selector), f"no `{selector}` in {self._node.html}")

    def attr(self, name: str) -> str:
        """An attribute's value; empty when it is missing or has none."""
        return self._node.attributes.get(name) or ""

    def has(self, name: str) -> bool:
        """Whether an attribute is there."""
        return name in self._node.attributes

    @property
    def attributes(self) -> dict[str, str | None]:
        return dict(self._node.attributes)

    @property
    def tag(self) -> str:
        return self._node.tag or ""

    @property
    def text(self) -> str:
        return self._node.text()

    @property
    def inner(self) -> str:
        """The HTML in it."""
        return self._node.inner_html or ""
