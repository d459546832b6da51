"""The interface for programs in Python, used as docs/python.md says."""

import asyncio
import inspect
import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

import rag_assistant
from rag_assistant import (
    Answered,
    AsyncLibrary,
    RagError,
    RunStopped,
    open_async_library,
    open_library,
)
from rag_assistant.api.asking import allowing, answer_of
from rag_assistant.tools.permission import Decision, PermissionRequest
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.events import Event, Stopped
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import Usage

QUESTION = "How many weeks of parental leave does a parent get?"


def test_everything_in_ten_lines(tmp_path: Path, handbook: Path) -> None:
    """A program could not use what a person can."""
    questions = tmp_path / "handbook.jsonl"
    questions.write_text('{"question": "annual leave days", "relevant": ["leave/annual.md"]}\n')
    with open_library(tmp_path / "home") as library:
        assert library.index(handbook).added == 4
        assert library.names() == ["handbook"]
        hits = list(library.search("parental leave", limit=2))
        assert hits[0].path == "leave/parental.md"
        span = library.get(hits[0].entry_id, start=4, end=9)
        assert (span.text, span.end, span.entry.path) == ("owner", 9, "leave/parental.md")
        answer = library.ask(QUESTION)
        assert "sixteen" in answer.text
        assert answer.citations[0].path == "leave/parental.md"
        assert "sixteen weeks" in answer.citations[0].quote
        *_, last = library.stream(QUESTION)
        assert isinstance(last, Answered)
        assert last.answer.text == answer.text
        report = library.evaluate(questions, mode="search", databases=["handbook"])
        assert report.metrics["nDCG@10"] == 1


async def test_the_same_without_waiting(tmp_path: Path, handbook: Path) -> None:
    """A server could not go on while a question is answered."""
    async with open_async_library(tmp_path / "home") as library:
        report = await library.index(handbook)
        found = await library.search("annual leave", databases=[report.database])
        assert found.hits[0].path == "leave/annual.md"
        assert "27 days" in (await library.get(found.hits[0].entry_id)).text
        answers = await asyncio.gather(library.ask(QUESTION), library.ask("What is refunded?"))
        assert all(answer.citations for answer in answers)
        kinds = [type(event).__name__ async for event in library.stream(QUESTION)]
        assert (kinds[0], kinds[-1]) == ("RunStarted", "Answered")


async def test_it_waits_where_a_loop_runs_already(tmp_path: Path, handbook: Path) -> None:
    """It could not be used in a notebook, whose loop runs."""
    with open_library(tmp_path / "home") as library:
        library.index(handbook)
        assert library.ask(QUESTION).answered


def test_an_iterator_that_is_left_ends_its_run(tmp_path: Path, handbook: Path) -> None:
    """The run would go on, and the program could not end."""
    with open_library(tmp_path / "home") as library:
        library.index(handbook)
        for event in library.stream(QUESTION):
            assert type(event).__name__ == "RunStarted"
            break
        assert library.ask(QUESTION).answered
    assert not [one for one in threading.enumerate() if one.name == "rag-assistant"]


def test_what_is_wrong_is_one_error(tmp_path: Path, handbook: Path) -> None:
    """A program would have to know every module's own errors."""
    with open_library(tmp_path / "home") as library:
        with pytest.raises(RagError, match="no database yet"):
            library.search("x")
        library.index(handbook)
        library.index(handbook.parent / "handbook" / "leave", name="leave")
        with pytest.raises(RagError, match="Which database"):
            library.get(1)
        with pytest.raises(RagError, match="no characters 5 to 2"):
            library.get(1, database="leave", start=5, end=2)
        with pytest.raises(RagError, match="999"):
            library.get(999, database="leave")
        with pytest.raises(RagError, match="No embedder is configured"):
            library.embed("leave")
        with pytest.raises(RagError, match="nowhere"):
            next(iter(library.stream("x", databases=["nowhere"])))


async def test_a_run_that_stops_is_an_error_with_what_there_was() -> None:
    """Half an answer would pass for a whole one."""

    async def run() -> AsyncGenerator[Event, None]:
        yield Stopped("Out of time", "Ask less.", partial)

    partial = Answer("q", "half", (), (), Coverage(), "m", Usage(), 1)
    with pytest.raises(RunStopped, match=r"Out of time\. Ask less\.") as raised:
        await answer_of(run())
    assert raised.value.partial.text == "half"


async def test_only_what_is_named_is_allowed() -> None:
    """Text would leave because nobody was there to ask."""
    permit = allowing(["send_text"])
    assert await permit(PermissionRequest("send_text", {}, "", heading="?")) is Decision.ONCE
    assert await permit(PermissionRequest("run_python", {}, "")) is Decision.NO
    copied = PermissionRequest("send_text", {}, "", from_document=True)
    assert await permit(copied) is Decision.NO


def test_the_promised_names_are_there() -> None:
    """A name of the promise would be gone, or be no name of the package itself."""
    for name in rag_assistant.__all__:
        assert getattr(rag_assistant, name) is not None
    assert set(rag_assistant.__all__) <= set(dir(rag_assistant))
    with pytest.raises(AttributeError):
        _ = rag_assistant.searching_library  # type: ignore[attr-defined]


def test_both_libraries_have_the_same_methods() -> None:
    """What one of them can do, the other would not."""

    def methods(kind: type) -> dict[str, str]:
        made = {n: f for n, f in vars(kind).items() if callable(f) and not n.startswith("_")}
        return {name: str(inspect.signature(one).parameters) for name, one in made.items()}

    waiting, other = methods(rag_assistant.OpenLibrary), methods(AsyncLibrary)
    waiting.pop("close")
    other.pop("aclose")
    assert waiting == other
