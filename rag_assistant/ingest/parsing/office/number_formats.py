"""Numbers of a workbook as their cells show them (ECMA-376-1, 18.8.30 and 18.8.31): dates and times
in ISO 8601, percentages, and no more digits than Excel shows.
"""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import attribute, child

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

# What of a number format are not placeholders: quoted, escaped, padding, colours and conditions.
_LITERAL = re.compile(r"\"[^\"]*\"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general|am/pm", re.I)
# Of the built-in formats, ECMA-376-1, 18.8.30.
_BUILT_IN = {
    **dict.fromkeys(("9", "10"), "percent"),
    **dict.fromkeys(map(str, (*range(14, 18), *range(27, 32), 34, 35, 36, *range(50, 59))), "date"),
    **dict.fromkeys(map(str, (*range(18, 22), 32, 33, 45, 46, 47)), "time"),
    "22": "date time",
}
_LONGEST_FORMAT = 255
_EXACT_DIGITS = 16


def shown_formats(styles: "Element") -> list[str]:
    """Give how each cell style shows a number: "", "percent", "date", "time" or "date time"."""
    own: dict[str, str] = {
        attribute(element, "numFmtId"): attribute(element, "formatCode")
        for element in styles.iter("{*}numFmt")
    }
    listed = child(styles, "cellXfs")
    numbers = [attribute(style, "numFmtId") for style in (listed if listed is not None else ())]
    return [_shown(own[number]) if number in own else _BUILT_IN.get(number, "")
            for number in numbers]  # fmt: skip


def _shown(code: str) -> str:
    """Tell what a number format makes of a number, by its placeholders (ECMA-376-1, 18.8.31)."""
    positive = _LITERAL.sub("", code[:_LONGEST_FORMAT]).lower().partition(";")[0]
    if "%" in positive:
        return "percent"
    time = any(letter in positive for letter in "hs")
    day = any(letter in positive for letter in "yd") or ("m" in positive and not time)
    return " ".join(word for word, meant in (("date", day), ("time", time)) if meant)


def written_number(value: str, shown: str, epoch: datetime) -> str:
    """Write a number as its cell shows it; dates in ISO 8601."""
    if not value or (not shown and len(value) < _EXACT_DIGITS and "E" not in value):
        return value
    try:
        number = float(value)
        if "date" in shown and number >= 1:
            return _moment(number, shown, epoch)
        if "time" in shown and number >= 0:
            minutes, seconds = divmod(round(number * 86_400), 60)
            return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
    except (ValueError, OverflowError):
        return value
    # Excel shows 15 of the 17 digits that it stores.
    return f"{number * 100:.15g}%" if shown == "percent" else f"{number:.15g}"


def _moment(number: float, shown: str, epoch: datetime) -> str:
    before_march_1900 = number < 60 and epoch.year < 1900
    moment = epoch + timedelta(seconds=round((number + before_march_1900) * 86_400))
    whole = "time" not in shown or moment.time() == datetime.min.time()
    return moment.date().isoformat() if whole else moment.isoformat(" ", "seconds")
