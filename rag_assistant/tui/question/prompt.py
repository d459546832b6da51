"""Where a question is written: the images that go along, the box, and the words it offers."""

from collections.abc import Callable
from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.tui.chat.run_state import Attached
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import joined, plain
from rag_assistant.tui.drawing.signs import QUIET, image_token
from rag_assistant.tui.question.completion import CompletionList
from rag_assistant.tui.question.question_box import QuestionBox


class Prompt(Vertical):
    """Shows `images` as tokens above the box; Backspace in an empty box takes the last one away.

    `read_image` gives the image at a path, as it was written, or raises a RagError; it may block.
    """

    images: reactive[tuple[Attached, ...]] = reactive(())

    @dataclass
    class Refused(Message):
        """An image cannot go along, as `text` says; a pasted path is `written` into the box."""

        text: str
        written: str = ""

    @dataclass
    class Read(Message):
        """An image can go along."""

        image: Attached

    def __init__(self, read_image: Callable[[str], Attached], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.box = QuestionBox()
        self._read_image = read_image

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="attached")
        yield self.box
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

    def write(self, text: str) -> None:
        """Begin to write; what stood in the box comes back with ↑."""
        self.box.write(text)
        self.box.focus()

    @on(QuestionBox.Pasted)
    def _add_pasted(self, event: QuestionBox.Pasted) -> None:
        event.stop()
        self.add_image(event.text, pasted=True)

    @work(thread=True, group="image", exit_on_error=False)
    def add_image(self, path: str, *, pasted: bool = False) -> None:
        """Let an image go along; a `pasted` path that names none is written into the box."""
        try:
            self.post_message(self.Read(self._read_image(path)))
        except RagError as error:
            written = path if pasted else ""
            self.post_message(self.Refused(told(error), written))

    @on(Read)
    def _add_image(self, event: Read) -> None:
        event.stop()
        self.images = (*self.images, event.image)

    @on(Refused)
    def _write_path(self, event: Refused) -> None:
        if event.written:
            self.box.insert(event.written)

    @on(QuestionBox.Offered)
    def _offer(self, event: QuestionBox.Offered) -> None:
        event.stop()
        words = self.query_one(CompletionList)
        words.choices, words.cursor = event.choices, event.cursor

    @on(QuestionBox.DeletedNothing)
    def _remove_image(self, event: QuestionBox.DeletedNothing) -> None:
        event.stop()
        self.images = self.images[:-1]
