"""MkDocs and ProperDocs: hooks, build and store. Only here is mkdocs imported."""
