"""The library: what databases hold and leave out; adding, indexing, renaming, removing them."""

import asyncio
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.library import sync
from rag_assistant.library.why_not import why_not
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.tui.indexing.progress import IndexTarget
from rag_assistant.tui.indexing.workers import running, start_indexing
from rag_assistant.tui.library.file_rows import file_blocks
from rag_assistant.tui.library.rows import LibraryRow
from rag_assistant.tui.library.screen import LibraryScreen
from rag_assistant.values.ledger import LedgerLine
from tests.tui.hosting import Hosted, hosted


def _spoil(folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 this is no pdf")
    (folder / "photo.xyz").write_bytes(b"\x00\x01\x02" * 100)


def _files_done(shown: Hosted, screen: LibraryScreen, folder: Path) -> int:
    progress = screen._work.state_of(shown.app, IndexTarget(folder)).progress
    return progress.done if progress else 0


async def test_a_database_tells_what_it_holds_and_leaves_out(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, a person cannot see that a file is not searchable, nor why."""
    _spoil(folder)
    assistant.library.index(folder)
    screen = LibraryScreen(assistant)
    async with hosted(screen) as shown:
        assert "3 documents" in shown.words("#browse-list")
        assert "1 failed" in shown.words("#browse-list")
        detail = shown.words("#browse-detail")
        assert "broken.pdf" in detail
        assert "photo.xyz" in detail
        assert "1 file failed: broken PDF" in detail
        assert "not searched by meaning" in detail
        await shown.press("enter")
        await shown.until(lambda: "leave.md" in shown.words("#browse-list"), "the files")
        await shown.until(lambda: "failed" in shown.words("#browse-detail"), "the first one")
        assert "Enter Open" not in shown.text(), "Enter does nothing with what was not read"
        listed = shown.words("#browse-list")
        assert "✗ 1 file failed" in listed
        reasons = [listed.index(said) for said in ("Then t.", "broken PDF", "indexed")]
        assert reasons == sorted(reasons), "what mends it, the reason on the row, the others"
        await shown.press("slash", *"parki")
        await shown.until(lambda: "leave.md" not in shown.words("#browse-list"), "the filter")
        assert "parking.md" in shown.words("#browse-list")
        await shown.press("down")
        await shown.sees("Enter Open")
        await shown.press("enter")
        await shown.sees("is paid with the salary")
        await shown.press("escape")
        await shown.press("escape", "escape")
        await shown.until(lambda: "3 documents" in shown.words("#browse-list"), "the databases")


@pytest.mark.parametrize("kind", ["withheld", "failed", "partly read", "skipped"])
def test_what_became_of_a_file_is_told_with_its_reason(kind: str) -> None:
    """If it fails, the cursor on a file of one kind ends the program, or gives no reason."""
    line = (LedgerLine("a.md", "the disk is not there"),)
    row = LibraryRow("staff", failed=line, skipped=line, withheld=line, partial=line)
    said = Laid(file_blocks(row, f"{kind}\na.md")).content(60).plain
    assert f"{kind}\nthe disk is not there" in said


async def test_a_folder_is_added_and_a_wrong_path_stays(empty: Assistant, folder: Path) -> None:
    """If it fails, a slip in a path costs typing it all again, or nothing is indexed."""
    screen = LibraryScreen(empty)
    async with hosted(screen, (80, 24)) as shown:
        assert "There is no database yet." in shown.text()
        await shown.press("a")
        await shown.until(lambda: "Add a folder" in shown.text(), "the dialog")
        await shown.type(f"{folder}x")
        await shown.press("enter")
        await shown.sees("There is no folder")
        await shown.type(str(folder))
        await shown.press("enter")
        await shown.sees("3 readable")
        assert "md      ██" in shown.text(), "what is in it, as a chart"
        assert not screen.listing.key, "nothing is indexed before the person says so"
        await shown.press("enter")
        await shown.until(lambda: "3 files ready" in shown.words("#browse-remark"), "the report")
        await shown.until(lambda: screen.listing.key == "staff", "the database")


async def test_what_failed_is_read_again(assistant: Assistant, folder: Path) -> None:
    """If it fails, a file that was mended with its old time stays unsearchable."""
    _spoil(folder)
    assistant.library.index(folder)
    async with hosted(LibraryScreen(assistant)) as shown:
        (folder / "broken.pdf").unlink()
        await shown.press("t")
        await shown.until(lambda: "✓ staff" in shown.words("#browse-remark"), "the report")
        await shown.until(lambda: "failed" not in shown.words("#browse-list"), "the row")


@pytest.mark.soak
async def test_indexing_goes_on_when_the_screen_is_left_and_can_be_stopped(
    empty: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, Esc ends what takes an hour, or nothing can."""
    many = tmp_path / "many"
    many.mkdir()
    monkeypatch.setattr(sync, "COMMIT_SECONDS", 0.2)  # so that a third of the files will do
    for number in range(700):
        (many / f"{number}.md").write_text(f"# Note {number}\n\n{'words ' * 6_000}\n")
    first, later = LibraryScreen(empty), LibraryScreen(empty)
    async with hosted(first) as shown:
        first._index(IndexTarget(many))
        first.action_back()
        await shown.until(lambda: shown.given, "the way back")
        worker = running(shown.app, IndexTarget(many, "many"))
        assert worker
        shown.app.push_screen(later)
        await shown.until(lambda: _files_done(shown, later, many), "the progress")
        assert not start_indexing(shown.app, empty.library, IndexTarget(many, "many"))
        for _ in range(200):
            if not later._rows:
                later.reload()
                await asyncio.sleep(0.05)
        assert later._rows
        later.action_stop()
        await shown.until(lambda: worker.is_finished, "the stop")
        await shown.until(lambda: "unfinished" in shown.words("#browse-list"), "the remark")
    assert 0 < empty.library.database("many").figures().entries < 700


async def test_a_database_is_renamed_and_removed_by_its_name(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, one wrong key removes an index that took hours."""
    screen = LibraryScreen(assistant)
    async with hosted(screen, (60, 18)) as shown:
        await shown.press("n")
        await shown.type("no/name")
        await shown.press("enter")
        await shown.until(lambda: "✗" in shown.words("#edit-line"), "the reason")
        await shown.type("people")
        await shown.press("enter")
        await shown.until(lambda: screen.listing.key == "people", "the new name")
        await shown.press("x")
        await shown.type("staff")
        await shown.press("enter")
        assert "nothing was removed" in shown.words("#edit-line")
        await shown.type("people")
        await shown.press("enter")
        await shown.until(lambda: "There is no database yet." in shown.text(), "the removal")
        assert (folder / "leave.md").exists()


async def test_why_a_file_is_not_found_is_told(assistant: Assistant, folder: Path) -> None:
    """If it fails, a person guesses why a document never turns up."""
    _spoil(folder)
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    library = assistant.library
    assert why_not(library, str(folder / "photo.xyz"))[0].startswith(
        "staff: photo.xyz would not be indexed: skipped, "
    )
    assert "its folder .git" in why_not(library, str(folder / ".git" / "config"))[0]
    library.index(folder)
    assert why_not(library, "leave.md") == ["staff: leave.md is indexed."]
    assert "failed, " in why_not(library, "broken.pdf")[0]
    assert "its folder .git" in why_not(library, str(folder / ".git" / "config"))[0]
    (folder / "leave.md").write_text("changed")
    assert "before its last change" in why_not(library, "leave.md")[0]
    (folder / "new.md").write_text("# New\n\nWords.\n")
    assert why_not(library, "new.md") == ["staff: new.md is new: index the folder again."]
    assert "check the path" in why_not(library, str(folder / "gone.md"))[0]
    assert "no database" in why_not(library, "/elsewhere/x.md")[0]
    async with hosted(LibraryScreen(assistant)) as shown:
        await shown.press("question_mark")
        await shown.type("broken.pdf")
        await shown.press("enter", "enter")
        await shown.until(lambda: "failed, " in shown.words("#browse-remark"), "the reason")


async def test_names_of_files_cannot_act(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, a file name crashes the library or acts on a click."""
    evil = tmp_path / "evil"
    evil.mkdir()
    name = "[bold]z [@click=app.quit] [$x]\x1b]0;x\x07.pdf"
    (evil / name).write_bytes(b"no pdf")
    (evil / "a.md").write_text("# A\n\nWords.\n")
    empty.library.index(evil)
    async with hosted(LibraryScreen(empty)) as shown:
        assert "[@click=app.quit] [$x]" in shown.words("#browse-detail")
        await shown.press("enter")
        await shown.until(lambda: "[@click=app.quit]" in shown.words("#browse-list"), "the file")
        assert "\x1b" not in shown.text()


async def test_a_damaged_database_is_said_in_words(assistant: Assistant) -> None:
    """If it fails, one bad file hides all databases, or ends the program."""
    (assistant.library.home / "bad.db").write_bytes(b"this is no database at all" * 100)
    async with hosted(LibraryScreen(assistant)) as shown:
        assert "cannot be read" in shown.words("#browse-list")
        assert "staff" in shown.words("#browse-list")
        await shown.press("enter", "r", "t", "s")
        assert "bad" in shown.words("#browse-list")


async def test_a_watched_folder_is_indexed_as_it_changes(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, new files are not found until somebody presses a key, or watching never ends."""
    screen = LibraryScreen(assistant)
    async with hosted(screen) as shown:
        await shown.press("w")
        await shown.until(lambda: "watched" in shown.words("#browse-list"), "the mark")
        (folder / "new.md").write_text("# New\n\nThe ferry leaves at noon.\n", encoding="utf-8")
        await shown.until(lambda: "4 documents" in shown.words("#browse-list"), "the new document")
        await shown.press("w")
        await shown.until(lambda: "watched" not in shown.words("#browse-list"), "the end")
        await shown.settle()
        assert "is not watched any more" in shown.words("#browse-remark")
