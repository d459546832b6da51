"""What the words of a table's cell are: a value, such as a number, an amount, a share or the sign
that there is none; or a year, which heads a column as often as it stands in one.
"""

import re
from functools import lru_cache

_VALUE = re.compile(
    r"[($€£¥+\-−–~<>≤≥]*\s*(?:[$€£¥]\s*)?(?:\d[\d.,:/ ]*|\.\d+)"
    r"(?:\s*[%‰xX°]|[kKmMbB]n?)?\)?(?:[*†‡§¶]+|\([a-z0-9]\)|[a-c])?"
)
_NOTHING = frozenset({"-", "–", "—", "−", "n/a", "N/A", "NA", "n.a.", "..", "…", "$—", "$-", "nil"})
YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?[*EPAep]?")


@lru_cache(maxsize=8192)
def is_value(text: str) -> bool:
    """Say whether a text is a number, an amount, a share, or a sign that there is none."""
    text = text.strip()
    return text in _NOTHING or (len(text) < 30 and _VALUE.fullmatch(text) is not None)
