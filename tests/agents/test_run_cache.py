"""What a run has looked up is not looked up again to check its answer, and nothing else changes."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_passages
from rag_assistant.library.survey import survey
from rag_assistant.tools.run_cache import RunCache, SearchDone, TextRead
from rag_assistant.values.coverage import EntryRead
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer
from rag_assistant.verification.contradictions import with_disagreements
from rag_assistant.verification.refusing import with_judgement
from rag_assistant.verification.signals import HITS, look
from tests.conftest import settle, write_files

TOLD_BY_THE_MODEL = {"chosen", "passage", "apart", "kind", "kind_near", "in_a_row", "fits"}
QUESTION = "How many guests does the hall hold?"
FILES = {
    "hall.md": "# Hall\n\nThe hall holds 120 guests and has a stage.\n",
    "fire.md": "# Fire\n\nThe hall holds 140 guests and has a stage.\n\n"
    + "".join(
        f"## Door {n}\n\n{'A door of the hall opens outwards. ' * 20}\n\n" for n in range(30)
    ),
    "tea.md": "# Tea\n\nTea is served in the pavilion.\n",
    "boat.md": "# Boat\n\nThe boat holds nine guests.\n",
}


@pytest.fixture
def halls(library: Library, tmp_path: Path) -> Library:
    """Two entries that contradict one another, one of them longer than what is read of it."""
    settle(write_files(tmp_path / "halls", FILES))
    library.index(tmp_path / "halls")
    return library


async def answer_of(library: Library, question: str = QUESTION) -> Answer:
    async with aclosing(Assistant(library, Config(), {}).ask(question)) as run:
        events = [event async for event in run]
    assert isinstance(events[-1], Answered)
    return events[-1].answer


def hits_of(answer: Answer, databases: Sequence[Database], given: RunCache) -> list[int]:
    return [hit.entry_id for hit in look(answer, databases, given).hits]


async def test_checks_find_the_same_where_nothing_was_looked_up(halls: Library) -> None:
    """An answer would be told to be surer, or its sources to agree, for the way it was checked."""
    answer = await answer_of(halls)
    found = survey(halls, ())
    assert answer.confidence
    assert {side.item.path for one in answer.disagreements for side in one.sides} == {
        "fire.md",
        "hall.md",
    }
    told = tuple(one for one in answer.signals if one.name in TOLD_BY_THE_MODEL)
    bare = replace(answer, confidence=0, signals=told, disagreements=())
    judged = with_judgement(bare, found, RunCache())
    assert judged.confidence == answer.confidence
    found_alike = [(one.name, one.value) for one in answer.signals]
    assert [(one.name, one.value) for one in judged.signals] == found_alike
    shares = [one.share for one in answer.signals]  # of values that were rounded once more
    assert [one.share for one in judged.signals] == pytest.approx(shares, abs=0.001)
    assert with_disagreements(bare, found, RunCache()).disagreements == answer.disagreements


async def test_the_search_of_the_run_is_taken_only_for_what_it_was(
    halls: Library, tmp_path: Path
) -> None:
    """A search would be made twice, or an answer judged by a search for something else."""
    answer = await answer_of(halls)
    (database,) = halls.databases()
    whole = search_passages([database], QUESTION, HITS)
    first = replace(whole, hits=whole.hits[:1])
    searched = hits_of(answer, [database], RunCache())
    assert len(searched) > 1

    def given(words: str = QUESTION, name: str = "halls", limit: int = HITS) -> RunCache:
        return RunCache([SearchDone((name,), words, limit, first)])

    assert hits_of(answer, [database], given()) == searched[:1]
    for other in (given("guests"), given(name="other"), given(limit=3)):
        assert hits_of(answer, [database], other) == searched
    write_files(tmp_path / "more", {"hall.md": "The other hall holds 90 guests.\n"})
    halls.index(tmp_path / "more")
    both = halls.databases()
    assert hits_of(answer, both, given()) == hits_of(answer, both, RunCache()) != searched[:1]


async def test_what_was_read_whole_is_compared_as_it_was_read(halls: Library) -> None:
    """An entry that is changed while the answer is written would be held against itself."""
    whole = await answer_of(halls)
    cited = tuple(one for one in whole.citations if one.item.path == "hall.md")
    answer = replace(whole, citations=cited, evidence=())
    database = halls.database("halls")
    texts = [
        TextRead("halls", QUESTION, database.read_for(entry.id, QUESTION, 100_000))
        for entry in database.entries()
    ]
    write_files(Path(database.folder()), {"fire.md": "The hall holds 120 guests.\n"})
    settle(Path(database.folder()))
    halls.index(Path(database.folder()))
    found = survey(halls, ())
    assert with_disagreements(answer, found, RunCache()).disagreements == ()
    told = with_disagreements(answer, found, RunCache(texts=texts)).disagreements
    assert {side.value for one in told for side in one.sides} == {"120 guests", "140 guests"}


async def test_what_was_read_comes_before_what_a_search_showed(halls: Library) -> None:
    """Of many entries those would be looked through that nobody opened, and not those read."""
    database = halls.database("halls")
    texts = [database.read_for(entry.id, QUESTION, 100_000) for entry in database.entries()]
    first, second, third, *_ = texts
    cache = RunCache(
        texts=[
            TextRead("halls", "", first, found=True),
            TextRead("halls", "", second, found=True),
            TextRead("halls", QUESTION, second),
            TextRead("halls", QUESTION, third),
        ]
    )
    read = [EntryRead("halls", text.entry.id) for text in (first, second, third)]
    ids = [number for _, number in cache.entries_read(read)]
    assert ids == [second.entry.id, third.entry.id, first.entry.id]
    assert len(cache.read_once()) == 3, "a passage is read once"
