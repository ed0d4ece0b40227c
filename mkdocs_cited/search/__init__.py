"""From a question to the sources to read: index, ranking, selection."""
