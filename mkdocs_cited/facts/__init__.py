"""Facts: what the docs say that code and configuration decide, and whether it is so. Nothing needs a mark."""
