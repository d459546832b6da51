"""Questions offered under the box until the first one is asked."""

from textual import events
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Either, Row
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.drawing.suggestion_keys import key_of, said_of


class OfferedQuestions(LaidText):
    """Shows `questions`, each on a line; a click asks one."""

    questions: reactive[tuple[str, ...]] = reactive(())

    class Chosen(Message):
        """This question is to be asked."""

        def __init__(self, question: str) -> None:
            super().__init__()
            self.question = question

    def on_mount(self) -> None:
        """Begin hidden."""
        self.watch_questions()

    def watch_questions(self) -> None:
        """Offer others."""
        self.display = bool(self.questions)
        self.blocks = tuple(map(_line, range(len(self.questions)), self.questions))

    def on_click(self, event: events.Click) -> None:
        """Ask what was clicked."""
        number = event.style.meta.get("question")
        if number is not None:
            self.post_message(self.Chosen(self.questions[number]))


def _line(number: int, question: str) -> Either:
    """Give a question with its key, in as many words as leave it whole."""
    asked = clickable(one_line(question, QUIET), {"question": number})
    left = joined([plain("→ ", "$text-primary"), asked])
    said = said_of(number)
    ways = [said, key_of(number)] if number else [f"{said}, ↓ writes it", said, key_of(number)]
    return Either(tuple(Row(left, plain(way, QUIET)) for way in ways))
