"""The text of one reply as it streams: commands are taken out of it, citations are numbered."""

from collections.abc import Callable, Sequence

from rag_assistant.agents.citations import CitationStream, References
from rag_assistant.agents.inline_commands import InlineCommand, InlineCommandStream
from rag_assistant.values.events import CitationResolved, Event, TextDelta
from rag_assistant.values.evidence import Citation


class AnswerStream:
    """Turns pieces of a reply into events; `text` and `citations` are what came of it so far.

    `is_quoted` tells of a command whether the model has it from a document or a tool.
    """

    def __init__(
        self,
        references: References,
        commands: Sequence[InlineCommand] = (),
        is_quoted: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._commands = InlineCommandStream(commands, is_quoted)
        self._citations = CitationStream(references)
        self.text = ""

    @property
    def citations(self) -> Sequence[Citation]:
        """What the text cites, in the order of the markers."""
        return self._citations.citations

    def feed(self, piece: str) -> list[Event]:
        """Take a piece; give the events that are ready."""
        return self._events(self._commands.feed(piece))

    def finish(self) -> list[Event]:
        """Give what was held back when the reply has ended."""
        return [*self._events(self._commands.finish()), *self._show(*self._citations.finish())]

    def _events(self, parts: Sequence[Event | str]) -> list[Event]:
        events: list[Event] = []
        for part in parts:
            events += self._show(*self._citations.feed(part)) if isinstance(part, str) else [part]
        return events

    def _show(self, text: str, citations: Sequence[Citation]) -> list[Event]:
        self.text += text
        resolved: list[Event] = [CitationResolved(citation) for citation in citations]
        return [*resolved, TextDelta(text)] if text else resolved
