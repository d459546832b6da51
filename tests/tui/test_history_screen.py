"""The conversations: found by a word, looked at, resumed, renamed, branched, exported, deleted."""

import json
from pathlib import Path

import pytest

from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.history import screen as history_screen
from rag_assistant.tui.history.screen import HistoryScreen, Resume
from tests.history.runs import run
from tests.tui.hosting import hosted


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    """Two conversations, the first of which was cut off."""
    store = ConversationStore(tmp_path / "kept" / "conversations.db")
    _keep(store, "Where is the boiler key?", "Behind the blue door.", whole=False)
    _keep(store, "How many days of leave?", "You get 27 days [1].")
    return store


def _keep(store: ConversationStore, question: str, text: str, *, whole: bool = True) -> None:
    first, *events = run(question, text)
    recording = store.begin(first)  # type: ignore[arg-type]
    recording.keep(events if whole else events[:-1])
    if whole:
        recording.finish(())
    recording.close()


async def test_conversations_are_listed_with_what_tells_them_apart(
    store: ConversationStore,
) -> None:
    """If it fails, a person cannot tell conversations apart, or misses that one was cut off."""
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        assert "Today" in shown.text()
        assert "1 question" in shown.words("#browse-list")
        assert "1 cited" in shown.words("#browse-list")
        assert "handbook" in shown.words("#browse-list")
        assert "2 conversations" in shown.text()
        assert screen.listing.key == "2"
        await shown.until(lambda: "27 days" in shown.words("#browse-detail"), "the preview")
        await shown.press("tab", "down")
        await shown.until(lambda: "boiler key?" in shown.words("#browse-detail"), "the other one")


async def test_a_word_of_an_answer_finds_its_conversation(store: ConversationStore) -> None:
    """If it fails, what was answered before is lost among many titles."""
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        await shown.press(*"27")
        await shown.until(lambda: "1 of 2" in shown.text(), "the search")
        assert screen.listing.key == "2"
        await shown.press("escape", *"nowhere")
        await shown.until(lambda: "Nothing found" in shown.text(), "the empty search")
        await shown.press("escape", *"boil")
        await shown.until(lambda: screen.listing.key == "1", "the half-typed title")
        await shown.press("enter")
        await shown.settle()
        assert shown.given == [Resume(1)]


async def test_a_deletion_can_be_taken_back(store: ConversationStore) -> None:
    """If it fails, one wrong key loses a conversation for good, or one is never deleted."""
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        await shown.press("tab", "d")
        await shown.settle()
        assert "1 conversation" in shown.text()
        assert "brings it back" in shown.text()
        assert store.count() == 2
        await shown.press("u")
        await shown.settle()
        assert screen.listing.key == "2"
        await shown.press("d", "escape")
        await shown.until(lambda: shown.given == [None], "the end of the screen")
        await shown.until(lambda: store.count() == 1, "the deletion")
    assert [summary.id for summary in store.conversations()] == [1]


async def test_a_deletion_is_made_after_a_while(
    store: ConversationStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, what was deleted stays in the file as long as the screen is open."""
    monkeypatch.setattr(history_screen, "UNDO_SECONDS", 0.05)
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        await shown.press("tab", "d")
        await shown.until(lambda: store.count() == 1, "the deletion")


async def test_a_title_is_changed_in_place(store: ConversationStore) -> None:
    """If it fails, a conversation keeps a title by which nobody finds it."""
    screen = HistoryScreen(store)
    async with hosted(screen, (80, 24)) as shown:
        await shown.press("tab", "r")
        await shown.type("")
        await shown.press("enter")
        await shown.until(lambda: "The title is empty" in shown.words("#edit-line"), "the reason")
        await shown.type("Leave")
        await shown.press("enter")
        await shown.until(lambda: not screen.edit.display, "the change")
        await shown.settle()
        assert "Leave" in shown.words("#browse-list")
        assert store.show(2).summary.title == "Leave"


async def test_a_branch_is_a_copy_at_the_cursor(store: ConversationStore) -> None:
    """If it fails, going on another way would change the conversation itself."""
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        await shown.press("tab", "b")
        await shown.until(lambda: screen.listing.key == "3", "the copy")
        assert store.show(3).summary.parent == 2
        await shown.press("enter")
        await shown.settle()
        assert shown.given == [Resume(3)]


async def test_an_export_says_where_it_is(
    store: ConversationStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a person looks for the file, or one of theirs is overwritten."""
    monkeypatch.chdir(tmp_path)
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        await shown.press("tab", "e", "enter")
        await shown.until(lambda: "written to" in shown.words("#browse-remark"), "the path")
        written = tmp_path / "conversation-2.md"
        assert "> 27 days of annual leave a year" in written.read_text(encoding="utf-8")
        await shown.press("e")
        await shown.type("conversation-2.md")
        await shown.press("enter")
        await shown.until(lambda: "there already" in shown.words("#edit-line"), "the reason")
        await shown.type("a.json")
        await shown.press("enter")
        await shown.until(lambda: not screen.edit.display, "the second file")
        assert json.loads((tmp_path / "a.json").read_text())["exchanges"][0]["citations"]


async def test_what_cannot_be_shown_is_said_in_words(tmp_path: Path) -> None:
    """If it fails, an empty or damaged file looks like a screen that does not work."""
    path = tmp_path / "conversations.db"
    screen = HistoryScreen(ConversationStore(path))
    async with hosted(screen, (60, 18)) as shown:
        assert "No conversation is kept yet." in shown.words("#browse-list")
        await shown.press("tab", "enter", "d", "r", "b", "e", "u", "escape")
        await shown.settle()
        assert shown.given == [None]
    path.write_bytes(b"no database at all" * 500)
    screen = HistoryScreen(ConversationStore(path))
    async with hosted(screen) as shown:
        assert "set aside as" in shown.text()


async def test_what_was_kept_cannot_act(tmp_path: Path) -> None:
    """If it fails, an old question or answer steers the terminal at every start."""
    store = ConversationStore(tmp_path / "conversations.db")
    payload = "[/bold] [@click=app.quit]x[/] [$x] \x1b]0;x\x07"
    _keep(store, payload, payload)
    screen = HistoryScreen(store)
    async with hosted(screen) as shown:
        await shown.until(lambda: shown.text().count("[@click=app.quit]x[/] [$x]") >= 3, "it all")
        assert "\x1b" not in shown.text()
