"""No word of the command line is shown inside the interface, whoever says what went wrong."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rag_assistant
from rag_assistant.errors import RagError
from rag_assistant.tui.drawing.interface_words import in_keys, told

PACKAGE = Path(rag_assistant.__file__).parent

ELSEWHERE = (
    "cli", "mcp_server", "http_api", "serving", "clients", "web",  # other front ends
    "egress/clients.py",  # said to the clients of those
    "evaluation/reports",  # written by a command; the interface opens their page
    # Of options that only a command takes:
    "evaluation/making/by_model.py", "evaluation/measuring/gates.py",
    "evaluation/questions/folders.py", "evaluation/questions/reading.py",
    "evaluation/running/budget.py", "evaluation/running/preconditions.py",
    "evaluation/running/wishes.py", "evaluation/questions/found_as_documents.py",
    "models/extractive/weights.py", "search/passage_weights.py",  # docstrings of the benchmarks
    "egress/secrets",  # patterns of commands in documents
    "tui/drawing/interface_words.py",
)  # fmt: skip
"""What never comes to be shown in it."""

SAID = re.compile(r"[A-Za-z][^\n]* [^\n]*\Z")
"""Words for a person: in one line, and no option, pattern or statement."""

COMMAND = re.compile(
    r"rag-assistant (?:index|search|get|ask|chat|eval|embed|databases|model|doctor|history|connect"
    r"|mcp|serve|config)\b|(?<![\w-])--[a-z]|`-[a-z] |(?<!\S)-[a-z] [A-Z]"
)


def _texts(tree: ast.Module) -> Iterator[str]:
    """Give the texts of a module, those put together with X for what is put in."""
    nodes = list(ast.walk(tree))
    parts = {id(one) for node in nodes if isinstance(node, ast.JoinedStr) for one in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values
            )
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
        ):
            yield node.value


def _modules(folder: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(ELSEWHERE):
            yield name, ast.parse(path.read_text("utf-8"))


def test_no_message_of_the_program_keeps_its_command() -> None:
    """A person is told to leave the interface and type what it does by a key, or options that
    there are none of. A new message needs a line in `interface_words`, or other words."""
    kept = [
        f"{name}: {text}"
        for name, tree in _modules(PACKAGE)
        for text in _texts(tree)
        if COMMAND.search(text) and SAID.match(text) and COMMAND.search(in_keys(text))
    ]
    assert kept == []


def test_every_failure_that_is_shown_is_told_in_the_words_of_the_interface() -> None:
    """`str(error)` has the hint as the command line says it."""
    raw = [
        f"{name}:{node.lineno}"
        for name, tree in _modules(PACKAGE / "tui")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node) == "str(error)"
    ]
    assert raw == []


def test_what_no_key_does_is_said_to_be_done_elsewhere() -> None:
    """If it fails, a hint is cut in a way that nobody understands, or a failure loses it."""
    hint = "Mend it: `rag-assistant databases repair conversations.db`."
    assert told(RagError("It is damaged.", hint=hint)) == (
        "It is damaged. Mend it on the command line."
    )
    assert in_keys("Mend it: `rag-assistant databases repair notes`.") == "Mend it: F4, then m."
    missing = (
        "Index its folder: rag-assistant index /home/x/notes. Or name one that is there: -d NAME"
    )
    assert in_keys(missing) == "Add its folder: Esc, then Ctrl+O."
    assert in_keys("It went --wrong in one's words.") == "It went --wrong in one's words."


@pytest.mark.parametrize(
    "said",
    [
        "No document has the word “tea or coffee --strong”.",
        "The image '/home/x/cats or dogs -b.png' cannot be read: no such file.",
        "/home/x/plan or draft -b.md is a link to nothing.",
        "There is no database 'x or y -d z'.",
        "Read notes (--draft).md again.",
        "“Soup”, “tea or -x” and “Soup” stand in no document.",
    ],
)
def test_names_and_words_of_others_stay_whatever_they_look_like(said: str) -> None:
    """A file's name, or the words that were looked for, would be shown without a part of them."""
    assert in_keys(said) == said
