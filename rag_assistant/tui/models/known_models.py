"""The models that can be chosen, as a list: configured, running on this computer, and at hosts
whose key is set. It holds what is known of servers and hosts, and asks none of them.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rag_assistant.config import Config
from rag_assistant.models.discovery import LocalServer
from rag_assistant.models.offers import hosted_offers
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.model_names import shown_name
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.pick_list import FactRow, PickItem
from rag_assistant.tui.models.rows import (
    Host,
    ModelChoice,
    choices_of,
    heading,
    host_item,
    place_of,
    roles_of,
)


@dataclass(frozen=True, slots=True)
class KnownModels:
    """What is known of models: `servers` on this computer, None as long as they are looked for.

    `asked` are hosts that were asked for the names of their models; `problem` says why the ports
    to look at are not known.
    """

    config: Config
    servers: tuple[LocalServer, ...] | None = None
    asked: tuple[Host, ...] = ()
    problem: str = ""

    @property
    def hosts(self) -> tuple[Host, ...]:
        """The hosts whose key is set, each with what it has told."""
        asked = {host.offer.base_url: host for host in self.asked}
        offers = hosted_offers(os.environ, self.config.models.values())
        return tuple(asked.get(offer.base_url, Host(offer)) for offer in offers)

    @property
    def choices(self) -> list[ModelChoice]:
        """All models."""
        return choices_of(self.config, self.servers or (), self.hosts)

    def choice(self, key: str) -> ModelChoice | None:
        """Give the model of a line."""
        return next((choice for choice in self.choices if choice.key == key), None)

    def host(self, key: str) -> Host | None:
        """Give the host of a line: its own, or that of one of its models."""
        return next((host for host in self.hosts if key.startswith(host.key)), None)

    def with_host(self, host: Host) -> "KnownModels":
        """Take note of what a host has told, or of its being asked."""
        others = [one for one in self.asked if one.offer.base_url != host.offer.base_url]
        return replace(self, asked=(*others, host))

    def items(self, text: str) -> tuple[PickItem, ...]:
        """List the models that hold all the words of a text, in their name or place."""
        words = text.casefold().split()
        choices = [
            choice for choice in self.choices if all(word in _searched(choice) for word in words)
        ]
        configured = [self._item(choice) for choice in choices if choice.configured]
        found = list(self._found(choices))
        nothing = PickItem(FactRow(one_line(self._nothing_found(), QUIET)))
        return (
            heading("Configured"),
            *configured,
            PickItem(Text()),
            heading("Found on this computer"),
            *(found or [nothing]),
            *self._hosted(choices),
        )

    def _found(self, choices: list[ModelChoice]) -> Iterator[PickItem]:
        for server in self.servers or ():
            if server.problem:
                yield PickItem(FactRow(one_line(f"{server.host}: {server.problem}", QUIET)))
        urls = {host.offer.base_url for host in self.hosts}
        for choice in choices:
            if not choice.configured and choice.server not in urls:
                yield self._item(choice)

    def _hosted(self, choices: list[ModelChoice]) -> Iterator[PickItem]:
        if self.hosts:
            yield PickItem(Text())
            yield heading("By a key that is set")
        for host in self.hosts:
            yield host_item(host)
            yield from (self._item(c) for c in choices if c.server == host.offer.base_url)

    def _nothing_found(self) -> str:
        if self.servers is None:
            return "  looking…"
        none = "no other model: start Ollama, LM Studio or llama.cpp, then press r"
        return f"  {self.problem or none}"

    def _item(self, choice: ModelChoice) -> PickItem:
        roles = roles_of(self.config, choice)
        facts = (one_line(place_of(choice), QUIET), plain(roles, "$text-accent"))
        name = one_line(shown_name(choice.name), "bold" if roles else "")
        return PickItem(FactRow(name, facts), choice.key)


def _searched(choice: ModelChoice) -> str:
    """Give what a model is found by."""
    return f"{choice.name} {shown_name(choice.name)} {place_of(choice)}".casefold()
