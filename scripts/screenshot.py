"""Make the README's pictures of the interface from the running program, into docs/:

    .venv/bin/python -m scripts.screenshot                  # as the README has them
    .venv/bin/python -m scripts.screenshot --into /tmp/at --size 140x40 80x24 60x20    # to look at

The demo corpora are indexed into a home of its own, and the built-in model answers real questions;
where a model is to fail, or to ask for leave, one on loopback says what it is told to. To look at
there are more screens than README shows, in a folder for each size. A picture changes only where
the interface does: times that were taken are levelled, and it names no folder of this machine and
no font of another.
"""

import argparse
import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ToolSettings
from rag_assistant.library.library import Library
from rag_assistant.tools.python_session.provider import PythonProvider
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.first_run.beginning import Beginning
from scripts.benchmarks.shared.model_replies import Answer, Call, Script
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ("handbook", "manual", "council")
SIZE = (140, 42)
QUESTION = "How many weeks do partners receive at full pay?"
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


async def _asked(taken: Taken, question: str = QUESTION) -> None:
    def is_answered() -> bool:
        asked = list(taken.app.screen.query(Exchange))
        return bool(asked) and asked[-1].state.phase is Phase.ANSWERED

    await taken.press(*question, "enter")
    await taken.until(is_answered, "the answer")


async def _interface(taken: Taken) -> None:
    await _asked(taken)
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


async def _welcome(taken: Taken) -> None:
    await taken.sees("Ctrl+S asks it")


async def _nearest(taken: Taken) -> None:
    await _asked(taken, "Who may keep bees on the moon?")


async def _files(taken: Taken) -> None:
    await taken.press("f4")
    await taken.sees("unread")
    await taken.press("enter")
    await taken.sees("Then t")


async def _settings(taken: Taken) -> None:
    await taken.press("f2")
    await taken.sees("Model that answers")


async def _commands(taken: Taken) -> None:
    await taken.press("ctrl+p")
    await taken.sees("what do you want to do?")


async def _evaluate(taken: Taken) -> None:
    await taken.press("f9")
    await taken.sees("Make questions")


async def _permission(taken: Taken) -> None:
    await taken.press(*"What is the mean of these numbers?", "enter")
    await taken.sees("Run Python?")
    await taken.press("tab")
    await taken.sees("y once")


_CUT = (Answer("Partners receive six weeks at full pay, whatever their ", "length of", then="cut"),)
_PYTHON = (Answer(calls=(Call("run_python", '{"code": "print((3 + 4 + 8) / 3)"}'),)),)


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen: the file's name, how one comes there, and the home that it is taken in.

    `replies` are those of a model on loopback, without which the built-in one answers. README has
    those that are `shown`.
    """

    name: str
    come_there: Callable[[Taken], Awaitable[None]]
    home: str = "data"
    replies: tuple[Script, ...] = ()
    shown: bool = False


PICTURES = (
    Picture("interface", _interface, shown=True),
    Picture("reader", _reader, shown=True),
    Picture("find", _find, shown=True),
    Picture("library", _library, shown=True),
    Picture("first-run", _first_run, "fresh", shown=True),
    Picture("welcome", _welcome),
    Picture("nearest", _nearest),
    Picture("files", _files, "damaged"),
    Picture("settings", _settings),
    Picture("commands", _commands),
    Picture("evaluate", _evaluate),
    Picture("fault", _asked, replies=_CUT),
    Picture("permission", _permission, replies=_PYTHON),
)


async def take(picture: Picture, home: Path, size: tuple[int, int]) -> str:
    """Go to a screen; give it as SVG."""
    beginning = Beginning(home / "handbook") if picture.home == "fresh" else None
    library = Library(home / picture.home)
    config = Config()
    with ExitStack() as served:
        if picture.replies:
            server = served.enter_context(ScriptedServer(*picture.replies))
            tools = ToolSettings(run_python=True)
            config = Config(model=MODEL, models={MODEL: server.settings()}, tools=tools)
        python = PythonProvider(config.tools)
        assistant = Assistant(library, config, {}, extra_tools=lambda: [python])
        app = AssistantApp(assistant, None, home / "config.toml", beginning)
        async with app.run_test(size=size) as pilot:
            taken = Taken(app, pilot)
            await pilot.pause()
            await picture.come_there(taken)
            if not picture.replies:
                await app.workers.wait_for_complete()
            await pilot.pause(0.3)
            return levelled(app.export_screenshot(title="rag-assistant"))


def copied(corpus: str, home: Path) -> Path:
    """Copy a demo corpus, whose files get one date: a checkout's are of the day it was made."""
    folder = shutil.copytree(ROOT / "corpora" / corpus, home / corpus)
    for path in folder.rglob("*"):
        os.utime(path, (CHANGED, CHANGED))
    return folder


def _damaged(home: Path) -> Path:
    """Make a folder of some files that cannot be read, for three reasons."""
    folder = copied("manual", home / "old").rename(home / "unread")
    for path in sorted(folder.rglob("*.pdf")):
        path.with_suffix(".cut.pdf").write_bytes(path.read_bytes()[:400])
    (folder / "offer.docx").write_bytes(b"no document of Word")
    (folder / "prices.pdf").write_bytes(b"no PDF")
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
    parser.add_argument("--size", nargs="+", default=[], help="columns x rows: all screens so")
    parser.add_argument("--into", type=Path, default=ROOT / "docs", help="a folder")
    chosen = parser.parse_args()
    sizes = [(size, *map(int, size.split("x"))) for size in chosen.size] or [("", *SIZE)]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["HOME"] = str(home)
        library = Library(home / "data")
        for name in CORPORA:
            library.index(copied(name, home))
        if chosen.size:
            Library(home / "damaged").index(_damaged(home))
        for name, width, height in sizes:
            (chosen.into / name).mkdir(parents=True, exist_ok=True)
            for picture in PICTURES if name else (one for one in PICTURES if one.shown):
                path = chosen.into / name / f"{picture.name}.svg"
                path.write_text(asyncio.run(take(picture, home, (width, height))), encoding="utf-8")
                print(f"wrote {path}")


if __name__ == "__main__":
    main()
