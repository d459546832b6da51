"""What macOS and Windows do otherwise, simulated here: neither has ever run this suite."""
