"""The answers as a feed (RSS 2.0), for sites that have feeds: each with its plain text and the day it last changed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from email.utils import format_datetime
from urllib.parse import urljoin
from xml.etree import ElementTree

from mkdocs_cited.model.answer import Answer
from mkdocs_cited.render.plain import as_text

FEED = "feed_rss_answers.xml"
"""Path of the feed in the site, beside those that mkdocs-rss-plugin writes."""
MOST = 50
"""Answers in the feed: the newest."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 refuses (https://www.w3.org/TR/xml/#charsets)."""


def feed(answers: Iterable[Answer], url_of: Mapping[str, str], *, site_url: str, site_name: str) -> str:
    """The newest answers that readers may rely on, newest first.

    https://www.rssboard.org/rss-specification. An answer without a record has no date, and stands last.

    Args:
        answers: of the site, in any order.
        url_of: page's path → its address, relative to the site's root.
        site_url: the site's address, with a slash at its end: the addresses of a feed are whole.
        site_name: the feed's title.
    """
    ready = [item for item in answers if item.content and item.ok and item.page in url_of]
    ready.sort(key=lambda item: item.key)
    ready.sort(key=lambda item: item.changed_on, reverse=True)
    rss = ElementTree.Element("rss", version="2.0")
    channel = ElementTree.SubElement(rss, "channel")
    _fill(channel, title=site_name, link=site_url, description=f"Answers of {site_name}")
    for answer in ready[:MOST]:
        address = urljoin(site_url, f"{url_of[answer.page]}#cited-{answer.id}")
        item = ElementTree.SubElement(channel, "item")
        _fill(item, title=answer.question, link=address, guid=address, description=as_text(answer))
        if answer.changed_on:
            _fill(item, pubDate=_as_rss(answer.changed_on))
    ElementTree.indent(rss, "")
    return ElementTree.tostring(rss, encoding="unicode", xml_declaration=True) + "\n"


def _as_rss(date: str) -> str:
    """An ISO 8601 date as RFC 822 has it, at midnight in UTC."""
    day = datetime.date.fromisoformat(date[:10])
    return format_datetime(datetime.datetime.combine(day, datetime.time(), datetime.UTC))


def _fill(element: ElementTree.Element, **texts: str) -> None:
    for name, text in texts.items():
        ElementTree.SubElement(element, name).text = _NOT_XML.sub("\ufffd", text)
