"""Deterministic checks: one slug, one file."""
