"""Make the README's pictures of the interface from the running program, into docs/:

    .venv/bin/python scripts/screenshot.py                              # as the README has them
    .venv/bin/python scripts/screenshot.py --size 80x24 --into /tmp/at  # to look at them, elsewhere

The demo corpora are indexed into a home of its own, and the built-in model answers real questions.
A picture changes only where the interface does: times that were taken are levelled, and it names
no folder of this machine and no font of another.
"""

import argparse
import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.first_run.beginning import Beginning

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ("handbook", "manual", "council")
SIZE = (140, 42)
QUESTION = "How many weeks of leave do partners get at full pay?"
WORDS = "carry over leave"
PATIENCE_SECONDS = 20.0
CHANGED = 1_767_268_800
"""When files were changed last, as pictures have it: 2026-01-01 12:00 UTC."""

_ID = re.compile(r"terminal-\d+")
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_TIMES = re.compile(r"(?<![\d.])[\d.]+(?=(?: |&#160;)m?s\b)")
_MOMENTS = re.compile(r"20\d\d-\d\d-\d\d((?: |&#160;))\d\d:\d\d")


class Taken:
    """The interface while its picture is taken."""

    def __init__(self, app: AssistantApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    def text(self) -> str:
        """Give what is on the screen."""
        return "\n".join(strip.text for strip in self.app.screen._compositor.render_strips())

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something holds, and is drawn."""
        for _ in range(int(PATIENCE_SECONDS / 0.02)):
            if condition():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.02)
        raise SystemExit(f"never came: {what}\n{self.text()}")

    async def sees(self, words: str) -> None:
        """Wait until some words are on the screen."""
        await self.until(lambda: words in self.text(), words)

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)
        await self.pilot.pause()


async def _interface(taken: Taken) -> None:
    def is_answered() -> bool:
        asked = list(taken.app.screen.query(Exchange))
        return bool(asked) and asked[-1].state.phase is Phase.ANSWERED

    await taken.press(*QUESTION, "enter")
    await taken.until(is_answered, "the answer")
    await taken.press("ctrl+g")
    await taken.sees("quote found")


async def _reader(taken: Taken) -> None:
    await _interface(taken)
    await taken.press("enter")
    await taken.sees("Outline")


async def _find(taken: Taken) -> None:
    await taken.press("ctrl+f")
    await taken.sees("Type to search")
    await taken.press(*WORDS)
    await taken.sees("documents")


async def _library(taken: Taken) -> None:
    await taken.press("f4")
    await taken.sees("council")


async def _first_run(taken: Taken) -> None:
    await taken.sees("readable")


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen: the file's name, how one comes there, and whether it is the first run."""

    name: str
    come_there: Callable[[Taken], Awaitable[None]]
    first: bool = False


PICTURES = (
    Picture("interface", _interface),
    Picture("reader", _reader),
    Picture("find", _find),
    Picture("library", _library),
    Picture("first-run", _first_run, first=True),
)


async def take(picture: Picture, home: Path, size: tuple[int, int]) -> str:
    """Go to a screen; give it as SVG."""
    beginning = Beginning(home / "handbook") if picture.first else None
    library = Library(home / ("fresh" if picture.first else "data"))
    app = AssistantApp(Assistant(library, Config(), {}), beginning=beginning)
    async with app.run_test(size=size) as pilot:
        taken = Taken(app, pilot)
        await pilot.pause()
        await picture.come_there(taken)
        await app.workers.wait_for_complete()
        await pilot.pause(0.3)
        return levelled(app.export_screenshot(title="rag-assistant"))


def copied(corpus: str, home: Path) -> Path:
    """Copy a demo corpus, whose files get one date: a checkout's are of the day it was made."""
    folder = shutil.copytree(ROOT / "corpora" / corpus, home / corpus)
    for path in folder.rglob("*"):
        os.utime(path, (CHANGED, CHANGED))
    return folder


def levelled(svg: str) -> str:
    """Take out what would differ from run to run, and what a reader's browser would fetch."""
    svg = _FONTS.sub("", _ID.sub("terminal", svg))
    svg = svg.replace("Fira Code,", "ui-monospace, Menlo, Consolas,")
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    svg = _TIMES.sub(lambda match: "0.4" if "." in match[0] else re.sub(".", "4", match[0]), svg)
    return _MOMENTS.sub(r"2026-01-01\g<1>12:00", svg)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", default=f"{SIZE[0]}x{SIZE[1]}", help="columns x rows")
    parser.add_argument("--into", type=Path, default=ROOT / "docs", help="a folder")
    chosen = parser.parse_args()
    width, height = map(int, chosen.size.split("x"))
    chosen.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["HOME"] = str(home)
        library = Library(home / "data")
        for name in CORPORA:
            library.index(copied(name, home))
        for picture in PICTURES:
            path = chosen.into / f"{picture.name}.svg"
            path.write_text(asyncio.run(take(picture, home, (width, height))), encoding="utf-8")
            print(f"wrote {path}")


if __name__ == "__main__":
    main()
