"""The sample's own questions, asked of the built-in model: each is answered from the right file."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.library.opening_questions import opening_questions
from rag_assistant.library.sample_folder import sample_folder
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer


@pytest.fixture
async def sample(tmp_path: Path) -> AsyncGenerator[Assistant, None]:
    library = Library(tmp_path / "home")
    library.index(sample_folder(library.home, checkout=tmp_path))
    assistant = Assistant(library, Config(), {})
    yield assistant
    await assistant.aclose()


async def ask(assistant: Assistant, question: str) -> Answer:
    async with aclosing(assistant.ask(question, databases=["sample"])) as run:
        return next(e.answer for e in [e async for e in run] if isinstance(e, Answered))


async def test_what_is_offered_first_is_answered_from_its_document(sample: Assistant) -> None:
    """The first thing that somebody new does with the program would go wrong."""
    database = sample.library.database("sample")
    offered = opening_questions(database)
    assert len(offered) == 3
    for one in offered:
        answer = await ask(sample, one.question)
        first = answer.citations[0].item
        assert answer.answered, one.question
        assert first.entry_id == one.entry_id, one.question
        assert not first.quote.rstrip().endswith("?")


@pytest.mark.parametrize(
    ("question", "paths"),
    [
        ("How long may I keep a drill?", {"borrowing.md"}),
        # The minutes say what was decided, in one sentence; the fees are what follows from it.
        (
            "What does it cost when I bring a tool back late?",
            {"fees.md", "meeting-2025-03-11.md"},
        ),
        ("When is the workshop open on Saturdays?", {"workshop.txt"}),
        ("Who may use the band saw?", {"workshop.txt"}),
    ],
)
async def test_what_the_sample_says_to_try_is_not_answered_by_saying_so(
    sample: Assistant, question: str, paths: set[str]
) -> None:
    """All four questions were answered with the list of them, and confidence 10."""
    answer = await ask(sample, question)
    first = answer.citations[0].item
    assert first.path in paths
    assert not first.quote.rstrip().endswith("?")
