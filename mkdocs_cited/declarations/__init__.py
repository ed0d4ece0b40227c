"""Reads the answers that a page declares in its front matter, and finds and places their markers; and files of
questions that no page shows.

Whether a declaration can be answered is not asked here.
"""
