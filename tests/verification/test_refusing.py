"""Knowing when not to answer: what is withheld from whom, what is said instead, what is kept."""

import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.conversation import Conversation
from rag_assistant.config import Config, Limits
from rag_assistant.library.library import Library
from rag_assistant.library.survey import survey
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.events import Answered, Event, Stopped
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import AssistantMessage, JsonObject, ToolCall, ToolSpec
from rag_assistant.values.scope import Scope
from rag_assistant.verification.refusing import REFUSAL, REFUSED_BY_MODEL, with_judgement
from tests.assistant.conftest import Played
from tests.conftest import write_files
from tests.scripted import Scripted, ScriptedModel

SEARCH, QUERY = "search_handbook_database", "query_handbook_database"
MONGOLIA = "What is the capital of Mongolia?"
LEAVE = "How many weeks of leave at full pay does every parent get?"


def searched(words: str) -> tuple[ToolCall, ...]:
    return (ToolCall("s", SEARCH, json.dumps({"keyword": words})),)


def read(words: str, *ids: int) -> tuple[ToolCall, ...]:
    return (ToolCall("q", QUERY, json.dumps({"query": words, "ids": list(ids)})),)


def claiming(library: Library, question: str, claim: str) -> ScriptedModel:
    """Searches, reads every entry, and claims something."""
    ids = [entry.id for entry in library.database("handbook").entries()]
    script: list[Scripted] = [searched(question), read(question, *ids), claim]
    return ScriptedModel(script)


async def last_of(conversation: Conversation, question: str, **given: object) -> Event:
    events: list[Event] = []
    async with aclosing(conversation.ask(question, **given)) as run:  # type: ignore[arg-type]
        async for event in run:
            events.append(event)
    return events[-1]


async def asked(assistant: Assistant, question: str, **given: object) -> Answer:
    last = await last_of(assistant.conversation(), question, **given)
    assert isinstance(last, Answered), last
    return last.answer


async def test_any_model_is_withheld_what_the_documents_do_not_bear_out(
    played: Played, indexed: Library
) -> None:
    """A hosted model that always has an answer would be believed."""
    claim = "The capital is Ulaanbaatar, of course [1]."
    answer = await asked(played(claiming(indexed, MONGOLIA, claim)), MONGOLIA)
    assert not answer.answered
    assert answer.citations == ()
    assert answer.text.startswith(REFUSAL)
    assert answer.draft.startswith("The capital is Ulaanbaatar")
    assert answer.refusal is not None
    assert answer.refusal.searched == (f"handbook for “{MONGOLIA}”",)
    assert answer.confidence <= 3


async def test_what_cites_nothing_is_withheld_too(played: Played, indexed: Library) -> None:
    """A claim without any source would pass where one with a poor source does not."""
    said = "Parents choose freely when to go."
    answer = await asked(played(claiming(indexed, LEAVE, said)), LEAVE)
    assert answer.refusal is not None
    assert "nothing that was found is cited" in answer.refusal.reason
    assert answer.draft == said
    assert "Parental leave" in {item.title for item in answer.refusal.nearest}


async def test_what_the_documents_bear_out_is_given_with_its_confidence(
    played: Played, indexed: Library
) -> None:
    """Every answer would be a refusal, and a refusal would tell nothing."""
    ids = [entry.id for entry in indexed.database("handbook").entries()]
    script: list[Scripted] = [searched(LEAVE), read(LEAVE, *ids), "Sixteen weeks [1]."]
    answer = await asked(played(ScriptedModel(script)), LEAVE)
    assert answer.refusal is None
    assert answer.draft == ""
    assert answer.answered
    assert answer.confidence >= 4
    assert {signal.name for signal in answer.signals} >= {"borne_out", "found"}


@pytest.mark.parametrize(
    "question",
    [
        "How many weeks of leave at full pay does every parent get?",
        "When does the harbour office open?",
        "Up to how much is dinner refunded a day?",
        "Which extension do I ring for the crane?",
        "Until when may five days be carried over?",
    ],
)
async def test_a_small_folder_is_answered_from(indexed: Library, question: str) -> None:
    """Where there are few documents to compare with, everything would be refused."""
    answer = await asked(Assistant(indexed, Config(), {}), question)
    assert answer.answered, (answer.text, answer.signals)


async def test_what_was_not_searched_for_is_not_refused(played: Played) -> None:
    """A greeting would be answered with a complaint about the documents."""
    answer = await asked(played(ScriptedModel(["Good morning."])), "Hello!")
    assert answer.refusal is None
    assert answer.text == "Good morning."
    assert answer.confidence == 0


async def test_a_question_about_the_databases_is_not_refused(
    played: Played, indexed: Library
) -> None:
    """No document says which documents there are; the model knows it from its tools."""
    question = "Which documents are in the handbook database?"
    model = claiming(indexed, question, "There is one database, handbook.")
    answer = await asked(played(model), question)
    assert answer.refusal is None
    assert answer.text == "There is one database, handbook."


class Clock:
    """Gives a tool that is no database's."""

    async def tools(self, _: Sequence[object]) -> tuple[list[Tool], list[str]]:
        async def tell(_: JsonObject) -> ToolOutput:
            return ToolOutput("It is noon.", "noon")

        spec = ToolSpec("clock", "Tells the time.", {"type": "object", "properties": {}})
        return [Tool(spec, tell)], []

    async def aclose(self) -> None:
        """Nothing is kept open."""


async def test_what_rests_on_another_tool_is_not_refused(played: Played, indexed: Library) -> None:
    """The result of a calculation would be withheld since no document holds it."""
    script: list[Scripted] = [searched("time"), (ToolCall("c", "clock", "{}"),), "It is noon."]
    answer = await asked(played(ScriptedModel(script), extra_tools=lambda: [Clock()]), "The time?")
    assert answer.coverage.other_tools == 1
    assert answer.refusal is None
    assert answer.text == "It is noon."


async def test_the_conversation_remembers_the_refusal_and_not_the_draft(
    played: Played, indexed: Library
) -> None:
    """The next answer would build on what the documents do not bear out."""
    ids = [entry.id for entry in indexed.database("handbook").entries()]
    script: list[Scripted] = [
        searched(MONGOLIA), read(MONGOLIA, *ids), "It is Ulaanbaatar [1].", "You asked about Asia.",
    ]  # fmt: skip
    model = ScriptedModel(script)
    conversation = played(model).conversation()
    await last_of(conversation, MONGOLIA)
    await last_of(conversation, "What did I ask?")
    said = [m.text for m in model.requests[-1].messages if isinstance(m, AssistantMessage)]
    assert any(text.startswith(REFUSAL) for text in said)
    assert not any("Ulaanbaatar" in text for text in said)
    assert conversation.exchanges[0].answer_text.startswith(REFUSAL)


async def test_a_run_that_was_stopped_keeps_what_was_written(
    played: Played, indexed: Library
) -> None:
    """An answer that broke off would be told as one that the documents do not hold."""
    model = ScriptedModel([searched(MONGOLIA), *[read(MONGOLIA, 1)] * 3])
    assistant = played(model, limits=Limits(steps=2), fallback=False)
    last = await last_of(assistant.conversation(), MONGOLIA)
    assert isinstance(last, Stopped)
    assert last.partial.refusal is None


async def test_a_refusal_says_how_to_widen(indexed: Library, handbook: object) -> None:
    """A person would not know that the words are unknown, or that most was not asked."""
    other = write_files(indexed.home.parent / "atlas", {"asia.md": "# Asia\n\nIt is large.\n"})
    (other / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    indexed.index(other)
    scope = Scope("handbook", ("notes.txt", "travel.html"))
    asking = Assistant(indexed, Config(), {})
    question = "Who is the harbur mistress of Ulaanbaatar?"
    narrow = await asked(asking, question, databases=[scope])
    assert narrow.refusal is not None
    said = "\n".join(narrow.refusal.widen)
    assert "No document has the word “harbur”; near it: harbour." in said
    assert "No document has the word “Ulaanbaatar”." in said
    assert "Only some documents of handbook were searched: ask the whole of it." in said
    assert "Not searched: atlas. Ask there, too." in said
    wide = await asked(asking, question)
    assert wide.refusal is not None
    assert any(
        step == "1 file of atlas could not be read: rag-assistant databases info atlas"
        for step in wide.refusal.widen
    )
    assert all(step in wide.text for step in wide.refusal.widen)


async def test_made_up_quotes_bear_nothing_out(played: Played, indexed: Library) -> None:
    """A model would only have to cite anything at all to be believed."""
    answer = await asked(played(claiming(indexed, LEAVE, "Sixteen weeks [1].")), LEAVE)
    assert answer.answered
    lying = tuple(
        replace(one, item=replace(one.item, quote="Twenty weeks.", verified=False))
        for one in answer.citations
    )
    again = with_judgement(replace(answer, citations=lying), survey(indexed, ()), RunCache())
    assert again.refusal is not None
    assert "none of the quotes it cites was found in its source" in again.refusal.reason
    assert again.refusal.citations == lying


async def test_the_built_in_model_says_which_databases_there_are(indexed: Library) -> None:
    """It would quote whatever holds the word "documents"."""
    answer = await asked(Assistant(indexed, Config(), {}), "Which databases are there?")
    assert answer.refusal is None
    assert "handbook" in answer.text
    assert answer.coverage.searches == 0


async def test_a_question_that_follows_another_is_judged_by_what_was_searched_for(
    played: Played, indexed: Library
) -> None:
    """ "And the deadline?" says too little by itself, and would always be refused."""
    whole = "How many weeks before the birth must the form be sent to the people team?"
    ids = [entry.id for entry in indexed.database("handbook").entries()]
    script: list[Scripted] = [searched(whole), read(whole, *ids), "Eight weeks before [1]."]
    short = await asked(played(ScriptedModel(script)), "And the deadline?")
    assert short.refusal is None
    script = [searched(whole), read(whole, *ids), "Eight weeks before [1]."]
    long = "And what is the deadline for the tax return of my grandmother in Mongolia?"
    other = await asked(played(ScriptedModel(script)), long)
    assert other.confidence < short.confidence


@pytest.mark.parametrize("cited", ["", " The nearest is the leave of parents [1]."])
async def test_a_models_own_refusal_stays(played: Played, indexed: Library, cited: str) -> None:
    """An honest refusal would be called something that the documents do not bear out."""
    said = f"The documents do not say how many weeks aunts get.{cited}"
    answer = await asked(played(claiming(indexed, LEAVE, said)), LEAVE)
    assert answer.refusal is not None
    assert answer.refusal.by_model
    assert answer.text.startswith(f"{REFUSED_BY_MODEL}.\n\n{said}\n\nSearched: handbook")
    assert answer.refusal.nearest
    assert answer.confidence == 0
    assert [citation.marker for citation in answer.citations] == ([1] if cited else [])
    assert not answer.answered


async def test_a_models_own_refusal_is_what_it_goes_on_from(
    played: Played, indexed: Library
) -> None:
    """The next question would be asked after words that the model never said."""
    said = "The documents do not name the capital of Mongolia."
    script: list[Scripted] = [searched(MONGOLIA), said, "Good."]
    model = ScriptedModel(script)
    conversation = played(model).conversation()
    await last_of(conversation, MONGOLIA)
    await last_of(conversation, "And of Peru?")
    await conversation.aclose()
    texts = [one.text for one in model.requests[-1].messages if isinstance(one, AssistantMessage)]
    assert said in texts


async def test_where_a_document_ranks_withholds_nothing(played: Played, indexed: Library) -> None:
    """A right answer would be withheld because the words of the question stand elsewhere."""
    question = "Which harbour office crane extension dinner leave carries days over?"
    ids = [entry.id for entry in indexed.database("handbook").entries()]
    claim = "Every parent gets sixteen weeks of leave at full pay [1]."
    script: list[Scripted] = [searched(question), read(LEAVE, *ids), claim]
    answer = await asked(played(ScriptedModel(script)), question)
    assert answer.refusal is None
    assert answer.text == claim
