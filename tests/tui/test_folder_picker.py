"""Choosing a folder: writing, completing, pasting, walking."""

from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from rag_assistant.errors import FolderError
from rag_assistant.library.library import Library
from rag_assistant.tui.library.folder_dialog import FolderDialog
from rag_assistant.tui.library.folder_paths import chosen_folder, folders_at
from rag_assistant.tui.lists.pick_list import PickList
from tests.conftest import write_files
from tests.tui.hosting import Hosted, hosted


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "people"
    for name in ("notes", "Notes old", "music", ".hidden", "évil \x1b]0;x\x07 [b]"):
        (made / name / "inner").mkdir(parents=True)
        (made / name / "inner" / "tune.md").write_text("Do re mi.")
    (made / "notes.txt").touch()
    return made


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("no", ["notes", "Notes old"]),
        ("NOTES ", ["Notes old"]),
        (".", [".hidden"]),
        ("x", []),
        ("notes/", ["inner"]),
        ("nowhere/", []),
    ],
)
def test_a_path_goes_on_with_the_folders_that_fit(
    home: Path, written: str, names: list[str]
) -> None:
    """If it fails, Tab offers files, hidden folders, or nothing."""
    assert list(folders_at(f"{home}/{written}").names) == names


@pytest.mark.parametrize("form", ["{}", "'{}'", '"{}"', "file://{}", " {} \n", "{}/"])
def test_a_pasted_path_is_understood(home: Path, form: str) -> None:
    """If it fails, a folder dropped on the terminal is not found."""
    folder = home / "Notes old"
    written = str(folder).replace(" ", "%20") if "file:" in form else str(folder)
    assert chosen_folder(form.format(written)) == folder
    assert chosen_folder(str(folder).replace(" ", "\\ ")) == folder


@pytest.mark.parametrize("written", ["", "  ", "~nobody-of-this-name/x", "/no/such/folder", "\0"])
def test_what_is_no_folder_is_one_line(written: str) -> None:
    """If it fails, a slip is a traceback."""
    with pytest.raises(FolderError):
        chosen_folder(written)


def _value(shown: Hosted) -> str:
    return shown.app.screen.query_one(Input).value


async def test_tab_completes_and_enter_takes(home: Path, library: Library) -> None:
    """If it fails, long paths have to be written out."""
    async with hosted(FolderDialog(library, f"{home}/mu"), (80, 24)) as shown:
        await shown.sees("music/")
        await shown.press("tab")
        assert _value(shown) == f"{home}/music/"
        await shown.sees("inner/")
        await shown.press("enter")
        await shown.sees("1 readable")
        assert not shown.given, "it is shown first"
        await shown.press("o")
        assert _value(shown) == f"{home}/music/"
        await shown.press("enter")
        await shown.sees("1 readable")
        await shown.press("enter")
        await shown.until(lambda: shown.given, "the folder")
        assert shown.given == [str(home / "music")]


async def test_enter_takes_what_the_list_shows_for_the_beginning_of_a_name(
    home: Path, library: Library
) -> None:
    """If it fails, the folder that is shown as chosen is said not to be there."""
    async with hosted(FolderDialog(library, f"{home}/MU"), (80, 24)) as shown:
        await shown.sees("music/")
        await shown.press("enter")
        await shown.sees("1 readable")
        assert "There is no folder" not in shown.text()


@pytest.mark.parametrize("size", [(60, 18), (60, 20), (80, 24)])
async def test_what_a_folder_holds_fits_a_small_terminal(
    tmp_path: Path, library: Library, size: tuple[int, int]
) -> None:
    """If it fails, the keys that index a second folder are below the edge of the terminal."""
    kinds = ("md", "txt", "csv", "json", "html", "eml", "py")
    write_files(tmp_path / "full", {f"2026-01-0{n}.{kind}": "x" for n, kind in enumerate(kinds)})
    async with hosted(FolderDialog(library, f"{tmp_path}/full"), size) as shown:
        await shown.press("enter")
        await shown.sees("7 readable")
        await shown.sees("Enter Index it")
        dialog = shown.app.screen.query_one("#folder-dialog").region
        assert dialog.y >= 0
        assert dialog.bottom <= size[1]


async def test_a_folder_of_which_nothing_is_readable_is_not_taken(
    tmp_path: Path, library: Library
) -> None:
    """If it fails, a wrong folder is indexed at once, and nobody learns that nothing came of it."""
    (tmp_path / "empty").mkdir()
    async with hosted(FolderDialog(library, f"{tmp_path}/empty"), (80, 24)) as shown:
        await shown.press("enter")
        await shown.sees("0 readable")
        await shown.press("enter")
        assert "Nothing in it can be read: o chooses another folder" in shown.text()
        assert not shown.given


async def test_folders_are_walked_by_keys(home: Path, library: Library) -> None:
    """If it fails, a person has to know the path by heart."""
    async with hosted(FolderDialog(library, f"{home}/"), (60, 18)) as shown:
        await shown.sees("music/")
        await shown.press("down")
        assert shown.app.screen.query_one(PickList).has_focus
        await shown.press("right")
        await shown.sees("inner/")
        await shown.press("left")
        await shown.sees("music/")
        await shown.press("down", "enter")
        await shown.sees("1 readable")
        await shown.press("enter")
        await shown.until(lambda: shown.given, "the folder")
        assert shown.given == [str(home / "notes")]


async def test_a_wrong_path_stays_to_be_mended(home: Path, library: Library) -> None:
    """If it fails, a long path with one slip has to be written again."""
    async with hosted(FolderDialog(library, f"{home}/nots"), (80, 24)) as shown:
        await shown.press("enter")
        await shown.sees("There is no folder")
        assert _value(shown) == f"{home}/nots"
        await shown.press("backspace")
        await shown.until(lambda: "There is no folder" not in shown.text(), "the complaint to go")
        await shown.press("escape")
        await shown.until(lambda: shown.given == [""], "nothing")


async def test_names_that_could_harm_are_shown_as_text(home: Path, library: Library) -> None:
    """If it fails, a folder's name steers the terminal, or is read as markup."""
    async with hosted(FolderDialog(library, f"{home}/é"), (80, 24)) as shown:
        await shown.sees("[b]/")
        assert "\x1b" not in shown.text()


async def test_a_path_is_pasted_over_what_stands_there(home: Path, library: Library) -> None:
    """If it fails, a dropped folder is added to a path that was begun."""
    async with hosted(FolderDialog(library, "~/begun"), (80, 24)) as shown:
        shown.app.screen.post_message(events.Paste(f"'{home}/Notes old'\n"))
        await shown.until(lambda: _value(shown) == f"{home}/Notes old", "the path")
