"""The width of the terminal decides how a screen is laid out, from its first drawing on."""

from rag_assistant.assistant import Assistant
from rag_assistant.tui.drawing.breakpoints import WIDTHS, class_at
from tests.tui.screen import opened


def test_each_width_has_its_class() -> None:
    """If it fails, a terminal is laid out as a wider or a narrower one until it is resized."""
    widths = (0, 79, 80, 109, 110, 500)
    wanted = ["-narrow", "-narrow", "-medium", "-medium", "-wide", "-wide"]
    assert [class_at(width) for width in widths] == wanted


async def test_a_resized_screen_has_the_class_of_its_new_width(assistant: Assistant) -> None:
    """If it fails, the class of the first width stays, and two layouts are mixed."""
    async with opened(assistant, (109, 30)) as shown:

        def classes() -> set[str]:
            return {name for _, name in WIDTHS if shown.main.has_class(name)}

        assert classes() == {"-medium"}
        for width, wanted in ((110, "-wide"), (79, "-narrow")):
            await shown.pilot.resize_terminal(width, 30)
            await shown.until(lambda: classes() == {wanted}, wanted)  # noqa: B023
