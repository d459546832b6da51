"""The main screen: one part of it in each module."""
