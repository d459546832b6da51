"""The two forms in which a model without native tools writes a call, for reading and writing.

    <tool-call tool="NAME">{...}</tool-call>
    TOOL_CALL: {"tool_name": "NAME", "parameters": {...}}

Slips that can be read one way only are read that way: an underscore in the tag, a tag whose object
names the tool, `name` and `arguments` for the keys, line breaks within strings. Any other call
keeps what the model wrote as its arguments: they fail validation, and the model is told why.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from rag_assistant.config import CallForm
from rag_assistant.values.messages import ToolCall

UNNAMED = "unnamed"
"""The tool of a call that names none; there is none called so, and the model is told that."""

UNSURE: Literal["unsure"] = "unsure"
"""The text may be the beginning of an opening, or of a closing: what follows will tell."""

_LONGEST = 256  # characters of an opening, with the spaces after it
_TAG = re.compile(r"<tool[-_]call(\s[^<>]{0,200})?>")
_LINE = re.compile(r"TOOL_CALL:\s{0,20}(?=\{)")
_CLOSING = re.compile(r"</tool[-_]call>")
_BEGUN = re.compile(r"<tool[-_]call(\s[^<>]{0,200})?|TOOL_CALL:\s{0,20}")
_LITERALS = ("<tool-call", "TOOL-CALL:")
_ATTRIBUTE = re.compile(r"""\s(?:tool|name)\s*=\s*(?:"([^"]+)"|'([^']+)')""")
_KEY = re.compile(r"""\b(?:tool_name|name)["']?\s*:\s*["']([^"'\n]{1,100})["']""")


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a call, `length` characters long; `name` is empty where it comes later."""

    form: CallForm
    length: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call read from text; `arguments` is JSON text, or what stood in its place."""

    name: str
    arguments: str


def opening_at(text: str, at: int, before: str) -> Opening | Literal["unsure"] | None:
    """Tell whether a call opens here; `before` is the character before."""
    window = text[at : at + _LONGEST]
    if tag := _TAG.match(window):
        named = _ATTRIBUTE.search(tag[1] or "")
        if named:
            return Opening("tag", tag.end(), named[1] or named[2])
        # Prose names the tag, too: without the tool's name an object must follow.
        after = window[tag.end() :].lstrip()
        if not after and len(window) < _LONGEST:
            return UNSURE
        return Opening("tag", tag.end()) if after.startswith("{") else None
    if window.startswith("T") and (before.isalnum() or before == "_"):
        return None
    if line := _LINE.match(window):
        return Opening("line", line.end())
    plain = window.replace("_", "-")
    begun = any(literal.startswith(plain) for literal in _LITERALS) or _BEGUN.fullmatch(window)
    return UNSURE if begun else None


def closing_at(text: str, at: int) -> int | Literal["unsure"] | None:
    """Tell whether the closing tag of a call stands here, and how long it is."""
    if closing := _CLOSING.match(text, at):
        return closing.end() - at
    begun = text[at : at + len("</tool-call>")].replace("_", "-")
    return UNSURE if "</tool-call>".startswith(begun) else None


def read_call(opening: Opening, written: str) -> ReadCall:
    """Make a call of its opening and of what was written after it."""
    written = written.strip()
    value = _parsed(written)
    if opening.name:
        if isinstance(value, dict) and _parsed(written, strict=True) is None:
            written = _json(value)
        return ReadCall(opening.name, written or "{}")
    if isinstance(value, dict):
        name = value.get("tool_name") or value.get("name")
        parameters = value.get("parameters", value.get("arguments", {}))
        if isinstance(name, str) and name:
            return ReadCall(name, parameters if isinstance(parameters, str) else _json(parameters))
        return ReadCall(UNNAMED, written)
    # Not JSON, so whatever the name is, nothing will run.
    named = _KEY.search(written)
    return ReadCall(named[1] if named else UNNAMED, written)


def write_call(call: ToolCall, form: CallForm) -> str:
    """Write a call as the model is taught to."""
    if form == "tag":
        return f'<tool-call tool="{call.name}">{call.arguments}</tool-call>'
    value = _parsed(call.arguments)
    parameters = value if isinstance(value, dict) else call.arguments
    return f"TOOL_CALL: {_json({'tool_name': call.name, 'parameters': parameters})}"


def _parsed(written: str, *, strict: bool = False) -> Any:
    """Parse JSON; None for what is none. Unless `strict`, strings may hold line breaks."""
    try:
        return json.loads(written, strict=strict)
    except (ValueError, RecursionError):
        return None


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which only an escape can tell
        return json.dumps(value)
    return text
