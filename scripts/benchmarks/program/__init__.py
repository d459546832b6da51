"""What an installation consists of."""
