"""The values that flow through the pipeline: frozen, inert, and known to every level above."""
