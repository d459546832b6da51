"""Runs as a model and its tools would make them: their events, and streams of them."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import (
    Answered,
    CitationResolved,
    Event,
    EvidenceFound,
    Note,
    RunStarted,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem, ModelUsage
from rag_assistant.values.messages import Usage

ITEM = EvidenceItem(
    "handbook", 7, "Annual leave", "leave/annual.md", "27 days of annual leave a year",
    Location(36, 66, None, "Annual leave", 3), True,
)  # fmt: skip
CITATION = Citation(1, ITEM)
EVIDENCE = Evidence(
    "handbook", "annual leave", (ITEM,), 8, (7,), ("parts left out",), Usage(5, 2, 1)
)


def started(question: str = "How many days of annual leave?") -> RunStarted:
    """The first event of a run."""
    return RunStarted(question, ("handbook",), "mine")


def answered(question: str, text: str) -> Answered:
    """The last event of a run that cites a source."""
    usage = Usage(20, 10, 2)
    return Answered(
        Answer(
            question, text, (CITATION,), (EVIDENCE,), Coverage(("handbook",), 4, 0, 1, 1), "mine",
            usage, 1234, (ModelUsage("mine", "main", usage, 0.25),), 0.25,
        )
    )  # fmt: skip


def run(question: str = "How many days?", text: str = "You get 27 days [1].") -> list[Event]:
    """A whole run: a search, a remark, an answer that cites."""
    return [
        started(question),
        TextDelta("I will look."),
        Note("I will look.", was_streamed=True),
        ToolStarted("c1", "query_handbook_database", {"ids": [7], "query": "annual leave"}),
        ToolFinished("c1", "query_handbook_database", True, "1 quote", 0.012),
        EvidenceFound(EVIDENCE),
        CitationResolved(CITATION),
        *(TextDelta(word) for word in text.split(" ")),
        answered(question, text),
    ]


async def stream(
    events: Sequence[Event], *, then_wait: bool = False
) -> AsyncGenerator[Event, None]:
    """Give events one after the other; with `then_wait` the run goes on for ever after them."""
    for event in events:
        yield event
    if then_wait:
        await asyncio.Event().wait()
