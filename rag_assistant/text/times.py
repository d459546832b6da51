"""Times of day: "14:30", "2.30 pm", "14h30", "14.30 Uhr", "three o'clock", "noon"."""

import re
from collections.abc import Mapping

_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[.:](?P<minute>[0-5]\d))?\s?(?P<half>am|pm|a\.m\.|p\.m\.)(?!\w)"
    r"|(?P<hour2>[01]?\d|2[0-4]):(?P<minute2>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?(?![\d:])"
    r"|(?P<hour3>[01]?\d|2[0-4])h(?P<minute3>[0-5]\d)(?!\w)"
    r"|(?P<hour4>[01]?\d|2[0-4])(?:[.:](?P<minute4>[0-5]\d))?\s?Uhr(?!\w)"
    r"|(?P<hour5>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"\s(?:o['’]clock)(?:\s(?P<part>in the (?:morning|afternoon|evening)))?",
    re.IGNORECASE,
)
NAMED_TIMES: Mapping[str, int] = {"noon": 720, "midday": 720, "midnight": 0}
_DAY_LONG = 24 * 60


def time_at(text: str, place: int) -> tuple[tuple[int, ...], int] | None:
    """Read a time of day: the minutes since midnight of its readings, and its end."""
    match = _CLOCK.match(text, place)
    if match is None:
        return None
    if match["half"]:
        if not 1 <= int(match["hour"]) <= 12:
            return None
        afternoon = match["half"][0].lower() == "p"
        return (_minutes(int(match["hour"]) % 12 + 12 * afternoon, match["minute"]),), match.end()
    if match["hour5"]:
        return _o_clock(match)
    written = match["hour2"] or match["hour3"] or match["hour4"]
    minutes = _minutes(int(written), match["minute2"] or match["minute3"] or match["minute4"])
    if minutes > _DAY_LONG:
        return None
    minutes %= _DAY_LONG
    # "2:30" may be in the afternoon; "02:30" is not.
    either = match["hour2"] and len(written) == 1 and int(written)
    return ((minutes, minutes + _DAY_LONG // 2) if either else (minutes,)), match.end()


_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()


def _o_clock(match: re.Match[str]) -> tuple[tuple[int, ...], int] | None:
    written = match["hour5"].lower()
    hour = int(written) if written.isdigit() else _HOURS.index(written) + 1
    if not 1 <= hour <= 12:
        return None
    early, late = _minutes(hour % 12, None), _minutes(hour % 12 + 12, None)
    part = (match["part"] or "").lower()
    if not part:
        return (early, late), match.end()
    return (early if part.endswith("morning") else late,), match.end()


def _minutes(hour: int, minute: str | None) -> int:
    return 60 * hour + int(minute or 0)
