"""How good the gate is: mutants, labelled claims, and the figures of both."""

LIMIT = 200
"""Claims of a site that a mutation test makes wrong, by default."""
