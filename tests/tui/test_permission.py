"""A tool that does more than read waits for the person, and no stray key lets it run."""

import asyncio

import pytest
from textual import events

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.main import main_screen
from rag_assistant.tui.permission import card as permission_card
from rag_assistant.tui.permission.card import INERT_SECONDS, PermissionCard
from tests.tui.screen import NARROW, Opened, opened
from tests.tui.scripted_assistant import CALL, ActProvider, scripted


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens what a person is given to look at the card, where that is not what is tested."""
    monkeypatch.setattr(permission_card, "INERT_SECONDS", 0.05)
    monkeypatch.setattr(main_screen, "QUIET_SECONDS", 0.05)


def _card(shown: Opened) -> PermissionCard:
    return shown.main.query_one(PermissionCard)


async def _card_with_focus(shown: Opened) -> None:
    await shown.until(lambda: isinstance(shown.app.focused, PermissionCard), "the card")


async def _card_alive(shown: Opened) -> None:
    """Wait until keys on the card are answers."""
    await _card_with_focus(shown)
    await asyncio.sleep(permission_card.INERT_SECONDS + 0.1)


async def test_nothing_runs_before_the_answer_and_y_allows_it_once(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a tool runs unasked, an early key allows it, or once means for ever."""
    # So long that a busy machine cannot let the card come alive before the early key.
    monkeypatch.setattr(permission_card, "INERT_SECONDS", 60.0)
    acts = ActProvider()
    asked = scripted(assistant, [CALL, "First.", CALL, "Second."], acts)
    async with opened(asked) as shown:
        await shown.type_and_send("Do it?")
        await _card_with_focus(shown)
        await shown.pilot.press("y")
        await shown.pilot.pause()
        assert acts.runs == 0
        assert _card(shown).has_focus
        assert "Run act?" in shown.text()
        assert "It acts on: print(1)" in shown.text()
        assert "words    the model's, not yours" in shown.text()
        assert "network  not known" in shown.text()
        assert "waiting for you: using act" in shown.text()
        monkeypatch.setattr(permission_card, "INERT_SECONDS", INERT_SECONDS)
        await _card_alive(shown)
        await shown.pilot.press("y")
        await shown.until(lambda: shown.phase(0) is Phase.ANSWERED, "the answer")
        assert acts.runs == 1
        assert shown.box.has_focus
        await shown.type_and_send("Again?")
        await _card_alive(shown)
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.phase(1) is Phase.ANSWERED, "the second answer")
        assert acts.runs == 1
    assert acts.closed == 1


@pytest.mark.usefixtures("brief")
async def test_a_asks_no_more_in_this_conversation(assistant: Assistant) -> None:
    """If it fails, the person is asked again for what they allowed, or in the next conversation
    no more."""
    acts = ActProvider()
    asked = scripted(assistant, [CALL, "One.", CALL, "Two.", CALL, "Three."], acts)
    async with opened(asked) as shown:
        await shown.type_and_send("Do it?")
        await _card_alive(shown)
        await shown.pilot.press("a")
        await shown.until(lambda: shown.phase(0) is Phase.ANSWERED, "the answer")
        await shown.ask("Again?")
        assert acts.runs == 2
        await shown.pilot.press("ctrl+n")
        await shown.until(lambda: not shown.exchanges, "the new conversation")
        await shown.type_and_send("And here?")
        await _card_alive(shown)
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.phase(0) is Phase.ANSWERED, "the third answer")
        assert acts.runs == 2


async def test_typing_is_never_taken_for_an_answer(assistant: Assistant) -> None:
    """If it fails, a request that arrives while a person types is allowed by a letter of theirs."""
    acts = ActProvider()
    words = "what about all y a n"
    async with opened(scripted(assistant, [CALL, "Done."], acts)) as shown:
        await shown.type_and_send("Do it?")
        for letter in words:
            await shown.pilot.press("space" if letter == " " else letter)
            await asyncio.sleep(0.06)  # with what pressing takes, a tenth of a second a key
        assert shown.box.text == words
        assert "1 request waiting: Tab  " in shown.text()
        assert not shown.main.query(PermissionCard)
        await asyncio.sleep(1.2)
        assert shown.box.has_focus  # the prompt is not empty
        await shown.pilot.press("tab")
        assert _card(shown).has_focus
        await shown.pilot.press("tab")
        await shown.pilot.pause()
        assert shown.box.has_focus
        assert shown.box.text == words
        assert acts.runs == 0


@pytest.mark.usefixtures("brief")
async def test_letters_typed_on_the_card_go_to_the_prompt(assistant: Assistant) -> None:
    """If it fails, who begins to type as the card appears loses letters."""
    async with opened(scripted(assistant, [CALL, "Done."], ActProvider())) as shown:
        await shown.type_and_send("Do it?")
        await _card_with_focus(shown)
        await shown.pilot.press("w")
        await shown.pilot.pause()
        await shown.pilot.press("h", "y")
        assert shown.box.text == "why"
        assert "1 request waiting: Tab" in shown.text()


@pytest.mark.usefixtures("brief")
async def test_coming_back_to_the_terminal_makes_keys_wait_again(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, the key or click that brings the terminal back is taken for an answer."""
    acts = ActProvider()
    async with opened(scripted(assistant, [CALL, "Done."], acts)) as shown:
        await shown.type_and_send("Do it?")
        await _card_alive(shown)
        monkeypatch.setattr(permission_card, "INERT_SECONDS", 60.0)
        shown.app.post_message(events.AppBlur())
        await shown.pilot.pause()
        shown.app.post_message(events.AppFocus())
        await _card_with_focus(shown)
        await shown.pilot.click(PermissionCard, offset=(6, 3))
        await shown.pilot.press("y", "a", "n", "enter")
        await shown.pilot.pause()
        assert acts.runs == 0
        assert shown.main.desk.waiting == 1


@pytest.mark.usefixtures("brief")
async def test_code_longer_than_the_card_must_be_seen_to_its_end(assistant: Assistant) -> None:
    """If it fails, the harmful last line of a long program is allowed unseen."""
    code = "\n".join(f"line {number}" for number in range(60)) + "\nthe last line"
    acts = ActProvider(f"It runs:\n{code}")
    async with opened(scripted(assistant, [CALL, "Done."], acts), NARROW) as shown:
        await shown.type_and_send("Do it?")
        await _card_alive(shown)
        assert "the last line" not in shown.text()
        await shown.pilot.press("y")
        await shown.pilot.pause()
        assert acts.runs == 0
        assert "Read it first" in shown.text()
        before = shown.text().count("line ")
        await shown.pilot.press("x")
        await shown.pilot.pause()
        assert shown.text().count("line ") > before
        await shown.pilot.press("end")
        await shown.pilot.pause()
        assert "the last line" in shown.text()
        await shown.pilot.press("y")
        await shown.until(lambda: acts.runs, "the run")


@pytest.mark.usefixtures("brief")
async def test_stopping_takes_the_request_back(assistant: Assistant) -> None:
    """If it fails, the card of a stopped answer stands there, or what it asks runs after all."""
    acts = ActProvider()
    async with opened(scripted(assistant, [CALL, "Done."], acts)) as shown:
        await shown.type_and_send("Do it?")
        await _card_with_focus(shown)
        shown.main.conversation.stop()
        await shown.until(lambda: not shown.main.desk.waiting, "the end of the request")
        await shown.until(lambda: shown.box.has_focus, "the prompt")
        assert not shown.main.desk.display
        assert acts.runs == 0


@pytest.mark.usefixtures("brief")
async def test_what_will_run_is_text(assistant: Assistant) -> None:
    """If it fails, a program hides its lines or acts on the screen that asks for leave."""
    acts = ActProvider("[/bold] [@click=app.quit]x[/] \x1b]0;t\x07\u202eevil")
    async with opened(scripted(assistant, [CALL, "Done."], acts)) as shown:
        await shown.type_and_send("Do it?")
        await _card_with_focus(shown)
        assert "[/bold] [@click=app.quit]x[/]" in shown.text()
        assert "\x1b" not in shown.text()
        assert "\u202e" not in shown.text()
        assert "code: print(1)" in shown.text()
