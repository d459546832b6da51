"""What a program of ours, or a model's template, would take for something else than text.

Commands and calls, turns of a conversation, fences and replies that are forged, and links that
carry away what is filled into them. The commands and calls are those of `agents/inline_commands`
and `models/call_forms`; a test holds all of theirs against these rules.
"""

import re
from collections.abc import Iterator

from rag_assistant.injection.folding import fold
from rag_assistant.injection.phrases import OVERRIDES, TOOLS
from rag_assistant.injection.rules import Rule, literal

_TEMPLATE = "holds the marks by which a model tells turns of a conversation apart"
_TURNS = "pretends that another turn of the conversation begins"
_CALL = "holds a tool call, as a model would write it"
_COMMAND = "holds a command of the assistant's own"
_FORGED = "imitates how the assistant marks its material or its evidence"
CARRIES = "holds a link made to carry away what is filled into it"

_ORDER = (
    r"(?i:you|your|ignore|disregard|always|never|do not|must|new|override|answer|reply|respond|"
    r"output|"
    r"print|call|from now|du|sie|tu|vous|usted)"
)

SYNTAX: tuple[Rule, ...] = (
    literal(
        "instruction",
        TOOLS,
        "python|database call|invoke|use|run|execute|trigger|with|via|ruf|rufe|nutze|appelle|usa|"
        "llama",
        "run_python _database",
        r"(?i:\b(?:call|invoke|use|run|execute|trigger|with|via|ruf\w?|nutze|appelle[rz]?|usa|"
        r"llama)[\W_]"
        r"{1,8}(?:\w{1,30}[\W_]{1,8}){0,3}?(?:run_python|(?:search|query)_\w{1,60}_database))\b",
    ),
    literal(  # Chinese
        "instruction",
        OVERRIDES,
        "",
        "忽略 忘记 无视 忽視",
        r"(?:忽略|忘记|无视|忽視)[^\n]{0,8}(?:之前|以上|先前|前面|上述|所有|此前)[^\n]{0,8}(?:指令|指示|说明|"
        r"提示|规则|要求)",
    ),
    literal(  # Japanese
        "instruction",
        OVERRIDES,
        "",
        "無視",
        r"(?:以前|上記|これまで|前)[^\n]{0,8}(?:指示|命令|プロンプト|ルール)[^\n]{0,8}無視",
    ),
    literal(  # Russian
        "instruction",
        OVERRIDES,
        "",
        fold("игнорируй забудь").text,
        rf"(?:{fold('игнорируй').text}|{fold('забудь').text})\w{{0,3}}[^\n]{{0,30}}"
        rf"(?:{fold('инструкци').text}|{fold('указани').text}|{fold('команд').text})",
    ),
    literal(
        "command",
        _TEMPLATE,
        "",
        "<| [inst] [/inst] <<sys _of_turn>",
        r"<\|[A-Za-z_]{2,40}\|>|(?i:\[/?INST\]|<</?SYS>>|</?(?:start|end)_of_turn>)",
    ),
    literal(
        "command",
        _TURNS,
        "system|developer|instruction|assistant|prompt",
        ":",
        r"(?m:^)[ \t>*#_\[(<-]{0,8}(?:SYSTEM|System|DEVELOPER|Developer)(?: (?i:message|prompt|"
        r"note|"
        r"notice|override|instructions?|update|alert))?[\])>*_]{0,4}:[^\n]{0,60}?\b"
        + _ORDER
        + r"\b"
        r"|(?m:^)\#{2,4} ?(?:Instruction|System|Assistant|System Prompt|SYSTEM|INSTRUCTION):",
    ),
    literal(
        "command",
        _TURNS,
        "assistant|ai|bot human|user",
        "assistant: ai: bot:",
        r"(?m:^)(?:Human|User|HUMAN|USER):[^\n]{0,300}\n{1,3}(?:Assistant|ASSISTANT|AI|Bot):",
    ),
    literal(
        "command",
        _TURNS,
        "system|assistant",
        "<system <assistant </system </assistant",
        r"(?i:</?(?:system|assistant|system[_-]prompt)>)",
    ),
    literal(
        "command",
        _TURNS,
        "end|begin|start context|prompt|prompts|system|instructions|user|untrusted|retrieved|"
        "search",
        "-- == ## ** << [end [begin [start <end <begin <start",
        r"(?i:[-=#*<\[]{2,8} ?(?:end|begin|start)(?: of)? (?:the )?(?:context|prompt|system "
        r"(?:prompt|"
        r"message|instructions?)|instructions|user (?:input|query|message)|untrusted|retrieved|"
        r"search "
        r"results))",
    ),
    literal(
        "command",
        _CALL,
        "tool|function|invoke",
        "tool-call tool_call tool-use tool_use tool-res tool_res tool_code function_call "
        "function_re <invoke",
        r"(?i:<(?:tool|function)[-_](?:calls?|use|results?|response|code)\b|"
        r"<invoke\b[^<>\n]{1,100}>|"
        r"\btool[-_]calls?[\"']?\s{0,4}:\s{0,20}[\[{\"]|"
        r"\bfunction_calls?[\"']?\s{0,4}:\s{0,20}[\[{]|"
        r"\"type\"\s{0,4}:\s{0,4}\"(?:function_call|tool_use)\")",
    ),
    literal(
        "command",
        _CALL,
        "name|tool|function",
        '"tool_name "name" "function" "tool"',
        r"(?i:\"tool_name\"\s{0,4}:\s{0,4}\"|\{\s{0,20}\"(?:name|tool|function)\"\s{0,4}:\s{0,4}"
        r"\"[\w.-]{1,64}\"\s{0,4},\s{0,20}\"(?:arguments|parameters|input|args)"
        r"\"\s{0,4}:\s{0,4}[{\"])",
    ),
    literal(
        "command",
        _COMMAND,
        "",
        "[note: [cite: [title: [suggest:",
        r"\[(?:NOTE|CITE|TITLE|SUGGEST):[^\]\n]{1,500}\]",
    ),
    literal(
        "command",
        _FORGED,
        "cite|cited|citing as",
        "[",
        r"(?i:\bcit(?:e|ed|ing)\b[^\n\[]{1,40}\bas [^\n\[]{0,10}\[\d{1,3}\])",
    ),
    literal(
        "command",
        _FORGED,
        "",
        "<<< >>>",
        r"<<<(?:entry|question|result|passage|object)\b|<<<[a-z]{1,20} [0-9a-f]{8,32}\b|"
        r"\b[0-9a-f]{16}>>>",
    ),
    literal(
        "command",
        _FORGED,
        "relevant|cite",
        '"relevant" "cite"',
        r"\"relevant\"\s{0,4}:\s{0,4}\[|\"cite\"\s{0,4}:\s{0,4}\d{1,4}\s{0,4},\s{0,20}\"quote\"",
    ),
)

_ADDRESS = re.compile(r"https?://[^\s()\"'\\]{1,600}", re.IGNORECASE)
_BEFORE = re.compile(r"(!?)\[[^\]\n]{0,200}\]\(\s{0,3}<?$|<(img)\b[^>]{0,200}$", re.IGNORECASE)
_HOLE = re.compile(
    r"\{[^{}]{0,80}\}|%7B|\[[A-Za-z_ ]{2,60}\]?$|<[A-Za-z_ ]{2,60}>?|\$\w{1,30}|\bYOUR_|\bINSERT",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"=[A-Z][A-Z_-]{4,40}$")
_TAKEN = re.compile(
    r"conversation|history|answer|secret|context|prompt|system|summary|document|question|message|"
    r"api_?key|password|stolen|exfil|leak|base64",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"[?&](?:data|d|q|c|p|s|payload|exfil|leak|secret|context|conversation|history|prompt|answer|"
    r"question|msg|message|content|summary|text|info|stolen|token|key)=([^&#\s]*)",
    re.IGNORECASE,
)
_LONG = 64


def carrying_links(text: str) -> Iterator[tuple[int, int]]:
    """Give the places of links whose query is there to be filled, or is filled, with what was read.

    A picture is fetched when it is shown, so less suffices there: a telling field that is empty.
    """
    for found in _ADDRESS.finditer(text):
        query = found[0].partition("?")[2]
        if not query:
            continue
        before = _BEFORE.search(text, max(0, found.start() - 220), found.start())
        is_image = bool(before and (before[1] or before[2]))
        hole = _HOLE.search(query)
        fields = [match[1] for match in _FIELD.finditer(f"?{query}")]
        hole = hole or _CAPITALS.search(query)
        wanted = bool(hole and (is_image or _TAKEN.search(query)))
        open_field = bool(fields) and before is not None and not fields[-1]
        filled = is_image and any(len(field) >= _LONG for field in fields)
        if wanted or open_field or filled:
            yield (before or found).start(), found.end()
