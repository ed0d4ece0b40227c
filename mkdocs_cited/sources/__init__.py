"""From rendered pages and repository files to passages, an index over them, and numbered sources."""
