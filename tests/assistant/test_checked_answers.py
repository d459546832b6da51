"""Every answer of a conversation is checked, and what was found wrong goes with it."""

import json

from rag_assistant.events import Answered
from rag_assistant.evidence import Answer, QuoteMatch
from rag_assistant.json_shapes import answer_json
from rag_assistant.messages import ToolCall
from rag_assistant.support import Support
from tests.assistant.conftest import Played
from tests.scripted import ScriptedModel

QUESTION = "How many weeks of leave does every parent get?"
SEARCH = ToolCall("s", "search_handbook_database", json.dumps({"keyword": "parent leave weeks"}))


async def answered(played: Played, text: str) -> Answer:
    reads = [("query_handbook_database", {"query": QUESTION, "ids": "1,2,3,4"})]
    calls = tuple(ToolCall("q", name, json.dumps(given)) for name, given in reads)
    assistant = played(ScriptedModel([(SEARCH,), calls, text]))
    events = [event async for event in assistant.ask(QUESTION, databases=["handbook"])]
    last = events[-1]
    assert isinstance(last, Answered), last
    return last.answer


async def test_each_sentence_says_what_it_rests_on(played: Played) -> None:
    """A claim that nothing bears out would come with the same face as one that is proven."""
    text = (
        "Every parent gets sixteen weeks of leave at full pay [1]. It is 16 weeks for every parent"
        " [1]. It is 18 weeks in Norway [1]. Boots are free [9]."
    )
    answer = await answered(played, text)
    states = [sentence.support for sentence in answer.sentences]
    assert states == [
        Support.QUOTED,
        Support.SUPPORTED,
        Support.UNSUPPORTED,
        Support.UNSUPPORTED,
    ]
    assert answer.objections[0].startswith(
        "The answer cites [9]: no quote with that number was read"
    )
    assert "18" in answer.objections[1]


async def test_the_json_has_sentences_and_how_quotes_were_matched(played: Played) -> None:
    """A script could not tell proven sentences from others."""
    answer = await answered(played, "Every parent gets sixteen weeks of leave at full pay [1].")
    shown = answer_json(answer)
    assert shown["sentences"] == [
        {
            "start": 0,
            "end": 57,
            "support": "quoted",
            "markers": [1],
            "text": "Every parent gets sixteen weeks of leave at full pay [1].",
        }
    ]
    assert shown["citations"][0]["match"] == QuoteMatch.EXACT.value
    assert shown["objections"] == []
