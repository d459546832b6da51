"""The RetrievalAgent: validated, checked, and never left without a helper."""

import json
from pathlib import Path

import pytest

from rag_assistant.agents.citations import References
from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.errors import ModelError
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.values.documents import Entry, EntryText, Location, Passage
from rag_assistant.values.evidence import QuoteMatch
from rag_assistant.values.messages import UserMessage
from tests.conftest import write_files
from tests.scripted import Scripted, ScriptedModel

TEXT = "Parental leave is sixteen weeks. It is paid in full. Apply with FORM-PL-3."
ENTRY = EntryText(
    Entry(12, "Parental leave", "leave/parental.md", "text/markdown", len(TEXT)),
    (Passage(TEXT, Location(0, len(TEXT), heading="Leave", line=1)),),
)


def reply(*quotes: str, source: int = 12, confidence: int = 7) -> str:
    return json.dumps(
        {"relevant": quotes, "source": [source] * len(quotes), "confidence": confidence}
    )


def agent(script: list[Scripted]) -> tuple[RetrievalAgent, ScriptedModel]:
    model = ScriptedModel(script)
    return RetrievalAgent(model, fallback=ExtractiveModel()), model


async def test_quotes_are_looked_up_in_their_entries() -> None:
    """An invented quote would reach the main agent as if the document said it."""
    retrieval, _ = agent([reply("parental leave is  sixteen weeks.", "It is unpaid.")])
    evidence = await retrieval.retrieve("handbook", [ENTRY], "How long is parental leave?")
    found, invented = evidence.items
    assert (found.quote, found.verified) == ("Parental leave is sixteen weeks.", True)
    assert (found.location.start, found.location.end) == (0, 32)
    assert (invented.quote, invented.verified) == ("It is unpaid.", False)
    assert evidence.confidence == 7
    assert evidence.notes == ()


async def test_a_quote_is_cited_with_the_section_of_its_words(
    library: Library, tmp_path: Path
) -> None:
    """A passage may hold small sections; the first of them would be named for all of it."""
    text = "# Fees\n\n## Boats\n\nA berth is £40.\n\n## Cars\n\nA permit is £12 a year.\n"
    write_files(tmp_path / "fees", {"fees.md": text})
    library.index(tmp_path / "fees")
    database = library.database("fees")
    (passage,) = database.passages(1)
    retrieval, _ = agent([reply("A permit is £12 a year.", "A berth is £40.", source=1)])
    read = EntryText(database.entry(1), (passage,))
    evidence = await retrieval.retrieve("fees", [read], "What is a permit for a car?")
    assert [item.location.heading for item in evidence.items] == ["Fees › Cars", "Fees › Boats"]


async def test_a_quote_with_slips_gives_way_to_the_entrys_own_words() -> None:
    """The main agent would read, and cite, words that the helper misspelt."""
    written = "Parental leave ls sixteen weeks. It is pald in full."
    retrieval, _ = agent([reply(written, "Parental leave is seventeen weeks. It is paid in full.")])
    evidence = await retrieval.retrieve("handbook", [ENTRY], "How long is parental leave?")
    close, wrong = evidence.items
    assert (close.match, close.verified) == (QuoteMatch.ALIGNED, True)
    assert close.quote == "Parental leave is sixteen weeks. It is paid in full."
    assert close.written == written
    assert (wrong.match, wrong.verified, wrong.written) == (QuoteMatch.MISSING, False, "")
    shown = json.loads(References().add(evidence))
    first, second = shown["sources"][0]["quotes"]
    assert "unverified" not in first
    assert "not found" in second["unverified"]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("I think it is sixteen weeks.", "no JSON object"),
        ('{"relevant": ["a", }', "not JSON"),
        (reply("x", confidence=11), "maximum of 10"),
        ('{"relevant": ["x"], "source": [], "confidence": 5}', "relevant has 1 items"),
        (reply("x", source=99), "no entry with the id [99]"),
        ('{"relevant": "x", "source": [12], "confidence": 5}', "not of type 'array'"),
    ],
)
async def test_a_malformed_reply_goes_back_with_the_reason(bad: str, reason: str) -> None:
    """A model that could mend its reply would be given up, or garbage would be taken."""
    retrieval, model = agent([bad, "```json\n" + reply("It is paid in full.") + "\n```"])
    evidence = await retrieval.retrieve("handbook", [ENTRY], "Is it paid?")
    sent_back = model.requests[1].messages[-1]
    assert isinstance(sent_back, UserMessage)
    assert reason in sent_back.text
    assert [item.quote for item in evidence.items] == ["It is paid in full."]
    assert evidence.usage.requests == 2
    assert evidence.notes == ()


async def test_after_three_malformed_replies_the_fallback_takes_over_and_says_so() -> None:
    """A helper that cannot write JSON would leave the question without evidence."""
    retrieval, model = agent(["no", "no", "no"])
    evidence = await retrieval.retrieve("handbook", [ENTRY], "How long is parental leave?")
    assert len(model.requests) == 3
    assert "sixteen weeks" in evidence.items[0].quote
    assert evidence.items[0].verified
    assert "extractive took over" in evidence.notes[0]


async def test_a_helper_that_cannot_be_reached_is_replaced_and_named() -> None:
    """A helper endpoint that is down would take the whole run with it, or do so silently."""
    retrieval, _ = agent([ModelError("127.0.0.1 refused the connection.", hint="Start it.")])
    evidence = await retrieval.retrieve("handbook", [ENTRY], "How long is parental leave?")
    assert evidence.items
    assert "127.0.0.1 refused the connection." in evidence.notes[0]


async def test_left_out_passages_are_told_to_the_helper_and_to_the_caller() -> None:
    """Text would be cut silently: "the document does not say" could then be false."""
    part = EntryText(
        Entry(12, "Long", "long.md", "text/markdown", 90),
        (Passage("It is so.", Location(30, 39)),),
        omitted=2,
    )
    retrieval, model = agent([reply("It is so.")])
    evidence = await retrieval.retrieve("handbook", [part], "Is it so?")
    prompt = model.requests[0].messages[-1]
    assert isinstance(prompt, UserMessage)
    assert prompt.text.count("[passages left out here]") == 2
    assert "1 of its 3 passages were read" in evidence.notes[0]
