"""The interface served, and opened in a page."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.cli.program import Program
from tests.web.browser import Tab


@contextmanager
def serving(program: Program) -> "Iterator[tuple[subprocess.Popen[str], str]]":
    """Serve; give the process and the address it printed."""
    with program.running("serve", "--port", "0") as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()


async def start(tab: Tab, address: str) -> None:
    """Open the interface and wait for it."""
    await tab.open(address)
    await until_shown(tab)


async def until_shown(tab: Tab) -> None:
    """Wait until the interface stands in the page, with no notice over it."""

    async def state() -> str:
        shown = "document.title === 'rag-assistant' && document.body && document.body.className"
        return str(await tab.value(shown))

    await tab.sees("-first-byte", state)
    await tab.sees("Ask your documents…")
