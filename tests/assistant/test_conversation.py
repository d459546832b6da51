"""Conversations: what later questions know, what is kept, and what leaving leaves behind."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from rag_assistant.assistant.conversation import Conversation
from rag_assistant.config import ContextSettings, Limits
from rag_assistant.errors import LibraryError, ModelError
from rag_assistant.library.library import Library
from rag_assistant.tools.permission import Decision, PermissionRequest
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.events import Answered, Event, Stopped, TextDelta
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import (
    AssistantMessage,
    JsonObject,
    PastExchange,
    Reply,
    ReplyDelta,
    Request,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from rag_assistant.values.support import Support
from tests.assistant.conftest import Played
from tests.scripted import GivenModels, Scripted, ScriptedModel

SEARCH, QUERY = "search_handbook_database", "query_handbook_database"


@pytest.fixture
def ids(indexed: Library) -> Callable[[str], int]:
    """Gives the id of the entry at a path."""
    entries = {entry.path: entry.id for entry in indexed.database("handbook").entries()}
    return lambda path: entries[path]


def query(question: str, *ids: int) -> tuple[ToolCall, ...]:
    written = json.dumps({"query": question, "ids": list(ids)})
    return (ToolCall(f"c{question}", QUERY, written),)


async def ask(conversation: Conversation, question: str, **given: object) -> list[Event]:
    events: list[Event] = []
    async with aclosing(conversation.ask(question, **given)) as run:  # type: ignore[arg-type]
        async for event in run:
            events.append(event)
    return events


def answer_in(events: Sequence[Event]) -> Answer:
    last = events[-1]
    assert isinstance(last, Answered), last
    return last.answer


async def test_later_questions_know_what_was_said_and_may_cite_it(
    played: Played, ids: Callable[[str], int]
) -> None:
    """ "And when?" would be asked without what it refers to, or cite another quote's number."""
    leave, travel = ids("leave/parental.md"), ids("travel.html")
    model = ScriptedModel([
        query("How long is parental leave?", leave),
        "Sixteen weeks [1].",
        query("How much is dinner?", travel),
        "32 euro, after sixteen weeks: see [1] and [DINNER].",
    ])  # fmt: skip
    conversation = played(model).conversation()
    first = answer_in(await ask(conversation, "How long is parental leave?"))
    found = len(first.evidence[0].items)
    model._script[-1] = f"32 euro [{found + 1}], after sixteen weeks [1]."
    second = answer_in(await ask(conversation, "And dinner?"))
    assert "€32" in second.citations[0].item.quote
    assert second.citations[1].item == first.citations[0].item
    assert second.text == "32 euro [1], after sixteen weeks [2]."
    asked = model.requests[2].messages
    kinds = (UserMessage, AssistantMessage, ToolMessage, AssistantMessage, UserMessage)
    assert tuple(map(type, asked[1:])) == kinds
    assert [past.question for past in conversation.exchanges] == [
        "How long is parental leave?",
        "And dinner?",
    ]
    assert conversation.exchanges[0].answer_text == "Sixteen weeks [1]."


async def test_a_question_that_follows_on_may_need_no_search(
    played: Played, ids: Callable[[str], int]
) -> None:
    """What was found a moment ago could not be cited: "it" would be searched for again."""
    leave, travel = ids("leave/parental.md"), ids("travel.html")
    model = ScriptedModel([
        (*query("How long is parental leave?", leave), *query("How much is dinner?", travel)),
        "Parents get sixteen weeks of leave [1].",
        "Every parent gets sixteen weeks of leave at full pay [1].",
        "Dinner is the other one [NUMBER].",
    ])  # fmt: skip
    conversation = played(model).conversation()
    first = answer_in(await ask(conversation, "How long is parental leave?"))
    other = first.evidence[1].items[0]
    number = len(first.evidence[0].items) + 1
    model._script[-1] = f"Dinner is the other one [{number}]."
    second = answer_in(await ask(conversation, "Is it at full pay?"))
    third = answer_in(await ask(conversation, "And the other one?"))
    assert len(model.requests) == 4, "one request each"
    assert second.coverage.searches == 0
    assert second.citations[0].item == first.citations[0].item
    assert not second.refusal
    assert second.sentences[0].support is Support.SUPPORTED
    assert third.citations[0].item == other, "what was not cited yet can still be"
    assert json.dumps(other.quote, ensure_ascii=False) in str(model.requests[-1].messages)


async def test_a_conversation_goes_on_from_what_was_kept(
    played: Played, ids: Callable[[str], int]
) -> None:
    """A resumed conversation would cite the wrong words, or have forgotten all."""
    leave, travel = ids("leave/parental.md"), ids("travel.html")
    before = ScriptedModel([query("How long is leave?", leave), "Sixteen weeks [1]."])
    conversation = played(before).conversation()
    first = answer_in(await ask(conversation, "How long?"))
    script: list[Scripted] = [query("How much is dinner?", travel), "So [1]. So [2]. So [9]."]
    more = replace(first.evidence[0], items=first.evidence[0].items[::-1], query="other")
    for evidence, expected in (
        (first.evidence, "So [1]. So [2]. So [9?]."),
        ((more, *first.evidence), "So [1]. So [2]. So [9?]."),
        ((), ""),
    ):
        model = ScriptedModel(script)
        resumed = played(model).conversation(conversation.exchanges, evidence)
        answer = answer_in(await ask(resumed, "And dinner?"))
        assert "Sixteen weeks [1]." in str(model.requests[0].messages)
        if expected:
            assert answer.citations[0].item == first.citations[0].item
        else:
            # Without the evidence its numbers stand for nothing, and for nothing else.
            assert "So [1?]." in answer.text
        assert len(resumed.exchanges) == 2


async def test_only_words_that_were_kept_are_gone_on_from(played: Played) -> None:
    """An exchange of an older version, or half of one, would break every later question."""
    model = ScriptedModel(["Yes."])
    call = ToolCall("c1", SEARCH, "{}")
    past = [
        PastExchange("First?", (), "Because [1] of [2?] this."),
        PastExchange("Second?", (UserMessage("Second?"), AssistantMessage("", (call,))), ""),
    ]
    await ask(played(model).conversation(past), "Third?")
    assert model.requests[0].messages[1:] == (
        UserMessage("First?"),
        AssistantMessage("Because of this."),
        UserMessage("Second?"),
        UserMessage("Third?"),
    )


class Waiting:
    """Says two words and waits."""

    name = "waiting"

    def __init__(self) -> None:
        self.closed = 0

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        try:
            yield ReplyDelta("[TITLE: Half] Two words")
            await asyncio.sleep(60)
        finally:
            self.closed += 1

    async def aclose(self) -> None:
        """Nothing is kept open."""


async def test_a_question_that_was_left_leaves_no_trace(played: Played) -> None:
    """Half an answer would be taken for what was said, or nothing could be asked any more."""
    waiting, model = Waiting(), ScriptedModel(["One.", "Two."])
    assistant = played(model)
    conversation = assistant.conversation()
    await ask(conversation, "First?")
    assistant.models = GivenModels(assistant, {"played": waiting})
    async with aclosing(conversation.ask("Second?")) as run:
        async for event in run:
            if isinstance(event, TextDelta):
                break
    assert waiting.closed == 1
    task = asyncio.create_task(ask(conversation, "Third?"))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert waiting.closed == 2
    assert conversation.title == ""
    assert [past.question for past in conversation.exchanges] == ["First?"]
    assistant.models = GivenModels(assistant, {"played": model})
    answer_in(await ask(conversation, "Fourth?"))
    assert [m.text for m in model.requests[-1].messages[1:]] == ["First?", "One.", "Fourth?"]


async def test_what_was_stopped_by_a_limit_stays_and_is_marked(
    played: Played, ids: Callable[[str], int]
) -> None:
    """What was found would have to be looked for again, or half an answer pass for a whole one."""
    question = "How many weeks of leave at full pay does every parent get?"
    model = ScriptedModel([query(question, ids("leave/parental.md")), "Yes."])
    assistant = played(model, limits=Limits(tokens=20))
    conversation = assistant.conversation()
    events = await ask(conversation, question)
    assert isinstance(events[-1], Stopped)
    [past] = conversation.exchanges
    assert "sixteen weeks" in past.answer_text
    last = past.messages[-1]
    assert isinstance(last, AssistantMessage)
    assert "(Stopped at the limit of 20 tokens.)" in last.text
    assistant.config = played(model).config
    answer_in(await ask(conversation, "And now?"))
    assert any(isinstance(m, ToolMessage) for m in model.requests[-1].messages)


async def test_a_question_that_nothing_came_of_is_not_kept(played: Played) -> None:
    """A key that was wrong would stand in the conversation for ever."""
    model = ScriptedModel([ModelError("The key was refused."), "Yes."])
    conversation = played(model, fallback=False).conversation()
    assert isinstance((await ask(conversation, "First?"))[-1], Stopped)
    assert conversation.exchanges == ()
    answer_in(await ask(conversation, "Second?"))


async def test_title_and_suggestions_are_the_models(played: Played) -> None:
    """A list of conversations would have nothing to show, and a person nothing to pick."""
    model = ScriptedModel(["Yes. [TITLE: Leave] [SUGGEST: How long?]", "No. [SUGGEST: Why?]"])
    conversation = played(model).conversation()
    await ask(conversation, "First?")
    assert (conversation.title, conversation.suggestions) == ("Leave", ("How long?",))
    await ask(conversation, "Second?")
    assert (conversation.title, conversation.suggestions) == ("Leave", ("Why?",))
    assert conversation.exchanges[0].answer_text == "Yes."


async def test_questions_at_the_same_time_are_answered_one_after_the_other(
    played: Played,
) -> None:
    """Two answers would each forget the other."""
    model = ScriptedModel(["One.", "Two."])
    conversation = played(model).conversation()
    await asyncio.gather(ask(conversation, "First?"), ask(conversation, "Second?"))
    assert [past.question for past in conversation.exchanges] == ["First?", "Second?"]


async def test_a_question_that_cannot_start_leaves_the_conversation_usable(
    played: Played,
) -> None:
    """A slip in a name would end the conversation."""
    conversation = played(ScriptedModel(["Yes."])).conversation()
    with pytest.raises(LibraryError):
        await ask(conversation, "First?", databases=["handbok"])
    with pytest.raises(ModelError):
        await ask(conversation, "First?", model="playd")
    answer_in(await ask(conversation, "Second?"))


async def test_the_circle_is_a_policy_that_can_be_chosen(played: Played) -> None:
    """The setting would have no effect."""
    model = ScriptedModel([f"Answer {n}." for n in range(6)])
    context = ContextSettings(policy="circular", items=3)
    conversation = played(model, context=context).conversation()
    for number in range(6):
        await ask(conversation, f"Question {number}?")
    assert [m.text for m in model.requests[-1].messages[1:]] == [
        "Question 4?",
        "Answer 4.",
        "Question 5?",
    ]


class Notebook:
    """Provides a tool that writes; keeps what it wrote until it is closed."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.closed = 0

    async def tools(self, databases: object) -> tuple[Sequence[Tool], Sequence[str]]:
        async def write(arguments: JsonObject) -> ToolOutput:
            self.written.append(str(arguments["text"]))
            return ToolOutput(", ".join(self.written), "written")

        schema = {"type": "object", "properties": {"text": {"type": "string"}}}
        spec = ToolSpec("note_down", "Writes.", schema)
        return [Tool(spec, write, reads_only=False)], []

    async def aclose(self) -> None:
        self.closed += 1


def note(text: str) -> tuple[ToolCall, ...]:
    return (ToolCall(f"c{text}", "note_down", json.dumps({"text": text})),)


async def test_tools_and_their_leave_last_for_the_conversation(played: Played) -> None:
    """Variables would be lost between questions, or one yes would hold for all time."""
    made: list[Notebook] = []
    asked: list[PermissionRequest] = []

    def make() -> Sequence[Notebook]:
        made.append(Notebook())
        return made[-1:]

    async def always(request: PermissionRequest) -> Decision:
        asked.append(request)
        return Decision.ALWAYS

    model = ScriptedModel([note("a"), "One.", note("b"), "Two.", note("c"), "Three."])
    assistant = played(model, extra_tools=make)
    conversation = assistant.conversation()
    await ask(conversation, "First?", permit=always)
    await ask(conversation, "Second?", permit=always)
    assert (made[0].written, len(asked), made[0].closed) == (["a", "b"], 1, 0)
    await conversation.aclose()
    assert made[0].closed == 1
    async with aclosing(assistant.ask("Third?", permit=always)) as run:
        assert [event async for event in run]
    assert (made[1].written, len(asked), made[1].closed) == (["c"], 2, 1)


async def test_tools_can_be_turned_off_for_one_question(
    played: Played, ids: Callable[[str], int]
) -> None:
    """A model that only is to reword would search again, or run what it likes."""
    leave = ids("leave/parental.md")
    model = ScriptedModel([
        query("How long is parental leave?", leave), "Sixteen weeks [1].",
        query("How long?", leave), "At full pay [1].",
    ])  # fmt: skip
    conversation = played(model).conversation()
    await ask(conversation, "How long is parental leave?")
    answer = answer_in(await ask(conversation, "And how is it paid?", tools=None))
    assert answer.text == "At full pay [1]."
    assert answer.citations[0].item.quote
    assert answer.coverage.searches == answer.coverage.entries_read == 0
    assert model.requests[2].tools == model.requests[3].tools == ()
    assert "turned off" in model.requests[2].messages[-1].text
    assert "There is no tool" in str(model.requests[3].messages)
    built_in = played(ScriptedModel([])).conversation()
    answer = answer_in(await ask(built_in, "How long?", tools=None, model="extractive"))
    assert "not searched" in answer.text, "and not that the documents hold nothing"
