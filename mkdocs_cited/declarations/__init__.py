"""Reads the answers that a page declares in its front matter, and finds and places their markers.

Whether a declaration can be answered is not asked here.
"""

from mkdocs_cited.declarations.markers import Marker, find_markers, place_markers
from mkdocs_cited.declarations.page import PageDeclarations, read_page

__all__ = ["Marker", "PageDeclarations", "find_markers", "place_markers", "read_page"]
