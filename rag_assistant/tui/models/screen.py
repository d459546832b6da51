"""The models: which are configured, which run on this computer; choosing one, and testing it.

It looks at this computer only, and asks nothing of any model before the person starts a test.
"""

import os
from collections.abc import Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import Worker

from rag_assistant.agents.fit_checks import Check
from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings, load_config
from rag_assistant.config.writing import Value, write_config
from rag_assistant.errors import RagError
from rag_assistant.models.discovery import LocalServer, discover, ports_of
from rag_assistant.tui.beside import beside
from rag_assistant.tui.drawing.layout import Block, Indented, Rule, Text
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import Facts, Item, PickList
from rag_assistant.tui.models.rows import (
    BUILT_IN,
    MARKS,
    UNTESTED,
    Choice,
    explained,
    free_name,
    heading,
    place_of,
)

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
        *BROWSE_KEYS,
    ]

    class Chosen(Message):
        """A model was written to the file, or could not be."""

        def __init__(self, seat: str, name: str, config: Config | None, failure: str = "") -> None:
            super().__init__()
            self.seat = seat
            self.name = name
            self.config = config
            self.failure = failure

    def __init__(self, assistant: Assistant, config_path: Path) -> None:
        super().__init__()
        self._assistant = assistant
        self._path = config_path
        self._servers: tuple[LocalServer, ...] | None = None
        self._problem = ""
        self._checks: dict[str, list[Check]] = {}
        self._testing: tuple[str, Worker[None]] | None = None

    # The list

    def reload(self) -> None:
        """List what is configured, and look for what runs here."""
        self.filter_changed(self.filter_text)
        self.action_look()

    def action_look(self) -> None:
        """Look for model servers on this computer."""
        self._servers = None
        beside(self, self._look, "look")

    async def _look(self) -> None:
        self._problem = ""
        try:
            self._servers = await discover(ports_of(os.environ), seconds=LOOK_SECONDS)
        except RagError as error:
            self._servers, self._problem = (), str(error)
        self.filter_changed(self.filter_text)

    def _choices(self) -> list[Choice]:
        config = self._assistant.config
        choices = [Choice(EXTRACTIVE, None, configured=True)]
        choices += [Choice(n, settings, configured=True) for n, settings in config.models.items()]
        for server in self._servers or ():
            known = {
                settings.model
                for settings in config.models.values()
                if settings.base_url.rstrip("/") == server.base_url
            }
            for model in server.models:
                if model not in known:
                    found = ModelSettings(model, server.base_url)
                    choices.append(Choice(model, found, configured=False, server=server.host))
        return choices

    def filter_changed(self, text: str) -> None:
        """List the models that hold all that is typed, in their name or place."""
        words = text.casefold().split()
        choices = [
            choice
            for choice in self._choices()
            if all(word in f"{choice.name} {place_of(choice)}".casefold() for word in words)
        ]
        items = [heading("Configured")]
        items += [self._item(choice) for choice in choices if choice.configured]
        items += [Item(Text()), heading("Found on this computer")]
        for server in self._servers or ():
            if server.problem:
                said = one_line(f"{server.host}: {server.problem}", QUIET)
                items.append(Item(Facts(said)))
        items += [self._item(choice) for choice in choices if not choice.configured]
        if items[-1].block == heading("Found on this computer").block:
            items.append(Item(Facts(one_line(self._nothing_found(), QUIET))))
        self.listing.show(tuple(items))
        config = self._assistant.config
        answers = f"{config.model} answers · {config.helper or config.model} helps"
        self.head(one_line(answers, QUIET))

    def _nothing_found(self) -> str:
        if self._servers is None:
            return "  looking…"
        return (
            f"  {self._problem or 'no further model: start Ollama, LM Studio or llama.cpp, then r'}"
        )

    def _item(self, choice: Choice) -> Item:
        roles = self._roles(choice) if choice.configured else ""
        style = "bold" if roles else ""
        facts = (one_line(place_of(choice), QUIET), plain(roles, "$text-accent"))
        return Item(Facts(one_line(choice.name, style), facts), choice.key)

    def _roles(self, choice: Choice) -> str:
        config = self._assistant.config
        helper = config.helper or config.model
        seats = (("● answers", config.model), ("helps", helper))
        return ", ".join(role for role, name in seats if name == choice.name)

    @property
    def _chosen(self) -> Choice | None:
        key = self.listing.key
        return next((choice for choice in self._choices() if choice.key == key), None)

    @on(PickList.Moved)
    def _moved(self) -> None:
        self._show()

    def _show(self) -> None:
        choice = self._chosen
        if choice is None:
            self.detail()
            return
        blocks: list[Block] = [Text(one_line(choice.name, "bold")), *explained(choice), Rule()]
        checks = self._checks.get(choice.key, [])
        testing = self._testing is not None and self._testing[0] == choice.key
        if not checks and not testing:
            blocks.append(Text(plain(UNTESTED if choice.settings else BUILT_IN, QUIET)))
        for check in checks:
            blocks.append(Indented(Text(one_line(check.name, "bold")), MARKS[check.ok]))
            blocks.append(Indented(Text(one_line(check.found)), plain("  ")))
            if check.means:
                blocks.append(Indented(Text(one_line(check.means, QUIET)), plain("  → ", QUIET)))
        if testing:
            blocks.append(Text(plain("◌ testing… Esc stops", "$text-accent")))
        self.detail(*blocks)

    # Choosing

    def choose(self) -> None:
        """Let the model at the cursor answer."""
        if self._chosen:
            self._write("model", self._chosen)

    def action_helper(self) -> None:
        """Let the model at the cursor condense entries."""
        if self._chosen:
            self._write("helper", self._chosen)

    @work(thread=True, exit_on_error=False, group="write")
    def _write(self, seat: str, choice: Choice) -> None:
        name, tables = choice.name, dict[str, Mapping[str, Value]]()
        try:
            if choice.settings and not choice.configured:
                name = free_name(choice, load_config(self._path))
                base_url = choice.settings.base_url
                tables[name] = {"model": choice.settings.model, "base_url": base_url}
            write_config(self._path, {seat: name}, tables)
            self.post_message(self.Chosen(seat, name, load_config(self._path)))
        except RagError as error:
            self.post_message(self.Chosen(seat, name, None, str(error)))

    @on(Chosen)
    def _written(self, event: Chosen) -> None:
        if event.config is None:
            self.complain(event.failure)
            return
        self._assistant.config = event.config
        if event.seat == "model":
            self.dismiss(event.name)
            return
        self.remark(one_line(f"{event.name} helps from now on: it condenses what is found"))
        self.filter_changed(self.filter_text)

    # Testing

    def action_test(self) -> None:
        """Test the model at the cursor; what is found shows as it comes."""
        choice = self._chosen
        if choice is None or choice.settings is None:
            self.remark(plain("the built-in model needs no test", QUIET))
            return
        self._stop_test()
        self._checks[choice.key] = []
        run = partial(self._test, choice.key, choice.name, choice.settings)
        worker = beside(self, run, "test")
        self._testing = (choice.key, worker)
        self._show()

    async def _test(self, key: str, name: str, settings: ModelSettings) -> None:
        from rag_assistant.agents.model_fit import FitTest  # noqa: PLC0415 - only a test needs it
        from rag_assistant.models.openai_model import OpenAIModel  # noqa: PLC0415

        model = OpenAIModel(name, settings, os.environ)
        try:
            async with aclosing(FitTest(model).checks()) as checks:
                async for check in checks:
                    self._checks[key].append(check)
                    self._show()
        except RagError as error:
            self.complain(error.message, error.hint)
        finally:
            await model.aclose()
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
