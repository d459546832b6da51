"""Long documents for the reader's tests."""

from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.library.database import Database
from rag_assistant.tui.sources.reading import find_all
from rag_assistant.tui.sources.source_text import SourceText
from tests.tui.driven import Driven


def indexed_book(assistant: Assistant, folder: Path, pages: int, chapter: int = 0) -> Database:
    """Make and index a document of so many pages; with a chapter to each so many."""
    folder.mkdir()
    lines: list[str] = []
    for page in range(pages):
        if chapter and page % chapter == 0:
            lines += [f"# Chapter {page // chapter}", ""]
        lines += [f"Page {page} line {line} says what lines say in books." for line in range(50)]
        lines += ["", f"The marker of page {page} is here.", ""]
    (folder / "book.md").write_text("\n".join(lines), encoding="utf-8")
    assistant.library.index(folder)
    return assistant.library.database(folder.name)


def span_of(database: Database, words: str) -> tuple[int, int, int]:
    """Give the entry, the start and the end of words in a database of one document."""
    (entry,) = database.entries()
    (span, *_) = find_all(database, entry.id, entry.length, words).spans
    return (entry.id, *span)


def window_of(shown: Driven) -> SourceText:
    """Give the text of the reader that is shown."""
    return shown.app.screen.query_one(SourceText)
