"""The built-in model's steps for a question about a whole folder, message by message."""

import json
from collections.abc import Sequence
from typing import Any

from rag_assistant.models.extractive.folder_questions import folder_step
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)

TOOLS = tuple(ToolSpec(name, "", {}) for name in ("search_a_database", "list_documents", "grep"))
PROMPT = SystemMessage("You answer.\nToday is Friday, 2020-01-31.\n")


def step(*said: Message, tools: Sequence[ToolSpec] = TOOLS) -> tuple[Message | None, Request]:
    return folder_step(Request((PROMPT, *said), tuple(tools)))


def called(message: Message | None) -> dict[str, Any]:
    assert isinstance(message, AssistantMessage)
    (call,) = message.tool_calls
    return {"tool": call.name, **json.loads(call.arguments)}


def told(asked: Message | None, text: str) -> tuple[Message, Message]:
    assert isinstance(asked, AssistantMessage)
    return asked, ToolMessage(asked.tool_calls[0].id, asked.tool_calls[0].name, text)


def test_the_day_is_the_prompts() -> None:
    """Of a question that is replayed, "since December" would be another December."""
    message, _ = step(UserMessage("What is new since December?"))
    assert called(message)["query"] == "after:2019-12-01"


def test_no_words_of_a_question_are_operators() -> None:
    """A question could turn into a filter that nobody asked for."""
    for words in ("-roof", "type:pdf", "“a path:b”", "roof*"):
        message, _ = step(UserMessage(f"Which documents mention {words}?"))
        arguments = called(message)
        if arguments["tool"] == "grep":
            assert not arguments["query"]
        else:
            assert arguments["query"] in ('"-roof"', '"a path:b"')


def test_without_the_tools_the_question_is_as_any_other() -> None:
    """A model without tools would wait for what never comes."""
    asked = UserMessage("How many documents mention leave?")
    message, request = step(asked, tools=TOOLS[:1])
    assert message is None
    assert request.messages[-1] == asked


def test_after_an_error_the_documents_are_searched_as_if_nothing_had_been_tried() -> None:
    """One tool that fails would leave a question without an answer."""
    asked = UserMessage("How many documents mention leave?")
    message, _ = step(asked)
    message, request = step(asked, *told(message, "Error: the index is damaged."))
    assert message is None
    assert request.messages == (PROMPT, asked)


def test_what_another_model_found_is_left_to_be_quoted() -> None:
    """Where a model fails after its search, the fallback would throw away what was found."""
    asked = UserMessage("How many documents mention leave?")
    found = ToolMessage("other", "search_a_database", "{}")
    message, request = step(asked, found)
    assert message is None
    assert request.messages[-1] == found


def test_an_earlier_question_is_not_answered_again() -> None:
    """ "What is leave?" after a count would get the count."""
    count = UserMessage("How many documents mention leave?")
    message, _ = step(count)
    message, _ = step(count, *told(message, "{}"), AssistantMessage("1 of 4."), UserMessage("Why?"))
    assert message is None
