"""From an answer to what a reader, a browser or a machine sees."""
