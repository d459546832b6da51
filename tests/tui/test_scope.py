"""What is asked: chosen, named in a question, said in the header, kept with the conversation."""

from pathlib import Path

from textual.events import Key

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.lists.browse_screen import FilterBox
from rag_assistant.tui.main.commands import COMMANDS
from rag_assistant.tui.question.scope_names import ScopeNames, narrowed, read_names
from rag_assistant.tui.scope.screen import ScopeScreen
from rag_assistant.values.scope import Scope
from tests.conftest import write_files
from tests.tui.conftest import CLUB
from tests.tui.hosting import hosted
from tests.tui.screen import opened


async def test_the_scope_reaches_header_find_ask_and_back(two: Assistant) -> None:
    """If it fails, the header says one thing, and search or answers go by another."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.pilot.press("ctrl+l")
        await shown.until(lambda: isinstance(shown.app.screen, ScopeScreen), "the tree")
        await shown.until(lambda: "[x] staff" in shown.text(), "the databases")
        await shown.pilot.press(*"trips")
        await shown.until(lambda: "coast.md" in shown.text(), "the folder")
        await shown.pilot.press("down", "o", "enter")
        await shown.until(lambda: "scope: 3 docs" in shown.words("#status"), "the header")
        await shown.until(lambda: "[-] club" in shown.text(), "the panel")
        assert "[ ] staff" in shown.text()
        exchange = await shown.ask("What does it cost?")
        assert exchange.state.answer is not None
        assert exchange.state.answer.coverage.entries_indexed == 3
        paths = {i.path for e in exchange.state.answer.evidence for i in e.items}
        assert paths <= {path for path in CLUB if path.startswith("trips/")}
        await shown.pilot.press("ctrl+f")
        await shown.until(lambda: isinstance(shown.app.screen, FindScreen), "the find screen")
        await shown.pilot.press(*"costs euro members permit")
        await shown.until(lambda: "2 documents" in shown.text(), "what is in scope")
        assert "parking" not in shown.text()
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.box.has_focus, "the way back")
        await shown.pilot.press(*"/everything", "enter")
        await shown.until(lambda: "scope:" not in shown.words("#status"), "no scope")
        assert shown.main.scope.wanted == ("club", "staff")


async def test_keys_pressed_faster_than_the_list_takes_over_reach_it(two: Assistant) -> None:
    """If it fails, of "down, down, space" typed fast the wrong document is left out."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.pilot.press("ctrl+l")
        await shown.until(lambda: "[x] staff" in shown.text(), "the databases")
        for key in ("down", "down", "space"):  # all of them before the first is acted on
            shown.app.post_message(Key(key, " " if key == "space" else None))
        await shown.until(lambda: "[x] club" in shown.text(), "the first, as it was")
        await shown.until(lambda: "[ ] staff" in shown.text(), "the second")
        assert not shown.app.screen.query_one(FilterBox).value


async def test_asking_about_what_was_found_asks_exactly_that(two: Assistant) -> None:
    """If it fails, an answer about five passages comes from other documents."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.pilot.press("ctrl+f")
        await shown.pilot.press(*"coast alps")
        await shown.until(lambda: "2 documents" in shown.text(), "what was found")
        await shown.pilot.press("ctrl+s")
        await shown.until(lambda: "scope: 2 docs" in shown.words("#status"), "the header")
        assert shown.box.text == "coast alps"
        exchange = await shown.ask(" in euro?")
        assert exchange.state.answer is not None
        assert exchange.state.answer.coverage.entries_indexed == 2


async def test_at_path_limits_one_question(two: Assistant) -> None:
    """If it fails, asking one document takes a walk through the tree and back."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.pilot.press("@", "c", "s", "t")
        await shown.until(lambda: "@trips/2026/coast.md" in shown.text(), "the offer")
        await shown.pilot.press("tab")
        assert shown.box.text == "@trips/2026/coast.md "
        exchange = await shown.ask("What does the trip cost?")
        assert exchange.state.question == "What does the trip cost?"
        assert exchange.state.databases == (Scope("club", ("trips/2026/coast.md",)),)
        assert "90 euro" in exchange.state.text
        assert "300" not in exchange.state.text
        shown.main.query_one("#conversation").focus()
        await shown.pilot.press("r")
        await shown.until(lambda: len(shown.exchanges) == 2, "the question again")
        await shown.until(lambda: shown.exchanges[1].state.over, "its answer")
        again = shown.exchanges[1].state
        assert again.databases == (Scope("club", ("trips/2026/coast.md",)),)
        exchange = await shown.ask("What does the trip to the Alps cost?")
        assert exchange.state.databases == ("club", "staff")


async def test_a_folder_or_a_name_with_a_space_can_be_meant(two: Assistant) -> None:
    """If it fails, `@` understands less than it offers."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        await shown.pilot.press(*"@trip")
        await shown.until(lambda: "@trips/2026/" in shown.text(), "the folders")
        assert "3 files" in shown.text()
        shown.box.clear()
        await shown.pilot.press(*"@map")
        await shown.until(lambda: '@"trips/2026/old map.md"' in shown.text(), "the quoted name")
        await shown.pilot.press("enter")
        exchange = await shown.ask("where does it hang")
        assert exchange.state.databases == (Scope("club", ("trips/2026/old map.md",)),)
        assert "hut" in exchange.state.text


async def test_a_name_that_is_pasted_whole_is_understood(two: Assistant) -> None:
    """If it fails, `@` works only for those who type slowly enough to see the list."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        exchange = await shown.ask("@rules.md When do members meet?")
        assert exchange.state.databases == (Scope("club", ("rules.md",)),)
        assert exchange.state.question == "When do members meet?"


def test_places_named_within_a_scope_stay_within_it(two: Assistant) -> None:
    """If it fails, `@trips/` reaches documents that the scope leaves out."""
    scope = Scope("club", ("trips/2026/coast.md", "rules.md"))
    names = read_names(two.library, ("club", "staff"), (scope,))
    question, asked = narrowed("@trips/ cost?", names)
    assert question == "cost?"
    ((part),) = asked
    assert isinstance(part, Scope)
    paths = [entry.path for entry in two.library.database(part).entries()]
    assert paths == ["trips/2026/coast.md"]
    assert narrowed("@trips/alps.md cost?", names) == ("@trips/alps.md cost?", ())
    whole = read_names(two.library, ("club", "staff"), ("club", "staff"))
    _, both = narrowed("@club @rules.md @trips/ @staff x", whole)
    assert both == (Scope("club", ("rules.md", "trips/")), "staff")
    assert narrowed("a@staff", whole) == ("a@staff", ())
    assert narrowed("@gone.md x", ScopeNames()) == ("@gone.md x", ())


async def test_a_resumed_conversation_has_its_scope_again(two: Assistant, tmp_path: Path) -> None:
    """If it fails, going on with a conversation asks other documents than before."""
    store = ConversationStore(tmp_path / "conversations.db")
    scope = Scope("club", ("trips/",))
    async with opened(two, store=store) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        shown.main.scope.take((scope,))
        await shown.ask("What does the trip to the coast cost?")
    async with opened(two, store=store) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        assert not shown.main.scope.scope
        shown.main.conversation.resume(1)
        await shown.until(lambda: shown.exchanges, "the conversation")
        await shown.until(lambda: "scope: 3 docs" in shown.words("#status"), "the header")
        assert shown.main.scope.wanted == (scope,)


async def test_a_scope_whose_documents_are_gone_says_so(two: Assistant) -> None:
    """If it fails, it looks as if the documents said nothing of it."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.rows, "the databases")
        shown.main.scope.take((Scope("club", ("gone.md",)),))
        await shown.until(lambda: "scope: 0 docs" in shown.words("#status"), "the header")
        exchange = await shown.ask("What?")
        assert "None of the chosen documents of club" in exchange.state.reason
        assert "Choose others" in shown.text()


async def test_hostile_names_are_text(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, a file can act by being listed."""
    name = "zebra [@click=app.quit]x[_] [$x] [bold] \u202eend.md"
    empty.library.index(write_files(tmp_path / "evil", {name: "# Z\n\nzebra\n"}))
    async with hosted(ScopeScreen(empty.library, ("evil",)), (160, 30)) as shown:
        await shown.sees("[@click=app.quit]x[_] [$x] [bold]")
        assert "\u202e" not in shown.text()
    async with opened(empty, (160, 30)) as shown2:
        await shown2.until(lambda: shown2.rows, "the database")
        await shown2.pilot.press(*"@zebra")
        await shown2.until(lambda: "[@click=app.quit]x[_] [$x]" in shown2.text(), "the offer")
        assert "\u202e" not in shown2.text()


def test_scope_is_among_the_commands() -> None:
    """If it fails, a terminal that keeps Ctrl+L to itself has no way to the scope."""
    assert {"scope", "everything"} <= {command.word for command in COMMANDS}


def test_files_of_a_missing_database_are_none(tmp_path: Path) -> None:
    """If it fails, a database removed meanwhile ends what is being typed in a traceback."""
    assert read_names(Library(tmp_path), ("x",), ("x",)).files == {}
