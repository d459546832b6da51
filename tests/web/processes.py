"""Processes as the system sees them."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 20.0


def is_running(pid: int) -> bool:
    """Tell whether a process runs; one that has ended and was not yet collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def below(pid: int) -> list[int]:
    """Give the processes that a process has started, and theirs."""
    found: list[int] = []
    for folder in Path(f"/proc/{pid}/task").glob("*"):
        try:
            children = (folder / "children").read_text(encoding="utf-8").split()
        except OSError:
            continue
        for child in map(int, children):
            found += [child, *below(child)]
    return found


async def until(condition: Callable[[], object], what: str) -> None:
    """Wait until something holds; fail by its name."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never came: {what} (seen from {os.getpid()})")
        await asyncio.sleep(0.02)
