"""Two texts as one, with what went and what came marked: for authors who look at a proposed change."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from markupsafe import Markup, escape

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_LONGEST = 4_000
"""Words of both texts that are compared; matching takes the square of it."""


def word_diff(old: str, new: str) -> Markup:
    """The new text word by word, as HTML with `<del>` and `<ins>`. Very long texts are shown one after the other."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) + len(after) > _LONGEST:
        return Markup("<del>{}</del><ins>{}</ins>").format(old, new)
    out = Markup()
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = "".join(before[a:b]), "".join(after[c:d])
        if kind == "equal":
            out += escape(gone)
            continue
        out += Markup("<del>{}</del>").format(gone) if gone else Markup()
        out += Markup("<ins>{}</ins>").format(come) if come else Markup()
    return out
