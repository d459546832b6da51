"""What can be done with a question that was asked: again, on from there, wider, compared.

Each is a key in the conversation, can be clicked, and is a command.
"""

from collections.abc import Callable

from rag_assistant.tui.chat.exchange import AnswerAction, Exchange
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.conversation_controller import ConversationController
from rag_assistant.tui.main.question_panel import QuestionPanel
from rag_assistant.tui.main.scope_controller import ScopeController
from rag_assistant.values.coverage import seen_in_part
from rag_assistant.values.scope import Wanted


class AnswerController(Controller):
    """Does something with a question of `conversation`; what it asks anew goes through `panel`.

    `list_failures` shows what could not be read of a database.
    """

    def __init__(
        self,
        scope: ScopeController,
        conversation: ConversationController,
        panel: QuestionPanel,
        list_failures: Callable[[str], None],
    ) -> None:
        super().__init__()
        self._scope = scope
        self._conversation = conversation
        self._panel = panel
        self._list_failures = list_failures

    def do(self, exchange: Exchange, action: AnswerAction) -> None:
        """Do something with a question that was asked."""
        state = exchange.state
        waited = self._conversation.take_out(exchange)
        match action:
            case "edit":
                self._panel.prompt.write(state.question)
                self._panel.prompt.images = state.images
            case "retry" if waited or state.over:
                self._ask_again(state, state.databases)
            case "retry":
                self.remark("it is still being answered: Esc stops it")
            case "go_on":
                self._go_on(state)
            case "widen":
                self._widen(state)
            case "failures":
                self._show_failures(state)
            case "compare":
                self._conversation.compare(state)
            case "remove" if not waited:
                self.remark("only a queued question can be removed")

    def _ask_again(self, state: RunState, asked: tuple[Wanted, ...] = ()) -> None:
        self._panel.prompt.images = state.images
        self._panel.ask(state.question, asked)

    def _go_on(self, state: RunState) -> None:
        """Ask for the rest of an answer that broke off."""
        if state.phase not in (Phase.STOPPED, Phase.FAILED) or not state.text.strip():
            self.remark("only an answer that broke off can be continued")
            return
        if state.phase is Phase.STOPPED:
            self._conversation.keep_partial(state)
        from rag_assistant.assistant.past import GO_ON  # noqa: PLC0415 - all of what models read

        self._panel.ask(GO_ON.format(state.question), state.databases)

    def _show_failures(self, state: RunState) -> None:
        """List the files that could not be read, of the first database that has any."""
        seen = seen_in_part(state.answer.coverage) if state.answer else ()
        name = next((one.database for one in seen), "")
        if name:
            self._list_failures(name)
        else:
            self.remark("every file could be read")

    def _widen(self, state: RunState) -> None:
        """Ask again, of everything there is."""
        if not state.over:
            self.remark("it is still being answered: Esc stops it")
        elif set(state.databases) >= set(self._scope.readable):
            self.remark("all documents were searched; other words may find more")
        else:
            self._scope.action_everything()
            self._ask_again(state)
