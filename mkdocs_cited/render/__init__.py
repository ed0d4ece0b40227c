"""From an answer to what a reader, a browser or a machine sees. `publish.publish` takes a whole build."""
