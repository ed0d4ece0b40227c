"""What holds for every test."""

from hypothesis import settings

# A busy machine is no failure: what must be fast has a test of its own that says how fast.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
