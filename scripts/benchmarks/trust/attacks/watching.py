"""Which attacks reached a model: their triggers, looked for in every request that it is sent."""

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing

from rag_assistant.models.protocol import Model
from rag_assistant.values.messages import AssistantMessage, ReplyPiece, Request
from scripts.benchmarks.trust.attacks.as_read import as_read, with_escapes
from scripts.benchmarks.trust.attacks.reading import Attack


def given_in(request: Request) -> Iterator[str]:
    """Give the texts that others than the model itself wrote, with what it is told of tools."""
    for message in request.messages:
        if not isinstance(message, AssistantMessage):
            yield message.text
    for tool in request.tools:
        yield tool.description


def triggered(request: Request, attacks: Sequence[Attack]) -> list[Attack]:
    """Give the attacks whose trigger stands in a request."""
    texts = [with_escapes(text) for text in given_in(request)]
    return [one for one in attacks if any(as_read(one.trigger) in text for text in texts)]


class Watch:
    """What reached the models of one question: ids of attacks, by the part that the model plays."""

    def __init__(self, attacks: Sequence[Attack]) -> None:
        self.main: set[str] = set()
        self.helper: set[str] = set()
        self._attacks = attacks

    def note(self, request: Request) -> None:
        """Look through a request; one that asks for JSON goes to a helper."""
        reached = {attack.id for attack in triggered(request, self._attacks)}
        (self.main if request.reply_schema is None else self.helper).update(reached)

    def forget(self) -> None:
        """Begin with the next question."""
        self.main, self.helper = set(), set()


class WatchedModel:
    """A model whose requests are looked through on their way."""

    def __init__(self, model: Model, watch: Watch) -> None:
        self.name = f"{model.name} (watched)"
        self._model = model
        self._watch = watch

    async def stream(self, request: Request) -> AsyncGenerator[ReplyPiece, None]:
        """Send a request; see `Model.stream`."""
        self._watch.note(request)
        async with aclosing(self._model.stream(request)) as stream:
            async for piece in stream:
                yield piece

    async def aclose(self) -> None:
        """Close what the model keeps open."""
        await self._model.aclose()
