"""An answer as text to be pasted elsewhere, with its sources below where they are wanted."""

from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.sources.reference import short_place
from rag_assistant.values.evidence import Citation, QuoteState


def answer_text(state: RunState) -> str:
    """Give the words of an answer, as they were written."""
    return state.text.strip()


def with_sources(state: RunState) -> str:
    """Give the answer with a numbered line below it for each source."""
    marks = state.marks
    lines = [_reference(citation, marks[citation.marker]) for citation in state.citations]
    return "\n".join([answer_text(state), *([""] if lines else []), *lines])


def _reference(citation: Citation, state: QuoteState) -> str:
    item = citation.item
    named = item.title.strip() or item.path
    place = short_place(item.location) if item.verified else ""
    parts = [named, place, item.path if item.path != named else ""]
    said = f"[{citation.marker}] {', '.join(part for part in parts if part)}"
    return said if state is QuoteState.FOUND else f"{said} ({state.words[2:]})"
