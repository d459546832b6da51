"""A question put to an assistant, for what comes of it in the end."""

from collections.abc import Sequence
from contextlib import aclosing

from rag_assistant.assistant import Assistant
from rag_assistant.events import Answered, Stopped
from rag_assistant.evidence import Answer
from rag_assistant.scope import Wanted


async def answer_of(assistant: Assistant, question: str, databases: Sequence[Wanted]) -> Answer:
    """Ask; give the answer, or what there was of it when the run was stopped."""
    async with aclosing(assistant.ask(question, databases=databases)) as events:
        async for event in events:
            if isinstance(event, Answered):
                return event.answer
            if isinstance(event, Stopped):
                return event.partial
    raise RuntimeError("a run ended without an answer")
