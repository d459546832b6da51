"""Files of SQLite that cannot be trusted: what went wrong, what is wrong, and what can be read.

Databases of documents, the kept conversations and the record of what left are such files. Nothing
here knows what they hold.
"""
