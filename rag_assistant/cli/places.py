"""How a place in an entry is written for a person."""

from rag_assistant.values.documents import Location


def describe(location: Location) -> str:
    """Write a place: page or line, then the heading path."""
    parts: list[str] = []
    if location.page is not None:
        parts.append(f"p. {location.page}")
    if location.line is not None:
        parts.append(f"line {location.line}")
    if location.heading:
        parts.append(location.heading)
    return " · ".join(parts)
