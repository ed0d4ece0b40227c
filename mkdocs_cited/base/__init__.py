"""What every package may use: text, files and locks, bounded YAML and HTML, errors, git. It knows no answers."""
