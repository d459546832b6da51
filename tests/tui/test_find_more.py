"""Finding: other passages of a document, meaning, filters that complete, and small terminals."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.models.embedders import EndpointEmbedder
from rag_assistant.tui.find.filters import offer_filters
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.question.completion import CompletionList
from rag_assistant.tui.question.fuzzy_names import fitting
from rag_assistant.tui.question.scope_names import ScopeNames
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.values.ledger import IndexedFile
from rag_assistant.values.scope import Scope
from tests.conftest import write_files
from tests.models.embedding_server import EmbeddingServer
from tests.tui.hosting import Hosted, hosted

SIZES = ((140, 40), (80, 24), (60, 18))
PLAIN = "Nothing of interest is said in this line, nor in the one after it.\n\n"
CHAPTERS = "".join(
    f"## Chapter {n}\n\n{PLAIN * 12}The lighthouse of {name} is {n} metres high.\n\n{PLAIN * 12}"
    for n, name in enumerate(("Arkona", "Bremen", "Cuxhaven", "Dornbusch"), 1)
)


@pytest.fixture
def book(empty: Assistant, tmp_path: Path) -> Assistant:
    """An assistant with a long book about lighthouses, and a page about ships."""
    files = {"book.md": f"# Book\n\n{CHAPTERS}", "ships.md": "# Ships\n\nShips need harbours.\n"}
    empty.library.index(write_files(tmp_path / "sea", files))
    return empty


def _rows(shown: Hosted) -> str:
    return shown.words("#find-rows")


async def test_right_shows_the_other_passages_of_a_document(book: Assistant) -> None:
    """If it fails, all but one place of a long document must be looked for by hand."""
    async with hosted(FindScreen(book, (), "lighthouse metres high")) as shown:
        await shown.sees("❯ Book")
        await shown.settle()
        assert "└" not in _rows(shown)
        await shown.pilot.press("right")
        await shown.until(lambda: _rows(shown).count("└") == 3, "three other places")
        before = shown.words("#find-preview")
        await shown.pilot.press("down")
        await shown.until(lambda: shown.words("#find-preview") != before, "the text of another")
        marked = next(line for line in shown.text().splitlines() if "❯" in line)
        name = next(n for n in ("Arkona", "Bremen", "Cuxhaven", "Dornbusch") if n in marked)
        await shown.until(
            lambda: f"The lighthouse of {name} is" in shown.words("#find-preview"), "its words"
        )
        await shown.pilot.press("enter")
        await shown.until(lambda: isinstance(shown.app.screen, ReaderScreen), "the reader")
        await shown.sees(f"The lighthouse of {name} is")
        await shown.pilot.press("escape")
        await shown.until(lambda: isinstance(shown.app.screen, FindScreen), "the way back")
        await shown.pilot.press("left")
        await shown.until(lambda: "└" not in _rows(shown), "the passages to go")
        assert "❯ Book" in shown.text()


async def test_a_document_without_other_passages_says_so(book: Assistant) -> None:
    """If it fails, a key seems to do nothing."""
    async with hosted(FindScreen(book, (), "harbours")) as shown:
        await shown.sees("❯ Ships")
        await shown.pilot.press("right")
        await shown.sees("no other passage matches")


async def test_right_moves_within_the_words(book: Assistant) -> None:
    """If it fails, a mistyped letter in the middle cannot be reached."""
    async with hosted(FindScreen(book, (), "lighthouse")) as shown:
        await shown.sees("❯ Book")
        box = shown.app.screen.query_one(Input)
        await shown.press("home", "right")
        assert box.cursor_position == 1
        assert "└" not in _rows(shown)
        await shown.press("end", "left")
        assert box.cursor_position == len("lighthouse") - 1


@pytest.mark.parametrize("size", SIZES)
async def test_the_best_words_are_in_view_on_every_terminal(
    book: Assistant, size: tuple[int, int]
) -> None:
    """If it fails, the text beside a hit shows what stands before or after what was found."""
    async with hosted(FindScreen(book, (), "lighthouse Dornbusch"), size) as shown:
        await shown.until(
            lambda: "lighthouse of Dornbusch" in shown.words("#find-preview"), "the best words"
        )
        await shown.pilot.resize_terminal(60, 18)
        await shown.until(
            lambda: "lighthouse of Dornbusch" in shown.words("#find-preview"), "after a resize"
        )
        assert shown.app.screen.query_one("#find-preview").size.height >= 3


async def test_asking_from_the_list_takes_exactly_these(book: Assistant) -> None:
    """If it fails, `a` types a letter, or asks about more than was found."""
    async with hosted(FindScreen(book, (), "harbours")) as shown:
        await shown.sees("❯ Ships")
        shown.app.screen.query_one(PickList).focus()
        await shown.pilot.press("a")
        await shown.until(lambda: shown.given, "the outcome")
        (wanted,) = shown.given
        ((scope),) = wanted.scope
        paths = [entry.path for entry in book.library.database(scope).entries()]
        assert paths == ["ships.md"]


async def test_find_stays_within_a_scope(book: Assistant) -> None:
    """If it fails, Find shows what a question would not see."""
    async with hosted(FindScreen(book, (Scope("sea", ("ships.md",)),), "lighthouse")) as shown:
        await shown.sees("Nothing found.")
        assert "in parts of sea" in shown.text()
        await shown.type("ships")
        await shown.sees("1 document")


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    with EmbeddingServer() as running:
        yield running


async def test_tab_switches_between_words_and_meaning(
    book: Assistant, server: EmbeddingServer
) -> None:
    """If it fails, words leave the machine unasked, or meaning is out of reach without a model."""
    embedder = EndpointEmbedder(server.settings(), {})
    library = Library(book.library.home, embedder)
    assistant = Assistant(library, Config(), {})
    async with hosted(FindScreen(assistant, (), "lighthouse")) as shown:
        await shown.sees("keyword search (Tab: semantic)")
        await shown.pilot.press("tab")
        await shown.sees("there are no vectors yet: rag-assistant embed sea")
        assert "keyword search (Tab: semantic)" in shown.text()
    embed_database(library.database("sea"), embedder)
    async with hosted(FindScreen(assistant, (), "lighthouse")) as shown:
        await shown.sees("semantic search (Tab: keyword)")
        await shown.sees("2 documents")
        await shown.pilot.press("ctrl+e")
        await shown.sees("meaning ")
        await shown.pilot.press("tab")
        await shown.until(
            lambda: (
                "keyword search (Tab: semantic)" in shown.text() and "1 document" in shown.text()
            ),
            "by words alone",
        )
        await shown.pilot.press("tab")
        await shown.sees("2 documents")
    embedder.close()


async def test_without_an_embedder_it_says_how_to_have_one(book: Assistant) -> None:
    """If it fails, Tab seems to do nothing."""
    async with hosted(FindScreen(book, (), "lighthouse")) as shown:
        await shown.sees("❯ Book")
        await shown.pilot.press("tab")
        await shown.sees("keyword search only: no embedder is set up")


async def test_filters_complete_with_what_there_is(assistant: Assistant) -> None:
    """If it fails, a filter takes knowing the files by heart."""
    async with hosted(FindScreen(assistant, ())) as shown:
        box = shown.app.screen.query_one(Input)
        await shown.pilot.press(*"days pa")
        await shown.sees("only files whose path holds this")
        await shown.pilot.press("tab")
        assert box.value == "days path:"
        await shown.sees("path:parking.md")
        await shown.pilot.press("l", "e")
        await shown.until(lambda: "path:parking.md" not in shown.text(), "a shorter list")
        await shown.pilot.press("tab")
        assert box.value == "days path:leave.md "
        await shown.sees("1 document")
        await shown.pilot.press(*"type:")
        await shown.sees("3 files")
        await shown.pilot.press("escape")
        await shown.until(
            lambda: not shown.app.screen.query_one(CompletionList).display, "the list to go"
        )
        assert isinstance(shown.app.screen, FindScreen)


def test_what_each_filter_is_offered() -> None:
    """If it fails, a filter is completed to what the query language does not read."""
    files = (IndexedFile("a b/x.md", (1,), "My plan"), IndexedFile("a b/y.PDF", (2,), "Other"))
    names = ScopeNames(("s",), {"s": files}, {"a b/": 2, "a b/x.md": 1, "a b/y.PDF": 1})
    names = replace(names, authors={"Ann Ng": 2, "Bo": 1}, languages={"de": 1, "en": 3, "": 1})
    today = date(2026, 1, 15)

    def words(typed: str) -> list[str]:
        return [choice.word for choice in offer_filters(typed, names, today).choices]

    assert words("x path:x") == ['path:"a b/x.md"']
    assert words('-path:"a b') == ['-path:"a b/"', '-path:"a b/x.md"', '-path:"a b/y.PDF"']
    assert words("type:") == ["type:md", "type:pdf"]
    assert words("title:pl") == ['title:"My plan"']
    assert words("after:2025") == ["after:2025-12", "after:2025"]
    assert words("author:an") == ['author:"Ann Ng"']
    assert words("lang:") == ["lang:en", "lang:de", "lang:unknown"]
    assert words("lang:ger") == ["lang:de"]
    assert words("au") == ["author:"]
    assert words("be") == ["before:"]
    assert words("-ty") == ["-type:"]
    assert words("xpath:a") == []
    assert words("p") == []


def test_the_likeliest_names_come_first() -> None:
    """If it fails, the name that was meant stands behind those that hold its letters by chance."""
    names = ["notes/plan.md", "a/explain.md", "plan.md", "p/l/a/n.md", "other.md"]
    assert fitting("plan", names, 9) == [
        "plan.md", "notes/plan.md", "a/explain.md", "p/l/a/n.md",
    ]  # fmt: skip
    assert fitting("PLAN", names, 2) == ["plan.md", "notes/plan.md"]
    assert fitting("", names, 2) == names[:2]
    assert fitting("[", names, 2) == []
