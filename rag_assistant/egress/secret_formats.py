"""The forms that secrets are written in, as their makers document them, and where they stand.

A form is a pattern with, where the form alone does not tell, a check of what it matched. Nothing is
guessed from how random a word looks alone: prose, identifiers and checksums stay as they are.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import log2


@dataclass(frozen=True, slots=True)
class SecretFormat:
    """A form: `name` for a person, and parts of lower-case text one of which it always has.

    What is secret is the group `secret` of the pattern, or all of it.
    """

    name: str
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    is_real: Callable[[re.Match[str]], bool] = lambda _: True


_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[ntr]))"
"""The beginning of a word, also behind a line's end that JSON writes as two characters."""
_END = r"(?![A-Za-z0-9_])"

_PLACEHOLDER = re.compile(
    r"(?i)^(?:.*(?:password|passwd|secret|example|changeme|redacted|placeholder|your[-_]).*"
    r"|pass|pwd|user|token|none|null|true|false|[x*.•_-]+|[<{$%\[].*)$"
)
"""What documentation writes where a secret would stand."""

_NEAR = re.compile(
    r"(?i)\b(?:server|host|hostname|data source|uid|user id|user|username|dbname|database|dsn"
    r"|initial catalog|port|driver)\s*="
)
_NEAR_CHARACTERS = 200


def _entropy(text: str) -> float:
    """Give the bits that a character of a text tells (Shannon)."""
    counts = Counter(text).values()
    return -sum(n / len(text) * log2(n / len(text)) for n in counts)


def _secret_in(match: re.Match[str]) -> str:
    return match["secret"] if "secret" in match.re.groupindex else match[0]


def _is_mixed(match: re.Match[str]) -> bool:
    """Letters and digits, in no order: no word, no number, and not what stands for a secret."""
    text = _secret_in(match)
    mixed = any(c.isdigit() for c in text) and any(c.isalpha() for c in text)
    return mixed and _entropy(text) >= 3.0 and not _PLACEHOLDER.match(text)


def _is_password(match: re.Match[str]) -> bool:
    return not _PLACEHOLDER.match(_secret_in(match))


def _is_assigned_password(match: re.Match[str]) -> bool:
    text = _secret_in(match)
    mixed = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    return mixed and _entropy(text) >= 2.5 and not _PLACEHOLDER.match(text)


def _is_in_connection_string(match: re.Match[str]) -> bool:
    around = match.string[max(0, match.start() - _NEAR_CHARACTERS) : match.start()]
    after = match.string[match.end() : match.end() + _NEAR_CHARACTERS]
    told = _NEAR.search(around.rpartition("\n")[2]) or _NEAR.search(after.partition("\n")[0])
    return bool(told) and _is_password(match)


_CARD_NUMBERS = re.compile(
    r"4\d{12}(?:\d{3})?(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d|4[4-9]\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
)
"""Issuers' ranges (ISO/IEC 7812): Visa, Mastercard, American Express, Discover, Diners, JCB."""


def _is_card_number(match: re.Match[str]) -> bool:
    """An issuer's number with the right check digit (Luhn; ISO/IEC 7812-1, annex B)."""
    digits = re.sub(r"\D", "", match[0])
    if not _CARD_NUMBERS.fullmatch(digits):
        return False
    doubled = [int(d) * (1 + place % 2) for place, d in enumerate(reversed(digits))]
    return sum(n - 9 * (n > 9) for n in doubled) % 10 == 0


def _word(body: str) -> re.Pattern[str]:
    return re.compile(_START + body + _END)


FORMATS: tuple[SecretFormat, ...] = (
    SecretFormat(
        "AWS key",
        ("akia", "asia", "abia", "acca"),
        _word(r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    ),
    SecretFormat(
        "AWS secret key",
        ("aws",),
        re.compile(
            r"(?i)aws.{0,24}?(?:secret|private).{0,24}?[:=]\s*\\?[\"']?"
            r"(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
    ),
    SecretFormat(
        "GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        _word(r"(?:gh[opsur]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    ),
    SecretFormat("GitLab token", ("glpat-",), _word(r"glpat-[A-Za-z0-9_.-]{20,}")),
    SecretFormat(
        "Slack token",
        ("xox", "xapp-", "hooks.slack.com"),
        re.compile(
            _START + r"(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}"
            r"|hooks\.slack\.com/(?P<secret>(?:services|workflows)/[A-Za-z0-9/]{20,}))"
        ),
    ),
    SecretFormat(
        "Stripe key",
        ("k_live_", "k_test_", "whsec_"),
        _word(r"(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})"),
    ),
    SecretFormat(
        "API key",  # OpenAI, Anthropic, and the many who write theirs alike
        ("sk-",),
        _word(r"sk-[A-Za-z0-9_-]{20,}"),
        _is_mixed,
    ),
    SecretFormat(
        "Google key",
        ("aiza", "gocspx-", "ya29."),
        _word(r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,})"),
    ),
    SecretFormat(
        "token",  # npm, PyPI, Hugging Face, SendGrid, DigitalOcean, Shopify, Databricks, Telegram
        ("npm_", "pypi-", "hf_", "sg.", "dop_v1_", "shpat_", "shpss_", "dapi", ":aa"),
        _word(
            r"(?:npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{50,}|hf_[A-Za-z0-9]{30,}"
            r"|SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}|dop_v1_[a-f0-9]{64}"
            r"|shp(?:at|ss)_[a-fA-F0-9]{32}|dapi[a-f0-9]{32}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33})"
        ),
    ),
    SecretFormat(
        "web token",  # RFC 7519: header and claims are JSON objects, which begin with {" in base64
        ("eyj",),
        _word(r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}"),
    ),
    SecretFormat(
        "Azure key",
        ("accountkey=", "sharedaccesskey=", "sig="),
        re.compile(
            r"(?i)(?:(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{40,88}={0,2})"
            r"|[?&]sig=[A-Za-z0-9%+/]{43,60}(?:=|%3d)?)"
        ),
    ),
    SecretFormat(
        "password",  # RFC 3986, 3.2.1
        ("://",),
        re.compile(
            r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>\\]{0,100}:"
            r"(?P<secret>[^\s/@\"'<>\\]{1,200})@"
        ),
        _is_password,
    ),
    SecretFormat(
        "password",  # ODBC, ADO.NET, libpq
        ("password", "pwd"),
        re.compile(r"(?i)\b(?:password|pwd)\s*=\s*\\?[\"']?(?P<secret>[^\s;&,()\"'\\]{3,128})"),
        _is_in_connection_string,
    ),
    SecretFormat(
        "token",  # RFC 9110, 11.6.2
        ("authorization", "bearer "),
        re.compile(r"(?i)\b(?:bearer|basic) +(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)"),
        _is_mixed,
    ),
    SecretFormat(
        "secret",
        ("key", "secret", "token"),
        re.compile(
            r"(?i)(?:api|secret|access|private|auth|client|account|signing|encryption|refresh)"
            r"[_ -]?(?:key|secret|token)\\?[\"']?[ \t]*(?::=|=>|=|:)[ \t]*\\?[\"']?"
            r"(?P<secret>[A-Za-z0-9_+/=.~!@#$%^&*-]{12,200})"
        ),
        _is_mixed,
    ),
    SecretFormat(
        "password",
        ("passw", "pwd", "passphrase"),
        re.compile(
            r"(?i)(?:password|passwd|pwd|passphrase)\\?[\"']?[ \t]*(?::=|=>|=|:)[ \t]*\\?[\"']?"
            r"(?P<secret>[A-Za-z0-9_+/=.~!@#$%^&*-]{8,128})"
        ),
        _is_assigned_password,
    ),
    SecretFormat(
        "card number",
        (),
        re.compile(r"(?:(?<![\w.,/-])|(?<=\\[ntr]))(?:\d[ -]?){12,18}\d(?![\w/-]|[.,]\d)"),
        _is_card_number,
    ),
)


_KEY_EDGE = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = re.compile(r"(?:(?:\\[nr]|\s)*[A-Za-z0-9+/=]{16,76}(?![A-Za-z0-9+/=]))*")
_KEY_LINES_BACK = re.compile(r"(?:(?:[nr]\\|\s)*[A-Za-z0-9+/=]{16,76}(?![A-Za-z0-9+/=]))*")
"""The same from the end of a text to its beginning."""

LONGEST_KEY = 20_000
"""Characters between the two edges of a private key."""


@dataclass(frozen=True, slots=True)
class SecretSpan:
    """A secret in a text: its form's name, and the characters from `start` to before `end`."""

    name: str
    start: int
    end: int


def secret_spans(text: str) -> list[SecretSpan]:
    """Find the secrets of a text, in their order, none within another."""
    lowered = text.lower()
    found = _private_keys(text) if "private key" in lowered else []
    for form in FORMATS:
        if form.signs and not any(sign in lowered for sign in form.signs):
            continue
        for match in form.pattern.finditer(text):
            if form.is_real(match):
                named = "secret" in match.re.groupindex and match["secret"] is not None
                found.append(SecretSpan(form.name, *match.span("secret" if named else 0)))
    found.sort(key=lambda span: (span.start, -span.end))
    kept: list[SecretSpan] = []
    for span in found:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _private_keys(text: str) -> list[SecretSpan]:
    """Find private keys (RFC 7468, RFC 4716, RFC 9580), also those of which one edge was cut off.

    Without its other edge a key goes as far as there are lines of base64.
    """
    found: list[SecretSpan] = []
    edges = list(_KEY_EDGE.finditer(text))
    for number, edge in enumerate(edges):
        after = edges[number + 1] if number + 1 < len(edges) else None
        if edge[1] == "BEGIN":
            whole = after and after[1] == "END" and after.start() - edge.end() < LONGEST_KEY
            lines = _KEY_LINES.match(text, edge.end())
            end = after.end() if after and whole else lines.end() if lines else edge.end()
            found.append(SecretSpan("private key", edge.start(), end))
        elif not found or found[-1].end < edge.end():
            before = text[max(0, edge.start() - LONGEST_KEY) : edge.start()][::-1]
            lines = _KEY_LINES_BACK.match(before)
            start = edge.start() - (lines.end() if lines else 0)
            found.append(SecretSpan("private key", start, edge.end()))
    return found
