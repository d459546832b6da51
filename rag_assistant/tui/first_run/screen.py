"""The first screen where a folder is to be indexed: what it holds, and what could answer.

Nothing is indexed before the person says so, and no other host than this computer is asked.
"""

from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen

from rag_assistant.assistant import Assistant
from rag_assistant.library.sample_folder import sample_folder
from rag_assistant.models.offers import ModelOffer
from rag_assistant.tui.beside import beside, once_drawn
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, problem
from rag_assistant.tui.first_run.beginning import Beginning, Begun
from rag_assistant.tui.first_run.blocks import WHICH_FOLDER, model_blocks
from rag_assistant.tui.first_run.models import ModelsFound, ModelTaken, look_for_models, take_model
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.library.folder_picker import FolderPicker
from rag_assistant.tui.library.folder_preview import FolderPreview
from rag_assistant.tui.lists.edit_line import EditLine

_LETTERS = ("index", "other_folder", "skipped", "take", "all_models")
"""What acts as long as nothing is being typed."""


class FirstRunScreen(Screen[Begun]):
    """Gives the folder that is to be indexed, if any, and the model that answers."""

    CSS_PATH = "screen.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "index", "Index and open"),
        Binding("o", "other_folder", "Other folder"),
        Binding("s", "skipped", "Skipped: why"),
        *(
            Binding(str(number), f"take({number})", "Take that model", show=number == 1)
            for number in range(1, 10)
        ),
        Binding("m,f3", "all_models", "All models"),
        Binding("escape", "later", "Later"),
        Binding("f1", "help", "Help"),
    ]

    def __init__(
        self, assistant: Assistant, beginning: Beginning, config_path: Path | None = None
    ) -> None:
        super().__init__()
        self._assistant = assistant
        self._environ = beginning.environ
        self._config_path = config_path
        self._folder = beginning.folder
        self._offers: tuple[ModelOffer, ...] | None = None
        self._lists_skipped = False
        self._preview = FolderPreview(assistant.library, id="first-folder")
        self._picker = FolderPicker(sample=partial(sample_folder, assistant.library.home))
        self._line = EditLine()

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="first-head")
        with VerticalScroll(id="first-body"):
            yield self._preview
            yield self._picker
            yield LaidText(id="first-model")
            yield self._line
            yield LaidText(id="first-remark")
            yield LaidText(id="first-skipped")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Begin with the folder that was named, or ask for one."""
        title = plain("Ask your own documents", "bold $text-primary")
        self.query_one("#first-head", LaidText).blocks = (Row(title, plain("F1 help", QUIET)),)
        self._remark()
        self._draw_models()
        self._pick(shown=self._folder is None)
        if self._folder:
            self._look_through(self._folder)
        # What looks for models takes a while to load: the folder is drawn before.
        once_drawn(self, self._look_for_models)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Open with the styles that all parts were just made with, as the main screen does."""
        event.refresh_styles = self.stack_updates > 0

    # The folder

    def _look_through(self, folder: Path) -> None:
        self._folder = folder
        self._preview.look_through(folder)

    @on(FolderPreview.Moved)
    def _show_scan(self) -> None:
        self._draw_folder()
        self.refresh_bindings()

    def _draw_folder(self) -> None:
        if self._folder is None or self._picker.display:
            self._preview.blocks = WHICH_FOLDER
        else:
            self._preview.draw()
        listed = self.query_one("#first-skipped", LaidText)
        listed.display = self._lists_skipped and bool(self._preview.skipped)
        if listed.display:
            listed.blocks = self._preview.skipped

    def _pick(self, *, shown: bool) -> None:
        self._picker.display = shown
        if shown:
            self._picker.to_field()
        else:
            self.set_focus(None)
        self._draw_folder()
        self.refresh_bindings()

    @on(FolderPicker.Chosen)
    def _chosen(self, event: FolderPicker.Chosen) -> None:
        self._lists_skipped = False
        self._folder = event.folder
        self._pick(shown=False)
        self._look_through(event.folder)

    @on(FolderPicker.Left)
    def _not_chosen(self) -> None:
        if self._folder is None:
            self.action_later()
        else:
            self._pick(shown=False)

    def action_index(self) -> None:
        """Index the folder, and open the conversation at once."""
        if objection := self._preview.objection:
            self._remark(objection)
        else:
            self.dismiss(Begun(self._folder, self._assistant.config.model))

    def action_other_folder(self) -> None:
        """Choose another folder."""
        self._pick(shown=True)

    def action_skipped(self) -> None:
        """List what is not read, with the reasons, or hide it again."""
        self._lists_skipped = not self._lists_skipped
        self._draw_folder()
        body = self.query_one("#first-body", VerticalScroll)
        body.focus()  # so that the arrows scroll the list
        listed = self.query_one("#first-skipped")
        self.call_after_refresh(body.scroll_to_widget, listed, animate=False, top=True)

    def action_later(self) -> None:
        """Open the conversation without a folder."""
        self.dismiss(Begun(None, self._assistant.config.model))

    # The model

    def _look_for_models(self) -> None:
        work = partial(look_for_models, self._environ, self.post_message)
        beside(self, work, "models")

    @on(ModelsFound)
    def _show_models(self, event: ModelsFound) -> None:
        self._offers = event.offers
        if event.problem:
            self._remark(one_line(event.problem, QUIET))
        self._draw_models()
        self.refresh_bindings()

    def _draw_models(self) -> None:
        blocks = model_blocks(self._offers, self._assistant.config.model)
        self.query_one("#first-model", LaidText).blocks = blocks

    def action_take(self, number: int) -> None:
        """Let a model answer that was found; naming one elsewhere is the permission to send."""
        offers = self._offers or ()
        if number > len(offers):
            return
        offer = offers[number - 1]
        if offer.is_local:
            self._take(offer, offer.model)
            return
        warning = joined(
            [
                one_line(f"Sends passages to {offer.host}", "$text-warning"),
                plain(", with your questions, once you name a model there. Enter takes it, "),
                plain("Esc stays on this computer."),
            ]
        )
        self._line.open(warning, offer.model, lambda name: self._take(offer, name.strip()))

    def action_all_models(self) -> None:
        """List all models, configured or found, and what each can do."""
        if self._config_path:
            from rag_assistant.tui.models.screen import ModelScreen  # noqa: PLC0415

            screen = ModelScreen(self._assistant, self._config_path)
            self.app.push_screen(screen, lambda _: self._draw_models())

    def _take(self, offer: ModelOffer, model: str) -> None:
        if not model:
            self._line.complain("Write the name that the model has there.")
        elif self._config_path is None:
            self._remark(plain("there is no settings file here", QUIET))
        else:
            work = partial(take_model, offer, model, self._config_path, self.post_message)
            beside(self, work, "take")

    @on(ModelTaken)
    def _taken(self, event: ModelTaken) -> None:
        if event.config is None:
            self._remark(problem(event.failure, ""))
            return
        self._assistant.config = event.config
        if self._line.display:
            self._line.close()
        self._draw_models()
        self.refresh_bindings()

    @on(EditLine.Closed)
    def _edited(self) -> None:
        self.set_focus(None)

    def on_click(self, event: events.Click) -> None:
        """Take the model that was clicked."""
        if number := event.style.meta.get("offer"):
            self.action_take(number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the letters to what is typed, and offer only what there is."""
        if action in _LETTERS and (self._picker.display or self._line.display):
            return False
        if action == "take":
            number = parameters[0]
            found = len(self._offers or ())
            return self._assistant.config.model == "extractive" and number in range(1, found + 1)
        if action == "skipped":
            return bool(self._preview.skipped)
        return True

    def _remark(self, said: Content = EMPTY) -> None:
        shown = self.query_one("#first-remark", LaidText)
        shown.blocks = (Text(said),) if said else ()
        shown.display = bool(said)

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(
            HelpScreen([("First", self.BINDINGS), ("Folder", FolderPicker.BINDINGS)])
        )
