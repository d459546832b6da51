"""What stands within a call that a model wrote: objects that name their tool, or parameters.

Nothing is guessed: an object is a call of a tool that was offered, or of the one that it names
behind a sign of a call; arguments that are no JSON object stay as they were written, and fail.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rag_assistant.values.messages import JsonObject

Tools = Mapping[str, JsonObject]
"""The tools that were offered, by name, with the schema of their parameters."""

UNNAMED = "unnamed"
"""The tool of a call that names none; there is none called so, and the model is told that."""

_NAMES = ("tool_name", "name", "tool", "function", "action", "recipient_name")
_ARGUMENTS = ("parameters", "arguments", "args", "input", "action_input", "tool_input")
_MOST_LITERAL = 20_000
_BESIDE = ("id", "type", "call_id")
_WRAPPERS = ("tool_calls", "tool_call", "function_call", "function")
_KEY = re.compile(
    r"""\b(?:tool_name|name|tool|function|action)["']?\s*:\s*["']([^"'\n]{1,100})["']"""
)
_PARAMETER = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?(?P<key>[\w.-]{1,100})[\"']?[^<>]{0,80}>"
    r"(?P<value>.*?)</parameter>",
    re.DOTALL,
)
_ENDED = re.compile(r"(?:</(?:function|invoke)>)?\s*\Z")


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call read from text; `arguments` is JSON text, or what stood in its place."""

    name: str
    arguments: str


def read_named(written: str) -> ReadCall:
    """Read the object of a call, which names its tool."""
    value = parsed(written)
    if isinstance(value, dict):
        name = value.get("tool_name") or value.get("name")
        parameters = value.get("parameters", value.get("arguments", {}))
        if isinstance(name, str) and name:
            return ReadCall(name, _written(parameters))
        return next(iter(_calls(value, None)), ReadCall(UNNAMED, written))
    # Not JSON, so whatever the name is, nothing will run.
    named = _KEY.search(written)
    return ReadCall(named[1] if named else UNNAMED, written)


def calls_in(written: str, tools: Tools | None) -> tuple[ReadCall, ...]:
    """Read the calls in an object or a list of objects; none where it is something else.

    Only those of `tools`, where these are given. What names one and is no JSON is a call that
    fails.
    """
    value = parsed(written)
    if value is None:
        value = _python_literal(written)
    if isinstance(value, dict | list):
        return tuple(_calls(value, tools))
    named = _KEY.search(written)
    if named is None or (tools is not None and _bare_name(named[1]) not in tools):
        return ()
    return (ReadCall(_bare_name(named[1]), written),)


def _python_literal(written: str) -> Any:
    """Read what is written with Python's quotes; None where it could be no JSON either."""
    if len(written) > _MOST_LITERAL:
        return None
    try:
        value = ast.literal_eval(written)
        json.dumps(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
    return value


def _calls(value: Any, tools: Tools | None) -> Iterator[ReadCall]:
    if isinstance(value, list):
        found = [call for item in value for call in _calls(item, tools)]
        # A list that holds something else as well is no list of calls.
        yield from found if len(found) >= len(value) else ()
        return
    if not isinstance(value, dict):
        return
    for wrapper in _WRAPPERS:
        if isinstance(inner := value.get(wrapper), dict | list):
            yield from _calls(inner, tools)
            return
    key = next((key for key in _NAMES if isinstance(value.get(key), str)), "")
    name = _bare_name(value[key]) if key else ""
    if not name or (tools is not None and name not in tools):
        return
    given = next((value[one] for one in _ARGUMENTS if one in value), None)
    if given is None:
        given = {one: what for one, what in value.items() if one not in (key, *_BESIDE)}
    yield ReadCall(name, _written(given))


def parameters_in(name: str, written: str, tools: Tools) -> ReadCall:
    """Read parameters that stand in tags of their own.

    A value is text where the tool's schema says so, and JSON where it can be read as such.
    """
    taken = tools.get(name, {}).get("properties", {})
    arguments: dict[str, Any] = {}
    for found in _PARAMETER.finditer(written):
        key, value = found["key"], found["value"].strip("\n")
        is_text = isinstance(taken.get(key), Mapping) and taken[key].get("type") == "string"
        read = None if is_text else parsed(value.strip())
        arguments[key] = value if read is None else read
    if not _ENDED.fullmatch(_PARAMETER.sub("", written).strip()):
        return ReadCall(name, written)  # something else stands there, or it breaks off
    return ReadCall(name, as_json(arguments))


def _bare_name(name: str) -> str:
    return name.removeprefix("functions.")


def _written(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else as_json(arguments)


def parsed(written: str, *, strict: bool = False) -> Any:
    """Parse JSON; None for what is none. Unless `strict`, strings may hold line breaks."""
    try:
        return json.loads(written, strict=strict)
    except (ValueError, RecursionError):
        return None


def as_json(value: object) -> str:
    """Write JSON in the letters of the text."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only an escape can tell
        return json.dumps(value)
    return text
