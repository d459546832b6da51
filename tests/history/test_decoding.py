"""Events and messages come back from their JSON as they were."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_assistant.history.decoding import (
    EVENT_KINDS,
    MESSAGE_ROLES,
    NotUnderstood,
    event_of,
    message_of,
    role_of,
    value_of,
)
from rag_assistant.history.rows import storable
from rag_assistant.values.events import Event, Note, RunStarted
from rag_assistant.values.json_shapes import event_json, event_name
from rag_assistant.values.messages import Message
from tests.examples import examples
from tests.history.runs import run

TEXT = st.text(st.characters(codec=None), max_size=20)  # lone surrogates, too
NUMBERS = st.integers(-(2**53), 2**53)
FLOATS = st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
PLAIN: Mapping[Any, st.SearchStrategy[Any]] = {
    str: TEXT, int: NUMBERS, float: FLOATS, bool: st.booleans(), Any: JSON,
}  # fmt: skip


@cache
def values_of(hint: Any) -> Any:
    """A strategy for any value of a type, with every field of every dataclass in it."""
    origin, inner = get_origin(hint), get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return st.builds(hint, **{f.name: values_of(hints[f.name]) for f in fields(hint)})
    if origin in (Union, UnionType):
        return st.one_of([st.none() if kind is NoneType else values_of(kind) for kind in inner])
    if origin is tuple:
        return st.lists(values_of(inner[0]), max_size=3).map(tuple)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(TEXT, values_of(inner[1]), max_size=3)
    if origin is Literal or (isinstance(hint, type) and issubclass(hint, Enum)):
        return st.sampled_from(inner or hint)
    return PLAIN[hint]


def there_and_back(event: Event) -> Event:
    return event_of(json.loads(json.dumps(event_json(event))))


@pytest.mark.parametrize("kind", get_args(Event), ids=event_name)
@settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_kind_of_event_comes_back_as_it_was(kind: type, data: st.DataObject) -> None:
    """A replay would differ from its run: a field would be lost or changed on the way."""
    event = data.draw(values_of(kind))
    back = there_and_back(event)
    assert back == event
    assert json.dumps(event_json(back)) == json.dumps(event_json(event))


def test_a_new_event_that_cannot_be_read_back_is_noticed() -> None:
    """Someone could add an event that replay silently leaves out."""

    @dataclass(frozen=True, slots=True)
    class DayPassed:
        day: date

    assert event_name(DayPassed) not in EVENT_KINDS
    with pytest.raises(NotUnderstood, match="day_passed"):
        event_of({"event": "day_passed", "day": "2026-11-21"})
    # Even as a member of the union it could not be read: the test above would fail for it.
    with pytest.raises(NotUnderstood, match="DayPassed"):
        value_of(DayPassed, {"day": "2026-11-21"})


@pytest.mark.parametrize("role", MESSAGE_ROLES)
@settings(max_examples=examples(25))
@given(data=st.data())
def test_every_message_comes_back_as_it_was(role: str, data: st.DataObject) -> None:
    """A resumed conversation would not be the one that was held; calls could lose their results."""
    message: Message = data.draw(values_of(MESSAGE_ROLES[role]))
    assert role_of(message) == role
    assert message_of(role, json.loads(json.dumps(asdict(message)))) == message


@settings(max_examples=examples(25))
@given(data=JSON)
def test_any_json_is_an_event_or_is_refused(data: Any) -> None:
    """A damaged row would end the replay in a traceback."""
    for kind in [*EVENT_KINDS, "from_tomorrow"]:
        written = {**data, "event": kind} if isinstance(data, dict) else {"event": kind, "x": data}
        try:
            event_of(written)
        except NotUnderstood as error:
            assert str(error) == kind


def test_more_or_fewer_keys_of_another_version_are_no_hindrance() -> None:
    """A file that a version before or after wrote could not be replayed."""
    assert event_of({"event": "note", "text": "x", "colour": "red"}) == Note("x")
    with pytest.raises(NotUnderstood):
        event_of({"event": "run_started", "question": "x"})
    with pytest.raises(NotUnderstood):
        event_of({"event": "run_started", "question": 1, "databases": [], "model": "m"})
    with pytest.raises(NotUnderstood):
        event_of({"event": ["run_started"]})
    assert event_of(
        {"event": "run_started", "question": "x", "databases": ["a"], "model": "m"}
    ) == RunStarted("x", ("a",), "m")


def test_the_run_of_the_other_tests_comes_back() -> None:
    """The tests beside this one would show nothing."""
    assert [there_and_back(event) for event in run()] == run()


def test_text_with_half_a_character_can_be_stored() -> None:
    """A file name that is not Unicode would keep the whole conversation from being kept."""
    assert storable("a\ud800b") == "a?b"
