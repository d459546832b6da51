"""Make the frames of the first minute, from an empty home to a source at the quoted words, and the
moving picture of them that README shows:

    .venv/bin/python -m scripts.first_minute                        # docs/first-minute.svg
    .venv/bin/python -m scripts.first_minute --frames /tmp/frames   # each frame as a file as well

The running program is driven by the keys that a person would press. The picture moves by itself in
a browser, and stands still where less motion is asked for.
"""

import argparse
import asyncio
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.first_run.beginning import Beginning
from scripts.screenshot import ROOT, Taken, copied, levelled

FOLDER = "manual"
SIZE = (130, 34)
SECONDS = 3.0
"""How long a frame stands."""

_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


async def frames(home: Path, size: tuple[int, int] = SIZE) -> list[str]:
    """Go through the first minute; give each picture as SVG."""
    taken_frames: list[str] = []
    app = AssistantApp(Assistant(Library(home / "data"), Config(), {}), beginning=Beginning())
    async with app.run_test(size=size) as pilot:
        taken = Taken(app, pilot)

        async def keep() -> None:
            await pilot.pause(0.3)
            taken_frames.append(levelled(app.export_screenshot(title="rag-assistant")))

        def is_answered() -> bool:
            asked = list(app.screen.query(Exchange))
            return bool(asked) and asked[-1].state.phase is Phase.ANSWERED

        await taken.sees("Which folder do you want to ask?")
        await taken.press("ctrl+u", *f"~/{FOLDER}")
        await keep()
        await taken.press("enter")
        await taken.sees("readable")
        await keep()
        await taken.press("enter")
        await taken.sees("Ctrl+S asks it")
        await keep()
        await taken.press("ctrl+s")
        await taken.until(is_answered, "the answer")
        await keep()
        await taken.press("ctrl+g")
        await taken.sees("quote found")
        await keep()
        await app.workers.wait_for_complete()
    return taken_frames


def moving(pictures: Sequence[str], seconds: float = SECONDS) -> str:
    """Put frames of one size one after the other, for ever; still, the last one is shown."""
    view = _VIEW.search(pictures[0])
    assert view
    share = 100 / len(pictures)
    whole = seconds * len(pictures)
    style = (
        f"@keyframes shown {{ 0%, {share:.3f}% {{ visibility: visible }} "
        f"{share + 0.001:.3f}%, 100% {{ visibility: hidden }} }}\n"
        f".frame {{ visibility: hidden; animation: shown {whole:g}s step-end infinite }}\n"
        "@media (prefers-reduced-motion: reduce) {\n"
        "  .frame { animation: none } .frame:last-of-type { visibility: visible }\n}"
    )
    parts = [
        f'<g class="frame" style="animation-delay: {place * seconds:g}s">'
        f"{_renamed(picture, f'frame{place}')}</g>"
        for place, picture in enumerate(pictures)
    ]
    head = f'<svg viewBox="0 0 {view[1]} {view[2]}" xmlns="http://www.w3.org/2000/svg">'
    return "\n".join([head, f"<style>{style}</style>", *parts, "</svg>\n"])


def _renamed(picture: str, name: str) -> str:
    """Give a picture classes and ids of its own: those of all frames are in one document."""
    renamed = re.sub(r"(?<=[.#\" ])terminal(?=[-\"])", name, picture)
    return re.sub(r"url\(#terminal", f"url(#{name}", renamed)


def main() -> None:
    """Write the picture, and the frames where they are wanted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--frames", type=Path, help="a folder for the single frames")
    parser.add_argument("--into", type=Path, default=ROOT / "docs", help="a folder")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        os.environ["HOME"] = str(home)
        copied(FOLDER, home)
        pictures = asyncio.run(frames(home))
    for number, picture in enumerate(pictures if chosen.frames else (), 1):
        chosen.frames.mkdir(parents=True, exist_ok=True)
        (chosen.frames / f"first-minute-{number}.svg").write_text(picture, encoding="utf-8")
    path = chosen.into / "first-minute.svg"
    path.write_text(moving(pictures), encoding="utf-8")
    print(f"wrote {path}: {len(pictures)} frames")


if __name__ == "__main__":
    main()
