"""What every package may use: text, files and locks, bounded YAML, errors, git dates. It knows nothing of answers."""
