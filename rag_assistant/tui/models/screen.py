"""The models: which are configured, which run on this computer; choosing one, and testing it.

It asks nothing of any model before the person starts a test.
"""

import os
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import Worker

from rag_assistant.agents.fit_checks import FitResult
from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings, load_config
from rag_assistant.config.writing import write_config
from rag_assistant.errors import RagError
from rag_assistant.models.offers import ModelOffer, Seat, take
from rag_assistant.tui.beside import beside
from rag_assistant.tui.drawing.layout import Block, Indented, Rule, Text
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.models.listing import ModelListScreen
from rag_assistant.tui.models.rows import (
    BUILT_IN,
    MARKS,
    UNTESTED,
    Choice,
    explained,
    host_explained,
)


class ModelScreen(ModelListScreen):
    """Lists models; gives the name of the one that is to answer, which config.toml then names."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Use"),
        Binding("h", "helper", "As helper"),
        Binding("t", "test", "Test"),
        Binding("r", "look", "Look again"),
        Binding("l", "names", "List a host's models", show=False),
        *BROWSE_KEYS,
    ]

    class Chosen(Message):
        """A model was written to the file, or could not be."""

        def __init__(self, spec: str, name: str, config: Config | None, failure: str = "") -> None:
            super().__init__()
            self.spec = spec
            self.name = name
            self.config = config
            self.failure = failure

    def __init__(self, assistant: Assistant, config_path: Path) -> None:
        super().__init__(assistant, config_path)
        self._checks: dict[str, list[FitResult]] = {}
        self._testing: tuple[str, Worker[None]] | None = None

    @on(PickList.Moved)
    def _moved(self) -> None:
        self._show()

    def _show(self) -> None:
        choice, host = self._chosen, self._host
        if choice is None:
            self.detail(*(host_explained(host) if host else ()))
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
    def _write(self, spec: Seat, choice: Choice) -> None:
        try:
            settings = choice.settings
            if settings and not choice.configured:
                offer = ModelOffer("", settings.base_url, choice.server, settings.api_key_env)
                config = take(offer, settings.model, self._path, spec)
            else:
                write_config(self._path, {spec: choice.name})
                config = load_config(self._path)
        except RagError as error:
            self.post_message(self.Chosen(spec, choice.name, None, str(error)))
        else:
            name = config.model if spec == "model" else config.helper
            self.post_message(self.Chosen(spec, name, config))

    @on(Chosen)
    def _written(self, event: Chosen) -> None:
        if event.config is None:
            self.complain(event.failure)
            return
        self._assistant.config = event.config
        if event.spec == "model":
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
        from rag_assistant.egress.provenance import Provenance  # noqa: PLC0415
        from rag_assistant.models.openai_model import OpenAIModel  # noqa: PLC0415
        from rag_assistant.models.outgoing import CarriedModel  # noqa: PLC0415

        asked = OpenAIModel(name, settings, os.environ, gate=self._assistant.gate)
        model = CarriedModel(asked, Provenance("test"))
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
