"""Values read back from the JSON that `json_shapes` and the store wrote, checked field by field.

A value is made by the types of its fields, so that a new kind of event or a new field needs nothing
here unless its JSON has another shape. Keys that are not known are left out; a key that is missing
leaves a field its default.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rag_assistant.values.events import Answered, Event
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem, Side
from rag_assistant.values.json_shapes import Json, event_name
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from rag_assistant.values.support import Sentence

EVENT_KINDS: Mapping[str, type] = {event_name(kind): kind for kind in get_args(Event)}

MESSAGE_ROLES: Mapping[str, type] = {
    "system": SystemMessage,
    "user": UserMessage,
    "assistant": AssistantMessage,
    "tool": ToolMessage,
}

Value = TypeVar("Value")


def role_of(message: Message) -> str:
    """Give a message's role."""
    return next(role for role, kind in MESSAGE_ROLES.items() if isinstance(message, kind))


class NotUnderstood(ValueError):
    """JSON that is not of the wanted shape; the message names what it was to be."""


def event_of(data: Json) -> Event:
    """Read what `event_json` gave. Raises NotUnderstood, as for a kind of a later version."""
    name = data.get("event")
    kind = EVENT_KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise NotUnderstood(str(name))
    try:
        event: Event = value_of(kind, data)
    except NotUnderstood as error:
        raise NotUnderstood(str(name)) from error
    return event


def message_of(role: str, data: Json) -> Message:
    """Read a message of a role from its fields. Raises NotUnderstood."""
    if role not in MESSAGE_ROLES:
        raise NotUnderstood(role)
    message: Message = value_of(MESSAGE_ROLES[role], data)
    return message


def value_of(kind: type[Value], data: Json) -> Value:
    """Make a value of a dataclass from JSON. Raises NotUnderstood."""
    try:
        given = _RESHAPE.get(kind, dict)(data)
        return kind(
            **{
                name: _read(hint, given[name])
                for name, hint, needed in _fields(kind)  # type: ignore[arg-type]
                if needed or name in given
            }
        )
    except (KeyError, TypeError, ValueError) as error:
        raise NotUnderstood(f"{kind.__name__}: {error}") from error


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Give the fields of a dataclass: name, type, and whether there has to be a value."""
    hints = get_type_hints(kind)
    return tuple(
        (field.name, hints[field.name], field.default is MISSING is field.default_factory)
        for field in fields(kind)
    )


@cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Take a type apart: a run of thousands of questions has millions of values."""
    return get_origin(hint), get_args(hint), is_dataclass(hint)


def _read(hint: Any, value: Any) -> Any:
    origin, inner, made_of_fields = _parts(hint)
    if made_of_fields:
        return value_of(hint, value)
    if origin in (Union, UnionType):
        present = next(kind for kind in inner if kind is not NoneType)
        return None if value is None else _read(present, value)
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_read(inner[0], item) for item in value)
    if hint is Any or (origin is Literal and value in inner):
        return value
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if origin is Literal:
        raise NotUnderstood(f"{value!r} is none of {inner}")
    accepted = (int, float) if hint is float else origin or hint
    # True is an int to Python, but no count of anything.
    if not isinstance(value, accepted) or isinstance(value, bool) is not (hint is bool):
        raise NotUnderstood(f"{value!r} is no {hint}")
    return value


def _citation(data: Json) -> Json:
    return {"marker": data["marker"], "item": data}


def _evidence(data: Json) -> Json:
    pairs = zip(data["source"], data["relevant"], strict=True)
    items = [{"database": data["database"], **source, "quote": quote} for source, quote in pairs]
    return {**data, "items": items, "confidence": data["confidence"] or 0}


_EARLIER_STATES: Mapping[str, Json] = {
    "quoted": {"support": "supported", "verbatim": True},
    "unsupported": {"support": "unconfirmed"},
    "no claim": {"support": "no_claim"},
}
"""The states of sentences by the names that they had up to version 7 of the format."""


_RESHAPE: Mapping[type, Callable[[Json], Json]] = {
    Answered: lambda data: {"answer": data},
    Answer: lambda data: {
        **data,
        "text": data["answer"],
        "confidence": data.get("confidence") or 0,
    },
    Citation: _citation,
    EvidenceItem: lambda data: {**data, "entry_id": data["id"]},
    Evidence: _evidence,
    Side: lambda data: {**data, "item": data},
    Sentence: lambda data: {**data, **_EARLIER_STATES.get(data["support"], {})},
}
"""How the JSON of a value differs from its fields, for those where it does."""
