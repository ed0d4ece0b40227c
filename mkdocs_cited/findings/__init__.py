"""What checks report: suppressions, and what of it is shown."""
