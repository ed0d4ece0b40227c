"""Reads the answers that a page declares in its front matter, and finds and places their markers; and files of
questions that no page shows.

Whether a declaration can be answered is not asked here.
"""

from mkdocs_cited.declarations.editing import entry, renamed, with_entry
from mkdocs_cited.declarations.markers import Marker, find_markers, place_markers, replace_markers, without_attributes
from mkdocs_cited.declarations.page import PageDeclarations, read_page
from mkdocs_cited.declarations.questions_file import read_questions

__all__ = [
    "Marker", "PageDeclarations", "entry", "find_markers", "place_markers", "read_page", "read_questions", "renamed",
    "replace_markers", "with_entry", "without_attributes",
]  # fmt: skip
