"""The forms in which models write tool calls into their text, for reading and writing.

Models without native tools are taught one of the first two; the others are what models write by
themselves, whatever they were taught or offered:

    <tool-call tool="NAME">{...}</tool-call>
    TOOL_CALL: {"tool_name": "NAME", "parameters": {...}}
    <tool_call>{"name": "NAME", "arguments": {...}}</tool_call>, or a list of such objects
    <function=NAME>{...}</function>, <invoke name="NAME">, with <parameter=KEY>VALUE</parameter>
    [TOOL_CALLS]NAME{...}, [TOOL_CALLS] [{...}], <|python_tag|>{...} and the like
    {"name": "NAME", "arguments": {...}}, bare, where NAME is a tool that was offered

Slips that can be read one way only are read that way: an underscore in the tag, a tag whose object
names the tool, `name` and `arguments` for the keys, line breaks within strings. Any other call
keeps what the model wrote as its arguments: they fail validation, and the model is told why.
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

from rag_assistant.config import CallForm
from rag_assistant.models.call_values import (
    ReadCall,
    Tools,
    as_json,
    calls_in,
    parameters_in,
    parsed,
    read_named,
)
from rag_assistant.values.messages import ToolCall

__all__ = ["UNSURE", "Opening", "ReadCall", "closing_at", "opening_at", "read_calls", "write_call"]

UNSURE: Literal["unsure"] = "unsure"
"""The text may be the beginning of an opening, or of a closing: what follows will tell."""

Notation = Literal["tag", "line", "named", "objects", "parameters"]
"""What follows an opening: the object of a tag or of a line, the arguments of a call that is named,
objects that name their tools, or parameters in tags of their own."""

_LONGEST = 256  # characters of an opening, with the spaces after it
_TAG = re.compile(r"<tool[-_]call(\s[^<>]{0,200})?>")
_LINE = re.compile(r"TOOL_CALL:\s{0,20}(?=\{)")
_BEGUN = re.compile(r"<tool[-_]call(\s[^<>]{0,200})?|TOOL_CALL:\s{0,20}")
_LITERALS = ("<tool-call", "TOOL-CALL:")
_ATTRIBUTE = re.compile(r"""\s(?:tool|name)\s*=\s*(?:"([^"]+)"|'([^']+)')""")

_NAME = r"(?P<name>[\w.-]{1,100})"
_KEYS = (
    "name|tool_name|tool|function|type|id|action|action_input|arguments|parameters|tool_calls?|"
    "function_call|recipient_name"
)
_OBJECT = rf"\{{\s{{0,40}}[\"'](?:{_KEYS})[\"']\s{{0,20}}:"
_OBJECT_BEGUN = r"\{\s{0,40}(?:[\"']\w{0,20}(?:[\"']\s{0,20})?)?"


@dataclass(frozen=True, slots=True)
class _Form:
    """An opening: all of it, what it may be the beginning of, and what follows it."""

    whole: re.Pattern[str]
    begun: re.Pattern[str]
    literals: tuple[str, ...]
    notation: Notation


_FORMS = (
    _Form(
        re.compile(
            r"(?:<(?:tool_call|tool_calls|function_calls)>\s{0,20})?"
            rf"<(?:function=|function\s+name=|invoke\s+name=)[\"']?{_NAME}[\"']?\s{{0,5}}>"
            r"(?=\s{0,20}(?:\{|<parameter|</(?:function|invoke)>))"
        ),
        re.compile(
            r"<(?:tool_call|tool_calls|function_calls)>\s{0,20}(?:<[a-z]{0,8})?|"
            r"(?:<(?:tool_call|tool_calls|function_calls)>\s{0,20})?"
            r"<(?:function|invoke)[\s=][^<>{]{0,120}(?:>\s{0,20}(?:</?[a-z]{0,9})?)?"
        ),
        ("<tool_calls>", "<function_calls>", "<function", "<invoke"),
        "parameters",
    ),
    _Form(
        re.compile(rf"\[TOOL_CALLS\]\s{{0,5}}{_NAME}\s{{0,5}}(?:\[[\w\]\[-]{{1,60}}\])?(?=\{{)"),
        re.compile(r"\[TOOL_CALLS\][\s\w.\-\[\]]{0,180}"),
        ("[TOOL_CALLS]",),
        "named",
    ),
    _Form(
        re.compile(
            r"(?:<\|start\|>assistant)?<\|channel\|>commentary\s{1,3}to=(?:functions\.)?"
            rf"{_NAME}[^<>{{]{{0,40}}(?:<\|constrain\|>\w{{1,20}})?<\|message\|>(?=\s{{0,5}}\{{)"
        ),
        re.compile(r"(?:<\|start\|>assistant)?<\|channel\|>[^{}\[\]]{0,200}"),
        ("<|start|>assistant<|channel|>", "<|channel|>"),
        "named",
    ),
    _Form(
        re.compile(
            r"(?:\[TOOL_CALLS\]|<\|(?:python_tag|tool_calls?|tool_call_begin)\|>)\s{0,5}(?=[\[{])"
        ),
        re.compile(r"(?:\[TOOL_CALLS\]|<\|(?:python_tag|tool_calls?|tool_call_begin)\|>)\s{0,5}"),
        ("[TOOL_CALLS]", "<|python_tag|>", "<|tool_call|>", "<|tool_calls|>"),
        "objects",
    ),
)
_BARE = re.compile(rf"(?:\[\s{{0,40}})?(?={_OBJECT})")
BARE_BEGUN = rf"(?:\[\s{{0,40}})?(?:{_OBJECT_BEGUN})?"
"""What may be the beginning of an object that names its tool, or of a list of such objects."""
_BARE_BEGUN = re.compile(BARE_BEGUN)
BARE = rf"(?:\[\s{{0,40}})?{_OBJECT}"
"""The beginning of such an object, or list."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The beginning of a call, `length` characters long; `name` is empty where it comes later.

    `is_bare` where nothing but the name of a tool tells it from any other object.
    """

    notation: Notation
    length: int
    name: str = ""
    is_bare: bool = False


def opening_at(
    text: str, at: int, before: str, *, bare: bool = False
) -> Opening | Literal["unsure"] | None:
    """Tell whether a call opens here; `before` is the character before.

    With `bare`, objects without any sign before them may be calls.
    """
    window = text[at : at + _LONGEST]
    if tag := _TAG.match(window):
        opening = _tag_opening(window, tag)
        if opening is not None:
            return opening
    unsure = False
    for form in _FORMS:
        if found := form.whole.match(window):
            return Opening(form.notation, found.end(), found.groupdict().get("name") or "")
        literal = any(one.startswith(window) for one in form.literals)
        unsure = unsure or literal or bool(form.begun.fullmatch(window))
    if bare and window[:1] in ("{", "["):
        if _BARE.match(window):
            return Opening("objects", 0, is_bare=True)
        unsure = unsure or bool(_BARE_BEGUN.fullmatch(window))
    if window.startswith("T") and (before.isalnum() or before == "_"):
        return None
    if line := _LINE.match(window):
        return Opening("line", line.end())
    plain = window.replace("_", "-")
    begun = any(literal.startswith(plain) for literal in _LITERALS) or _BEGUN.fullmatch(window)
    return UNSURE if begun or (unsure and len(window) < _LONGEST) else None


def _tag_opening(window: str, tag: re.Match[str]) -> Opening | Literal["unsure"] | None:
    """Tell what a tag opens; None where it is only named, or another form begins with it."""
    named = _ATTRIBUTE.search(tag[1] or "")
    if named:
        return Opening("tag", tag.end(), named[1] or named[2])
    # Prose names the tag, too: without the tool's name an object must follow.
    after = window[tag.end() :].lstrip()
    if not after:
        return UNSURE if len(window) < _LONGEST else None
    if after.startswith("{"):
        return Opening("tag", tag.end())
    rest = after[1:].lstrip()
    if after.startswith("[") and (rest.startswith("{") or not rest):
        return Opening("objects", tag.end()) if rest else UNSURE
    return None


_ENDS: dict[Notation, re.Pattern[str]] = {
    "tag": re.compile(r"</tool[-_]call>"),
    "parameters": re.compile(r"</(?:function|invoke)>"),
}
_END_LITERALS: dict[Notation, tuple[str, ...]] = {
    "tag": ("</tool-call>",),
    "parameters": ("</function>", "</invoke>"),
}
_AFTER = re.compile(
    r"</tool[-_]calls?>|</function(?:_calls)?>|</invoke>|<\|/?(?:tool_calls?|tool_call_end|call|"
    r"eom_id|im_end)\|>|\[/TOOL_CALLS\]"
)
_AFTER_LITERALS = (
    "</tool-call>", "</tool-calls>", "</function>", "</function-calls>", "</invoke>",
    "<|tool-call|>", "<|/tool-call|>", "<|tool-calls|>", "<|tool-call-end|>", "<|call|>",
    "<|eom-id|>", "<|im-end|>", "[/TOOL-CALLS]",
)  # fmt: skip


def closing_at(
    text: str, at: int, notation: Notation | None = None
) -> int | Literal["unsure"] | None:
    """Tell whether the closing of a call stands here, and how long it is.

    Within a call of a `notation` that is what ends it; after a call (None), any closing.
    """
    if notation is not None and notation not in _ENDS:
        return None
    ends, literals = (
        (_ENDS[notation], _END_LITERALS[notation]) if notation else (_AFTER, _AFTER_LITERALS)
    )
    if closing := ends.match(text, at):
        return closing.end() - at
    begun = text[at : at + max(map(len, literals))].replace("_", "-")
    return UNSURE if any(literal.startswith(begun) for literal in literals) else None


def read_calls(opening: Opening, written: str, tools: Tools) -> tuple[ReadCall, ...]:
    """Make calls of an opening and of what was written after it; none where it is only text.

    `tools` are those that were offered.
    """
    written = written.strip()
    if opening.notation == "objects":
        return calls_in(written, tools if opening.is_bare else None)
    if opening.notation == "parameters" and not written.startswith("{"):
        return (parameters_in(opening.name, written, tools),)
    if opening.name:
        value = parsed(written)
        if isinstance(value, dict) and parsed(written, strict=True) is None:
            written = as_json(value)
        return (ReadCall(opening.name, written or "{}"),)
    return (read_named(written),)


def write_call(call: ToolCall, form: CallForm) -> str:
    """Write a call as the model is taught to."""
    if form == "tag":
        return f'<tool-call tool="{call.name}">{call.arguments}</tool-call>'
    value: Any = parsed(call.arguments)
    parameters = value if isinstance(value, dict) else call.arguments
    return f"TOOL_CALL: {as_json({'tool_name': call.name, 'parameters': parameters})}"
