"""The fields of requests that are a wire format's own: names, roles and ids of no document.

Everything else of a request is text, whatever its keys are called, and is masked on its way out.
"""

from rag_assistant.egress.own_fields import OwnFields

_EVERYWHERE = """
    model
    encoding_format
"""

_CHAT = """
    messages.*.role
    messages.*.tool_call_id
    messages.*.content.*.type
    messages.*.tool_calls.*.id
    messages.*.tool_calls.*.type
    messages.*.tool_calls.*.function.name
    tools.*.type
    tools.*.function.name
    response_format.type
    response_format.json_schema.name
"""

_RESPONSES = """
    include.*
    input.*.type
    input.*.role
    input.*.id
    input.*.call_id
    input.*.name
    input.*.status
    input.*.encrypted_content
    input.*.content.*.type
    input.*.content.*.detail
    input.*.summary.*.type
    tools.*.name
    text.format.type
    text.format.name
"""

_PICTURES = """
    messages.*.content.*.image_url.url
    input.*.content.*.image_url
"""


def _paths(listed: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(path.split(".")) for path in listed.split())


OWN_FIELDS = OwnFields(_paths(_EVERYWHERE + _CHAT + _RESPONSES), _paths(_PICTURES))
"""Where they stand in a request of Chat Completions, Responses, embeddings or reranking."""
