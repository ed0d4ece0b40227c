"""How good the gate is: mutants, labelled claims, and the figures of both."""
