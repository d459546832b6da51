"""Every other screen opens from the main one by its key and gives the prompt back."""

import asyncio
from pathlib import Path

import pytest
from textual.events import Key

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.find.screen import AskAbout
from rag_assistant.tui.history.screen import Resume
from rag_assistant.tui.library.folder_dialog import FolderDialog
from rag_assistant.tui.library.screen import LibraryScreen
from rag_assistant.values.scope import Scope
from tests.tui.screen import NARROW, opened


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("f1", "HelpScreen"),
        ("f2", "SettingsScreen"),
        ("f3", "ModelScreen"),
        ("f4", "LibraryScreen"),
        ("ctrl+f", "FindScreen"),
        ("ctrl+o", "FolderDialog"),
        ("ctrl+r", "HistoryScreen"),
    ],
)
async def test_a_key_opens_a_screen_and_escape_comes_back(
    assistant: Assistant, tmp_path: Path, key: str, name: str
) -> None:
    """If it fails, a screen cannot be reached, or there is no way back from it."""
    store = ConversationStore(tmp_path / "conversations.db")
    async with opened(assistant, NARROW, store, tmp_path / "config.toml") as shown:
        await shown.pilot.press(key)
        await shown.settle()
        assert type(shown.app.screen).__name__ == name
        for _ in range(3):
            if shown.app.screen is not shown.main:
                await shown.pilot.press("escape")
                await shown.settle()
        assert shown.app.screen is shown.main
        assert shown.box.has_focus


@pytest.mark.parametrize("key", ["f1", "f2", "f3", "f4", "ctrl+f", "ctrl+l", "ctrl+o", "ctrl+r"])
async def test_the_keys_of_the_main_screen_are_drawn_while_another_one_is_made(
    assistant: Assistant, tmp_path: Path, key: str
) -> None:
    """If it fails, a key bar that is drawn as F4 is pressed ends the program.

    Textual asks the screen in front whether it copies text, for the one behind it, too.
    """
    store = ConversationStore(tmp_path / "conversations.db")
    async with opened(assistant, NARROW, store, tmp_path / "config.toml") as shown:
        shown.app.post_message(Key(key, None))
        while shown.app.screen is shown.main:
            await asyncio.sleep(0)
        assert not shown.app.screen.is_mounted
        assert shown.main.active_bindings
        await shown.settle()


async def test_quitting_while_a_screen_is_made_waits_for_it(assistant: Assistant) -> None:
    """If it fails, F1 and Ctrl+Q pressed at once end with a report of a defect."""
    async with opened(assistant) as shown:
        shown.app.post_message(Key("f1", None))
        while shown.app.screen is shown.main:
            await asyncio.sleep(0)
        assert not shown.app.screen.is_mounted
        shown.app.exit()
        await shown.until(lambda: not shown.app.is_running, "the end")


async def test_what_screens_give_back_is_used(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, a chosen conversation, passage or model changes nothing."""
    store = ConversationStore(tmp_path / "conversations.db")
    async with opened(assistant, store=store, config_path=tmp_path / "config.toml") as shown:
        await shown.ask("What does the parking permit cost?")
        number = store.latest()
        await shown.pilot.press("ctrl+n")
        await shown.until(lambda: not shown.exchanges, "the new conversation")
        await shown.pilot.press("ctrl+r")
        await shown.settle()
        shown.app.screen.dismiss(Resume(number))
        await shown.until(lambda: len(shown.exchanges) == 1, "the conversation")
        await shown.pilot.press("ctrl+f")
        await shown.settle()
        shown.app.screen.dismiss(AskAbout("And the days?", (Scope("staff", ("leave.md",)),)))
        await shown.until(lambda: shown.box.text, "the question")
        assert shown.box.text == "And the days?"
        await shown.until(lambda: "scope: 1 doc" in shown.words("#status"), "its scope")
        await shown.pilot.press("f3")
        await shown.settle()
        shown.app.screen.dismiss("other-model")
        await shown.until(lambda: "other-model" in shown.words("#status"), "the model")
        assert shown.main._dialogue.model == "other-model"


async def test_a_key_before_the_parts_of_a_screen_stand_acts_once_they_do(
    assistant: Assistant,
) -> None:
    """If it fails, F4 and a letter pressed at once end the program."""
    async with opened(assistant) as shown:
        library = LibraryScreen(assistant)
        shown.app.push_screen(library)
        assert not library.is_mounted
        await shown.app.run_action("add", library)
        await shown.until(lambda: isinstance(shown.app.screen, FolderDialog), "what the key does")
