"""A site from MkDocs, ProperDocs or a folder. `plugin`, `adapter` and `rendering` import mkdocs, nothing else does."""
