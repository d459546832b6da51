"""What can be asked, and a question put to an assistant for what comes of it in the end."""

from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.library.library import Library
from rag_assistant.values.events import Answered, Stopped
from rag_assistant.values.evidence import Answer
from rag_assistant.values.scope import Wanted
from scripts.benchmarks.shared.places import CORPORA, DEMO, unpack


def library_in(scratch: Path, covid: Path) -> Library:
    """Index the demo folders, and as "covidqa" the collection where it is there."""
    library = Library(scratch / "home")
    for name in DEMO:
        library.index(CORPORA / name)
    if (covid / "questions.jsonl").exists():
        library.index(unpack(covid, scratch / "covidqa"), name="covidqa")
    return library


async def answer_of(assistant: Assistant, question: str, databases: Sequence[Wanted]) -> Answer:
    """Ask; give the answer, or what there was of it when the run was stopped."""
    async with aclosing(assistant.ask(question, databases=databases)) as events:
        async for event in events:
            if isinstance(event, Answered):
                return event.answer
            if isinstance(event, Stopped):
                return event.partial
    raise RuntimeError("a run ended without an answer")
