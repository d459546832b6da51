"""Rows of documents that are named alike."""

from rag_assistant.tui.find.blocks import file_of
from rag_assistant.tui.find.row_names import told_apart

COUNCIL = "Tarrowby Allotment and Garden Association – Council minutes,"


def test_what_differs_is_in_the_row() -> None:
    """Eight of fifteen rows said the same, cut before the month."""
    names = [f"{COUNCIL} 3 March", "Annual leave", f"{COUNCIL} 7 June", "Annual report"]
    assert told_apart(names) == [
        "Tarrowby … Council minutes, 3 March",
        "Annual leave",
        "Tarrowby … Council minutes, 7 June",
        "Annual report",
    ]
    assert told_apart([COUNCIL, COUNCIL]) == [COUNCIL, COUNCIL]  # the path tells them apart
    assert told_apart([]) == []
    beginning = f"{COUNCIL} 3 March"
    assert told_apart([beginning, f"{beginning} (draft)"]) == [
        "Tarrowby … minutes, 3 March",
        "Tarrowby … minutes, 3 March (draft)",
    ]


def test_the_end_of_a_path_names_the_file() -> None:
    """A whole path would leave no room for the title."""
    assert file_of("council/minutes/2025-03.md") == "minutes/2025-03.md"
    assert file_of("a.md") == "a.md"
    long = file_of(f"{'x' * 40}/{'y' * 80}.md")
    assert len(long) == 32
    assert long.startswith("…") and long.endswith(".md")
