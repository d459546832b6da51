"""Vectors made beside the conversation: shown in the list of databases, never in the way."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.background import VectorNews
from rag_assistant.library.library import Library
from rag_assistant.models.embedders import EndpointEmbedder
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from scripts.benchmarks.shared.model_replies import Status, error
from tests.models.embedding_server import EmbeddingServer, Odd
from tests.tui.screen import Opened, opened


@contextmanager
def embedding(home: Path, odd: Odd = lambda number, body: None) -> Iterator[Assistant]:
    """Give an assistant whose passages are embedded one by one."""
    with EmbeddingServer(odd) as server:
        embedder = EndpointEmbedder(server.settings(batch=1, timeout_seconds=20), {})
        yield Assistant(Library(home, embedder), Config(), {})
        embedder.close()


def panel(shown: Opened) -> str:
    return shown.words("#databases")


async def test_asking_goes_on_while_vectors_are_made(tmp_path: Path, folder: Path) -> None:
    """A person who added a folder could not ask before a slow model is through with it."""
    go_on = threading.Event()

    def slow(number: int, body: dict[str, Any]) -> None:
        # A passage comes with its title above it; a question, a single line, is not held up.
        if number > 3 and "\n" in body["input"][0]:
            go_on.wait(20)

    with embedding(tmp_path / "home", slow) as assistant:
        async with opened(assistant) as shown:
            shown.main.indexing.index(str(folder))
            await shown.until(lambda: "vectors 2/" in panel(shown), "the first vectors")
            exchange = await shown.ask("What does the parking permit cost?")
            assert "40 euro" in exchange.state.text
            assert "vectors 2/" in panel(shown)
            assert shown.rows[0].lacking > 0
            go_on.set()
            await shown.until(lambda: not shown.main.indexing.vectors, "the last vector")
            await shown.until(lambda: shown.rows[0].lacking == 0, "the count")
            assert "vector" not in panel(shown)


async def test_a_model_that_refuses_is_named_and_answers_go_on(
    tmp_path: Path, folder: Path
) -> None:
    """A missing key would go unseen, or keep everything from working."""
    with embedding(tmp_path / "home", lambda n, body: Status(401, error("no key"))) as assistant:
        async with opened(assistant) as shown:
            shown.main.indexing.index(str(folder))
            await shown.until(lambda: "wants a key" in panel(shown), "the reason")
            assert "no vectors: 127.0.0.1" in panel(shown)
            exchange = await shown.ask("What does the parking permit cost?")
            assert "40 euro" in exchange.state.text


async def test_quitting_does_not_wait_for_a_silent_model(tmp_path: Path, folder: Path) -> None:
    """Ctrl+Q would hang for as long as a request may take."""
    asked, go_on = threading.Event(), threading.Event()

    def silent(number: int, body: dict[str, Any]) -> None:
        if number > 2:
            asked.set()
            go_on.wait(20)

    with embedding(tmp_path / "home", silent) as assistant:
        async with opened(assistant) as shown:
            shown.main.indexing.index(str(folder))
            await shown.until(asked.is_set, "the request")
            begin = time.monotonic()
            shown.app.exit()
        assert time.monotonic() - begin < 3
        go_on.set()
        async with opened(assistant) as shown:
            (row,) = shown.rows
            assert row.lacking > 0
            assert f"{row.lacking} without vector: press r" in panel(shown)
            shown.main.query_one(DatabasesPanel).focus()
            await shown.pilot.press("r")
            await shown.until(lambda: shown.rows[0].lacking == 0, "the rest")


async def test_the_host_that_the_text_goes_to_is_shown(assistant: Assistant) -> None:
    """Documents would leave the machine unseen."""
    async with opened(assistant) as shown:
        news = VectorNews("staff", "making", 3, 9, 3, destination="far.example")
        shown.main.query_one(DatabasesPanel).vectors = (news,)
        await shown.pilot.pause()
        assert "vectors 3/9 → far.example" in panel(shown)
        waiting = VectorNews("staff", "waiting", 3, 9, 3)
        shown.main.query_one(DatabasesPanel).vectors = (waiting,)
        await shown.pilot.pause()
        assert "vectors 3/9, waiting for another process" in panel(shown)
