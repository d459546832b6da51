"""The parts of a long entry as a model is told them, so that it can read the one it needs next."""

from rag_assistant.injection.naming import prompt_heading
from rag_assistant.library.database import Database
from rag_assistant.values.documents import EntryText
from rag_assistant.values.evidence import PartRead
from rag_assistant.values.outline import Outline

MOST_PARTS = 12
"""Parts that are named: some 100 tokens."""

_LONGEST_NAME = 60


def parts_of(database: Database, text: EntryText) -> tuple[PartRead, ...]:
    """Give the parts of an entry that was read in part only; none of any other. It blocks.

    The highest levels that there is room for are named, of too many of one level some from all
    over it; none whose name gives orders, or is hidden. Raises EntryNotFound.
    """
    if not text.omitted:
        return ()
    hidden = [(span.start, span.end) for span in text.hidden]
    told = (
        (part.start, prompt_heading(part.label[:_LONGEST_NAME]))
        for part in main_parts(database.facts(text.entry.id).outline)
        if not any(start <= part.start < end for start, end in hidden)
    )
    return tuple(PartRead(start, name) for start, name in told if name)


def main_parts(outline: Outline) -> Outline:
    """Give the parts of the highest levels that there is room for."""
    levels = sorted({part.level for part in outline})
    chosen: Outline = ()
    for level in levels:
        wider = tuple(part for part in outline if part.level <= level)
        if len(wider) > MOST_PARTS:
            # Below a title alone, what it is the title of.
            return chosen if len(chosen) > 1 else _some(wider)
        chosen = wider
    return chosen


def _some(outline: Outline) -> Outline:
    step = -(-len(outline) // MOST_PARTS)
    return outline[::step]
