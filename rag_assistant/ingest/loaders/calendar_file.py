"""Calendars (.ics, iCalendar, RFC 5545): each event, task or journal entry is an entry with its
times, place, people and description. Alarms and the rules of time zones are left out.
"""

import re
from collections.abc import Iterator

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, or_text
from rag_assistant.ingest.parsing.records.content_lines import PropertyLine, content_lines
from rag_assistant.ingest.parsing.records.entry_records import EntryRecord, documents_of
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "text/calendar"
_KINDS = frozenset({"VEVENT", "VTODO", "VJOURNAL"})
_LABELS = {
    "DTSTART": "Begins",
    "DTEND": "Ends",
    "DUE": "Due",
    "COMPLETED": "Completed",
    "DURATION": "Lasts",
    "RRULE": "Repeats",
    "LOCATION": "Place",
    "ORGANIZER": "Organiser",
    "ATTENDEE": "With",
    "STATUS": "Status",
    "CATEGORIES": "Categories",
    "URL": "Web",
    "DESCRIPTION": "",
    "COMMENT": "",
}
_TIMES = frozenset({"DTSTART", "DTEND", "DUE", "COMPLETED"})
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?")
_MAIL = re.compile(r"(?i)\Amailto:")
_MOST_PEOPLE = 200


def load(source: LoadInput) -> list[Document]:
    """Read the events of a calendar. What holds none is read as text."""
    return or_text(documents_of(source.data, source.most, _MEDIA_TYPE, "event", _events))


def _events(text: str) -> Iterator[EntryRecord]:
    calendar = ""
    inside: list[str] = []  # the components that are open, from the event on
    lines: list[PropertyLine] = []
    for line in content_lines(text):
        kind = line.value.strip().upper()
        if line.name == "BEGIN":
            if inside or kind in _KINDS:
                lines = lines if inside else []
                inside.append(kind)
        elif line.name == "END":
            if inside and kind == inside.pop() and not inside:
                yield _event(lines, calendar)
        elif len(inside) == 1:
            lines.append(line)
        elif line.name == "X-WR-CALNAME":
            calendar = line.text


def _event(lines: list[PropertyLine], calendar: str) -> EntryRecord:
    values: dict[str, PropertyLine] = {}
    people: list[str] = []
    fields: list[tuple[str, str]] = []
    for line in lines:
        values.setdefault(line.name, line)
        if line.name == "ATTENDEE":
            people.append(_person(line))
        elif line.name in _LABELS:
            fields.append((_LABELS[line.name], _said(line)))
    fields.append((_LABELS["ATTENDEE"], ", ".join(people[:_MOST_PEOPLE])))
    order = list(_LABELS.values())
    fields.sort(key=lambda one: order.index(one[0]))
    begun = next((values[name].value for name in ("DTSTART", "DUE") if name in values), "")
    title = " ".join(values["SUMMARY"].text.split()) if "SUMMARY" in values else ""
    key = values["UID"].text if "UID" in values else f"{title} {begun}".strip()
    if "RECURRENCE-ID" in values:  # one time of an event that repeats, which was moved
        key = f"{key} {values['RECURRENCE-ID'].value}"
    organiser = _person(values["ORGANIZER"]) if "ORGANIZER" in values else ""
    metadata = {"date": _iso(begun), "author": organiser, "calendar": calendar}
    return EntryRecord(key, title, tuple(fields), metadata)


def _said(line: PropertyLine) -> str:
    if line.name in _TIMES:
        zone = line.parameters.get("TZID", "")
        return _iso(line.value).replace("T", " ").replace("Z", " UTC") + (f" ({zone})" * bool(zone))
    if line.name == "ORGANIZER":
        return _person(line)
    return line.text if not _LABELS[line.name] else " ".join(line.text.split())


def _person(line: PropertyLine) -> str:
    address = _MAIL.sub("", line.text)
    name = " ".join(line.parameters.get("CN", "").split())
    return f"{name} <{address}>" if name and name != address else address


def _iso(written: str) -> str:
    """Give a moment in ISO 8601, in UTC where it is; what is none as it was written."""
    found = _MOMENT.match(written.strip())
    if found is None:
        return written.strip()
    day = f"{found[1]}-{found[2]}-{found[3]}"
    return f"{day}T{found[4]}:{found[5]}{found[6]}" if found[4] else day


LOADER = Loader("icalendar", 1, frozenset({".ics", ".ical"}), _MEDIA_TYPE, load, plain=True)
