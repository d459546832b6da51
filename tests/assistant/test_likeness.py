"""Answers of the built-in model with sentences compared by meaning, and without."""

from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.values.events import Answered
from tests.conftest import write_files
from tests.search.sense_embedder import SenseEmbedder

TEXT = "Each member of staff gets ten days of parking.\n\nThere are twenty days of vacation.\n"


class CountingEmbedder(SenseEmbedder):
    """Counts the sentences that it was asked for."""

    asked = 0

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += len(texts)
        return super().embed_passages(texts)


async def first_quote(library: Library) -> str:
    question = "How many days of holiday does the staff get?"
    assistant = Assistant(library, Config(), {})
    try:
        async with aclosing(assistant.ask(question)) as run:
            (answer,) = [event.answer async for event in run if isinstance(event, Answered)]
            return answer.citations[0].item.quote
    finally:
        await assistant.aclose()


async def test_sentences_are_compared_by_meaning_where_their_database_is_searched_by_it(
    tmp_path: Path,
) -> None:
    """A model of 23 MB would be loaded for a folder nobody ever made vectors of."""
    embedder = CountingEmbedder()
    library = Library(tmp_path / "home", embedder)
    library.index(write_files(tmp_path / "f", {"handbook.md": f"# Handbook\n\n{TEXT}"}))
    assert "parking" in await first_quote(library)
    assert embedder.asked == 0
    embed_database(library.database("f"), embedder)
    embedder.asked = 0
    assert "vacation" in await first_quote(library)
    assert embedder.asked > 0
