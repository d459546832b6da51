"""The interface on a telephone, emulated by a real browser: a finger, a narrow page, a keyboard."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.web.browser import CHROMIUM, NO_CHROMIUM, Tab, new_tab
from tests.web.opened import serving, start

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

WIDE, HIGH = 360, 740
KEYBOARD = 300
FINGER = 44
"""CSS pixels that a target has at least (WCAG 2.5.5)."""


async def be_telephone(tab: Tab, height: int = HIGH) -> None:
    """Give the page a telephone's size, and a finger."""
    await tab.send(
        "Emulation.setDeviceMetricsOverride",
        width=WIDE, height=height, deviceScaleFactor=1, mobile=True,
    )  # fmt: skip
    await tab.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=1)


async def tap(tab: Tab, selector: str) -> None:
    """Tap in the middle of an element."""
    box = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
    x, y = await tab.value(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({box})")
    await touch(tab, x, [y])


async def touch(tab: Tab, x: float, ys: list[float]) -> None:
    """Put a finger down, move it through places, and lift it."""
    kinds = ["touchStart", *["touchMove"] * (len(ys) - 1)]
    for kind, y in zip(kinds, ys, strict=True):
        await tab.send("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
    await tab.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


async def write(tab: Tab, text: str) -> None:
    """Write with the keyboard on the screen, which gives whole words."""
    await tap(tab, "#line")
    await tab.send("Input.insertText", text=text)


@pytest.mark.soak
async def test_a_question_is_asked_with_a_finger(
    program: Program, chromium: int, tmp_path: Path
) -> None:
    """If it fails, nobody can type, or reach the sources, on a telephone."""
    with serving(program) as (_, address):
        async with new_tab(chromium) as tab:
            await be_telephone(tab)
            await start(tab, address)
            assert await tab.value("document.documentElement.scrollWidth") <= WIDE
            sizes = await tab.value(
                "[...document.querySelectorAll('#touch button, #line')]"
                ".map(each => Math.min(each.offsetWidth, each.offsetHeight))"
            )
            assert min(sizes) >= FINGER
            await write(tab, "How many days of leeve")
            await tab.sees("How many days of leeve")
            # A keyboard corrects words that stand there already.
            corrected = "How many days of leave may technicians carry over?"
            await tab.value(
                f"((line) => {{ line.value = {json.dumps(corrected)};"
                "line.dispatchEvent(new Event('input')); })(document.getElementById('line'))"
            )
            await tab.sees("How many days of leave may")
            await tab.sees("technicians carry over?")
            await tab.picture(tmp_path / "written.png")
            await tap(tab, "#send")
            await tab.sees("1 quote found")
            assert await tab.value("document.getElementById('line').value") == ""
            await tab.picture(tmp_path / "answered.png")
            await tap(tab, "[data-key=sources]")
            seen = await tab.sees("✓ quote found")
            assert "How many days" in seen or "1 quote found" in seen  # a sheet: both are there
            await tab.picture(tmp_path / "sources.png")
            await tap(tab, "[data-key=sources]")
            await tab.sees("1 quote found")


@pytest.mark.soak
async def test_the_keyboard_on_the_screen_hides_nothing(program: Program, chromium: int) -> None:
    """If it fails, what is typed stands behind the keyboard, where nobody sees it."""
    with serving(program) as (_, address):
        async with new_tab(chromium) as tab:
            await be_telephone(tab)
            await start(tab, address)
            rows = await _rows(tab)
            await be_telephone(tab, HIGH - KEYBOARD)
            await until_true(lambda: _has_fewer(tab, rows), "a lower terminal")
            bottom = "document.querySelector('#touch').getBoundingClientRect().bottom"
            assert await tab.value(bottom) <= HIGH - KEYBOARD
            top = "document.querySelector('#touch').getBoundingClientRect().top"
            end = "document.querySelector('.xterm-screen').getBoundingClientRect().bottom"
            assert await tab.value(f"{end} - {top}") <= 1
            await tab.sees("Ask your documents")


@pytest.mark.soak
async def test_a_finger_scrolls(program: Program, chromium: int) -> None:
    """If it fails, an answer that is longer than the page cannot be read."""
    with serving(program) as (_, address):
        async with new_tab(chromium) as tab:
            await be_telephone(tab)
            await start(tab, address)
            await tap(tab, "[data-key=find]")
            await write(tab, "paragraph nothing particular")
            await tab.sees("long.md")
            await tap(tab, "#send")
            await tab.sees("Esc Back")
            before = await tab.text()
            await touch(tab, 100, [300 - 10 * step for step in range(20)])
            await until_true(lambda: _differs(tab, before), "other lines")


@pytest.mark.soak
async def test_a_tap_on_a_citation_opens_its_source(program: Program, chromium: int) -> None:
    """If it fails, a finger that means a citation scrolls, or does nothing."""
    with serving(program) as (_, address):
        async with new_tab(chromium) as tab:
            await be_telephone(tab)
            await start(tab, address)
            await write(tab, "How many days of leave may technicians carry over?")
            await tab.sees("carry over?")
            await tap(tab, "#send")
            lines = (await tab.sees("1 quote found")).split("\n")
            row = next(row for row, line in enumerate(lines) if "[1]" in line)
            place = lines[row].index("[1]") + 1.5
            box = "document.querySelector('.xterm-screen').getBoundingClientRect()"
            x, y, width, height = await tab.value(f"(b => [b.x, b.y, b.width, b.height])({box})")
            columns = max(map(len, lines))
            high, wide = height / len(lines), width / columns
            await touch(tab, x + place * wide, [y + (row + 0.5) * high])
            await tab.sees("leave.md")


async def _rows(tab: Tab) -> int:
    return (await tab.text()).count("\n")


async def _has_fewer(tab: Tab, rows: int) -> bool:
    return await _rows(tab) < rows


async def _differs(tab: Tab, before: str) -> bool:
    return await tab.text() != before


async def until_true(holds: Callable[[], Awaitable[bool]], what: str) -> None:
    """Wait until something holds."""
    for _ in range(400):
        if await holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never came: {what}")
