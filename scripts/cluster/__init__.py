"""A real OpenSearch cluster on this machine's loopback, for tests and benchmarks."""
