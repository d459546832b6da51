"""Make the README's picture of the interface from the running program:

    .venv/bin/python scripts/screenshot.py        # writes docs/interface.svg

The demo handbook is indexed into a home of its own, a question is asked, a citation opened.
"""

import asyncio
import tempfile
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.exchange import Exchange
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.sources.evidence_panel import EvidencePanel

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "interface.svg"
QUESTION = "How many weeks of leave do partners get at full pay?"
SIZE = (132, 38)


async def take(home: Path) -> str:
    """Ask the question in the interface; give the screen as SVG."""
    library = Library(home)
    for name in ("handbook", "manual", "council"):
        library.index(ROOT / "corpora" / name)
    app = AssistantApp(Assistant(library, Config(), {}))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(*QUESTION, "enter")
        for _ in range(200):
            await pilot.pause(0.05)
            asked = list(app.screen.query(Exchange))
            if asked and asked[-1].state.phase is Phase.ANSWERED:
                break
        await pilot.press("ctrl+g")
        await pilot.pause(0.5)
        assert app.screen.query_one(EvidencePanel).display
        return app.export_screenshot(title="rag-assistant")


def main() -> None:
    """Write the picture."""
    with tempfile.TemporaryDirectory() as home:
        PICTURE.write_text(asyncio.run(take(Path(home))), encoding="utf-8")
    print(f"wrote {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
