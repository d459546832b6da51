"""A re-index whose program was killed half way goes on by itself at the next start."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.library.progress import SyncProgress
from tests.tui.screen import opened

KILLED = """
import os, signal, sys
from pathlib import Path
from rag_assistant.library.library import Library

def listen(progress):
    if progress.total and progress.done > 3:
        os.kill(os.getpid(), signal.SIGKILL)

Library(Path(sys.argv[1])).index(Path(sys.argv[2]), listener=listen)
"""


async def test_a_killed_reindex_goes_on_at_the_next_start(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, files that came since the first reading are never found, and nobody says so."""
    for number in range(3):
        (folder / f"new{number}.md").write_text(f"# New {number}\n\nZebra {number}.\n")
    command = [sys.executable, "-c", KILLED, str(assistant.library.home), str(folder)]
    killed = subprocess.run(command, env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    database = assistant.library.database("staff")
    figures = database.figures()
    assert figures.indexed_at
    assert figures.unfinished
    async with opened(assistant) as shown:
        await shown.until(lambda: not database.figures().unfinished, "the end of the re-index")
        await shown.until(lambda: "✓ staff" in shown.words(), "the report")
        await shown.until(lambda: shown.rows[0].entries == 6, "the count at the top")
        assert len({entry.path for entry in database.entries()}) == 6


async def test_it_goes_on_by_the_name_of_the_database(assistant: Assistant, folder: Path) -> None:
    """Of two databases of one folder the other one was read, at every start, and never this one."""
    library = assistant.library

    def stop(progress: SyncProgress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    assert library.index(folder, name="second", listener=stop).interrupted
    before = library.database("staff").figures().indexed_at
    async with opened(assistant) as shown:
        done = library.database("second")
        await shown.until(lambda: not done.figures().unfinished, "the end of the second")
        await shown.until(lambda: "✓ second" in shown.words(), "the report")
    assert done.figures().indexed_at
    assert library.database("staff").figures().indexed_at == before


async def test_what_could_not_be_read_is_counted_in_a_line(
    assistant: Assistant, folder: Path
) -> None:
    """A ledger of hundreds of files would stand where the conversation begins."""
    for number in range(30):
        (folder / f"broken{number}.pdf").write_bytes(b"%PDF-1.4 nothing")
    async with opened(assistant) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.pilot.press("f5")
        await shown.until(lambda: "30 could not be read (F4 shows them)" in shown.words(), "it")
        assert "broken1" not in shown.words()


async def test_a_database_in_step_is_left_alone(assistant: Assistant) -> None:
    """If it fails, every start reads every folder again."""
    before = assistant.library.database("staff").figures().indexed_at
    async with opened(assistant) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.settle()
        assert not shown.main.indexing.progress
        assert assistant.library.database("staff").figures().indexed_at == before
