"""Where a question is written: the images that go along, the box, and the words it offers."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive

from rag_assistant.tui.chat.run_state import Attached
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import joined, plain
from rag_assistant.tui.drawing.signs import QUIET, image_token
from rag_assistant.tui.question.completion import CompletionList
from rag_assistant.tui.question.question_box import QuestionBox


class Prompt(Vertical):
    """Shows `images` as tokens above the box; Backspace in an empty box takes the last one away."""

    images: reactive[tuple[Attached, ...]] = reactive(())

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="attached")
        yield QuestionBox()
        yield CompletionList(id="completions")

    def on_mount(self) -> None:
        """Begin without images."""
        self.watch_images()

    def watch_images(self) -> None:
        """Show other tokens."""
        for line in self.query("#attached").results(LaidText):
            line.display = bool(self.images)
            tokens = [image_token(n, image.name) for n, image in enumerate(self.images, 1)]
            hint = plain("Backspace removes", QUIET)
            line.blocks = (Text(joined([*tokens, hint], plain("  "))),)

    def take_images(self) -> tuple[Attached, ...]:
        """Give the images, and go on without them."""
        images, self.images = self.images, ()
        return images

    @on(QuestionBox.Offered)
    def _offer(self, event: QuestionBox.Offered) -> None:
        event.stop()
        words = self.query_one(CompletionList)
        words.choices, words.cursor = event.choices, event.cursor

    @on(QuestionBox.DeletedNothing)
    def _remove_image(self, event: QuestionBox.DeletedNothing) -> None:
        event.stop()
        self.images = self.images[:-1]
