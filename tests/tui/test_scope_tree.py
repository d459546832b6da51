"""The tree of what can be asked: ticked, counted, filtered, and given back in few words."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.tui.scope.screen import ScopeScreen
from rag_assistant.tui.scope.tree import read_tree
from rag_assistant.values.scope import Scope
from tests.conftest import write_files
from tests.tui.hosting import Hosted, hosted

SIZES = ((140, 40), (80, 24), (60, 18))


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


def test_a_filter_lists_the_likeliest_database_first(two: Assistant) -> None:
    """If it fails, a name that begins so stands below letters scattered over another database."""
    tree = read_tree(two.library, ("club", "staff"))
    found = [(node.database, node.path) for node in tree.fitting("par")]
    assert found[0] == ("staff", "parking.md")
    assert [node.path for node in tree.fitting("trips/2")][:2] == [
        "trips/2026/",
        "trips/2026/coast.md",
    ]
