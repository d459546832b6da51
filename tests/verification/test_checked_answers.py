"""Every answer of a conversation is checked, and what was found wrong goes with it."""

import json
from contextlib import aclosing
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.values.events import Answered
from rag_assistant.values.evidence import Answer, QuoteMatch
from rag_assistant.values.json_shapes import answer_json
from rag_assistant.values.messages import ToolCall
from rag_assistant.values.support import Support
from tests.assistant.conftest import Played
from tests.conftest import settle, write_files
from tests.scripted import GivenModels, ScriptedModel

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
        Support.SUPPORTED,
        Support.SUPPORTED,
        Support.NOWHERE,
        Support.UNCONFIRMED,
    ]
    assert answer.objections[0].startswith(
        "The answer cites [9]: no quote with that number was read"
    )
    assert answer.sentences[2].differences[0].said == "18 weeks"


async def test_the_json_has_sentences_and_how_quotes_were_matched(played: Played) -> None:
    """A script could not tell proven sentences from others."""
    answer = await answered(played, "Every parent gets sixteen weeks of leave at full pay [1].")
    shown = answer_json(answer)
    assert shown["sentences"] == [
        {
            "start": 0,
            "end": 57,
            "support": "supported",
            "markers": [1],
            "verbatim": True,
            "block": 1,
            "differences": [],
            "computed": [],
            "source": None,
            "confirmed_by": "",
            "note": "",
            "text": "Every parent gets sixteen weeks of leave at full pay [1].",
        }
    ]
    assert shown["citations"][0]["match"] == QuoteMatch.EXACT.value
    assert shown["objections"] == []


PAID = "The Harbour Fund paid {} to the council for the new breakwater in {}."


async def answer_on_payment(library: Library, folder: Path, quoted: str, said: str) -> Answer:
    """Ask about a payment of £5 million, which a helper quotes and the model says in own forms."""
    source = PAID.format("£5 million", "1 Sept 2024")
    settle(write_files(folder, {"fund.md": f"# Fund\n\n{source}\n"}))
    library.index(folder)
    asked = {"query": "What did the Harbour Fund pay?", "ids": "1"}
    call = ToolCall("1", f"query_{folder.name}_database", json.dumps(asked))
    helper = ScriptedModel([json.dumps({"relevant": [quoted], "source": [1], "confidence": 9})])
    assistant = Assistant(library, Config(model="played", helper="helper"), {})
    models = {"played": ScriptedModel([(call,), f"{said} [1]."]), "helper": helper}
    assistant.models = GivenModels(assistant, models)
    async with aclosing(assistant.ask("What did the Harbour Fund pay?")) as run:
        events = [event async for event in run]
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1].answer


@pytest.mark.parametrize("size", ["billion", "thousand", "trillion", "bn", "k", "Mrd", "crore"])
async def test_a_sum_of_another_size_is_neither_verified_nor_supported(
    library: Library, tmp_path: Path, size: str
) -> None:
    """£5 billion would be shown as verified and supported, though the source says £5 million."""
    sum_ = f"£5 {size}" if len(size) > 3 else f"£5{size}"
    wrong = PAID.format(sum_, "1 Sept 2024").rstrip(".")
    answer = await answer_on_payment(library, tmp_path / "fund", f"{wrong}.", wrong)
    assert not any(item.verified for found in answer.evidence for item in found.items)
    assert not any(one.support.is_borne_out for one in answer.sentences)


@pytest.mark.parametrize(
    ("paid", "day"),
    [
        ("£5m", "1 Sept 2024"),
        ("£5,000,000", "1 September 2024"),
        ("£5 million", "2024-09-01"),
        ("£5 million", "September 1st, 2024"),
    ],
)
async def test_a_sum_and_a_date_in_other_forms_are_verified_and_supported(
    library: Library, tmp_path: Path, paid: str, day: str
) -> None:
    """An honest answer would be called an invention for its way of writing."""
    quoted = PAID.format(paid, day)
    answer = await answer_on_payment(library, tmp_path / "fund", quoted, quoted.rstrip("."))
    (item,) = (item for found in answer.evidence for item in found.items)
    assert item.verified
    assert item.match is QuoteMatch.ALIGNED
    assert [one.support for one in answer.sentences] == [Support.SUPPORTED]
    assert answer.objections == ()
