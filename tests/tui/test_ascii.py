"""Frames and marks in ASCII, and the other settings of the interface itself."""

from dataclasses import replace

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from rag_assistant.assistant import Assistant
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.terminal.ascii_filter import AsciiFilter
from tests.tui.screen import opened

DRAWN = "╭─╮│╰╯┏━┓┃┗┛▔▁▏▕▌▐█▄▀░▒▓●○◌◉■✓✗·…“”’–—❯▸▾▲▼→←↑↓×🔎⠋�"


def test_every_mark_has_one_as_wide() -> None:
    """If it fails, columns shift on a terminal without these characters."""
    for character in DRAWN:
        (segment,) = AsciiFilter().apply([Segment(character)], Color(0, 0, 0))
        assert segment.text.isascii(), character
        assert cell_len(segment.text) == cell_len(character), character
    (letters,) = AsciiFilter().apply([Segment("Größe 中文")], Color(0, 0, 0))
    assert letters.text == "Größe 中文", "letters of documents stay"


async def test_the_settings_of_the_interface_count(assistant: Assistant) -> None:
    """If it fails, a row of the settings changes nothing."""
    config = replace(assistant.config, ascii=True, animations=False)
    plain = Assistant(assistant.library, config, {})
    async with opened(plain) as shown:
        await shown.ask("What does the parking permit cost?")
        assert shown.app.animation_level == "none"
        assert any(isinstance(f, AsciiFilter) for f in shown.app.get_line_filters())
        assert shown.text().isascii()
    usual = AssistantApp(assistant)
    assert not any(isinstance(f, AsciiFilter) for f in usual.get_line_filters())
