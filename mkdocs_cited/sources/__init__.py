"""From rendered pages, repository files and snapshots to passages. The index over them lives in `search`."""
