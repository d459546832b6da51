"""A model that says some words and then waits until it is let go on."""

import asyncio
from collections.abc import AsyncGenerator

from rag_assistant.assistant import Assistant
from rag_assistant.values.messages import AssistantMessage, Reply, ReplyDelta, Request, UserMessage
from tests.scripted import GivenModels


class SlowModel:
    """Answers every question with `before`, a wait, and `after`; keeps the requests it got."""

    name = "slow"
    before = "The first words."
    after = " The last words."

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.closed = 0
        self.let_go = False
        self.requests: list[Request] = []

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        self.requests.append(request)
        try:
            yield ReplyDelta(self.before)
            await self.go_on.wait()
            yield ReplyDelta(self.after)
            yield Reply(AssistantMessage(self.before + self.after), "stop")
        finally:
            self.closed += 1

    async def aclose(self) -> None:
        self.let_go = True

    def questions(self) -> list[str]:
        """Give what was asked, in order."""
        asked = []
        for request in self.requests:
            said = [message for message in request.messages if isinstance(message, UserMessage)]
            asked.append(said[-1].text)
        return asked


class SlowAssistant(Assistant):
    """An assistant whose every model is the slow one."""

    slow: SlowModel


def slow(assistant: Assistant) -> SlowAssistant:
    """Make a slow assistant over the same databases."""
    made = SlowAssistant(assistant.library, assistant.config, {})
    made.slow = SlowModel()
    made.models = GivenModels(made, made.slow)
    return made
