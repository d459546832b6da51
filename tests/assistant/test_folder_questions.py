"""Questions about a whole folder, asked of the built-in model: no model is configured."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.values.coverage import coverage_statement
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer
from tests.conftest import write_files

MAIL = "From: {}\nDate: {}\nSubject: {}\n\n{}\n"
ANN, BO = "Ann Berg <ann@x.example>", "Bo Lund <bo@x.example>"
YARD = {
    "minutes/2025-03-11.md": "# Minutes of March\n\nThe roof is to be mended.\n",
    "minutes/2025-04-08.md": "# Minutes of April\n\nThe roof is done. The bees came.\n",
    "minutes/2026-01-13.md": "# Minutes of January\n\nThe hives came.\n",
    "mail/a.eml": MAIL.format(ANN, "Fri, 14 Mar 2025 09:12:00 +0000", "Minutes", "The roof leaks."),
    "mail/b.eml": MAIL.format(ANN, "Fri, 02 Jan 2026 09:12:00 +0000", "Bees", "They are loud."),
    "mail/c.eml": MAIL.format(BO, "Mon, 05 Jan 2026 09:12:00 +0000", "Slates", "It costs £8,000."),
    "crane.md": "# Crane\n\nThe crane fee is £8,000.50. Every member must bring three documents.\n",
}


@pytest.fixture
async def yard(tmp_path: Path) -> AsyncGenerator[Assistant, None]:
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "yard", YARD))
    numbered = {f"{number:02}.md": f"# Slate {number}\n\nIt fell.\n" for number in range(30)}
    library.index(write_files(tmp_path / "slates", numbered))
    assistant = Assistant(library, Config(), {})
    yield assistant
    await assistant.aclose()


async def ask(assistant: Assistant, question: str, *databases: str) -> Answer:
    async with aclosing(assistant.ask(question, databases=databases or ("yard",))) as run:
        return next(e.answer for e in [e async for e in run] if isinstance(e, Answered))


@pytest.mark.parametrize(
    ("question", "first", "paths"),
    [
        (
            "Which minutes are about the roof?",
            "2 of 7 documents, all looked at, have “roof” and are minutes (by path:minutes/):",
            ["minutes/2025-04-08.md", "minutes/2025-03-11.md"],
        ),
        (
            "List all e-mails from Ann in January 2026",
            "1 of 7 documents, all looked at, is one of the e-mails by Ann"
            " dated 2026-01-01 to 2026-01-31:",
            ["mail/b.eml"],
        ),
        (
            "How many e-mails did Ann Berg write?",
            "2 of 7 documents, all looked at, are e-mails by Ann Berg:",
            ["mail/b.eml", "mail/a.eml"],
        ),
        (
            "In how many documents does £8,000 stand?",
            "1 of 7 documents, all looked at, has “£8,000”:",
            ["mail/c.eml"],
        ),
        (
            "What is the newest minutes?",
            "3 of 7 documents, all looked at, are minutes (by path:minutes/); the newest:",
            ["minutes/2026-01-13.md"],
        ),
        (
            "Which papers mention the bees?",
            "2 of 7 documents, all looked at, have “bees”:",
            ["mail/b.eml", "minutes/2025-04-08.md"],
        ),
    ],
)
async def test_it_is_answered_exactly_with_what_was_looked_at(
    yard: Assistant, question: str, first: str, paths: list[str]
) -> None:
    """Without a model, a count would be five quotes, and a list whatever ranks best."""
    answer = await ask(yard, question)
    assert answer.text.splitlines()[0] == first
    assert [one.item.path for one in answer.citations] == paths
    assert answer.answered and answer.confidence == 10
    assert "all looked at" in coverage_statement(answer.coverage)
    assert not any(one.support.is_hard for one in answer.sentences)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which documents mention zebras?", "0 of 7 documents, all looked at, have “zebras”."),
        (
            "How many PDF files are there?",
            "0 of 7 documents, all looked at, are PDF files.",
        ),
        (
            "List all e-mails from Cy",
            "0 of 7 documents, all looked at, are e-mails by Cy.",
        ),
    ],
)
async def test_none_is_an_answer(yard: Assistant, question: str, text: str) -> None:
    """A count of nothing would be refused, as if it were not known."""
    answer = await ask(yard, question)
    assert answer.text == text
    assert answer.answered and answer.refusal is None


async def test_groups_are_counted(yard: Assistant) -> None:
    """Who wrote how many would be guessed from the best passages."""
    answer = await ask(yard, "Who wrote most of the e-mails, and how many each?")
    assert answer.text.splitlines()[2:] == ["- Ann Berg: 2 documents", "- Bo Lund: 1 document"]
    answer = await ask(yard, "How many e-mails are there per month?")
    assert answer.text.splitlines()[2:] == ["- 2025-03: 1 document", "- 2026-01: 2 documents"]
    assert not any(one.support.is_hard for one in answer.sentences)


async def test_several_databases_are_counted_together_and_a_long_list_is_cut(
    yard: Assistant,
) -> None:
    """A number would be of one folder only, or an answer hundreds of lines long."""
    answer = await ask(yard, "How many Markdown files are there?", "yard", "slates")
    lines = answer.text.splitlines()
    assert lines[0] == "34 of 37 documents, all looked at, are Markdown files:"
    assert sum(line.startswith("- ") for line in lines) == 20
    assert lines[-1] == "And 14 more documents."
    assert not any(one.support.is_hard for one in answer.sentences)


@pytest.mark.parametrize(
    "question",
    [
        "How many letters did Ann write?",  # the folder has no letters
        "How many documents did Cy write?",  # and nobody of that name
        "Which minutes were written by Ann?",  # which do not say who wrote them
        "How many documents must every member bring?",
    ],
)
async def test_what_the_folder_does_not_have_is_searched_for(
    yard: Assistant, question: str
) -> None:
    """A question whose answer stands in the text would be answered by a count of files."""
    answer = await ask(yard, question)
    assert answer.coverage.searches_made
    assert "documents, all looked at" not in answer.text


async def test_the_day_is_that_of_the_prompt(yard: Assistant) -> None:
    """ "New since yesterday" would be empty, or everything."""
    answer = await ask(yard, "What is new since yesterday?")
    assert [one.item.path for one in answer.citations] == ["crane.md"]
