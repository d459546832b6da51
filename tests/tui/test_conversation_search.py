"""Searching a conversation: all of it, from hit to hit."""

from rag_assistant.assistant import Assistant
from tests.tui.long_conversation import filled
from tests.tui.screen import opened


async def test_a_search_finds_what_is_folded(assistant: Assistant) -> None:
    """If it fails, a search misses most of a long conversation."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 100)
        await shown.pilot.press("slash", *"word13x5", "enter")
        await shown.until(lambda: "word13x5 is said here" in shown.text(), "the hit")
        await shown.until(lambda: "in 1 question: n next" in shown.text(), "the count")
        assert conversation.has_focus
        await shown.pilot.press("end", "slash", *"answer 42 begins", "enter")
        await shown.until(lambda: "Answer 42 begins" in shown.text(), "words side by side")
        await shown.pilot.press("slash", *"zebra", "enter")
        await shown.until(lambda: "“zebra” was not found" in shown.text(), "the remark")


async def test_n_goes_from_hit_to_hit_and_round(assistant: Assistant) -> None:
    """If it fails, only the first hit of a search can be reached."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 60)
        await shown.pilot.press("home")
        await shown.until(lambda: "Question 0?" in shown.text(), "the first question")

        await shown.pilot.press("slash", *"question", "enter")
        await shown.until(lambda: conversation.search.place == (0, 0), "the first hit")
        for key, wanted in (("n", 1), ("n", 2), ("N", 1), ("N", 0), ("N", 59)):
            await shown.pilot.press(key)
            await shown.pilot.pause()
            assert conversation.search.place == (wanted, 0)
        await shown.until(lambda: "Question 59?" in shown.text(), "the last question")
        await shown.pilot.press("escape")
        await shown.pilot.pause()
        assert conversation.search.place is None
        assert all(exchange.sought is None for exchange in shown.exchanges)
