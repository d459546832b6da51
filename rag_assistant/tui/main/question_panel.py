"""Where questions are written and asked: the prompt, and the questions that are offered below."""

from collections.abc import Callable
from functools import partial

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.run_state import Attached, RunState
from rag_assistant.tui.main.commands import CHOICES
from rag_assistant.tui.main.controller import Controller, follow
from rag_assistant.tui.main.endpoint_controller import EndpointController
from rag_assistant.tui.main.scope_controller import ScopeController
from rag_assistant.tui.question.offered_questions import OfferedQuestions
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.question.scope_names import narrowed
from rag_assistant.values.scope import Wanted

NO_DATABASE = "there is no database yet: Ctrl+O adds a folder"


class QuestionPanel(Vertical):
    """Makes questions of what is written, or offered and chosen, and gives them to `ask`.

    They go to what is in `scope`, and wait for the model where `endpoint` says so. `read_image` is
    what the prompt takes.
    """

    DEFAULT_CSS = "QuestionPanel { height: auto; }"

    def __init__(
        self,
        scope: ScopeController,
        endpoint: EndpointController,
        read_image: Callable[[str], Attached],
        ask: Callable[[RunState], None],
    ) -> None:
        super().__init__()
        self.prompt = Prompt(read_image, id="prompt")
        self._offered = OfferedQuestions(id="offered")
        self._scope = scope
        self._endpoint = endpoint
        self._ask = ask
        self._early: list[str] | None = []
        """Questions written before it was known which databases there are; None from then on."""

    def compose(self) -> ComposeResult:
        """Put one below the other."""
        yield self.prompt
        yield self._offered

    def on_mount(self) -> None:
        """Offer the commands, and what is in scope."""
        self.prompt.box.commands = CHOICES
        follow(self.prompt.box, self._scope, "names")

    def _remark(self, text: str) -> None:
        self.screen.post_message(Controller.Remarked(text))

    # Asking

    async def send(self, text: str) -> None:
        """Ask what was written, or have it wait for the model."""
        if self._endpoint.holds_questions:
            beside(self, partial(self._ask_when_reached, text), "retry", exclusive=False)
        else:
            await self._ask_written(text)

    async def _ask_when_reached(self, text: str) -> None:
        """Ask if the model can be reached by now; otherwise the question stays in the box."""
        if await self._endpoint.is_reached():
            await self._ask_written(text)
        else:
            self.prompt.box.take_back(text)
            self._remark("Enter retries, F3 other model, Ctrl+F passages")

    async def _ask_written(self, text: str) -> None:
        if "@" in text:
            await self._scope.read_names()
        self.ask(text)

    def ask(
        self, text: str, asked: tuple[Wanted, ...] = (), before: RunState | None = None
    ) -> None:
        """Ask what is named, or what `@` limits this question to, or else what is in scope.

        The answer is compared with that of `before`.
        """
        question, named = narrowed(text, self._scope.names)
        asked = named or asked or self._scope.wanted
        if not asked and question and self._early is not None:
            self._early.append(text)
            self._remark("it is asked as soon as the databases are read")
            return
        if not asked or not question:
            nothing = "no database is ticked: Ctrl+L, then Space"
            missing = nothing if self._scope.rows else NO_DATABASE
            self._remark(missing if not asked else "write a question after the name")
            self.prompt.box.take_back(text)
            return
        self.suggest(())
        images = self.prompt.take_images()
        self._ask(RunState(question, asked, images=images, before=before))

    def ask_early(self) -> None:
        """Ask what was written before the databases were read, now that they are."""
        early, self._early = self._early or [], None
        for text in early:  # whose `@` may name what was not read then
            beside(self, partial(self._ask_written, text), "early", exclusive=False)

    @on(QuestionBox.NamesWanted)
    async def _offer_names(self) -> None:
        """Let the box offer folders and files, read when `@` is typed first."""
        if await self._scope.read_names():
            self.prompt.box.offer_again()

    # What is offered

    def suggest(self, questions: tuple[str, ...]) -> None:
        """Have these suggestions at hand, which stand below their answer."""
        self.prompt.box.earlier.suggestions = questions
        self._offered.questions = ()

    def offer(self, questions: tuple[str, ...]) -> None:
        """Offer questions to begin with."""
        self.suggest(questions)
        self._offered.questions = questions

    @on(OfferedQuestions.Chosen)
    def _ask_offered(self, event: OfferedQuestions.Chosen) -> None:
        self.ask(event.question)

    @on(QuestionBox.SuggestionWanted)
    def _ask_suggested(self, event: QuestionBox.SuggestionWanted) -> None:
        self.action_follow_up(event.place)

    def action_follow_up(self, place: int = 0) -> None:
        """Ask the suggested question at a place, the first by itself."""
        suggestions = self.prompt.box.earlier.suggestions
        if place < len(suggestions):
            self.ask(suggestions[place])
        else:
            self._remark("no question is suggested")

    def action_image(self, path: str = "") -> None:
        """Send an image along with the next question."""
        if path:
            self.prompt.add_image(path)
        else:
            self.prompt.write("/image ")

    def action_edit_outside(self) -> None:
        """Write the question in the person's own editor."""
        from rag_assistant.tui.question.draft_editing import edit_draft  # noqa: PLC0415

        beside(self, partial(edit_draft, self.prompt.box, self._remark), "editor")
