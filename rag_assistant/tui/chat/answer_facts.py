"""What is looked up about an answer that is there: how its quotes stand, what comes nearest."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_assistant.assistant.nearest import nearest_passages
from rag_assistant.evidence import EvidenceItem, QuoteState
from rag_assistant.library.library import Library
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.sources.passage import check_citations


@dataclass(frozen=True, slots=True)
class Facts:
    """The state of each quote by its number, and what comes nearest where nothing is cited."""

    quotes: Mapping[int, QuoteState]
    closest: tuple[EvidenceItem, ...]


def look_up(library: Library, state: RunState) -> Facts:
    """Look up what there is to know of an answer. It blocks: call it in a thread."""
    closest = state.closest
    if state.answer and state.answer.unsupported and not closest:
        closest = nearest_passages(library, state.question, state.databases)
    return Facts(check_citations(library, tuple(state.citations)), closest)
