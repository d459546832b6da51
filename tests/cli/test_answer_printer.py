"""How a run is printed on a terminal."""

import os
import subprocess
import sys

import pytest

PRINTING = """
from rag_assistant.cli.answer_printer import AnswerPrinter
from rag_assistant.values.events import Note, TextDelta, Waiting

printer = AnswerPrinter("text", lambda: None)
for event in (
    Waiting("small", 5, 6_000), Waiting("small", 10, 6_000), Waiting("small", 15, 6_000),
    Waiting("small", 20, 6_000, True), TextDelta("Leave is"),
    Note("I look for more.", is_plan=True),
    Note("One database is gone."),
    TextDelta("30 days.\\n"), Note("The end is near."),
):
    printer.show(event)
"""


def test_what_is_told_amid_the_answer_has_a_line_of_its_own() -> None:
    """A remark would stand in the middle of the sentence that is being written."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    subprocess.run(
        [sys.executable, "-c", PRINTING], stdin=slave, stdout=slave, stderr=slave, check=True,
        env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(slave)
    lines = os.read(master, 65_536).decode().splitlines()
    os.close(master)
    assert lines == [
        "· small is reading about 6,000 tokens: no word for 10 s (Ctrl-C stops)",
        "· small is thinking: no word for 20 s (Ctrl-C stops)",
        "Leave is",
        "· I look for more.",
        "One database is gone.",
        "30 days.",
        "The end is near.",
    ]
