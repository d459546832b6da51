"""A page that is closed while its interface starts, or whose server is killed: no defect."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.web.page_process import PageProcess

PATIENCE = 30.0


@pytest.mark.soak
@pytest.mark.parametrize("seconds", [0.0, 0.4, 0.8, 1.6])
@pytest.mark.parametrize("has_database", [True, False])
async def test_an_interface_that_is_closed_while_it_starts_ends_without_a_report(
    tmp_path: Path, seconds: float, has_database: bool
) -> None:
    """Each page closed early left a crash report of a part that was not there yet, which told the
    person of a defect and hid true ones."""
    home = tmp_path / "home"
    if has_database:
        (tmp_path / "notes").mkdir()
        (tmp_path / "notes" / "leave.md").write_text("# Leave\n\nEight days may be kept.\n")
        Library(home).index(tmp_path / "notes")
    command = [sys.executable, "-P", "-m", "rag_assistant", "--home", str(home)]
    process = await PageProcess.start(command, os.environ, (120, 40))
    await asyncio.sleep(seconds)
    code = await process.stop(PATIENCE)
    assert (code, process.last_words) == (0, "")
    assert not list(home.glob("crashes/*"))


@pytest.mark.parametrize("when", ["at once", "drawn", "drawing"])
async def test_an_interface_whose_server_was_killed_ends_without_a_report(
    tmp_path: Path, when: str
) -> None:
    """Each page left a crash report, and said to nobody that the program had a defect."""
    home = tmp_path / "home"
    command = [sys.executable, "-P", "-m", "rag_assistant", "--home", str(home)]
    process = await PageProcess.start(command, os.environ, (120, 40))
    shown = process.drawn()
    while when != "at once" and b"folder" not in await anext(shown):
        pass
    if when == "drawing":
        await process.type("what is drawn when nobody sees it?")
    for number in (0, 1, 2):  # what the end of the server does to its pipes
        pipe = process._process._transport.get_pipe_transport(number)  # type: ignore[attr-defined]
        pipe.close()
    assert await asyncio.wait_for(process._process.wait(), PATIENCE) == 0
    assert not list(home.glob("crashes/*"))
