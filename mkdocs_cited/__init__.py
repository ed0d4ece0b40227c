"""Answers your docs can prove: questions in front matter, answered from the site's own pages, cited and reviewed."""

__version__ = "0.2.0"
