"""Whether the model that answers can be reached, looked at again as long as it cannot."""

import os

from textual.reactive import reactive
from textual.timer import Timer

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE
from rag_assistant.errors import ModelError
from rag_assistant.tui.beside import beside
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.endpoint_watch import EndpointWatch, Reach

WATCH_SECONDS = 5.0
"""How long it waits before it looks again for an endpoint that cannot be reached."""


class EndpointController(Controller):
    """Watches the endpoint of one model at a time; `reach` is what is known of it."""

    reach: reactive[Reach] = reactive(Reach())

    def __init__(self, assistant: Assistant) -> None:
        super().__init__()
        self._assistant = assistant
        self._endpoint = EndpointWatch(os.environ)
        self._again: Timer | None = None

    def on_mount(self) -> None:
        """Look once everything is drawn."""
        self.call_after_refresh(self.follow_model, self._assistant.config.model)

    def follow_model(self, name: str) -> None:
        """Watch the endpoint of another model; the built-in one has none."""
        looks = self._endpoint.follow(self._address(name))
        self.reach = self._endpoint.reach
        if looks:
            self.look()

    def _address(self, name: str) -> str:
        if name == EXTRACTIVE:
            return ""
        from rag_assistant.models.registry import resolve  # noqa: PLC0415 - loads rapidfuzz

        try:
            return resolve(name, self._assistant.config, os.environ).base_url
        except ModelError:
            return ""  # which is said when it is asked

    def look(self) -> None:
        """Look at once, and again and again as long as it cannot be reached."""
        if self._again:
            self._again.stop()
        beside(self, self._look, "endpoint")

    async def _look(self) -> None:
        if not await self.is_reached():
            self._again = self.set_timer(WATCH_SECONDS, self.look)

    @property
    def holds_questions(self) -> bool:
        """Whether a question has to wait: none is reached, and the built-in one may not help."""
        return self.reach.state == "down" and not self._assistant.config.fallback

    async def is_reached(self) -> bool:
        """Look now, and tell what is known then."""
        self.reach = await self._endpoint.look()
        return self.reach.state != "down"
