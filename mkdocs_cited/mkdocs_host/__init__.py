"""MkDocs and ProperDocs: hooks, build, cache, preview. Only here and in `cli` is mkdocs imported."""
