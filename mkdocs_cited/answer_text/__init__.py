"""The Markdown of an answer: its blocks, claims, citation marks and quotes."""
