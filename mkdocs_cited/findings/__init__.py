"""What checks report, for people: explanations, suppressions, and what of it is shown."""
