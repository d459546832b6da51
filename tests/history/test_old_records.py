"""Runs kept before quotes and sentences had states are read as before."""

from rag_assistant.history.decoding import event_of
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, QuoteMatch
from rag_assistant.values.json_shapes import event_json
from rag_assistant.values.messages import Usage

ITEM = EvidenceItem("d", 1, "t", "p.md", "words", Location(0, 5), True)


def test_an_answer_without_the_new_keys_comes_back() -> None:
    """A kept conversation could not be opened any more after an update."""
    answer = Answer("q", "a [1]", (Citation(1, ITEM),), (), Coverage(), "m", Usage(), 1)
    data = event_json(Answered(answer))
    for key in ("sentences", "objections"):
        del data[key]
    for key in ("match", "written"):
        del data["citations"][0][key]
    assert event_of(data) == Answered(answer)
    data["citations"][0]["verified"] = False
    back = event_of(data)
    assert isinstance(back, Answered)
    assert back.answer.citations[0].item.match is QuoteMatch.MISSING
