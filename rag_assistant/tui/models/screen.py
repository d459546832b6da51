"""The models: which are configured, which run on this computer; choosing one, and testing it.

It looks at this computer only, and asks nothing of any model before the person starts a test; a
host elsewhere is asked for names when the person wants them.
"""

import os
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import Worker

from rag_assistant.agents.fit_checks import FitResult
from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings
from rag_assistant.errors import RagError
from rag_assistant.models.discovery import discover, ports_of
from rag_assistant.models.model_names import model_names
from rag_assistant.models.offers import ModelOffer, Seat
from rag_assistant.tui.beside import beside
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.drawing.model_names import shown_name
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.models.choosing import write_choice
from rag_assistant.tui.models.fit_run import fit_results
from rag_assistant.tui.models.known_models import KnownModels
from rag_assistant.tui.models.rows import Host, ModelChoice, choice_blocks, host_explained

LOOK_SECONDS = 2.0
"""How long a server on this computer may take to list its models; one may be loading one."""


class ModelScreen(BrowseScreen[str]):
    """Lists models; gives the name of the one that is to answer, which config.toml then names."""

    NAME = "Models"
    PLACEHOLDER = "filter by name or place"
    STARTS_IN_LIST = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Use"),
        Binding("h", "helper", "As helper"),
        Binding("t", "test", "Test"),
        Binding("r", "look", "Look again"),
        Binding("l", "names", "List a host's models", show=False),
        *BROWSE_KEYS,
    ]

    class Named(Message):
        """A host has told the names of its models, or why not."""

        def __init__(self, host: Host, failure: RagError | None = None) -> None:
            super().__init__()
            self.host = host
            self.failure = failure

    class Written(Message):
        """The configuration names another model for a role."""

        def __init__(self, seat: Seat, config: Config) -> None:
            super().__init__()
            self.seat = seat
            self.config = config

    class NotWritten(Message):
        """The configuration is as it was; `error` says why."""

        def __init__(self, error: RagError) -> None:
            super().__init__()
            self.error = error

    def __init__(self, assistant: Assistant, config_path: Path) -> None:
        super().__init__()
        self._assistant = assistant
        self._path = config_path
        self._known = KnownModels(assistant.config)
        self._results: dict[str, list[FitResult]] = {}
        self._testing: tuple[str, Worker[None]] | None = None

    # The list

    def reload(self) -> None:
        """List what is configured, and look for what runs here."""
        self.filter_changed(self.filter_text)
        self.action_look()

    def action_look(self) -> None:
        """Look for model servers on this computer."""
        self._known = replace(self._known, servers=None)
        beside(self, self._look, "look")

    async def _look(self) -> None:
        try:
            servers = await discover(ports_of(os.environ), seconds=LOOK_SECONDS)
            self._know(replace(self._known, servers=tuple(servers), problem=""))
        except RagError as error:
            self._know(replace(self._known, servers=(), problem=told(error)))

    def _know(self, known: KnownModels) -> None:
        self._known = known
        self.filter_changed(self.filter_text)

    def filter_changed(self, text: str) -> None:
        """List the models that hold all that is typed, in their name or place."""
        self.listing.show(self._known.items(text))
        config = self._known.config
        answers = f"{shown_name(config.model)} answers"
        if config.helper not in ("", config.model):
            answers += f" · {shown_name(config.helper)} helps"
        self.head(one_line(answers, QUIET))

    @property
    def _chosen(self) -> ModelChoice | None:
        return self._known.choice(self.listing.key)

    @on(PickList.Moved)
    def _show(self) -> None:
        choice, host = self._chosen, self._known.host(self.listing.key)
        if choice:
            testing = self._testing is not None and self._testing[0] == choice.key
            results = self._results.get(choice.key, [])
            self.detail(*choice_blocks(choice, results, testing=testing))
        else:
            self.detail(*(host_explained(host) if host else ()))

    # The names that a host tells

    def action_names(self) -> None:
        """Ask the host at the cursor, or the only one, for the names of its models."""
        hosts = self._known.hosts
        host = self._known.host(self.listing.key) or (hosts[0] if len(hosts) == 1 else None)
        if host is None:
            none = "no key of a host is set, such as OPENAI_API_KEY"
            self.remark(plain("go to a host first: l asks only that one" if hosts else none))
            return
        self._know(self._known.with_host(Host(host.offer, host.names, "asking…")))
        self._ask_names(host.offer)

    @work(thread=True, exit_on_error=False, group="names")
    def _ask_names(self, offer: ModelOffer) -> None:
        try:
            names = model_names(offer.settings(""), os.environ)
            self.post_message(self.Named(Host(offer, names, f"{len(names)} models")))
        except RagError as error:
            self.post_message(self.Named(Host(offer, said="not listed"), error))

    @on(Named)
    def _take_names(self, event: Named) -> None:
        self._know(self._known.with_host(event.host))
        if event.failure:
            self.complain(event.failure.message, event.failure.hint)
        else:
            self.remark()

    # Choosing

    def choose(self) -> None:
        """Let the model at the cursor answer, or ask the host there for its models."""
        if self._chosen:
            self._write("model", self._chosen)
        else:
            self.action_names()

    def action_helper(self) -> None:
        """Let the model at the cursor condense entries."""
        if self._chosen:
            self._write("helper", self._chosen)

    @work(thread=True, exit_on_error=False, group="write")
    def _write(self, seat: Seat, choice: ModelChoice) -> None:
        try:
            self.post_message(self.Written(seat, write_choice(self._path, seat, choice)))
        except RagError as error:
            self.post_message(self.NotWritten(error))

    @on(NotWritten)
    def _say_why(self, event: NotWritten) -> None:
        self.complain(event.error.message, event.error.hint)

    @on(Written)
    def _take_config(self, event: Written) -> None:
        self._assistant.config = event.config
        if event.seat == "model":
            self.dismiss(event.config.model)
            return
        self.remark(
            one_line(f"{event.config.helper} helps from now on: it condenses what is found")
        )
        self._know(replace(self._known, config=event.config))

    # Testing

    def action_test(self) -> None:
        """Test the model at the cursor; what is found shows as it comes."""
        choice = self._chosen
        if choice is None or choice.settings is None:
            self.remark(plain("the built-in model needs no test", QUIET))
            return
        self._stop_test()
        self._results[choice.key] = []
        run = partial(self._test, choice.key, choice.name, choice.settings)
        self._testing = (choice.key, beside(self, run, "test"))
        self._show()

    async def _test(self, key: str, name: str, settings: ModelSettings) -> None:
        try:
            async with aclosing(fit_results(name, settings, self._assistant.gate)) as results:
                async for result in results:
                    self._results[key].append(result)
                    self._show()
        except RagError as error:
            self.complain(error.message, error.hint)
        finally:
            self._testing = None
        self._show()

    def _stop_test(self) -> bool:
        if self._testing is None:
            return False
        self._testing[1].cancel()
        self._testing = None
        self._show()
        return True

    def action_back(self) -> None:
        """Stop the test, clear the filter, or leave."""
        if not self._stop_test():
            super().action_back()
