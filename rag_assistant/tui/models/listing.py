"""The list of models: configured, running on this computer, and at hosts whose key is set.

It looks at this computer only; a host elsewhere is asked for names when the person wants them.
"""

import os
from pathlib import Path

from textual import on, work
from textual.message import Message

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.models.discovery import LocalServer, discover, ports_of
from rag_assistant.models.model_names import model_names
from rag_assistant.models.offers import ModelOffer, hosted_offers
from rag_assistant.tui.beside import beside
from rag_assistant.tui.drawing.layout import Text
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.browse_screen import BrowseScreen
from rag_assistant.tui.lists.pick_list import Facts, Item
from rag_assistant.tui.models.rows import (
    Choice,
    Host,
    choices_of,
    heading,
    host_item,
    place_of,
)

LOOK_SECONDS = 2.0
"""How long a server on this computer may take to list its models; one may be loading one."""


class ModelListScreen(BrowseScreen[str]):
    """Lists models, and gives the one or the host at the cursor to its subclass."""

    NAME = "Models"
    PLACEHOLDER = "filter by name or place"
    STARTS_IN_LIST = True

    class Named(Message):
        """A host has told the names of its models, or why not."""

        def __init__(self, host: Host, failure: RagError | None = None) -> None:
            super().__init__()
            self.host = host
            self.failure = failure

    def __init__(self, assistant: Assistant, config_path: Path) -> None:
        super().__init__()
        self._assistant = assistant
        self._path = config_path
        self._servers: tuple[LocalServer, ...] | None = None
        self._problem = ""
        self._asked: dict[str, Host] = {}

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

    @property
    def _hosts(self) -> tuple[Host, ...]:
        offers = hosted_offers(os.environ, self._assistant.config.models.values())
        return tuple(self._asked.get(offer.base_url, Host(offer)) for offer in offers)

    def _choices(self) -> list[Choice]:
        return choices_of(self._assistant.config, self._servers or (), self._hosts)

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
        urls = {host.offer.base_url for host in self._hosts}
        items += [self._item(c) for c in choices if not c.configured and c.server not in urls]
        if items[-1].block == heading("Found on this computer").block:
            items.append(Item(Facts(one_line(self._nothing_found(), QUIET))))
        items += self._hosted(choices)
        self.listing.show(tuple(items))
        config = self._assistant.config
        answers = f"{config.model} answers · {config.helper or config.model} helps"
        self.head(one_line(answers, QUIET))

    def _hosted(self, choices: list[Choice]) -> list[Item]:
        """List the hosts whose keys are set, each with what it has told."""
        items = [Item(Text()), heading("By a key that is set")] if self._hosts else []
        for host in self._hosts:
            items.append(host_item(host))
            items += [self._item(c) for c in choices if c.server == host.offer.base_url]
        return items

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
        roles = (("● answers", config.model), ("helps", helper))
        return ", ".join(role for role, name in roles if name == choice.name)

    @property
    def _chosen(self) -> Choice | None:
        key = self.listing.key
        return next((choice for choice in self._choices() if choice.key == key), None)

    # The names that a host tells

    @property
    def _host(self) -> Host | None:
        """The host at the cursor: its own line, or one of its models."""
        key = self.listing.key
        return next((host for host in self._hosts if key.startswith(host.key)), None)

    def action_names(self) -> None:
        """Ask the host at the cursor, or the only one, for the names of its models."""
        host = self._host or (self._hosts[0] if len(self._hosts) == 1 else None)
        if host is None:
            none = "no key of a host is set, such as OPENAI_API_KEY"
            self.remark(plain("go to a host first: l asks it alone" if self._hosts else none))
            return
        self._tell_host(Host(host.offer, host.names, "asking…"))
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
        self._tell_host(event.host)
        if event.failure:
            self.complain(event.failure.message, event.failure.hint)
        else:
            self.remark()

    def _tell_host(self, host: Host) -> None:
        self._asked[host.offer.base_url] = host
        self.filter_changed(self.filter_text)
