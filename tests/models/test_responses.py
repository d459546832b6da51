"""The Responses format: what is written for a request and what is read from a stream."""

from dataclasses import replace
from typing import Any

import pytest

from rag_assistant.errors import ModelError
from rag_assistant.models.responses import Assembler, to_payload
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    Request,
    ToolCall,
    Usage,
    UserMessage,
)
from tests.models.payloads import ENDPOINT, IMAGES, REQUEST, SETTINGS, load


def read(events: list[dict[str, Any]]) -> tuple[list[str], Reply]:
    assembler = Assembler(ENDPOINT)
    pieces = [assembler.feed(event) for event in events]
    return [piece for piece in pieces if piece], assembler.reply()


def end(status: str = "completed", reason: str = "") -> dict[str, Any]:
    details = {"reason": reason} if reason else None
    return {
        "type": f"response.{status}",
        "response": {"status": status, "incomplete_details": details},
    }


def item(**values: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "item": values}


def test_a_request_is_written_as_the_format_has_it() -> None:
    """Else the endpoint refuses it, stores it, or forgets part of the conversation."""
    assert to_payload(REQUEST, SETTINGS) == load("responses_request")


def test_images_go_along_as_the_format_has_them() -> None:
    """Else a model that sees is asked about pictures that it was not sent."""
    assert to_payload(Request((IMAGES,)), SETTINGS)["input"] == load("responses_image_request")


def test_a_very_low_limit_is_raised_to_the_least_allowed() -> None:
    """Else a one-word question to a helper model is refused."""
    request = Request((UserMessage("Hi"),), max_output_tokens=1)
    assert to_payload(request, SETTINGS)["max_output_tokens"] == 16


def test_text_streams_and_adds_up_to_the_reply() -> None:
    """Else words are lost or doubled, or the tokens are not counted."""
    pieces, reply = read(load("responses_text"))
    assert pieces == ["Thirty days", " of leave [1]."]
    assert reply == Reply(AssistantMessage("Thirty days of leave [1]."), "stop", Usage(412, 9, 1))


def test_calls_are_read_and_reasoning_is_kept() -> None:
    """Else tools are called wrongly, or the model forgets why it called them."""
    _, reply = read(load("responses_reasoned_calls"))
    assert reply.finish == "tool_calls"
    assert reply.usage == Usage(300, 88, 1)
    assert reply.message.tool_calls == (
        ToolCall("call_aB", "search", '{"query":"leave"}'),
        ToolCall("call_cD", "get_entry", '{"id":7}'),
    )


def test_reasoning_goes_back_as_it_came_right_before_its_call() -> None:
    """Else the endpoint refuses the next request: an item lacks its reasoning, or the reverse."""
    events = load("responses_reasoned_calls")
    _, reply = read(events)
    came = [e["item"] for e in events if e["type"] == "response.output_item.done"]
    assert to_payload(Request((reply.message,)), SETTINGS)["input"] == came


def test_a_call_an_agent_dropped_is_not_sent_back() -> None:
    """Else the endpoint refuses a call that has no result."""
    _, reply = read(load("responses_reasoned_calls"))
    kept = replace(reply.message, tool_calls=reply.message.tool_calls[1:], text="Wait.")
    sent = to_payload(Request((kept,)), SETTINGS)["input"]
    assert [i.get("id") or i.get("role") for i in sent] == ["rs_1", "rs_2", "fc_2", "assistant"]


def test_without_reasoning_nothing_opaque_is_kept() -> None:
    """Else every reply is held twice."""
    _, reply = read(load("responses_text"))
    assert reply.message.opaque == ()


@pytest.mark.parametrize("whole", [True, False])
def test_text_without_deltas_is_read_once(whole: bool) -> None:
    """Else servers that send whole items, or only the end, seem to give empty replies."""
    text = {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]}
    last = end()
    last["response"]["output"] = [text]
    pieces, reply = read([item(**text), last] if whole else [last])
    assert pieces == ["Yes."]
    assert reply.message.text == "Yes."


def test_two_messages_in_one_reply_are_paragraphs() -> None:
    """Else the last word of one and the first of the next run together."""
    said = {"type": "message", "content": [{"type": "output_text", "text": "Look."}]}
    delta = {"type": "response.output_text.delta", "delta": "Look."}
    pieces, reply = read([delta, item(**said), delta, item(**said), end()])
    assert "".join(pieces) == reply.message.text == "Look.\n\nLook."


def test_a_call_without_id_gets_one_and_goes_back_with_it() -> None:
    """Else its result refers to no call."""
    bare = item(type="function_call", name="search", arguments="")
    _, reply = read([item(type="reasoning", id="rs_1"), bare, end()])
    [call] = reply.message.tool_calls
    assert call.id
    assert call.arguments == "{}"
    sent = to_payload(Request((reply.message,)), SETTINGS)["input"]
    assert sent[-1]["call_id"] == call.id
    assert len(sent) == 2


def test_a_refusal_is_told_as_one() -> None:
    """Else a refusal passes for an answer."""
    part = {"type": "refusal", "refusal": "I cannot help."}
    delta = {"type": "response.refusal.delta", "delta": "I cannot help."}
    for events in ([delta, end()], [item(type="message", content=[part]), end()]):
        pieces, reply = read(events)
        assert (pieces, reply.finish) == (["I cannot help."], "refusal")


def test_text_and_a_refusal_after_it_stay_apart_and_go_back_as_they_came() -> None:
    """Else they run together, or the model takes its refusal for something it said."""
    events = load("responses_refusal")
    pieces, reply = read(events)
    assert "".join(pieces) == reply.message.text
    assert reply.message.text == "The rule is public.\n\nI cannot help to break it."
    assert (reply.finish, reply.usage) == ("refusal", Usage(30, 14, 1))
    came = [e["item"] for e in events if e["type"] == "response.output_item.done"]
    assert to_payload(Request((reply.message,)), SETTINGS)["input"] == came
    whole = [event for event in events if "delta" not in event["type"]]
    assert read(whole)[1] == reply, "nor without deltas"


@pytest.mark.parametrize(
    "pieces", [["<think>\nHm, thirty.\n</think>\n\n", "Thirty."], ["<thi", "nk>Hm</think>Thirty."]]
)
def test_reasoning_in_the_text_is_no_part_of_the_answer(pieces: list[str]) -> None:
    """Else a person reads, and is cited, what a local model only thought."""
    deltas = [{"type": "response.output_text.delta", "delta": piece} for piece in pieces]
    said = {"type": "message", "content": [{"type": "output_text", "text": "".join(pieces)}]}
    for events in ([*deltas, item(**said), end()], [item(**said), end()], [*deltas, end()]):
        streamed, reply = read(events)
        assert "".join(streamed) == reply.message.text == "Thirty."


def test_text_held_back_at_the_end_is_given() -> None:
    """Else an answer that looks like the beginning of a thought is lost."""
    deltas = [{"type": "response.output_text.delta", "delta": "<thin"}]
    assert read([*deltas, end()])[0] == ["<thin"]


def test_what_another_format_kept_is_not_sent() -> None:
    """Else a conversation cannot go on with a model of another wire."""
    message = AssistantMessage("", (ToolCall("c", "search", "{}"),), ({"reasoning": "Hm"},))
    sent = to_payload(Request((message,)), SETTINGS)["input"]
    assert [i["type"] for i in sent] == ["function_call"]


@pytest.mark.parametrize(
    ("reason", "expected"), [("max_output_tokens", "length"), ("content_filter", "refusal")]
)
def test_an_incomplete_response_tells_why(reason: str, expected: str) -> None:
    """Else a cut or withheld answer passes for a whole one."""
    delta = {"type": "response.output_text.delta", "delta": "Thirty"}
    _, reply = read([delta, end("incomplete", reason)])
    assert reply.finish == expected


def test_a_stream_without_terminal_event_broke_off() -> None:
    """Else half an answer passes for a whole one: the SDK raises nothing then."""
    with pytest.raises(ModelError, match=r"^127\.0\.0\.1:11434 broke off after 5 words\. Ask"):
        read(load("responses_text")[:-1])


@pytest.mark.parametrize(
    "event",
    [
        {"type": "response.failed", "response": {"error": {"code": "x", "message": "it crashed"}}},
        {"type": "error", "code": "server_error", "message": "it crashed"},
        {"error": {"message": "it crashed"}},
    ],
)
def test_a_failure_in_the_stream_is_raised(event: dict[str, Any]) -> None:
    """Else a failure, which comes as an event here, is read as the end of the answer."""
    with pytest.raises(ModelError, match="reported an error: it crashed"):
        read([*load("responses_text")[:5], event])


def test_unknown_events_and_what_follows_the_end_are_passed_over() -> None:
    """Else new kinds of events, or a second end, break or double the answer."""
    events = load("responses_text")
    pieces, reply = read([{"type": "response.novelty"}, *events, *events])
    assert "".join(pieces) == reply.message.text == "Thirty days of leave [1]."


@pytest.mark.parametrize(
    ("last", "expected"),
    [(end(), "gave an empty reply"), (end("incomplete", "max_output_tokens"), "output limit")],
)
def test_an_empty_reply_is_an_error(last: dict[str, Any], expected: str) -> None:
    """Else an agent goes on from nothing, or a person sees an empty answer."""
    with pytest.raises(ModelError, match=expected):
        read([last])
