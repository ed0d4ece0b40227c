"""The reviewer that needs no model and no network: what a claim says, laid over what its passage says."""

VERSION = "2.yosazyf7"
"""A part of every verdict that it leaves in a record, made of all that its verdicts depend on: `python -m
tests.docs.generated` writes it."""
