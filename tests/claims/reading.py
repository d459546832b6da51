"""Answers judged by entries that were read, as the tests write them."""

from collections.abc import Mapping, Sequence

from rag_assistant.claims.judging import with_support
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Entry, EntryText, Location, Passage
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Sentence, Support


def entry(text: str, number: int = 1, title: str = "", **metadata: str) -> EntryText:
    """Give an entry with one passage for each heading of its text."""
    passages: list[Passage] = []
    start, heading = 0, None
    for part in text.split("\n## "):
        words = part if not start else f"\n## {part}"
        heading = part.split("\n", 1)[0] if start else None
        end = start + len(words)
        passages.append(Passage(words, Location(start, end, heading=heading)))
        start = end
    about = Entry(number, title, f"papers/{number}.md", "text/markdown", start, metadata=metadata)
    return EntryText(about, tuple(passages))


def judged(
    answer: str,
    read: Sequence[EntryText],
    quotes: Mapping[int, str] | None = None,
    question: str = "?",
    other_tools: int = 0,
) -> tuple[Sentence, ...]:
    """Judge an answer that cites `quotes` of the first entry, or nothing."""
    items: dict[int, EvidenceItem] = {}
    whole = "".join(passage.text for passage in read[0].passages) if read else ""
    for marker, quote in (quotes or {}).items():
        start = whole.index(quote)
        place = Location(start, start + len(quote))
        about = read[0].entry
        items[marker] = EvidenceItem("d", about.id, about.title, about.path, quote, place, True)
    citations = tuple(Citation(marker, item) for marker, item in items.items())
    evidence = (Evidence("d", question, tuple(items.values()), 5, ()),)
    said = Answer(
        question, answer, citations, evidence, Coverage(other_tools=other_tools), "m", Usage(), 1
    )  # fmt: skip
    return with_support(said, [("d", one) for one in read]).sentences


def states(sentences: Sequence[Sentence]) -> list[str]:
    """Give the states of what claims anything."""
    return [one.support.value for one in sentences if one.support is not Support.NO_CLAIM]
