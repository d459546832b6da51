"""The index of one folder in one SQLite file: schema, writing, reading, checking."""
