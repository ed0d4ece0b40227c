"""Docs that stay true: sentences with their proof, and answers from the site's own pages, checked in every build."""

__version__ = "0.3.0"
