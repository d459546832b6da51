"""What the words of a table's cell are: a value, such as a number, an amount, a share or the sign
that there is none; or a year, which heads a column as often as it stands in one; and the units that
captions and heads say values are in.
"""

import re
from functools import lru_cache

_VALUE = re.compile(
    r"[($€£¥+\-−–~<>≤≥]*\s*(?:[$€£¥]\s*)?(?:\d[\d.,:/ ]*|\.\d+)"
    r"(?:\s*[%‰xX°]|[kKmMbB]n?)?\)?(?:[*†‡§¶]+|\([a-z0-9]\)|[a-c])?"
)
_NOTHING = frozenset({"-", "–", "—", "−", "n/a", "N/A", "NA", "n.a.", "..", "…", "$—", "$-", "nil"})
YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[-–/]\d\d(?:\d\d)?)?[*EPAep]?")

_UNITS = re.compile(
    r"\(?\b((?:(?:dollars?|amounts?|figures?|values?|all)\s+)?(?:expressed\s+)?in\s+"
    r"(?:(?:thousands|millions|billions|percent|US|U\.S\.|€|\$|£|%)[^)\n|]{0,60}))\)?",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def is_value(text: str) -> bool:
    """Say whether a text is a number, an amount, a share, or a sign that there is none."""
    text = text.strip()
    return text in _NOTHING or (len(text) < 30 and _VALUE.fullmatch(text) is not None)


def units_in(text: str) -> str:
    """Give the units that a caption or head says, as written: "in millions"; empty without any."""
    found = _UNITS.search(text)
    return " ".join(found[1].split()) if found else ""
