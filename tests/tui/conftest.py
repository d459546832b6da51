"""A small real folder, indexed, and an assistant over it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual import _wait
from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from tests.conftest import IndexOnce, write_files

LEAVE = """# Annual leave

Leave is counted in working days.

## Carrying over

Technicians may carry over eight days of leave into the next leave year. The days must be used by
30 September, after which they lapse.

## Buying days

Between 1 and 21 February you can buy up to four extra days.
"""
PARKING = "# Parking\n\nThe parking permit costs 40 euro a month and is paid with the salary.\n"
FILLER = "\n".join(f"Paragraph {number} is about nothing in particular.\n" for number in range(80))

CLUB = {
    "rules.md": "# Rules\n\nMembers meet on Mondays.\n",
    "trips/alps.md": "# Alps\n\nThe trip to the Alps costs 300 euro.\n",
    "trips/2026/coast.md": "# Coast\n\nThe trip to the coast costs 90 euro.\n",
    "trips/2026/old map.md": "# Map\n\nThe old map hangs in the hut.\n",
}


@pytest.fixture(scope="session", autouse=True)
def keys_without_pauses() -> Iterator[None]:
    """Let Textual's pilot wait five milliseconds at a time, not twenty, until nothing is going on.

    A key takes two such waits; whatever a test claims it waits for by itself.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(_wait, "SLEEP_GRANULARITY", 0.005)
        patched.setattr(_wait, "SLEEP_IDLE", 0.001)
        yield


@pytest.fixture(scope="session", autouse=True)
def styles_read_once() -> Iterator[None]:
    """Let all applications of a run share what Textual keeps of parsed styles for each."""
    parse: Callable[..., list[Any]] = Stylesheet._parse_rules
    kept: dict[object, list[Any]] = {}

    def parse_once(self: Stylesheet, css: str, read_from: object, **given: object) -> list[Any]:
        key = (css, read_from, *sorted(given.items()), *sorted(self._variables.items()))
        if key not in kept:
            kept[key] = parse(self, css, read_from, **given)
        return kept[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Stylesheet, "_parse_rules", parse_once)
        yield


@pytest.fixture(autouse=True)
def lines_let_go() -> Iterator[None]:
    """Let go of what Textual keeps of drawn widgets that are gone: half a gigabyte by the end."""
    yield
    StylesCache.get_inner_outer.cache_clear()


@pytest.fixture
def painted() -> None:
    """Let every frame be painted, for a test that looks at what is kept of the last one."""


@pytest.fixture(autouse=True)
def frames_that_nobody_sees(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paint no frames for the terminal that is not there: a quarter of the interface's time.

    What a test reads is painted as it reads it. In a soak every frame is, and tests/terminal see
    what reaches a terminal.
    """
    if request.config.getoption("soak") or "painted" in request.fixturenames:
        return
    render = Compositor.render_update

    def paint(
        self: Compositor,
        full: bool = False,
        screen_stack: list[Screen[Any]] | None = None,
        simplify: bool = False,
    ) -> object:
        if full:
            return render(self, full, screen_stack, simplify)
        self._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", paint)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "staff"
    made.mkdir()
    (made / "leave.md").write_text(LEAVE, encoding="utf-8")
    (made / "parking.md").write_text(PARKING, encoding="utf-8")
    buried = f"# Long\n\n{FILLER}\nThe boiler room key hangs behind the blue door.\n\n{FILLER}"
    (made / "long.md").write_text(buried, encoding="utf-8")
    return made


@pytest.fixture
def empty(tmp_path: Path) -> Assistant:
    """An assistant that has no database."""
    return Assistant(Library(tmp_path / "home"), Config(), {})


@pytest.fixture
def assistant(empty: Assistant, folder: Path, index_once: IndexOnce) -> Assistant:
    """An assistant with the database `staff`."""
    index_once(empty.library, folder)
    return empty


@pytest.fixture
def two(assistant: Assistant, tmp_path: Path, index_once: IndexOnce) -> Assistant:
    """An assistant with the databases `club` and `staff`."""
    index_once(assistant.library, write_files(tmp_path / "club", CLUB))
    return assistant
