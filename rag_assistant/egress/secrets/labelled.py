"""Secrets told by the words before them: set in a configuration, or said in prose."""

import re
from collections.abc import Callable, Iterator, Sequence

from rag_assistant.egress.secrets.checks import is_placeholder
from rag_assistant.egress.secrets.labels import Kind, Label
from rag_assistant.egress.secrets.places import set_to, value_at
from rag_assistant.egress.secrets.spans import SecretSpan
from rag_assistant.egress.secrets.spelled import code_lists, logins, phrases, pins
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

_IS = frozenset(
    """
    is was are be ist lautet lauten war est était es era è é sont son será är var er on jest to
    je este είναι это هي هو היא הוא है 是 为 為 は 는 은 adalah ialah là คือ = : - – — → -> => auf à a
    en til till na zu set become becomes heißt heisst reads sei seria use uses using mit avec
    con com med met""".split()
)
_STILL = frozenset(
    """
    now still currently jetzt nun ab sofort maintenant ahora adesso nu set to changed just
    simply again always here this following the der die das le la el il o temporär wieder
    weiterhin : as""".split()
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
        set_to(
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
    r"[*_`]{0,3}[ \t]*[:：][*_`]{0,3}[ \t]+[*_`]{0,3}(?P<value>[^\W\d_]{6,30})"
    r"[*_`]{0,3}[ \t.]*(?:\n|\\n|$)"
)
_LINE_BEGIN = re.compile(r"(?:^|\n|\\n)[ \t>*+_`-]*$")


def _alone_on_its_line(text: str, label: Label) -> Iterator[tuple[int, int]]:
    """Give a word of letters alone, where the line holds nothing but the label and it."""
    match = _WORD_ALONE.match(text, label.end)
    if match is None or not is_plain_word(match["value"]):
        return
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
        found = value_at(text, word.start())
        value = text[found[0] : found[1]] if found else ""
        if found and (anywhere(value) or (told and when_told(value, found[2]))):
            yield found[:2]
            return
        told = said in _IS or said[-1] in ":：" or (told and said in _STILL)


def _is_told(value: str, quoted: bool) -> bool:
    """Whether a word is the password that a sentence names; a plain word is in quotation marks."""
    return is_password_said(value) or (quoted and is_password_here(value, quoted=True))


_IS_THE = re.compile(
    r"(?P<value>\S{8,64})[\"'”»`*]{0,2}\s+"
    r"(?:is|was|as|for|ist|als|est|comme|es|como|è|come|är|som|er|jest|—|–)"
    r"\s+(?:\S+\s+){0,3}$"
)


def _said_before(text: str, label: Label) -> Iterator[tuple[int, int]]:
    """Give a password that stands before its label: `... is the password`."""
    start = max(0, label.start - 100)
    before = text[start : label.start].rpartition("\n")[2]
    if match := _IS_THE.search(before):
        at = label.start - len(before) + match.start()
        found = value_at(text, at)
        if found and is_plainly_password(text[found[0] : found[1]]):
            yield found[:2]


def _keys(text: str, label: Label) -> Iterator[tuple[int, int]]:
    found = list(set_to(text, label, lambda value, quoted: is_key_here(value, quoted=quoted)))
    yield from found or _said(text, label, lambda value, _: _is_long_key(value), lambda _: False)


def _loose_keys(text: str, label: Label) -> Iterator[tuple[int, int]]:
    found = list(set_to(text, label, lambda value, _: is_loose_key(value)))
    yield from found or _said(text, label, lambda value, _: is_loose_key(value), lambda _: False)


def _is_long_key(value: str) -> bool:
    return len(value) >= 12 and is_key_here(value) and not set(value) & set("()[]{}<>;,")


_VALUES: dict[Kind, Callable[[str, Label], Iterator[tuple[int, int]]]] = {
    "password": _passwords,
    "key": _keys,
    "loose": _loose_keys,
    "pin": pins,
    "codes": code_lists,
    "login": logins,
    "phrase": phrases,
}
