"""The family of report formats."""
