"""What the screen of models shows of each: where it runs, what it can do, and by which name."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.agents.fit_checks import FitResult
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.models.discovery import LocalServer
from rag_assistant.models.endpoint import apparent_host, host_of
from rag_assistant.models.offers import ModelOffer
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.model_names import shown_name
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, QUIET, WARN
from rag_assistant.tui.lists.pick_list import FactRow, PickItem

MARKS = {True: plain("✓ ", GOOD), False: plain("✗ ", BAD), None: plain("? ", WARN)}


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model that can be chosen; `settings` are None for the built-in one."""

    name: str
    settings: ModelSettings | None
    configured: bool
    server: str = ""

    @property
    def key(self) -> str:
        """Tells it from one of the same name elsewhere."""
        return f"{self.server}\n{self.name}"


@dataclass(frozen=True, slots=True)
class Host:
    """A host whose key is set. `said` is what became of asking it for the `names` of its models."""

    offer: ModelOffer
    names: tuple[str, ...] = ()
    said: str = ""

    @property
    def key(self) -> str:
        """Tells its line from those of models."""
        return f"{self.offer.base_url}\n"


BUILT_IN = (
    "Needs no key, no network and no download: it finds passages and quotes them word for word. "
    "It writes no sentences of its own. Search works without any model."
)
UNTESTED = "t tests what it can do here: speed, tools, quotes, images. It sends no documents."


def heading(title: str) -> PickItem:
    """Give a line above some models."""
    return PickItem(Text(plain(title, "bold $text-secondary")))


def place_of(choice: ModelChoice) -> str:
    """Say where questions and passages go."""
    if choice.settings is None:
        return "built in"
    if host := apparent_host(choice.settings):
        return f"sends passages to {host}"
    return f"local, {choice.server or host_of(choice.settings.base_url)}"


def explained(choice: ModelChoice) -> list[LayoutBlock]:
    """Say all there is to say of a model."""
    settings = choice.settings
    if settings is None:
        return [Text(plain("stays on this computer", GOOD))]
    elsewhere = apparent_host(settings)
    told = [
        ("model", settings.model),
        ("address", settings.base_url),
        ("tools", "native" if settings.native_tools else f"by text ({settings.call_form})"),
        ("images", "yes" if settings.images else "no"),
    ]
    if settings.api_key_env:
        given = "set" if os.environ.get(settings.api_key_env) else "not set"
        told.append(("key", f"${settings.api_key_env}, {given}"))
    stays = plain("stays on this computer", GOOD)
    leaves = one_line(f"sends questions and passages to {elsewhere}", WARN)
    shown = told if choice.configured else told[:2]
    facts = [Indented(Text(one_line(said)), plain(f"{what:<9}", QUIET)) for what, said in shown]
    return [Text(leaves if elsewhere else stays), *facts]


def choice_blocks(
    choice: ModelChoice, results: Sequence[FitResult], *, testing: bool
) -> list[LayoutBlock]:
    """Say all there is to say of a model, and what its test has found so far."""
    title = Text(one_line(shown_name(choice.name), "bold"))
    blocks: list[LayoutBlock] = [title, *explained(choice), Divider()]
    if not results and not testing:
        blocks.append(Text(plain(UNTESTED if choice.settings else BUILT_IN, QUIET)))
    for result in results:
        blocks.append(Indented(Text(one_line(result.name, "bold")), MARKS[result.ok]))
        blocks.append(Indented(Text(one_line(result.found)), plain("  ")))
        if result.means:
            blocks.append(Indented(Text(one_line(result.means, QUIET)), plain("  → ", QUIET)))
    if testing:
        blocks.append(Text(plain("◌ testing… Esc stops", "$text-accent")))
    return blocks


def roles_of(config: Config, choice: ModelChoice) -> str:
    """Say what a configured model does; "" where it does nothing."""
    helper = config.helper or config.model
    seats = (("● answers", config.model), ("helps", helper))
    roles = [role for role, name in seats if name == choice.name]
    return ", ".join(roles) if choice.configured else ""


def choices_of(
    config: Config, servers: Sequence[LocalServer], hosts: Sequence[Host]
) -> list[ModelChoice]:
    """Give all models: the built-in one, those configured, those that were found or listed."""
    choices = [ModelChoice(EXTRACTIVE, None, configured=True)]
    choices += [ModelChoice(n, settings, configured=True) for n, settings in config.models.items()]
    known = {(s.model, s.base_url.rstrip("/")) for s in config.models.values()}
    found = [
        ModelChoice(
            model, ModelSettings(model, server.base_url), configured=False, server=server.host
        )
        for server in servers
        for model in server.models
    ]
    found += [
        ModelChoice(name, host.offer.settings(name), configured=False, server=host.offer.base_url)
        for host in hosts
        for name in host.names
    ]
    for choice in found:
        settings = choice.settings
        if settings and (settings.model, settings.base_url.rstrip("/")) not in known:
            choices.append(choice)
    return choices


def host_item(host: Host) -> PickItem:
    """Give the line of a host: whose it is, and what became of asking it."""
    key = f"{host.offer.key_env} is set"
    return PickItem(
        FactRow(one_line(host.offer.host), (one_line(host.said or key, QUIET),)), host.key
    )


def host_explained(host: Host) -> list[LayoutBlock]:
    """Say what asking a host for the names of its models means."""
    leaves = f"a model there gets your questions and passages: they go to {host.offer.host}"
    asks = f"Enter asks it for the names of its models. Only the key in ${host.offer.key_env} is"
    return [
        Text(one_line(host.offer.host, "bold")),
        Text(one_line(leaves, WARN)),
        Divider(),
        Text(one_line(f"{asks} sent.", QUIET)),
    ]
