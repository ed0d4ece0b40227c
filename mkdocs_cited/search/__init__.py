"""From a question to the sources worth reading: index, ranking, selection."""
