"""Where the value of a label stands: what sets it, and where it begins and ends."""

import re
from collections.abc import Callable, Iterator

from rag_assistant.egress.secrets.labels import Label

_MARKS = r"[*_`~\"'“”„«»‹›()\[\]\\]{0,6}"
SET = re.compile(
    _MARKS + r"(?:[ \t\u00a0]*\([^()\n]{1,40}\))?[ \t\u00a0]*(?:"
    r"(?:,?\s*\\?[\"']?(?:value|val|default|content)\\?[\"']?\s*[:=]"
    r"|:=|=>|={1,2}|:|：|＝|->|→|\t|[ ]*\|{1,2})"
    r"(?:[ \t\u00a0]|\\?\n[ \t>-]{0,12}(?=\S+[ \t]*(?:\n|$)))*"
    r"|[ \t]*(?:是|为|為|は|는|은|が)[ \t]*|>\s*<[A-Za-z]{1,12}>"
    r"|[ \t]*(?:</[a-z]{1,10}>\s*)+(?:<[a-z][^<>\n]{0,80}>\s*)+|>|[ ]{2,}"
    r"|(?<=[a-zA-Z]\")[ \t]+value="
    r"|(?<=-password)[ ]+|(?<=-token)[ ]+|(?<=-secret)[ ]+|(?<=-key)[ ]+"
    r"|(?<=requirepass)[ ]+|(?<=masterauth)[ ]+|(?<=IDENTIFIED BY)[ ]+|(?<=PASSWORD)[ ]+(?='))"
)
"""What sets a label to a value: signs, a cell's border, an element's or an option's end."""

QUOTED = re.compile(
    r"[*_ ]{0,3}(?:[rbuf@$]{1,2}(?=[\"']))?(?P<open>\\?[\"'`“„«‘「『])(?P<value>[^\n]{3,300}?)"
    r"(?:(?P=open)|[”“»’」』])"
)
_BARE = re.compile(
    r"[*_`(\[<]{0,4}(?P<value>[^\s\"'`“”„«»\\、。，；：「」『』（）"
    r"\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{3,400})"
)
TRAILING = re.compile(r"[.,;:)\]}>*_|`]+$")
_CUT = re.compile(r"[;&]|,(?=\s|[\w.-]+[=:])|</|<br|\|")


def value_at(text: str, at: int) -> tuple[int, int, bool] | None:
    """Give where a value begins and ends, and whether it stands in quotation marks."""
    if quoted := QUOTED.match(text, at):
        return (*quoted.span("value"), True)
    bare = _BARE.match(text, at)
    if not bare:
        return None
    start, end = bare.span("value")
    if cut := _CUT.search(text, start + 3, end):
        end = cut.start()
    trailing = TRAILING.search(text, start, end)
    end = trailing.start() if trailing else end
    return (start, end, False) if end > start else None


def set_to(
    text: str, label: Label, is_secret: Callable[[str, bool], bool]
) -> Iterator[tuple[int, int]]:
    """Give the value that a label is set to, where there is one."""
    sign = SET.match(text, label.end)
    found = value_at(text, sign.end()) if sign else None
    if sign and sign[0][:1] == ">" and not (found and text.startswith("</", found[1])):
        return
    if found and is_secret(text[found[0] : found[1]], found[2]):
        yield found[:2]
