"""Chat Completions: what is written for a request and what is read from a stream."""

from typing import Any

import pytest

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.completions import Assembler, to_payload
from rag_assistant.values.messages import (
    AssistantMessage,
    Reply,
    Request,
    SystemMessage,
    ToolCall,
    Usage,
    UserMessage,
)
from tests.models.payloads import ENDPOINT, IMAGES, REQUEST, SETTINGS, load


def read(chunks: list[dict[str, Any]]) -> tuple[list[str], Reply]:
    assembler = Assembler(ENDPOINT)
    pieces = [assembler.feed(chunk) for chunk in chunks]
    return [piece for piece in pieces if piece], assembler.reply()


def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def test_a_request_is_written_as_the_format_has_it() -> None:
    """Else servers refuse, or forget, part of the conversation, the tools or the reply's form."""
    assert to_payload(REQUEST, SETTINGS) == load("chat_request")


def test_images_go_along_as_the_format_has_them() -> None:
    """Else a model that sees is asked about pictures that it was not sent."""
    assert to_payload(Request((IMAGES,)), SETTINGS)["messages"] == load("chat_image_request")


def test_a_plain_request_names_neither_tools_nor_form() -> None:
    """Else servers without tools, or without schemas, refuse every question."""
    payload = to_payload(Request((UserMessage("Hi"),)), SETTINGS)
    assert payload.keys() == {"model", "messages", "stream", "stream_options", "max_tokens"}
    assert payload["max_tokens"] == SETTINGS.max_output_tokens


def test_openai_itself_gets_the_limit_under_its_new_name() -> None:
    """Else OpenAI's reasoning models refuse every request over this wire."""
    payload = to_payload(Request((UserMessage("Hi"),)), ModelSettings("gpt-5"))
    assert "max_tokens" not in payload
    assert payload["max_completion_tokens"] == 4_096


def test_remarks_in_the_middle_join_the_instructions() -> None:
    """Else servers whose chat template wants one system message, first, refuse the request."""
    remark = (SystemMessage("Be brief."), UserMessage("Hi"), SystemMessage("One step is left."))
    written = to_payload(Request(remark), SETTINGS)["messages"]
    assert [message["role"] for message in written] == ["system", "user"]
    assert written[0]["content"] == "Be brief.\n\nOne step is left."
    assert len(to_payload(Request(remark), ModelSettings("gpt-5"))["messages"]) == 3


def test_broken_arguments_of_a_past_call_are_not_sent_back() -> None:
    """Else one slip of a small model makes its server refuse all further requests."""
    message = AssistantMessage("", (ToolCall("call_1", "search", '{"query": "lea'),))
    written = to_payload(Request((message,)), SETTINGS)["messages"][0]
    assert written["tool_calls"][0]["function"] == {"name": "search", "arguments": "{}"}


def test_text_streams_and_adds_up_to_the_reply() -> None:
    """Else words are lost or doubled, or the tokens are not counted."""
    pieces, reply = read(load("chat_text"))
    assert pieces == ["Thirty days", " of leave [1]."]
    assert reply == Reply(AssistantMessage("Thirty days of leave [1]."), "stop", Usage(412, 9, 1))


def test_interleaved_deltas_of_parallel_calls_are_sorted_by_index() -> None:
    """Else the arguments of one call end up in the other."""
    _, reply = read(load("chat_parallel_calls"))
    assert reply.finish == "tool_calls"
    assert reply.message.tool_calls == (
        ToolCall("call_aB", "search", '{"query": "annual leave"}'),
        ToolCall("call_cD", "get_entry", '{"id": 7}'),
    )


def test_two_calls_that_share_index_zero_stay_two() -> None:
    """Else names and arguments of two calls run into one that no tool understands."""
    _, reply = read(load("chat_calls_all_index_zero"))
    assert reply.message.tool_calls == (
        ToolCall("call_0f", "search", '{"query":"leave"}'),
        ToolCall("call_9e", "search", '{"query":"holiday"}'),
    )


def test_calls_without_index_or_id_stay_apart_and_get_ids() -> None:
    """Else results cannot be matched to calls on servers that leave both out."""
    _, reply = read(load("chat_calls_bare"))
    calls = reply.message.tool_calls
    assert [(call.name, call.arguments) for call in calls] == [
        ("search", '{"query": "leave"}'),
        ("search", '{"query": "holiday"}'),
        ("list_databases", "{}"),
    ]
    assert len({call.id for call in calls}) == 3
    assert all(call.id for call in calls)
    assert reply.finish == "tool_calls", "calls count for more than a wrong finish_reason"


def test_an_id_and_name_repeated_in_every_fragment_are_one_call() -> None:
    """Else a server that repeats itself is heard as calling many times."""
    fragments = [
        {"index": 0, "id": "x", "function": {"name": "search", "arguments": part}}
        for part in ('{"query":', '"a"}', "")
    ]
    chunks = [chunk({"tool_calls": [fragment]}) for fragment in fragments]
    _, reply = read([*chunks, chunk({}, "tool_calls")])
    assert reply.message.tool_calls == (ToolCall("x", "search", '{"query":"a"}'),)


def test_calls_that_share_one_id_get_different_ones() -> None:
    """Else the result of one call is taken for the other's."""
    fragments = [
        {"index": index, "id": "x", "function": {"name": "search", "arguments": "{}"}}
        for index in (0, 1)
    ]
    _, reply = read([chunk({"tool_calls": fragments}), chunk({}, "tool_calls")])
    first, second = reply.message.tool_calls
    assert first.id == "x" != second.id


def test_text_that_comes_in_parts_is_read() -> None:
    """Else servers that send a list of parts seem to give empty replies."""
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Yes."}]
    pieces, _ = read([chunk({"content": parts}, "stop")])
    assert pieces == ["Yes."]


@pytest.mark.parametrize(
    ("delta", "finish", "expected"),
    [
        ({"refusal": "I cannot help."}, "stop", "refusal"),
        ({"content": "Thirty"}, "content_filter", "refusal"),
        ({}, "content_filter", "refusal"),
        ({"content": "Thirty"}, "length", "length"),
        ({"content": "Thirty"}, "eos", "stop"),
    ],
)
def test_why_a_reply_ended_is_told(delta: dict[str, Any], finish: str, expected: str) -> None:
    """Else a cut or withheld answer passes for a whole one."""
    _, reply = read([chunk(delta), chunk({}, finish)])
    assert reply.finish == expected
    assert reply.message.text == (delta.get("content") or delta.get("refusal") or "")


def test_a_refusal_streams_like_text_and_is_told_as_one() -> None:
    """Else a refusal is an empty reply, or passes for an answer."""
    pieces, reply = read(load("chat_refusal"))
    assert pieces == ["I cannot", " help with that."]
    assert reply.finish == "refusal"
    assert reply.usage == Usage(20, 8, 1)


@pytest.mark.parametrize("name", ["chat_reasoned_text", "chat_think_tags"])
def test_reasoning_is_no_part_of_the_answer(name: str) -> None:
    """Else a person reads, and is cited, what the model only thought."""
    pieces, reply = read(load(name))
    assert "".join(pieces) == "Thirty [1]."
    assert reply.message == AssistantMessage("Thirty [1].")


def test_reasoning_goes_back_with_the_calls_it_led_to() -> None:
    """Else DeepSeek refuses the results, and other models forget why they called."""
    pieces, reply = read(load("chat_reasoned_call"))
    assert pieces == ["I look."]
    sent = to_payload(Request((reply.message,)), SETTINGS)["messages"]
    assert sent[0]["reasoning_content"] == "Leave is in the handbook."
    assert sent[0]["tool_calls"][0]["id"] == "call_00_x"


def test_what_another_format_kept_is_not_sent() -> None:
    """Else a conversation cannot go on with a model of another wire."""
    call = ToolCall("c", "search", "{}")
    message = AssistantMessage("", (call,), ({"type": "reasoning", "encrypted_content": "x"},))
    [sent] = to_payload(Request((message,)), SETTINGS)["messages"]
    assert sent.keys() == {"role", "content", "tool_calls"}


def test_a_thought_that_fills_the_reply_is_an_empty_one() -> None:
    """Else the beginning of a thought is shown as the answer."""
    with pytest.raises(ModelError, match="met its output limit before the first word"):
        read([chunk({"content": "<think>Let me see, "}), chunk({"content": "well"}, "length")])


def test_a_stream_without_finish_reason_broke_off() -> None:
    """Else half an answer passes for a whole one: the SDK raises nothing then."""
    with pytest.raises(ModelError, match=r"^127\.0\.0\.1:11434 broke off after 5 words\. Ask"):
        read(load("chat_text")[:3])


def test_an_error_in_the_stream_is_raised() -> None:
    """Else a server's complaint is read as the end of the answer."""
    with pytest.raises(ModelError, match="reported an error: the model crashed"):
        read([*load("chat_text")[:2], {"error": {"message": "the model crashed"}}])


@pytest.mark.parametrize(
    ("finish", "expected"), [("stop", "gave an empty reply"), ("length", "met its output limit")]
)
def test_an_empty_reply_is_an_error(finish: str, expected: str) -> None:
    """Else an agent goes on from nothing, or a person sees an empty answer."""
    with pytest.raises(ModelError, match=expected):
        read([chunk({"content": "\n"}), chunk({}, finish)])
