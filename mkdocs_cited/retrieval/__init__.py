"""From a question to the sources worth reading."""
