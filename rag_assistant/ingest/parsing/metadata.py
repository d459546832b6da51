"""What a document says of itself, made alike for all formats: dates in ISO 8601, no empty values,
and no titles that a program made up.
"""

import re

_LONGEST_VALUE = 1000
_NO_TITLE = re.compile(
    r"(?i)(?:power\s?point[ -]pr.sentation|pr.sentation\d*|slide 1|folie 1|untitled|document\d*"
    r"|microsoft word - .*|.*\.(?:docx?|pptx?|xlsx?|od[tsp]))\Z"
)
_ISO_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?)?)?")
_ZONE = re.compile(r"Z|[+-]\d\d:\d\d")


def tidy(values: dict[str, str]) -> dict[str, str]:
    """Fold white space, drop empty values and titles that say nothing; dates become ISO 8601."""
    folded = {key: " ".join(value.split())[:_LONGEST_VALUE] for key, value in values.items()}
    for key in ("created", "modified", "date"):
        # Windows counts from 1601, and writes that year where it knows none.
        folded[key] = _iso_date(folded.get(key, "").removeprefix("1601-01-01T00:00:00Z"))
    if _NO_TITLE.match(folded.get("title", "")):
        del folded["title"]
    return {key: value for key, value in folded.items() if value}


def _iso_date(written: str) -> str:
    """Give the date that a text begins with in ISO 8601, "" when it begins with none."""
    found = _ISO_DATE.match(written)
    if found is None:
        return ""
    zone = _ZONE.match(written, found.end())
    return found[0] + (zone[0] if zone and "T" in found[0] else "")
