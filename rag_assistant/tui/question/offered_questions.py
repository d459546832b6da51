"""Questions offered under the box until the first one is asked."""

from textual import events
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.drawing.suggestion_keys import said_of


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
        self.blocks = tuple(
            Row(
                joined(
                    [
                        plain("→ ", "$text-primary"),
                        clickable(one_line(question, QUIET), {"question": number}),
                    ]
                ),
                plain(said_of(number) + (", ↓ writes it" if number == 0 else ""), QUIET),
            )
            for number, question in enumerate(self.questions)
        )

    def on_click(self, event: events.Click) -> None:
        """Ask what was clicked."""
        number = event.style.meta.get("question")
        if number is not None:
            self.post_message(self.Chosen(self.questions[number]))
