"""What the command line says of an answer's unproven sentences and of quotes that are nearly so."""

from dataclasses import replace

import pytest

from rag_assistant.cli.answer_printer import AnswerPrinter
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, QuoteMatch
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Sentence, Support, check_lines

TEXT = "Leave is long [1]. Boots\nare free."
ITEM = EvidenceItem(
    "d", 1, "Leave", "leave.md", "Leave is long.", Location(0, 14), True,
    match=QuoteMatch.ALIGNED, written="Leave ls long.",
)  # fmt: skip
SENTENCES = (
    Sentence(0, 18, Support.SUPPORTED, (1,), verbatim=True),
    Sentence(19, len(TEXT), Support.UNCONFIRMED),
)
ANSWER = Answer(
    "Why?", TEXT, (Citation(1, ITEM),), (), Coverage(), "m", Usage(), 5,
    sentences=SENTENCES, objections=("The answer cites [7].",),
)  # fmt: skip


def test_unproven_sentences_and_objections_follow_the_answer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A person at the command line, or a pipe, would take an unproven claim for a proven one."""
    AnswerPrinter("text", lambda: None).show(Answered(ANSWER))
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert lines[2] == "! Not confirmed word for word: Boots are free."
    assert lines[3] == "! The answer cites [7]."
    assert lines[-1].strip() == "quoted nearly as “Leave ls long.”"


def test_nothing_is_said_of_an_answer_that_is_proven(capsys: pytest.CaptureFixture[str]) -> None:
    """Each answer would come with a warning, and nobody read it."""
    proven = replace(ANSWER, sentences=SENTENCES[:1], objections=())
    AnswerPrinter("text", lambda: None).show(Answered(proven))
    assert "!" not in capsys.readouterr().out


def test_many_and_long_sentences_stay_one_line() -> None:
    """The line would be longer than the answer."""
    text = "Boots are free. " * 5 + "x" * 300
    sentences = [Sentence(16 * n, 16 * n + 15, Support.UNCONFIRMED) for n in range(5)]
    (line,) = check_lines(text, [Sentence(80, 380, Support.UNCONFIRMED), *sentences])
    assert line.startswith("Not confirmed word for word: xxx")
    assert line.endswith(" / and 3 more")
    assert len(line) < 250
