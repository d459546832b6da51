"""Private keys that span lines: PEM, OpenPGP, PuTTY's own files, OpenVPN's, and JSON Web Keys."""

import re
from collections.abc import Iterator

from rag_assistant.egress.secrets.spans import SecretSpan

_EDGE = re.compile(
    r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}"
    r"(?:PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----"
    r"|---- (BEGIN|END) SSH2 ENCRYPTED PRIVATE KEY ----",
    re.IGNORECASE,
)
_BASE64 = "[A-Za-z0-9+/=]"
_LINE = rf"{_BASE64}{{16,76}}(?!{_BASE64})"
_BREAK = r"(?:\\[nr]|[\s>|#*\"',;])*"
_KCAERB = r"(?:[nr]\\|[\s>|#*\"',;])*"
_LINES = re.compile(
    rf"(?:{_BREAK}(?:[A-Za-z-]{{4,20}}: [^\n\\]{{1,80}}|{_LINE}))*"
    rf"(?:{_BREAK}{_BASE64}{{1,76}}(?=\s*$))?"
)
_LINES_BACK = re.compile(
    rf"(?:{_KCAERB}{_BASE64}{{1,76}}(?!{_BASE64})(?={_KCAERB}{_BASE64}{{5}})){{0,2}}(?:{_KCAERB}{_LINE})*"
    rf"(?:{_KCAERB}{_BASE64}{{1,76}}$)?"
)
"""The same from the end of a text to its beginning; the last line of a key may be short."""

_PUTTY_KEY = "PuTTY-User-Key-File-"
_PUTTY_END = re.compile(r"Private-MAC: [0-9a-f]{40,64}")
_PUTTY_PART = re.compile(
    r"Private-Lines: \d+(?:\\[nr]|\s)+(?:[A-Za-z0-9+/=]{1,64}(?:(?:\\[nr]|\s)+|$))+"
    r"(?:Private-MAC: [0-9a-f]{40,64})?"
)
_JWK_SECRETS = re.compile(r'\\?"(?:d|p|q|dp|dq|qi|k)\\?"\s*:\s*\\?"([A-Za-z0-9_-]{16,})\\?"')
"""Members that only a private or symmetric key has (RFC 7518, 6)."""

LONGEST_KEY = 20_000
"""Characters between the two edges of a private key."""


def blocks(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find keys, also those of which one edge was cut off."""
    if "private key" in lowered or "openvpn static" in lowered:
        yield from _armoured(text)
    if "putty-user-key-file" in lowered or "private-lines:" in lowered:
        yield from _putty(text)
    if '"kty' in lowered or 'kty"' in lowered or 'kty\\"' in lowered:
        for match in _JWK_SECRETS.finditer(text):
            yield SecretSpan("private key", *match.span(1))


def _putty(text: str) -> Iterator[SecretSpan]:
    """Find files of PuTTY (.ppk), or their private part where the beginning was cut off."""
    begin = text.find(_PUTTY_KEY)
    while begin >= 0:
        end = _PUTTY_END.search(text, begin, begin + LONGEST_KEY)
        if end:
            yield SecretSpan("private key", begin, end.end())
        begin = text.find(_PUTTY_KEY, end.end() if end else begin + 1)
    for match in _PUTTY_PART.finditer(text):
        yield SecretSpan("private key", *match.span())


def _armoured(text: str) -> Iterator[SecretSpan]:
    """Find what stands between two edges (RFC 7468, RFC 4716, RFC 9580).

    Without its other edge a key goes as far as there are lines of base64.
    """
    edges = list(_EDGE.finditer(text))
    ended = 0
    for number, edge in enumerate(edges):
        after = edges[number + 1] if number + 1 < len(edges) else None
        if (edge[1] or edge[2]).upper() == "BEGIN":
            whole = after and (after[1] or after[2]).upper() == "END"
            if after and whole and after.start() - edge.end() < LONGEST_KEY:
                ended = after.end()
            else:
                lines = _LINES.match(text, edge.end())
                ended = lines.end() if lines else edge.end()
            yield SecretSpan("private key", edge.start(), ended)
        elif ended < edge.end():
            before = text[max(ended, edge.start() - LONGEST_KEY) : edge.start()][::-1]
            lines = _LINES_BACK.match(before)
            yield SecretSpan(
                "private key", edge.start() - (lines.end() if lines else 0), edge.end()
            )
            ended = edge.end()
