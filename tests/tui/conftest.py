"""A small real folder, indexed, and an assistant over it."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library

LEAVE = """# Annual leave

Leave is counted in working days.

## Carrying over

Technicians may carry over eight days of leave into the next leave year. The days must be used by
30 September, after which they lapse.

## Buying days

Between 1 and 21 February you can buy up to four extra days.
"""
PARKING = "# Parking\n\nThe parking permit costs 40 euro a month and is paid with the salary.\n"
FILLER = "\n".join(f"Paragraph {number} is about nothing in particular.\n" for number in range(80))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "staff"
    made.mkdir()
    (made / "leave.md").write_text(LEAVE, encoding="utf-8")
    (made / "parking.md").write_text(PARKING, encoding="utf-8")
    buried = f"# Long\n\n{FILLER}\nThe boiler room key hangs behind the blue door.\n\n{FILLER}"
    (made / "long.md").write_text(buried, encoding="utf-8")
    return made


@pytest.fixture
def empty(tmp_path: Path) -> Assistant:
    """An assistant that has no database."""
    return Assistant(Library(tmp_path / "home"), Config(), {})


@pytest.fixture
def assistant(empty: Assistant, folder: Path) -> Assistant:
    """An assistant with the database `staff`."""
    empty.library.index(folder)
    return empty
