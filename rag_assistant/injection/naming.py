"""The names of a document as they stand in prompts: a name that gives orders is not repeated there.

For a person names stay as they are; here a title gives way to the file's name, and that to none.
"""

from pathlib import PurePosixPath

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.text.safe_text import clean_line

NAMELESS = "document"
"""Stands for a name that is hidden from the model."""


def prompt_path(path: str) -> str:
    """Give a path in a folder; of one that gives orders, only the kind of the file."""
    named = clean_line(path)
    return named if not why_suspicious(named) else f"{NAMELESS}{_suffix(named)}"


def prompt_title(title: str, path: str) -> str:
    """Give a title, or the name of the file where the title gives orders."""
    named = clean_line(title)
    return named if not why_suspicious(named) else PurePosixPath(prompt_path(path)).stem


def prompt_heading(heading: str | None) -> str | None:
    """Give a heading path; nothing where it gives orders."""
    return None if heading is None or why_suspicious(heading) else heading


def _suffix(path: str) -> str:
    suffix = PurePosixPath(path).suffix
    return suffix if suffix[1:].isalnum() and len(suffix) <= 6 else ""
