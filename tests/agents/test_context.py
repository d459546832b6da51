"""Policies for conversations that outgrow the window."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.agents.citations import References, numbered_words
from rag_assistant.agents.context import (
    LEFT_OUT,
    CircularContext,
    ContextPolicy,
    ShrinkingContext,
    estimate,
    message_tokens,
    policy_of,
    tool_tokens,
    whole,
)
from rag_assistant.agents.loop import Run
from rag_assistant.agents.setting import AgentSpec, RunOptions, RunQuestion
from rag_assistant.config import ContextSettings, Limits
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Evidence, EvidenceItem
from rag_assistant.values.messages import (
    AssistantMessage,
    Image,
    Message,
    SystemMessage,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from tests.agents.playing import Desk, play, read, search
from tests.examples import examples
from tests.scripted import ScriptedModel

SYSTEM = SystemMessage("Rules.")


def evidence(*numbers: int, words: int = 40) -> str:
    """The result of a query whose quotes have these numbers."""
    references = References()
    items = tuple(
        EvidenceItem(
            "d", n, f"Page {n}", "p.md", f"quote {n} {'word ' * words}", Location(0, 9), True
        )
        for n in range(1, max(numbers) + 1)
    )
    shown = json.loads(references.add(Evidence("d", "q", items, 8)))
    shown["sources"] = [s for s in shown["sources"] if s["quotes"][0]["cite"] in numbers]
    return json.dumps(shown)


def exchange(number: int, *results: str, answer: str = "So [1].") -> list[Message]:
    """A question, a round of calls with results, and an answer."""
    calls = tuple(ToolCall(f"c{number}.{n}", "tool", "{}") for n in range(len(results)))
    given = [ToolMessage(c.id, "tool", r) for c, r in zip(calls, results, strict=True)]
    asked: list[Message] = [UserMessage(f"Question {number}?")]
    if calls:
        asked += [AssistantMessage("", calls), *given]
    return [*asked, AssistantMessage(answer)]


def tokens(messages: Sequence[Message]) -> int:
    return sum(map(message_tokens, messages))


def calls_and_results_match(messages: Sequence[Message]) -> bool:
    """Whether every result follows its call, and every call has its result."""
    return whole(messages) == tuple(messages)


def quotes_in(message: Message) -> list[int]:
    return list(numbered_words(message.text))


def test_what_fits_is_sent_as_it_is() -> None:
    """A conversation would lose what there is room for."""
    messages = [SYSTEM, *exchange(1, evidence(1, 2, 3)), UserMessage("And now?")]
    fitted = ShrinkingContext().fit(messages, tokens(messages))
    assert (fitted.messages, fitted.left_out) == (tuple(messages), 0)


def test_what_was_found_and_not_cited_since_is_sent_only_once_more() -> None:
    """Each question would cost what all before it found, or "the other one" be gone at once."""
    first = exchange(1, evidence(1, 2, 3), "a long listing " * 20, answer="So [3].")
    second = exchange(2, evidence(4, 5), answer="So [4].")
    third = exchange(3, answer="The other ones are [5] and [1].")
    messages = [SYSTEM, *first, *second, *third, UserMessage("And now?")]
    fitted = ShrinkingContext().fit(messages, tokens(messages)).messages
    assert quotes_in(fitted[3]) == [1, 3], "cited by its own answer or by a later one"
    assert fitted[4].text == LEFT_OUT
    assert fitted[6:] == tuple(messages[6:]), "the last that found anything stays whole"
    assert calls_and_results_match(fitted)
    again = ShrinkingContext().fit([*fitted, *exchange(4)[:1]], tokens(messages)).messages
    assert again[: len(fitted)] == fitted, "a prompt cache would be lost within a question"


def test_earlier_evidence_shrinks_to_what_was_cited_the_oldest_first() -> None:
    """The quotes that an answer rests on would go before those that nobody used."""
    first = exchange(1, evidence(1, 2, 3), "a long listing " * 20, answer="So [3]. Not [link](x).")
    second = exchange(2, evidence(4, 5), answer="So [CITE: 4, 5].")
    messages = [SYSTEM, *first, *second, UserMessage("And now?")]
    fitted = ShrinkingContext().fit(messages, tokens(messages) - 20).messages
    assert quotes_in(fitted[3]) == [3]
    assert list(numbered_words(fitted[3].text)) == [3]
    assert fitted[4].text == LEFT_OUT
    assert fitted[6:] == tuple(messages[6:])
    assert calls_and_results_match(fitted)


def test_then_earlier_exchanges_shrink_to_question_and_answer_and_then_go() -> None:
    """A long conversation would end in an error of the endpoint."""
    parts = [exchange(n, evidence(n), "x" * 400, answer=f"Answer {n} [{n}].") for n in range(1, 6)]
    messages = [SYSTEM, *(m for part in parts for m in part), *exchange(6)[:1]]
    condensed = [m for part in parts for m in (part[0], part[-1])]
    room = tokens([SYSTEM, *condensed, messages[-1]])
    fitted = ShrinkingContext().fit(messages, room)
    assert fitted.messages == (SYSTEM, *condensed, messages[-1])
    fitted = ShrinkingContext().fit(messages, room - 1)
    assert fitted.left_out == 1
    assert fitted.messages == (SYSTEM, *condensed[2:], messages[-1])
    fitted = ShrinkingContext().fit(messages, 0)
    assert (fitted.left_out, fitted.messages) == (5, (SYSTEM, messages[-1]))


def test_within_a_question_old_results_shrink_last_and_the_newest_not_before_them() -> None:
    """A model would forget what it found a moment ago, and search for it again."""
    rounds: list[Message] = [UserMessage("Why?")]
    for number, result in enumerate(["listing " * 200, evidence(1, 2, 3, 4, 5), "text " * 400]):
        call = ToolCall(f"c{number}", "tool", "{}")
        rounds += [AssistantMessage("", (call,)), ToolMessage(call.id, "tool", result)]
    messages = [SYSTEM, *exchange(1, evidence(1, 2)), *rounds]
    present = [SYSTEM, *rounds]
    fitted = ShrinkingContext().fit(messages, tokens(present) - 10).messages
    assert len(fitted[3].text) < 500
    assert "left out" in fitted[3].text
    assert quotes_in(fitted[5]) == [1, 2, 3, 4, 5]
    fitted = ShrinkingContext().fit(messages, tokens(present) - 330).messages
    assert quotes_in(fitted[5]) == [1, 2, 3]
    assert fitted[7].text == rounds[-1].text
    fitted = ShrinkingContext().fit(messages, 0).messages
    assert len(fitted[7].text) < 500
    assert fitted[:2] == (SYSTEM, rounds[0])


def test_pictures_of_earlier_questions_go_first() -> None:
    """A picture would be sent again with every question."""
    asked: list[Message] = [UserMessage("What is it?", (Image("image/png", "AAAA"),))]
    messages = [*asked, AssistantMessage("A cat."), UserMessage("?")]
    fitted = ShrinkingContext().fit(messages, 100).messages
    assert isinstance(fitted[0], UserMessage)
    assert fitted[0].images == ()
    assert "1 images" in fitted[0].text
    assert ShrinkingContext().fit(asked, 0).messages == tuple(asked)


def test_the_circle_keeps_the_last_messages_whole() -> None:
    """A call would lose its result, and the endpoint refuse the whole conversation."""
    messages = [SYSTEM, *exchange(1, "a", "b"), *exchange(2), *exchange(3, "c"), UserMessage("?")]
    circle = CircularContext(7).fit(messages, 9_999).messages
    assert circle == (SYSTEM, *exchange(2), *exchange(3, "c"), UserMessage("?"))
    circle = CircularContext(4).fit(messages, 9_999).messages
    assert circle == (SYSTEM, *exchange(3, "c")[:1], *exchange(3)[1:], UserMessage("?"))
    circle = CircularContext(2).fit(messages, 9_999).messages
    assert circle == (SYSTEM, UserMessage("?"))


def test_the_circle_keeps_the_question_and_the_newest_results() -> None:
    """A model would not know any more what it was asked."""
    asking = [*exchange(1, "a", "b")[:4], *exchange(2, "c", "d")[1:4]]
    circle = CircularContext(3).fit([SYSTEM, *exchange(9), *asking], 9_999).messages
    assert circle == (SYSTEM, asking[0], *asking[4:])


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """Conversations of any shape that a run can have."""
    messages: list[Message] = [SYSTEM]
    results = st.sampled_from([evidence(1, 2, words=5), "x" * 700, "短い結果" * 50, "", LEFT_OUT])
    for number in range(draw(st.integers(1, 5))):
        messages.append(UserMessage(f"Question {number}?"))
        for round_ in range(draw(st.integers(0, 3))):
            texts = draw(st.lists(results, min_size=1, max_size=3))
            calls = tuple(
                ToolCall(f"c{number}.{round_}.{place}", "tool", "{}") for place in range(len(texts))
            )
            messages.append(AssistantMessage("Let me see.", calls))
            messages += [
                ToolMessage(c.id, "tool", text) for c, text in zip(calls, texts, strict=True)
            ]
        messages.append(AssistantMessage(draw(st.sampled_from(["So [1].", "No.", "x" * 300]))))
    if draw(st.booleans()):
        messages.pop()
    return messages


POLICIES = st.one_of(
    st.just(ShrinkingContext()), st.integers(1, 12).map(CircularContext)
)  # fmt: skip


@settings(max_examples=examples(300))
@given(conversations(), POLICIES, st.integers(0, 1_500))
def test_whatever_is_left_out_calls_and_results_stay_together(
    messages: list[Message], policy: ContextPolicy, room: int
) -> None:
    """The endpoint would refuse a result without its call, or a call without its result."""
    fitted = policy.fit(messages, room)
    assert calls_and_results_match(messages)
    assert calls_and_results_match(fitted.messages)
    assert fitted.messages[0] == SYSTEM
    question = [m for m in messages if isinstance(m, UserMessage)][-1]
    assert question in fitted.messages
    assert isinstance(fitted.messages[1], UserMessage)
    assert tokens(fitted.messages) <= tokens(messages)
    if isinstance(policy, ShrinkingContext) and fitted.left_out < messages.count(question):
        assert fitted.messages[-1] == messages[-1] or tokens(messages) > room


@given(conversations(), st.data())
def test_what_is_cut_anywhere_is_made_whole(messages: list[Message], data: st.DataObject) -> None:
    """A conversation kept by a program that died could not be gone on with."""
    start = data.draw(st.integers(0, len(messages)))
    end = data.draw(st.integers(start, len(messages)))
    cut = whole(messages[start:end])
    assert calls_and_results_match(cut)
    kept = [m for m in messages[start:end] if isinstance(m, UserMessage)]
    assert [m for m in cut if isinstance(m, UserMessage)] == kept


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("word", 1),
        ("words", 2),
        ("漢字", 2),
        ("漢字ab", 3),
        ("Grüße", 2),
        ("😀", 1),
        ("привет", 3),
    ],
)
def test_tokens_are_estimated_high_for_wide_characters(text: str, expected: int) -> None:
    """A Chinese conversation would be taken for a quarter of its size."""
    assert estimate(text) == expected


def test_the_policy_is_the_configured_one() -> None:
    """A setting would have no effect."""
    assert isinstance(policy_of(ContextSettings()), ShrinkingContext)
    circle = policy_of(ContextSettings(policy="circular", items=7))
    assert isinstance(circle, CircularContext)
    assert circle.items == 7


async def test_a_run_sends_what_fits_and_says_what_it_leaves_out() -> None:
    """A model would be believed to know what it was not shown."""
    history = tuple(m for n in range(9) for m in exchange(n, "x" * 4_000, answer="y" * 800))
    model = ScriptedModel([(search(),), (read(),), "Sixteen weeks [1]."])
    kit = Desk().toolkit()
    window = 1_800
    run = Run(
        RunQuestion("How long?", Coverage(("handbook",)), history),
        AgentSpec(model, kit, window=window),
        Limits(),
        RunOptions(policy=ShrinkingContext()),
    )
    events = [event async for event in run.events()]
    for request in model.requests:
        remark = request.messages[-1]
        assert tokens(request.messages) + tool_tokens(request.tools) <= window
        assert UserMessage("How long?") in request.messages
        assert "oldest questions and answers" in remark.text
    notes = [event for event in events if "oldest" in getattr(event, "text", "")]
    assert len(notes) == 1
    assert run.said[0] == UserMessage("How long?")
    assert len(run.messages) > len(model.requests[-1].messages)


async def test_without_a_window_everything_is_sent() -> None:
    """The built-in model would be kept from what it can read at no cost."""
    played = await play([(search(),), (read(),), "Sixteen weeks [1]."], window=0)
    assert len(played.requests[-1].messages) == len(played.run.messages) - 1
