"""A built site of any generator: what its configuration says, and what its files show. Nothing is answered here."""
