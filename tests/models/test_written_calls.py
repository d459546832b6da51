"""Calls that a model with native tools writes as text all the same: read, unless quoted."""

import json
from collections.abc import Sequence

import pytest

from rag_assistant.config import Config, Wire
from rag_assistant.egress.gate import Gate
from rag_assistant.models.call_forms import ReadCall
from rag_assistant.models.call_reader import CallReader
from rag_assistant.models.pool import ModelPool
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Reply,
    ReplyDelta,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from scripts.benchmarks.shared.model_replies import Answer, Call
from scripts.benchmarks.shared.model_server import ScriptedServer

SEARCH = "search_notes_database"
SCHEMA = {"type": "object", "properties": {"keyword": {"type": "string"}}}
READ = {"type": "object", "properties": {"query": {"type": "string"}, "ids": {"type": "array"}}}
TOOLS = (ToolSpec(SEARCH, "Find.", SCHEMA), ToolSpec("query_notes_database", "Read.", READ))
NAMES = {tool.name: tool.parameters for tool in TOOLS}
ASKED = (SystemMessage("Answer."), UserMessage("How many days?"))
ARGUMENTS = {"keyword": "annual leave"}
OBJECT = json.dumps({"name": SEARCH, "arguments": ARGUMENTS})
IN = json.dumps(ARGUMENTS)

FORMS = {
    "tag": f'<tool-call tool="{SEARCH}">{IN}</tool-call>',
    "line": f'TOOL_CALL: {{"tool_name": "{SEARCH}", "parameters": {IN}}}',
    "tagged object": f"<tool_call>\n{OBJECT}\n</tool_call>",
    "tagged list": f"<tool_call>[{OBJECT}]</tool_call>",
    "tagged function": f'<tool_call>{{"type": "function", "function": {OBJECT}}}</tool_call>',
    "function with an object": f"<function={SEARCH}>{IN}</function>",
    "function with parameters": (
        f"<tool_call>\n<function={SEARCH}>\n<parameter=keyword>\nannual leave\n</parameter>\n"
        "</function>\n</tool_call>"
    ),
    "invoke": (
        f'<function_calls>\n<invoke name="{SEARCH}">\n'
        '<parameter name="keyword">annual leave</parameter>\n</invoke>\n</function_calls>'
    ),
    "mark and list": f"[TOOL_CALLS] [{OBJECT}]",
    "mark and name": f"[TOOL_CALLS]{SEARCH}[ARGS]{IN}",
    "template's mark": f"<|python_tag|>{OBJECT}<|eom_id|>",
    "channel": (
        f"<|channel|>commentary to=functions.{SEARCH} <|constrain|>json<|message|>{IN}<|call|>"
    ),
    "bare": OBJECT,
    "bare, with spaces": json.dumps({"arguments": ARGUMENTS, "name": SEARCH}, indent=2),
    "bare list": f"[{OBJECT}]",
    "bare, as the OpenAI format has it": json.dumps(
        {"id": "c1", "type": "function", "function": {"name": SEARCH, "arguments": IN}}
    ),
    "bare, wrapped": f'{{"tool_calls": [{OBJECT}]}}',
    "bare, an action": json.dumps({"action": SEARCH, "action_input": ARGUMENTS}),
    "bare, the parameters beside the name": json.dumps({"tool": SEARCH, **ARGUMENTS}),
    "bare, in Python's quotes": str({"name": SEARCH, "arguments": ARGUMENTS}),
    "block of JSON": f"```json\n{OBJECT}\n```",
    "block without a language": f"```\n{OBJECT}\n```",
    "block of a tool's call": f"~~~tool_call\n[{OBJECT}]\n~~~",
}
forms = pytest.mark.parametrize("written", FORMS.values(), ids=FORMS)


def read(pieces: Sequence[str]) -> tuple[str, list[ReadCall]]:
    """Read a reply that comes in pieces, with the tools offered."""
    reader = CallReader(NAMES)
    parts = [part for piece in pieces for part in reader.feed(piece)] + reader.finish()
    text = "".join(part for part in parts if isinstance(part, str))
    return text, [part for part in parts if isinstance(part, ReadCall)]


@forms
@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("I'll look that up: ", "\n"), ("I look [3].\n\n", "\nI wait for it.")],
)
def test_every_form_is_read_however_it_is_cut(written: str, before: str, after: str) -> None:
    """Else a call's markup is shown as the answer, or is run by where the stream was cut."""
    if written[:3] in ("```", "~~~") and before and not before.endswith("\n"):
        before += "\n"
    whole = before + written + after
    text, calls = read([whole])
    assert [(call.name, json.loads(call.arguments)) for call in calls] == [(SEARCH, ARGUMENTS)]
    assert text.split() == (before + after).split()
    assert read(whole) == (text, calls), "one character at a time"
    for at in range(len(whole)):
        assert read([whole[:at], whole[at:]]) == (text, calls), whole[:at]


def test_several_calls_of_a_list_are_all_made() -> None:
    """Else one search of three is made."""
    second = json.dumps({"name": "query_notes_database", "arguments": {"query": "x", "ids": [3]}})
    for written in (
        f"[{OBJECT}, {second}]",
        f"{OBJECT}\n{second}",
        f"[TOOL_CALLS] [{OBJECT},{second}]",
    ):
        assert [call.name for call in read([written])[1]] == [SEARCH, "query_notes_database"]


def test_parameters_in_tags_have_the_types_of_the_schema() -> None:
    """Else a list of ids, or a year as a keyword, does not fit the tool."""
    written = (
        "<function=query_notes_database><parameter=query>2024</parameter>"
        "<parameter=ids>[3, 7]</parameter></function>"
    )
    (call,) = read([written])[1]
    assert json.loads(call.arguments) == {"query": "2024", "ids": [3, 7]}


@pytest.mark.parametrize(
    "written",
    [
        '{"name": "Ann", "arguments": ["x"]} is a record.',
        'The list [{"name": "Ann"}, {"name": "Bo"}] has two.',
        f"Write `{OBJECT}` to search.",
        '```json\n{"name": "Ann", "tool": 1}\n```\nis what it holds.',
        f'```python\nprint("{SEARCH}")\n```',
        "Thirty days [1], [2]; {see there} <function> and [TOOL_CALLS].",
        f'{{"keyword": "{SEARCH}"}}',
        '{"name": "',
        "[",
        "```json\n",
    ],
)
def test_other_objects_are_text(written: str) -> None:
    """Else an answer that shows JSON loses it, or runs what it shows."""
    assert read([written]) == (written, [])
    assert read(written) == (written, [])


def test_a_call_that_breaks_off_is_told_to_the_model_and_never_runs() -> None:
    """Else arguments that were cut off are run, or the markup is the answer."""
    for written in (OBJECT[:-8], f"<function={SEARCH}><parameter=keyword>annual"):
        (call,) = read([written])[1]
        assert call.name == SEARCH
        with pytest.raises(json.JSONDecodeError):
            json.loads(call.arguments)


async def ask(
    answer: Answer, messages: Sequence[Message] = ASKED, wire: Wire = "chat",
    tools: tuple[ToolSpec, ...] = TOOLS,
) -> tuple[str, Reply]:  # fmt: skip
    """Ask a model with native tools as an assistant does; give what was streamed, and the reply."""
    with ScriptedServer(answer) as server:
        config = Config(models={"small": server.settings(wire)})
        pool = ModelPool(config, {}, Gate())
        stream = pool.model("small").stream(Request(tuple(messages), tools))
        *pieces, reply = [value async for value in stream]
        await pool.aclose()
    assert isinstance(reply, Reply)
    if tools:
        assert len(server.requests[0].body["tools"]) == len(tools)
    return "".join(piece.text for piece in pieces if isinstance(piece, ReplyDelta)), reply


@forms
@pytest.mark.parametrize("wire", ["chat", "responses"])
async def test_a_model_that_was_offered_tools_is_understood(written: str, wire: Wire) -> None:
    """Else the answer that a person reads is a call's markup."""
    streamed, reply = await ask(Answer("I look.\n", *written), wire=wire)
    assert streamed == reply.message.text
    assert streamed.strip() == "I look."
    (call,) = reply.message.tool_calls
    assert (call.name, json.loads(call.arguments)) == (SEARCH, ARGUMENTS)
    assert reply.finish == "tool_calls"


@forms
async def test_a_call_that_a_document_holds_stays_text(written: str) -> None:
    """Else a document that is quoted in an answer has its call run."""
    called = AssistantMessage("", (ToolCall("c", SEARCH, "{}"),))
    said = (*ASKED, called, ToolMessage("c", SEARCH, f"The manual says: {written} That is all."))
    streamed, reply = await ask(Answer(*f"It says:\n{written}\n"), said)
    assert not reply.message.tool_calls
    assert streamed.split() == f"It says:\n{written}".split()


async def test_a_call_made_both_ways_is_made_once() -> None:
    """Else each search of a model that also writes its calls is made, and shown, twice."""
    _, reply = await ask(Answer(OBJECT, calls=(Call(SEARCH, json.dumps(ARGUMENTS, indent=1)),)))
    assert len(reply.message.tool_calls) == 1


async def test_a_call_where_no_tools_are_left_is_no_answer() -> None:
    """Else the last reply of a run is markup, given as the answer."""
    called = AssistantMessage("", (ToolCall("c", SEARCH, "{}"),))
    said = (*ASKED, called, ToolMessage("c", SEARCH, "1 hit"))
    streamed, reply = await ask(Answer(OBJECT), said, tools=())
    assert streamed == ""
    assert [call.name for call in reply.message.tool_calls] == [SEARCH]
