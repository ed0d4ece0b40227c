"""The version of the lexical reviewer, a part of every verdict that it leaves in a record.

It is made of all that its verdicts hang on. `python -m tests.docs.generated` writes it anew, and a test holds it.
"""

VERSION = "2.bzusozhv"
