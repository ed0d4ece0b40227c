"""The order of the stages, for one site and for one answer."""
