"""How the interface is put together: parts are held, not inherited.

A class that is cut into a chain of single-child bases is one object still, however many files it
has: each part can reach all others, and none can be read, tested or used alone.
"""

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.screen import Screen
from textual.widget import Widget

import rag_assistant.tui
from rag_assistant.tui.lists.browse_screen import BrowseScreen
from rag_assistant.tui.main.main_screen import MainScreen

ROOT = Path(rag_assistant.tui.__file__).parent
ROOMS = sorted(file.parent.name for file in ROOT.glob("*/__init__.py"))
BASES = {"lists": "BrowseScreen, which many lists are made of, asks each what it lists"}
"""Where methods are left to subclasses, and why."""
WITHOUT_WIDGETS = {"rendering", "terminal"}

MOST_METHODS = 50
"""Of the main screen: it composes, and passes on keys and messages."""


def widgets_of(room: str) -> Iterator[type[Widget]]:
    """Give the widgets, screens included, that the modules of a room define."""
    package = importlib.import_module(f"rag_assistant.tui.{room}")
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        for _, found in inspect.getmembers(module, inspect.isclass):
            if issubclass(found, Widget) and found.__module__ == info.name:
                yield found


def own_bases(widget: type[Widget]) -> list[type]:
    """Give the bases of a widget that are of this package."""
    return [base for base in widget.__mro__[1:] if base.__module__.startswith("rag_assistant.")]


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in WITHOUT_WIDGETS])
def test_no_widget_is_cut_into_a_chain_of_bases(room: str) -> None:
    """If it fails, a part can only be understood together with all that inherit from it."""
    found = list(widgets_of(room))
    assert found
    for widget in found:
        bases = own_bases(widget)
        assert len(bases) <= 1, widget
        assert not issubclass(widget, Screen) or set(bases) <= {BrowseScreen}, widget


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in BASES])
def test_no_part_leaves_a_method_to_what_inherits_from_it(room: str) -> None:
    """If it fails, a part calls downwards what it should have been given."""
    for file in (ROOT / room).glob("*.py"):
        names = {n.id for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Name)}
        assert "NotImplementedError" not in names, file


def test_the_main_screen_stays_thin() -> None:
    """If it fails, what belongs to a part or a controller is done by the screen again."""
    own = [name for name, _ in inspect.getmembers(MainScreen, inspect.isfunction)]
    inherited = {name for name, _ in inspect.getmembers(Screen, inspect.isfunction)}
    methods = [name for name in own if name not in inherited or name in vars(MainScreen)]
    assert len(methods) <= MOST_METHODS, methods
