"""What is asked: chosen in a tree, named in a question, said in the header, kept with it all."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.scope import Scope
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.main.commands import COMMANDS
from rag_assistant.tui.question.scope_names import ScopeNames, narrowed, read_names
from rag_assistant.tui.scope.screen import ScopeScreen
from rag_assistant.tui.scope.tree import read_tree
from tests.conftest import write_files
from tests.tui.hosting import Hosted, hosted
from tests.tui.screen import opened

SIZES = ((140, 40), (80, 24), (60, 18))
CLUB = {
    "rules.md": "# Rules\n\nMembers meet on Mondays.\n",
    "trips/alps.md": "# Alps\n\nThe trip to the Alps costs 300 euro.\n",
    "trips/2026/coast.md": "# Coast\n\nThe trip to the coast costs 90 euro.\n",
    "trips/2026/old map.md": "# Map\n\nThe old map hangs in the hut.\n",
}


@pytest.fixture
def two(assistant: Assistant, tmp_path: Path) -> Assistant:
    """An assistant with the databases `club` and `staff`."""
    assistant.library.index(write_files(tmp_path / "club", CLUB))
    return assistant


def _line(shown: Hosted, words: str) -> str:
    return next((line for line in shown.text().splitlines() if words in line), "")


@pytest.mark.parametrize("size", SIZES)
async def test_a_tree_shows_what_there_is_with_counts(
    two: Assistant, size: tuple[int, int]
) -> None:
    """If it fails, a person cannot see what a question goes to, or how much it is."""
    async with hosted(ScopeScreen(two.library, ("club", "staff")), size) as shown:
        await shown.sees("[x] club")
        assert "7 of 7 documents" in shown.text()
        await shown.press("down", "right")
        await shown.sees("[x] trips/")
        assert _line(shown, "trips/").split("│")[0].split()[-1] == "3"
        assert "alps.md" not in shown.text()
        await shown.press("down", "space")
        await shown.sees("[-] club")
        assert "1 of 4" in _line(shown, "[-] club")
        assert "4 of 7 documents" in shown.text()
        await shown.press("enter")
        await shown.until(lambda: shown.given, "the choice")
        assert shown.given == [(Scope("club", ("rules.md",)), "staff")]


async def test_a_choice_of_nothing_is_not_taken(two: Assistant) -> None:
    """If it fails, a question can be asked of nothing, and the answer be "it is not there"."""
    async with hosted(ScopeScreen(two.library, ("club", "staff"))) as shown:
        await shown.sees("[x] club")
        await shown.press("down", "n", "enter")
        await shown.sees("nothing is chosen: Space ticks")
        assert not shown.given
        await shown.press("escape")
        await shown.until(lambda: shown.given == [None], "the way out")


async def test_typing_finds_and_o_leaves_everything_else_out(two: Assistant) -> None:
    """If it fails, one document among thousands is reached by scrolling."""
    async with hosted(ScopeScreen(two.library, ("club", "staff"))) as shown:
        await shown.sees("[x] club")
        await shown.pilot.press(*"coa")
        await shown.sees("trips/2026/coast.md")
        assert "rules.md" not in shown.text()
        await shown.press("down", "o", "enter")
        await shown.until(lambda: shown.given, "the choice")
        assert shown.given == [(Scope("club", ("trips/2026/coast.md",)),)]


async def test_clicks_tick_boxes_and_open_folders(two: Assistant) -> None:
    """If it fails, the tree is for keys alone."""
    async with hosted(ScopeScreen(two.library, ("club", "staff"))) as shown:
        await shown.sees("[x] club")
        await shown.pilot.click("#browse-list", offset=(12, 0))
        await shown.sees("[x] rules.md")
        await shown.pilot.click("#browse-list", offset=(6, 0))
        await shown.sees("[ ] club")
        await shown.pilot.click("#browse-list", offset=(16, 2))
        await shown.sees("[-] club")
        await shown.pilot.click("#browse-list", offset=(12, 0))
        await shown.until(lambda: "rules.md" not in shown.words("#browse-list"), "it closed")


async def test_what_was_chosen_before_is_ticked(two: Assistant) -> None:
    """If it fails, looking at the scope means choosing it anew."""
    scope = Scope("club", ("trips/2026/", "rules.md"))
    async with hosted(ScopeScreen(two.library, (scope,))) as shown:
        await shown.sees("[-] club")
        await shown.sees("[-] trips/")
        assert "[ ] staff" in shown.text()
        assert "3 of 7 documents" in shown.text()
        await shown.press("down", "enter")
        await shown.until(lambda: shown.given, "the choice")
        ((given,),) = shown.given
        assert given == Scope("club", ("trips/2026/", "rules.md"))


def test_single_records_stay_chosen(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, asking about five rows found becomes asking the whole table."""
    rows = "\n".join(f'{{"id": "{n}", "text": "member {n} rows"}}' for n in range(5))
    empty.library.index(write_files(tmp_path / "club", {"members.jsonl": rows, "x.md": "# X\n"}))
    ids = tuple(e.id for e in empty.library.database("club").entries() if e.key)[1:3]
    tree = read_tree(empty.library, (Scope("club", entries=ids),))
    (root,) = tree.roots()
    assert tree.ticks(root) == "some"
    assert tree.count(root) == (2, 6)
    assert tree.wanted() == (Scope("club", entries=ids),)
    tree.tick(tree.children(root)[0], on=True)
    assert tree.wanted() == (Scope("club", ("members.jsonl",)),)


def test_a_tree_of_ten_thousand_is_quick(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, its answers differ from those of counting file by file."""
    files = {f"{n % 7}/{n % 31}/{n}.txt": f"note {n}\n" for n in range(600)}
    empty.library.index(write_files(tmp_path / "many", files))
    tree = read_tree(empty.library, ("many",))
    (root,) = tree.roots()
    for folder in tree.children(root)[1:3]:
        tree.tick(folder, on=False)
    left = [path for path in files if path[0] not in "12"]
    assert tree.count(root) == (len(left), 600)
    (scope,) = tree.wanted()
    assert scope == Scope("many", ("0/", "3/", "4/", "5/", "6/"))
    assert empty.library.database(scope).figures().entries == len(left)


async def test_the_scope_reaches_header_find_ask_and_back(two: Assistant) -> None:
    """If it fails, the header says one thing, and search or answers go by another."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.main.rows, "the databases")
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
        assert shown.main.wanted == ("club", "staff")


async def test_asking_about_what_was_found_asks_exactly_that(two: Assistant) -> None:
    """If it fails, an answer about five passages comes from other documents."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.main.rows, "the databases")
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
        await shown.until(lambda: shown.main.rows, "the databases")
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
        await shown.until(lambda: shown.main.rows, "the databases")
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
        await shown.until(lambda: shown.main.rows, "the databases")
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
        await shown.until(lambda: shown.main.rows, "the databases")
        shown.main.take_scope((scope,))
        await shown.ask("What does the trip to the coast cost?")
    async with opened(two, store=store) as shown:
        await shown.until(lambda: shown.main.rows, "the databases")
        assert not shown.main.scope
        shown.main.resume(1)
        await shown.until(lambda: shown.exchanges, "the conversation")
        await shown.until(lambda: "scope: 3 docs" in shown.words("#status"), "the header")
        assert shown.main.wanted == (scope,)


async def test_a_scope_whose_documents_are_gone_says_so(two: Assistant) -> None:
    """If it fails, it looks as if the documents said nothing of it."""
    async with opened(two) as shown:
        await shown.until(lambda: shown.main.rows, "the databases")
        shown.main.take_scope((Scope("club", ("gone.md",)),))
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
        await shown2.until(lambda: shown2.main.rows, "the database")
        await shown2.pilot.press(*"@zebra")
        await shown2.until(lambda: "[@click=app.quit]x[_] [$x]" in shown2.text(), "the offer")
        assert "\u202e" not in shown2.text()


def test_scope_is_among_the_commands() -> None:
    """If it fails, a terminal that keeps Ctrl+L to itself has no way to the scope."""
    assert {"scope", "everything"} <= {command.word for command in COMMANDS}


def test_files_of_a_missing_database_are_none(tmp_path: Path) -> None:
    """If it fails, a database removed meanwhile ends what is being typed in a traceback."""
    assert read_names(Library(tmp_path), ("x",), ("x",)).files == {}


def test_a_filter_lists_the_likeliest_database_first(two: Assistant) -> None:
    """If it fails, a name that begins so stands below letters scattered over another database."""
    tree = read_tree(two.library, ("club", "staff"))
    found = [(node.database, node.path) for node in tree.fitting("par")]
    assert found[0] == ("staff", "parking.md")
    assert [node.path for node in tree.fitting("trips/2")][:2] == [
        "trips/2026/",
        "trips/2026/coast.md",
    ]
