"""Secrets that are digits or plain words, which nothing but a label tells: PINs, recovery codes, a
user with a password, the words of a wallet."""

import re
from collections.abc import Iterator

from rag_assistant.egress.secrets.labels import Label
from rag_assistant.egress.secrets.places import QUOTED, SET, TRAILING, set_to
from rag_assistant.egress.secrets.values import is_password_said

_DIGITS = re.compile(
    r"(?:[ \t]+[^\W\d_]{1,14}){0,5}?[\s:=：\"'*`|\\]{1,8}"
    r"(?:(?:is|ist|lautet|est|es|è|was|war|now|to|auf|är|er|jest|on|は|是|:|=|-|–|code|number)"
    r"[\s:*`\"'\\]{1,4}){0,3}(?P<value>[#*]?\d(?:[ -]?\d){2,9}[#*]?)(?![\w.,:/-]?\d|[A-Za-z%])"
)


def pins(text: str, label: Label) -> Iterator[tuple[int, int]]:
    if match := _DIGITS.match(text, label.end):
        yield match.span("value")
    elif found := list(set_to(text, label, lambda value, quoted: _is_code(value))):
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


def code_lists(text: str, label: Label) -> Iterator[tuple[int, int]]:
    end = min(len(text), label.end + _CODES_REACH)
    if stop := _CODES_END.search(text, label.end, end):
        end = stop.start()
    for match in _ONE_CODE.finditer(text, label.end, end):
        if not re.fullmatch(r"(?:19|20)\d\d(?:-\d\d){0,2}", match[0]):
            yield match.span()


_USER_AND_PASSWORD = re.compile(
    r"(?:\s+[\w'’-]{1,20}){0,5}?[\s:=*`\"'-]{1,8}(?:\s*[*-] )?[\w.@+-]{2,60}[`\"*]{0,2}"
    r"\s?[/:|]\s?[`\"*]{0,2}"
    r"(?P<value>[^\s\"'`]{6,64})"
)


def logins(text: str, label: Label) -> Iterator[tuple[int, int]]:
    if match := _USER_AND_PASSWORD.match(text, label.end):
        start, end = match.span("value")
        if trailing := TRAILING.search(text, start, end):
            end = trailing.start()
        if is_password_said(text[start:end]) and "//" not in match[0]:
            yield start, end


_SEED_WORDS = re.compile(
    r"(?:(?:\d{1,2}[.):]\s*)?[a-z]{3,8}(?:[ \t,]+|\s*\n[ \t>*-]*|\\n|$|(?=[.\"'`]))){12,24}"
)
_NO_SEED = re.compile(
    r"\b(?:the|and|for|are|was|were|with|from|has|your|which|these|those|been|their|would|should)\b"
)
_SEED_WORD = re.compile(r"(?:\d{1,2}[.):]\s*)?\b[a-z]{3,8}\b")
_SAYS = re.compile(r"\s+(?:is|ist|lautet|est|es|è)\s+")
_PLAIN_WORDS = re.compile(r"(?:[a-zäöüß]{3,12}[ -]){3,7}[a-zäöüß]{3,12}(?=[.\s]*(?:\n|$))")
_SEED_REACH = 200


def phrases(text: str, label: Label) -> Iterator[tuple[int, int]]:
    """Give the words of a wallet (BIP 39: 12 to 24 of three to eight letters), or a passphrase."""
    end = min(len(text), label.end + _SEED_REACH)
    for first in _SEED_WORD.finditer(text, label.end, end):
        words = _SEED_WORDS.match(text, first.start())
        if words and not _NO_SEED.search(words[0]):
            yield first.start(), words.start() + len(words[0].rstrip())
            return
    sign = SET.match(text, label.end) or _SAYS.match(text, label.end)
    if sign is None:
        return
    quoted = QUOTED.match(text, sign.end())
    plain = _PLAIN_WORDS.match(text, sign.end())
    if quoted and 3 <= sum(map(quoted["value"].count, " -")) <= 11:
        yield quoted.span("value")
    elif plain and not _NO_SEED.search(plain[0]):
        yield plain.span()
