"""Secrets told by the words before them: set in configuration, said in prose, written in a table."""

import re
from collections.abc import Callable, Iterator, Sequence

from rag_assistant.egress.secrets.checks import is_placeholder
from rag_assistant.egress.secrets.labels import Kind, Label
from rag_assistant.egress.secrets.spans import SecretSpan
from rag_assistant.egress.secrets.values import (
    is_key_here,
    is_loose_key,
    is_password_here,
    is_password_said,
    is_plain_word,
    is_plainly_password,
)

NAMES: dict[Kind, str] = {
    "password": "password",
    "key": "secret",
    "loose": "secret",
    "pin": "PIN",
    "codes": "recovery code",
    "login": "password",
    "phrase": "recovery phrase",
}

_MARKS = r"[*_`~\"'“”„«»‹›()\[\]\\]{0,6}"
_SET = re.compile(
    _MARKS + r"(?:[ \t\u00a0]*\([^()\n]{1,40}\))?[ \t\u00a0]*(?:"
    r"(?:,?\s*\\?[\"']?(?:value|val|default|content)\\?[\"']?\s*[:=]|:=|=>|={1,2}|:|：|＝|->|→|\t|[ ]*\|{1,2})"
    r"(?:[ \t\u00a0]|\\?\n[ \t>-]{0,12}(?=\S+[ \t]*(?:\n|$)))*"
    r"|[ \t]*(?:是|为|為|は|는|은|が)[ \t]*|>\s*<[A-Za-z]{1,12}>"
    r"|[ \t]*(?:</[a-z]{1,10}>\s*)+(?:<[a-z][^<>\n]{0,80}>\s*)+|>|[ ]{2,}"
    r"|(?<=[a-zA-Z]\")[ \t]+value=|(?<=-password)[ ]+|(?<=-token)[ ]+|(?<=-secret)[ ]+|(?<=-key)[ ]+"
    r"|(?<=requirepass)[ ]+|(?<=masterauth)[ ]+|(?<=IDENTIFIED BY)[ ]+|(?<=PASSWORD)[ ]+(?='))"
)
"""What sets a label to a value: signs, a cell's border, an element's or an option's end."""

_QUOTED = re.compile(
    r"[*_ ]{0,3}(?:[rbuf@$]{1,2}(?=[\"']))?(?P<open>\\?[\"'`“„«‘「『])(?P<value>[^\n]{3,300}?)"
    r"(?:(?P=open)|[”“»’」』])"
)
_BARE = re.compile(
    r"[*_`(\[<]{0,4}(?P<value>[^\s\"'`“”„«»\\、。，；：「」『』（）\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{3,400})"
)
_TRAILING = re.compile(r"[.,;:)\]}>*_|`]+$")
_CUT = re.compile(r"[;&]|,(?=\s|[\w.-]+[=:])|</|<br|\|")

_IS = frozenset(
    """is was are be ist lautet lauten war est était es era è é sont son será är var er on jest to je este
    είναι это هي هو היא הוא है 是 为 為 は 는 은 adalah ialah là คือ = : - – — → -> => auf à a en til till na
    zu set become becomes heißt heisst reads sei seria use uses using mit avec con com med met""".split()
)
_STILL = frozenset(
    """now still currently jetzt nun ab sofort maintenant ahora adesso nu set to changed just simply again
    always here this following the der die das le la el il o temporär wieder weiterhin : as""".split()
)
_WORD = re.compile(r"\S+")
_LINE_END = re.compile(r"\n|\\n|\\r|[.!?](?=\s+[A-ZÄÖÜÉÀ])")
_REACH = 140
_MOST_WORDS = 16


def labelled(text: str, found: Sequence[Label]) -> Iterator[SecretSpan]:
    """Find values of the labels of a text."""
    for label in found:
        for start, end in _VALUES[label.kind](text, label):
            yield SecretSpan(NAMES[label.kind], start, end)


def _value_at(text: str, at: int) -> tuple[int, int, bool] | None:
    """Give where a value begins and ends, and whether it stands in quotation marks."""
    if quoted := _QUOTED.match(text, at):
        return (*quoted.span("value"), True)
    bare = _BARE.match(text, at)
    if not bare:
        return None
    start, end = bare.span("value")
    if cut := _CUT.search(text, start + 3, end):
        end = cut.start()
    trailing = _TRAILING.search(text, start, end)
    end = trailing.start() if trailing else end
    return (start, end, False) if end > start else None


def _set_to(
    text: str, label: Label, is_secret: Callable[[str, bool], bool]
) -> Iterator[tuple[int, int]]:
    """Give the value that a label is set to, where there is one."""
    sign = _SET.match(text, label.end)
    found = _value_at(text, sign.end()) if sign else None
    if sign and sign[0][:1] == ">" and not (found and text.startswith("</", found[1])):
        return
    if found and is_secret(text[found[0] : found[1]], found[2]):
        yield found[:2]


_NEAR = re.compile(
    r"(?i)\b(?:server|host|hostname|data source|uid|user id|user|username|dbname|database|dsn"
    r"|initial catalog|port|driver)\s*="
)
_NEAR_CHARACTERS = 200


def _is_in_connection_string(text: str, label: Label) -> bool:
    """Whether a label is one of several settings of a line (ODBC, ADO.NET, libpq)."""
    if text[label.end : label.end + 3].lstrip(" ")[:1] != "=":
        return False
    before = text[max(0, label.start - _NEAR_CHARACTERS) : label.start].rpartition("\n")[2]
    after = text[label.end : label.end + _NEAR_CHARACTERS].partition("\n")[0]
    return ("=" in before or ";" in after) and bool(_NEAR.search(before) or _NEAR.search(after))


def _passwords(text: str, label: Label) -> Iterator[tuple[int, int]]:
    before = text[label.start - 1 : label.start]
    near = _is_in_connection_string(text, label)
    found = list(
        _set_to(
            text,
            label,
            lambda value, quoted: (
                is_password_here(value, quoted=quoted or near)
                or (near and not is_placeholder(value))
            ),
        )
    )
    if not found:
        found = list(_said(text, label, _is_told, is_plainly_password))
    if not found:
        found = list(_alone_on_its_line(text, label))
    if not found and before.isspace():
        found = list(_said_before(text, label))
    yield from found


_WORD_ALONE = re.compile(
    r"[*_`]{0,3}[ \t]*[:：][*_`]{0,3}[ \t]+[*_`]{0,3}(?P<value>[^\W\d_]{6,30})[*_`]{0,3}[ \t.]*(?:\n|\\n|$)"
)
_LINE_BEGIN = re.compile(r"(?:^|\n|\\n)[ \t>*+_`-]*$")


def _alone_on_its_line(text: str, label: Label) -> Iterator[tuple[int, int]]:
    """Give a word of letters alone, where the line holds nothing but the label and it."""
    match = _WORD_ALONE.match(text, label.end)
    if match and is_plain_word(match["value"]):
        if _LINE_BEGIN.search(text, max(0, label.start - 20), label.start):
            yield match.span("value")


def _said(
    text: str,
    label: Label,
    when_told: Callable[[str, bool], bool],
    anywhere: Callable[[str], bool],
) -> Iterator[tuple[int, int]]:
    """Give the words of the sentence that are the secret, after `is` or by their looks alone."""
    end = min(len(text), label.end + _REACH)
    if stop := _LINE_END.search(text, label.end, end):
        end = stop.start()
    told = False
    for count, word in enumerate(_WORD.finditer(text, label.end, end)):
        if count > _MOST_WORDS:
            return
        said = word[0].lower()
        found = _value_at(text, word.start())
        value = text[found[0] : found[1]] if found else ""
        if found and (anywhere(value) or (told and when_told(value, found[2]))):
            yield found[:2]
            return
        told = said in _IS or said[-1] in ":：" or (told and said in _STILL)


def _is_told(value: str, quoted: bool) -> bool:
    """Whether a word is the password that a sentence names: a plain word only in quotation marks."""
    return is_password_said(value) or (quoted and is_password_here(value, quoted=True))


_IS_THE = re.compile(
    r"(?P<value>\S{8,64})[\"'”»`*]{0,2}\s+(?:is|was|as|for|ist|als|est|comme|es|como|è|come|är|som|är|er|jest|—|–)"
    r"\s+(?:\S+\s+){0,3}$"
)


def _said_before(text: str, label: Label) -> Iterator[tuple[int, int]]:
    """Give a password that stands before its label: `... is the password`."""
    start = max(0, label.start - 100)
    before = text[start : label.start].rpartition("\n")[2]
    if match := _IS_THE.search(before):
        at = label.start - len(before) + match.start()
        found = _value_at(text, at)
        if found and is_plainly_password(text[found[0] : found[1]]):
            yield found[:2]


def _keys(text: str, label: Label) -> Iterator[tuple[int, int]]:
    found = list(_set_to(text, label, lambda value, quoted: is_key_here(value, quoted=quoted)))
    yield from found or _said(text, label, lambda value, _: _is_long_key(value), lambda _: False)


def _loose_keys(text: str, label: Label) -> Iterator[tuple[int, int]]:
    found = list(_set_to(text, label, lambda value, _: is_loose_key(value)))
    yield from found or _said(text, label, lambda value, _: is_loose_key(value), lambda _: False)


def _is_long_key(value: str) -> bool:
    return len(value) >= 12 and is_key_here(value) and not set(value) & set("()[]{}<>;,")


_DIGITS = re.compile(
    r"(?:[ \t]+[^\W\d_]{1,14}){0,5}?[\s:=：\"'*`|\\]{1,8}(?:(?:is|ist|lautet|est|es|è|was|war|now|to|auf|är|er|jest|on|は|是|:|=|-|–|code|number)"
    r"[\s:*`\"'\\]{1,4}){0,3}(?P<value>[#*]?\d(?:[ -]?\d){2,9}[#*]?)(?![\w.,:/-]?\d|[A-Za-z%])"
)


def _pins(text: str, label: Label) -> Iterator[tuple[int, int]]:
    if match := _DIGITS.match(text, label.end):
        yield match.span("value")
    elif found := list(_set_to(text, label, lambda value, quoted: _is_code(value))):
        yield from found


def _is_code(value: str) -> bool:
    return (
        4 <= len(value) <= 12
        and value.isalnum()
        and value.upper() == value
        and any(map(str.isdigit, value))
    )


_ONE_CODE = re.compile(
    r"(?<![\w-])(?=[\w-]*\d)[A-Za-z0-9]{4,12}(?:[- ](?=[\w]*\d)[A-Za-z0-9]{4,12}){0,4}(?![\w-])"
)
_CODES_REACH = 500
_CODES_END = re.compile(r"\n\s*\n(?=\s*[A-Za-z]+ [a-z]+)")


def _code_lists(text: str, label: Label) -> Iterator[tuple[int, int]]:
    end = min(len(text), label.end + _CODES_REACH)
    if stop := _CODES_END.search(text, label.end, end):
        end = stop.start()
    for match in _ONE_CODE.finditer(text, label.end, end):
        if not re.fullmatch(r"(?:19|20)\d\d(?:-\d\d){0,2}", match[0]):
            yield match.span()


_USER_AND_PASSWORD = re.compile(
    r"(?:\s+[\w'’-]{1,20}){0,5}?[\s:=*`\"'-]{1,8}(?:\s*[*-] )?[\w.@+-]{2,60}[`\"*]{0,2}\s?[/:|]\s?[`\"*]{0,2}"
    r"(?P<value>[^\s\"'`]{6,64})"
)


def _logins(text: str, label: Label) -> Iterator[tuple[int, int]]:
    if match := _USER_AND_PASSWORD.match(text, label.end):
        start, end = match.span("value")
        if trailing := _TRAILING.search(text, start, end):
            end = trailing.start()
        if is_password_said(text[start:end]) and "//" not in match[0]:
            yield start, end


_SEED_WORDS = re.compile(
    r"(?:(?:\d{1,2}[.):]\s*)?[a-z]{3,8}(?:[ \t,]+|\s*\n[ \t>*-]*|\\n|$|(?=[.\"'`]))){12,24}"
)
_NO_SEED = re.compile(
    r"\b(?:the|and|for|are|was|were|with|from|has|your|which|these|those|been|their|than|would|should)\b"
)
_SEED_REACH = 200


def _phrases(text: str, label: Label) -> Iterator[tuple[int, int]]:
    """Give the words of a wallet (BIP 39: 12 to 24 of three to eight letters), or a passphrase."""
    begin = re.compile(r"(?:\d{1,2}[.):]\s*)?\b[a-z]{3,8}\b")
    end = min(len(text), label.end + _SEED_REACH)
    for first in begin.finditer(text, label.end, end):
        words = _SEED_WORDS.match(text, first.start())
        if words and not _NO_SEED.search(words[0]):
            yield first.start(), words.start() + len(words[0].rstrip())
            return
    sign = _SET.match(text, label.end) or re.compile(r"\s+(?:is|ist|lautet|est|es|è)\s+").match(
        text, label.end
    )
    quoted = _QUOTED.match(text, sign.end()) if sign else None
    if quoted and 3 <= quoted["value"].count(" ") + quoted["value"].count("-") <= 11:
        yield quoted.span("value")
    elif sign and (
        plain := re.compile(r"(?:[a-zäöüß]{3,12}[ -]){3,7}[a-zäöüß]{3,12}(?=[.\s]*(?:\n|$))").match(
            text, sign.end()
        )
    ):
        if not _NO_SEED.search(plain[0]):
            yield plain.span()


_VALUES: dict[Kind, Callable[[str, Label], Iterator[tuple[int, int]]]] = {
    "password": _passwords,
    "key": _keys,
    "loose": _loose_keys,
    "pin": _pins,
    "codes": _code_lists,
    "login": _logins,
    "phrase": _phrases,
}
