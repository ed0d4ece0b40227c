"""The family of those who write answers."""
