"""How a place in a document is written beside words taken from it."""

from rag_assistant.values.documents import Location


def place_of(location: Location) -> list[str]:
    """Give where something is, in the words of the document: page, heading, line."""
    parts = []
    if location.page is not None:
        parts.append(f"page {location.page}")
    if location.heading:
        parts.append(location.heading)
    if location.line is not None:
        parts.append(f"line {location.line}")
    return parts


def short_place(location: Location) -> str:
    """Give the page or line alone: what fits beside a title."""
    if location.page is not None:
        return f"p. {location.page}"
    return "" if location.line is None else f"l. {location.line}"


def with_reference(words: str, title: str, path: str, location: Location) -> str:
    """Give words with the line that says where they are from, for pasting elsewhere."""
    named = title.strip() or path
    parts = [named, short_place(location), path if path != named else ""]
    return f"{words.strip()}\n— {', '.join(part for part in parts if part)}\n"
