"""A small folder in a real index, and an assistant on it with the built-in model."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from tests.conftest import IndexOnce

FILES = {
    "leave/annual.md": "# Annual leave\n\nEverybody has 27 days of annual leave a year.\n\n"
    "Up to eight days may be carried over. They must be used by 30 June.\n",
    "leave/sick.md": "# Sickness\n\nWhoever is ill calls the duty desk on extension 2999 "
    "no later than two hours before the watch begins.\n",
    "pay/pay dates.md": "# Pay dates\n\nThe salary is paid on the 25th of each month.\n\n"
    "In December the salary is paid early, on the 19th.\n",
    "travel/expenses.md": "# Expenses\n\nA claim has to be submitted within 45 days of the day "
    "on which the money was spent.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder `staff`, beside which question sets are written."""
    root = tmp_path / "staff"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def library(tmp_path: Path, folder: Path, index_once: IndexOnce) -> Library:
    """A library that holds the database `staff`."""
    return index_once(Library(tmp_path / "home"), folder)


@pytest.fixture
def assistant(library: Library) -> Assistant:
    """An assistant that needs no network."""
    return Assistant(library, Config(), {})
