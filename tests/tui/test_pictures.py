"""The screens as pictures in text: a change that nobody wanted is seen in the difference.

    UPDATE_PICTURES=1 python -m pytest tests/tui/test_pictures.py     # after one that was wanted

A picture is what stands on the screen, and below it what is bold, underlined or reversed. Colours
are left out: they are the theme's. Clocks stand still, and moments that were stored are levelled.
"""

import asyncio
import os
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.color import Color

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tools.permission import PermissionRequest
from rag_assistant.tools.python_session.process import Holding, PythonLimits
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import ToolStep
from rag_assistant.tui.permission.desk import PermissionDesk
from tests.tui.screen import NARROW, WIDE, Opened, opened

PICTURES = Path(__file__).parent / "pictures"
UPDATING = bool(os.environ.get("UPDATE_PICTURES"))
PATIENCE = 100
"""Looks at a screen that is not as it was, until it counts as changed."""
SMALL = (60, 18)
QUESTION = "What does the parking permit cost?"

_MOMENTS = re.compile(r"\b(?:(?P<day>\d{4}-\d\d-\d\d) )?\d\d:\d\d\b")
_MONTH = re.compile(r"(?<=dates   )20\d\d-\d\d")
"""When the files of a test were written."""


async def _welcome(shown: Opened) -> None:
    await shown.until(lambda: "staff" in shown.text(), "the databases")


async def _answer(shown: Opened) -> None:
    exchange = await shown.ask(QUESTION)
    _stop_the_clock(exchange)
    await shown.pilot.pause()


async def _steps(shown: Opened) -> None:
    await _answer(shown)
    shown.exchanges[0].expanded = True
    await shown.pilot.pause()


async def _source(shown: Opened) -> None:
    await _answer(shown)
    await shown.pilot.press("ctrl+g")
    await shown.settle()
    await shown.until(lambda: "40 euro" in shown.words("#evidence"), "the passage")


async def _help(shown: Opened) -> None:
    await shown.pilot.press("f1")
    await shown.until(lambda: "Anywhere" in shown.text(), "the help")
    # Looked at before it was drawn, it has nothing behind it until it is drawn anew.
    drawn = asyncio.Event()
    shown.app.screen.refresh(layout=True)
    shown.app.screen.call_after_refresh(drawn.set)
    await drawn.wait()


async def _find(shown: Opened) -> None:
    await shown.pilot.press("ctrl+f", *"parking permit")
    await shown.until(lambda: "1 document" in shown.text() and "40 euro" in shown.text(), "the hit")
    await shown.settle()


async def _reader(shown: Opened) -> None:
    await _source(shown)
    await shown.pilot.press("enter")
    await shown.until(lambda: "Outline" in shown.text(), "the reader")
    await shown.settle()


async def _library(shown: Opened) -> None:
    await shown.pilot.press("f4")
    await shown.until(lambda: "indexed  " in shown.text(), "the library")


async def _history(shown: Opened) -> None:
    await _answer(shown)
    await shown.pilot.press("ctrl+r")
    await shown.until(lambda: "1 conversation" in shown.text(), "the conversations")
    await shown.settle()


async def _settings(shown: Opened) -> None:
    await shown.pilot.press("f2")
    await shown.until(lambda: "default" in shown.text(), "the settings")


async def _permission(shown: Opened) -> None:
    code = "rows = open('sales_2024.csv').readlines()\nprint(len(rows))"
    extent = Holding(True, True, True, True, True).extent(PythonLimits(30.0, 0))
    request = PermissionRequest("run_python", {"code": code}, code, extent=extent)
    desk = shown.main.query_one(PermissionDesk)
    shown.main.run_worker(desk.permit(request))
    await shown.until(lambda: desk.waiting, "the request")
    desk.open()
    await shown.pilot.pause()


def _stop_the_clock(exchange: Exchange) -> None:
    state = exchange.state
    state.seconds = 1.2
    if state.answer:
        state.answer = replace(state.answer, elapsed_ms=1200)
    for step in state.steps:
        if isinstance(step, ToolStep):
            step.seconds = 0.1
    exchange.expanded = True
    exchange.expanded = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A state of the interface in a size."""

    name: str
    make: Callable[[Opened], Awaitable[None]]
    size: tuple[int, int]
    colours: bool = True


SHOWN = [
    Picture("welcome-80x24", _welcome, NARROW),
    Picture("answer-60x18", _answer, SMALL),
    Picture("steps-140x40", _steps, WIDE),
    Picture("source-80x24", _source, NARROW),
    Picture("source-no-colour-140x40", _source, WIDE, colours=False),
    Picture("reader-140x40", _reader, WIDE),
    Picture("reader-80x24", _reader, NARROW),
    Picture("find-140x40", _find, WIDE),
    Picture("find-80x24", _find, NARROW),
    Picture("library-80x24", _library, NARROW),
    Picture("history-140x40", _history, WIDE),
    Picture("settings-80x24", _settings, NARROW),
    Picture("help-80x24", _help, NARROW),
    Picture("permission-60x18", _permission, SMALL),
    Picture("permission-no-colour-80x24", _permission, NARROW, colours=False),
]
"""As many as somebody looks at: each screen, in the sizes in which it is laid out otherwise."""


def _is_light(colour: Color | None) -> bool:
    """Whether a ground is one that the theme has for nothing but what is highlighted."""
    triplet = colour.triplet if colour else None
    return triplet is not None and sum(triplet) > 3 * 128


def _drawn(shown: Opened) -> str:
    """Give the screen as text, and what stands out on it."""
    strips = shown.app.screen._compositor.render_strips()
    lines = [strip.text.rstrip() for strip in strips]
    told = []
    for row, strip in enumerate(strips, 1):
        for segment in strip:
            style = segment.style
            kinds = [k for k in ("bold", "underline", "reverse") if style and getattr(style, k)]
            kinds += ["on light"] if style and _is_light(style.bgcolor) else []
            if kinds and segment.text.strip():
                told.append(f"{row:3} {' '.join(kinds)}: {segment.text.strip()}")
    drawn = "\n".join([*lines, "", *told]) + "\n"
    return _MONTH.sub("2026-01", _MOMENTS.sub(_levelled, drawn))


def _levelled(moment: re.Match[str]) -> str:
    return "2026-01-01 12:00" if moment["day"] else "12:00"


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("picture", SHOWN, ids=lambda picture: picture.name)
async def test_the_picture_is_as_it_was(
    assistant: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, picture: Picture
) -> None:
    """If it fails, the screen looks otherwise than when somebody last looked at it."""
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    monkeypatch.setenv("HOME", str(tmp_path))  # what lies below it is named the same everywhere
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not picture.colours:
        monkeypatch.setenv("NO_COLOR", "1")
    store = ConversationStore(tmp_path / "conversations.db")
    path = PICTURES / f"{picture.name}.txt"
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    async with opened(assistant, picture.size, store, tmp_path / "config.toml") as shown:
        shown.box.cursor_blink = False
        await picture.make(shown)
        drawn = _drawn(shown)
        for _ in range(0 if UPDATING or drawn == expected else PATIENCE):
            await shown.pilot.pause(0.05)  # on a busy machine the last of it comes later
            drawn = _drawn(shown)
            if drawn == expected:
                break
    if UPDATING:
        path.write_text(drawn, encoding="utf-8")
    else:
        assert drawn == expected, f"{drawn}\nUPDATE_PICTURES=1 takes it"


def test_no_picture_is_left_over() -> None:
    """If it fails, there are pictures that nothing looks at, or more than anybody looks at."""
    assert {path.stem for path in PICTURES.iterdir()} == {picture.name for picture in SHOWN}
    assert len(SHOWN) <= 15
