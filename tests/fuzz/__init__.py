"""The attack: hostile and damaged input for every door of the package. `python -m tests.fuzz` runs it at any length."""
