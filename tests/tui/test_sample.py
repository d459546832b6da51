"""/sample on the first run: examples to ask, for whoever has no documents at hand."""

from pathlib import Path

import pytest
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.errors import FolderError
from rag_assistant.library.library import Library
from rag_assistant.library.sample_folder import sample_folder
from rag_assistant.library.searching import search_databases
from tests.tui.first_run import begun


@pytest.mark.parametrize("size", [(140, 40), (80, 24), (60, 18)])
async def test_sample_opens_examples_that_can_be_asked(
    empty: Assistant, size: tuple[int, int]
) -> None:
    """If it fails, whoever has no documents at hand cannot try anything."""
    async with begun(empty, None, size=size) as shown:
        await shown.until(lambda: "/sample opens examples." in shown.text(), "the offer")
        await shown.pilot.press(*"/sam")
        await shown.until(lambda: "sample/" in shown.text(), "its completion")
        await shown.pilot.press("tab")
        await shown.until(
            lambda: shown.app.screen.query_one(Input).value == "/sample/", "the completed path"
        )
        await shown.pilot.press("enter")
        await shown.until(lambda: "53 readable" in shown.text(), "the folder")
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.app.screen is shown.main, "the conversation")
        await shown.until(lambda: shown.rows and shown.rows[0].entries, "its entries")


def test_an_installed_program_brings_its_own(tmp_path: Path) -> None:
    """If it fails, /sample works in the repository alone."""
    home = tmp_path / "home"
    folder = sample_folder(home, checkout=tmp_path)
    assert folder == home / "sample"
    assert len(list(folder.iterdir())) == 5
    (folder / "fees.md").write_text("mine", encoding="utf-8")
    sample_folder(home, checkout=tmp_path)
    assert (folder / "fees.md").read_text(encoding="utf-8") == "mine"
    library = Library(home)
    report = library.index(folder)
    assert (report.added, report.failed) == (5, [])
    (folder / "fees.md").unlink()
    library.index(sample_folder(home, checkout=tmp_path))
    hits = search_databases(
        [library.database("sample")], "what does a late drill cost a day", 3
    ).hits
    assert hits[0].path == "fees.md"


def test_a_home_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    """If it fails, a full disk on the first run is a traceback."""
    (tmp_path / "home").write_text("no folder")
    with pytest.raises(FolderError, match="cannot be written to"):
        sample_folder(tmp_path / "home", checkout=tmp_path)
