"""Two programs over one home: both search, one writes, and the other says who does."""

import subprocess
import sys
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.library.writing import writers_lock
from rag_assistant.tui.library.screen import LibraryScreen
from tests.tui.hosting import hosted
from tests.tui.screen import opened

HOLDER = """
import sys
from pathlib import Path
from rag_assistant.library.writing import writers_lock

with writers_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.soak
async def test_both_search_and_the_second_says_who_writes(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, a second window is blocked, or does not say why it cannot index."""
    path = assistant.library.database("staff").path
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout and other.stdout.readline() == "held\n"
        for _ in range(2):  # asking does not wipe out who it is
            async with hosted(LibraryScreen(assistant)) as shown:
                await shown.press("r")
                said = f"read-only: it is being changed by another process (pid {other.pid})"
                await shown.until(lambda: said in shown.words("#browse-remark"), said)  # noqa: B023
        async with opened(assistant) as whole:
            exchange = await whole.ask("What does the parking permit cost?")
            assert exchange.state.citations
    with writers_lock(path):
        pass
    async with hosted(LibraryScreen(assistant)) as shown:
        await shown.press("r")
        await shown.until(lambda: "staff" in shown.words("#browse-remark"), "the report")
