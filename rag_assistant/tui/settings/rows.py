"""How a setting looks: a line with its label and value, and the whole of it beside the list."""

from collections.abc import Iterable, Sequence
from typing import Any

from textual.content import Content

from rag_assistant.config.described import Setting
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.pick_list import FactRow, PickItem
from rag_assistant.tui.settings.labels import (
    GENERAL,
    choice_words,
    explanation_of,
    group_of,
    label_of,
    unit_of,
)

LONGEST_VALUE = 44
"""Cells of a value in the list; the whole of it stands beside the list."""


def in_order(settings: Iterable[Setting]) -> list[Setting]:
    """Put settings in the order of their groups."""
    order = list(GENERAL)
    return sorted(settings, key=lambda one: order.index(one.name) if one.name in order else 99)


def items_of(settings: Sequence[Setting]) -> tuple[PickItem, ...]:
    """List settings below the titles of their groups."""
    items: list[PickItem] = []
    group = ""
    for setting in settings:
        if group_of(setting) != group:
            group = group_of(setting)
            items += [PickItem(Text())] if items else []
            items.append(PickItem(Text(one_line(group, "bold $text-secondary"))))
        items.append(PickItem(_line(setting), setting.name))
    return tuple(items)


def shown_value(setting: Setting, value: Any) -> str:
    """Give a value for reading: on or off, a number with its unit, a choice in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        unit = unit_of(setting)
        return f"{value:,g} {unit}".rstrip() if isinstance(value, float) else _counted(value, unit)
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name} = {inner}" for name, inner in value.items()) or "none"
    return choice_words(setting, str(value)) or "none"


def _counted(value: int, unit: str) -> str:
    return f"{value:,} {unit}".rstrip()


def _line(setting: Setting) -> FactRow:
    changed = setting.value != setting.default
    name = one_line(label_of(setting), "" if setting.is_scalar else QUIET)
    mark = plain("● ", "$text-accent") if changed else EMPTY
    switch = ("[x] " if setting.value else "[ ] ") if setting.kind is bool else ""
    said = f"{switch}{shown_value(setting, setting.value)}"
    value = one_line(said, "$text-accent" if changed else QUIET)
    return FactRow(name, (joined([mark, value]).truncate(LONGEST_VALUE, ellipsis=True),))


def explained(setting: Setting, choices: Sequence[str]) -> tuple[LayoutBlock, ...]:
    """Give what a setting does, its value, its default, and what else it can be."""
    changed = setting.value != setting.default
    default = "none" if setting.default is None else shown_value(setting, setting.default)
    told = [
        ("now", shown_value(setting, setting.value)),
        ("default", default + (" · d sets it again" if changed and setting.default else "")),
    ]
    if choices:
        told.append(("choices", ", ".join(choice_words(setting, one) for one in choices)))
    told.append(("in file", setting.name))
    blocks: list[LayoutBlock] = [
        Text(one_line(label_of(setting), "bold")),
        Text(one_line(explanation_of(setting))),
        Divider(),
    ]
    blocks += [Indented(Text(one_line(said)), plain(f"{what:<9}", QUIET)) for what, said in told]
    if setting.key[-1] == "api_key_env":
        blocks.append(Text(plain("The key itself stays in the environment.", QUIET)))
    return (*blocks, Text(), Text(_next_step(setting, choices)))


def _next_step(setting: Setting, choices: Sequence[str]) -> Content:
    if not setting.is_scalar:
        return plain("A list: change it in the file.", QUIET)
    if setting.kind is bool:
        return plain(f"Enter turns it {'off' if setting.value else 'on'}.", QUIET)
    return plain("Enter lists the choices." if choices else "Enter writes another value.", QUIET)
