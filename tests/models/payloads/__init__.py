"""Requests and streams as the wire formats have them, one JSON file each."""

import json
from pathlib import Path
from typing import Any

from rag_assistant.config import ModelSettings
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.values.messages import (
    AssistantMessage,
    Image,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)

SETTINGS = ModelSettings("qwen3:8b", base_url="http://127.0.0.1:11434/v1")
ENDPOINT = Endpoint.of(SETTINGS, {})
REQUEST = Request(
    messages=(
        SystemMessage("Answer from the documents."),
        UserMessage("How many days of leave?"),
        AssistantMessage("", (ToolCall("call_1", "search", '{"query": "leave"}'),)),
        ToolMessage("call_1", "search", "1 hit"),
        AssistantMessage("Thirty [1]."),
        UserMessage("And in the first year?"),
    ),
    tools=(
        ToolSpec(
            "search",
            "Find passages.",
            {"type": "object", "properties": {"query": {"type": "string"}}},
        ),
    ),
    reply_schema={"type": "object"},
    max_output_tokens=500,
)
"""The conversation that chat_request.json and responses_request.json write."""
IMAGES = UserMessage(
    "What is on these?", (Image("image/png", "iVBORw0KGgo="), Image("image/jpeg", "/9j/4AAQ"))
)
"""The question that chat_image_request.json and responses_image_request.json write."""


def load(name: str) -> Any:
    """Read the payload `name`.json."""
    return json.loads((Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8"))
