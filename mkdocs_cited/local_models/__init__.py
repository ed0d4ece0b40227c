"""Optional models that run on this machine (extra `[local]`): loading, checking, vectors, scores, and a cache of both.

Nothing here fetches anything but `fetch`, which one explicit command calls.
"""
