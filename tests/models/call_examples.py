"""Replies with calls in their text, and what is to be read from each, however it is cut."""

from typing import NamedTuple

from rag_assistant.models.call_forms import ReadCall

SEARCH = '<tool-call tool="search">{"keyword": "leave"}</tool-call>'
SEARCH_LINE = 'TOOL_CALL: {"tool_name": "search", "parameters": {"keyword": "leave"}}'
LEAVE = ReadCall("search", '{"keyword": "leave"}')


class Example(NamedTuple):
    """A reply, and the texts and calls in it."""

    written: str
    read: tuple[str | ReadCall, ...]


CALLS = {
    "a tag alone": Example(SEARCH, (LEAVE,)),
    "a line alone": Example(SEARCH_LINE, (LEAVE,)),
    "text round a tag": Example(f"I look.\n{SEARCH}\nThen on.", ("I look.\n", LEAVE, "\nThen on.")),
    "text round a line": Example(f"Now: {SEARCH_LINE} Then.", ("Now: ", LEAVE, " Then.")),
    "several calls in both forms": Example(
        f"{SEARCH}{SEARCH}\n{SEARCH_LINE}\n{SEARCH_LINE}{SEARCH} end",
        (LEAVE, LEAVE, "\n", LEAVE, "\n", LEAVE, LEAVE, " end"),
    ),
    "text between two calls": Example(f"{SEARCH} and {SEARCH}", (LEAVE, " and ", LEAVE)),
    "braces, quotes and tags in strings": Example(
        '<tool-call tool="note">{"text": "a } \\" {{ </tool-call> \\\\", "n": {"m": [{}]}}'
        "</tool-call>!",
        (
            ReadCall("note", '{"text": "a } \\" {{ </tool-call> \\\\", "n": {"m": [{}]}}'),
            "!",
        ),
    ),
    "a call in a string of a call": Example(
        'TOOL_CALL: {"tool_name": "note", "parameters": {"text": "TOOL_CALL: {} <tool-call>{}"}}.',
        (ReadCall("note", '{"text": "TOOL_CALL: {} <tool-call>{}"}'), "."),
    ),
    "an object over many lines": Example(
        'TOOL_CALL:\n{\n "tool_name": "search",\n "parameters": {\n  "keyword": "Büro"\n }\n}\nSo',
        (ReadCall("search", '{"keyword": "Büro"}'), "\nSo"),
    ),
    "line breaks within a string": Example(
        '<tool-call tool="run">{"code": "a = 1\nprint(a)"}</tool-call>',
        (ReadCall("run", '{"code": "a = 1\\nprint(a)"}'),),
    ),
    "other attributes, quotes and an underscore": Example(
        '<tool_call id="7" tool = \'search\' >\n {"keyword": "leave"}\n</tool_call>',
        (LEAVE,),
    ),
    "the tool named in the object": Example(
        '<tool_call>\n{"name": "search", "arguments": {"keyword": "leave"}}\n</tool_call>', (LEAVE,)
    ),
    "no parameters": Example(
        '<tool-call tool="list"></tool-call>TOOL_CALL: {"tool_name": "list"}',
        (ReadCall("list", "{}"), ReadCall("list", "{}")),
    ),
    "no closing tag": Example(
        '<tool-call tool="search">{"keyword": "leave"}\nThen on.', (LEAVE, "\nThen on.")
    ),
    "only half a character in a string": Example(
        'TOOL_CALL: {"tool_name": "search", "parameters": {"keyword": "\\ud83d"}}',
        (ReadCall("search", '{"keyword": "\\ud83d"}'),),
    ),
}

BROKEN = {
    "a broken object in a tag": Example(
        "<tool-call tool=\"search\">{'keyword': 'leave'}</tool-call> On.",
        (ReadCall("search", "{'keyword': 'leave'}"), " On."),
    ),
    "a broken object on a line": Example(
        "TOOL_CALL: {'tool_name': 'search', 'parameters': {'keyword': 'leave'}} On.",
        (ReadCall("search", "{'tool_name': 'search', 'parameters': {'keyword': 'leave'}}"), " On."),
    ),
    "no object in a tag": Example(
        f'<tool-call tool="search">leave "of</tool-call>{SEARCH}',
        (ReadCall("search", 'leave "of'), LEAVE),
    ),
    "a brace too few before the closing tag": Example(
        f'<tool-call tool="search">{{"keyword": "leave"</tool-call>\n{SEARCH}',
        (ReadCall("search", '{"keyword": "leave"'), "\n", LEAVE),
    ),
    "a brace too few before the next call": Example(
        f'TOOL_CALL: {{"tool_name": "search", "parameters": {{"keyword": "a"}}\n{SEARCH_LINE}',
        (ReadCall("search", '{"tool_name": "search", "parameters": {"keyword": "a"}'), LEAVE),
    ),
    "a call that breaks off": Example(
        'So: <tool-call tool="search">{"keyword": "lea',
        ("So: ", ReadCall("search", '{"keyword": "lea')),
    ),
    "a line that breaks off": Example(
        'TOOL_CALL: {"tool_name": "search", "parameters": {"keyword": "',
        (ReadCall("search", '{"tool_name": "search", "parameters": {"keyword": "'),),
    ),
    "an open string with a call in it": Example(
        f'<tool-call tool="search">{{"keyword": "leave}}</tool-call> {SEARCH_LINE[:11]}{{}}',
        (ReadCall("search", '{"keyword": "leave}</tool-call> TOOL_CALL: {}'),),
    ),
    "a tag that breaks off after its opening": Example(
        '<tool-call tool="search">', (ReadCall("search", '<tool-call tool="search">'),)
    ),
    "an object that names no tool": Example(
        'TOOL_CALL: {"keyword": "leave", "parameters": {"name": "search"}}',
        (ReadCall("unnamed", '{"keyword": "leave", "parameters": {"name": "search"}}'),),
    ),
    "an object that breaks off before the tool": Example(
        'TOOL_CALL: {"parameters"', (ReadCall("unnamed", '{"parameters"'),)
    ),
}

TEXTS = {
    "prose": "The <tool-call> tag; TOOL_CALL: is a word, as <b>T</b> is. 1 < 2 ~ 3 `x` ~~y~~",
    "an opening that breaks off": 'So <tool-call tool="sea',
    "a line that breaks off before its object": "So TOOL_CALL: ",
    "the word as the end of another": 'MY_TOOL_CALL: {"keyword": "leave"}',
    "a closing tag alone": "</tool-call> and </tool_call>",
    "another tag": '<tool-calls tool="search">{"keyword": "leave"}</tool-calls>',
    "a code block": f"So:\n```xml\n{SEARCH}\n\n{SEARCH_LINE}\n```\nEnd.",
    "a longer fence": f"````\n```\n{SEARCH}\n````",
    "tildes": f"~~~ `x\n{SEARCH_LINE}\n~~~\n",
    "tildes in the line that opens a block": f"~~~ x ~~~\n{SEARCH_LINE}\n~~~\n",
    "the line that opens a block": f"```{SEARCH}\n```",
    "a code block in a list": f"- ```\n  {SEARCH}\n  ```\n",
    "a code block that never ends": f"```\n{SEARCH}",
    "inline code": f"Write `{SEARCH}` or ``{SEARCH_LINE}``, `a` and `{SEARCH}`.",
    "inline code of three marks": f"```{SEARCH}``` is it.",
}

AFTER_CODE = {
    "a call after a code block": Example(
        f"```\n{SEARCH}\n```\n{SEARCH}", (f"```\n{SEARCH}\n```\n", LEAVE)
    ),
    "a call after inline code": Example(
        f"The `search` tool: {SEARCH}", ("The `search` tool: ", LEAVE)
    ),
    "a call after a stray backtick": Example(f"A ` is\n{SEARCH}", ("A ` is\n", LEAVE)),
    "a call on the line of a stray backtick": Example(
        f"A ` is {SEARCH}\n`", ("A ` is ", LEAVE, "\n`")
    ),
    "a call between runs of different length": Example(
        f"A ` is {SEARCH}``\n", ("A ` is ", LEAVE, "``\n")
    ),
    "a call after three marks within a line": Example(
        f"So ``` is\n{SEARCH}\n```", ("So ``` is\n", LEAVE, "\n```")
    ),
}

EXAMPLES = {
    **CALLS,
    **BROKEN,
    **{name: Example(text, (text,)) for name, text in TEXTS.items()},
    **AFTER_CODE,
}
