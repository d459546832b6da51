"""Writes records as lines of JSON, as data sets have them."""

import json

BEIR = {"_id": "4983", "title": "White matter", "text": "Alterations of it.", "metadata": {}}


def lines(*records: object) -> bytes:
    """Write records one on a line; a string is a line as it stands."""
    return "\n".join(
        record if isinstance(record, str) else json.dumps(record) for record in records
    ).encode()
