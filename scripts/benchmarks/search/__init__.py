"""What is found, and how fast: beside judgements, beside other engines, whatever is asked."""
