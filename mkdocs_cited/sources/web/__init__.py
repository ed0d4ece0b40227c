"""Pages elsewhere: fetched by an explicit command, kept as snapshots, read by a build without any request."""
