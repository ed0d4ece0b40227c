"""External pages: fetched by an explicit command, stored as snapshots, read by a build without any request."""
