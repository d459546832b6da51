"""The screens that are opened from the main one, and what comes back from them.

Each is loaded when it is first wanted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.keys.help_screen import ANSWER_MARKS, HelpScreen
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.main_keys import key_groups
from rag_assistant.tui.main.scope_controller import ScopeController
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.values.scope import Wanted

NO_SETTINGS = "there is no settings file here"


@dataclass(frozen=True, slots=True)
class Places:
    """Where conversations and settings are kept; None where they are not."""

    store: ConversationStore | None = None
    config_path: Path | None = None


class OtherScreens(Controller):
    """Opens screens over the main one; its actions have their names.

    What is found is put into `scope` and `prompt`; `resume` goes on with a kept conversation.
    """

    @dataclass
    class ModelChosen(Message):
        """Another model is to answer."""

        name: str

    class LibraryLeft(Message):
        """The databases may be others than before."""

    def __init__(
        self,
        assistant: Assistant,
        places: Places,
        scope: ScopeController,
        prompt: Prompt,
        resume: Callable[[int], None],
    ) -> None:
        super().__init__()
        self._assistant = assistant
        self._store = places.store
        self._config_path = places.config_path
        self._scope = scope
        self._prompt = prompt
        self._resume = resume

    def action_help(self) -> None:
        """List the keys."""
        self.app.push_screen(HelpScreen(key_groups(), ANSWER_MARKS))

    def action_find(self) -> None:
        """Find passages, without a model; what stands in the box is what is looked for."""
        from rag_assistant.tui.find.screen import AskAbout, FindScreen  # noqa: PLC0415

        def ask_about(wanted: AskAbout | None) -> None:
            if wanted:
                self._scope.take(wanted.scope)
                self._prompt.write(wanted.question)

        query = self._prompt.box.text.strip()
        screen = FindScreen(self._assistant, self._scope.wanted, query)
        self.app.push_screen(screen, ask_about)

    def action_scope(self) -> None:
        """Choose the documents that are asked."""
        from rag_assistant.tui.scope.screen import ScopeScreen  # noqa: PLC0415

        def take(wanted: tuple[Wanted, ...] | None) -> None:
            if wanted:
                self._scope.take(wanted)

        screen = ScopeScreen(self._assistant.library, self._scope.wanted)
        self.app.push_screen(screen, take)

    def action_history(self) -> None:
        """List the kept conversations, to go on with one."""
        if self._store is None:
            self.remark("conversations are not kept: F2, Keep conversations")
            return
        from rag_assistant.tui.history.screen import HistoryScreen, Resume  # noqa: PLC0415

        def go_on(wanted: Resume | None) -> None:
            if wanted:
                self._resume(wanted.conversation_id)

        self.app.push_screen(HistoryScreen(self._store), go_on)

    def action_library(self, failures_of: str = "") -> None:
        """Show the databases and their files, or what could not be read of one."""
        from rag_assistant.tui.library.screen import LibraryScreen  # noqa: PLC0415

        def left(_: None) -> None:
            self.post_message(self.LibraryLeft())

        self.app.push_screen(LibraryScreen(self._assistant, failures_of), left)

    def action_evaluate(self) -> None:
        """Measure search and answers on sets of questions."""
        from rag_assistant.tui.evaluate.screen import EvaluateScreen  # noqa: PLC0415

        self.app.push_screen(EvaluateScreen(self._assistant, self._store))

    def action_settings(self) -> None:
        """Show the settings."""
        if self._config_path is None:
            self.remark(NO_SETTINGS)
            return
        from rag_assistant.tui.settings.screen import SettingsScreen  # noqa: PLC0415

        self.app.push_screen(SettingsScreen(self._config_path))

    def action_model(self) -> None:
        """Choose what answers the next question."""
        if self._config_path is None:
            self.remark(NO_SETTINGS)
            return
        from rag_assistant.tui.models.screen import ModelScreen  # noqa: PLC0415

        def use(name: str | None) -> None:
            if name:
                self.post_message(self.ModelChosen(name))

        self.app.push_screen(ModelScreen(self._assistant, self._config_path), use)
