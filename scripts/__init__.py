"""What a contributor runs: start, test, the README's pictures and figures, and the benchmarks."""
