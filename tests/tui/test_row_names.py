"""Rows of documents that are named alike."""

from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.tui.find.row_names import file_within, told_apart
from rag_assistant.tui.find.screen import FindScreen
from tests.conftest import write_files
from tests.tui.hosting import hosted

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
    assert file_within("council/minutes/2025-03.md", 32) == "minutes/2025-03.md"
    assert file_within("council/minutes/2025-03.md", 12) == "2025-03.md"
    assert file_within("council/minutes/2025-03.md", 9) == "…25-03.md"
    assert file_within("a.md", 32) == "a.md"
    assert file_within("minutes/2025-03.md", 3) == ""
    assert len(file_within(f"{'x' * 40}/{'y' * 80}.md", 32)) == 32


async def test_a_narrow_row_has_the_name_of_its_file(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, minutes of many months are rows that all say the same at 60 columns."""
    months = {
        f"minutes of the council/{n:02}-2026.md": f"# {COUNCIL}\n\nThe motion was {end}."
        for n, end in ((3, "carried by all"), (6, "lost, and is dropped"), (9, "put off again"))
    }
    empty.library.index(write_files(tmp_path / "council", months))
    async with hosted(FindScreen(empty, ("council",)), (60, 20)) as shown:
        await shown.press(*"motion")
        await shown.sees("3 documents")
        for month in ("03", "06", "09"):
            assert f"{month}-2026.md" in shown.text()
