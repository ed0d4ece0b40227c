"""From an answer to what a reader, a browser or a machine sees. `publish.publish` is the door for a whole build."""
