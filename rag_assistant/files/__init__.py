"""Files that this program keeps: made private, and where SQLite's are damaged, told and salvaged.

Databases of documents, the kept conversations and the record of what left are files of SQLite that
cannot be trusted to be whole. Nothing here knows what they hold.
"""
