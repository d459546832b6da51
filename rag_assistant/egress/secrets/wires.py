"""Secrets where protocols and programs put them: addresses, headers, cookies, options, files."""

import re
from collections.abc import Callable, Iterator

from rag_assistant.egress.secrets.checks import is_credentials, is_placeholder, looks_random
from rag_assistant.egress.secrets.spans import SecretSpan
from rag_assistant.egress.secrets.values import is_key_here, is_password_here, is_password_said


def _any_password(value: str) -> bool:
    return not is_placeholder(value)


def _password(value: str) -> bool:
    return is_password_here(value, quoted=True)


def _long_random(value: str) -> bool:
    return len(value) >= 16 and looks_random(value)


def _header(value: str) -> bool:
    return is_key_here(value) or is_credentials(value)


_RULES: tuple[tuple[str, str, str, Callable[[str], bool]], ...] = (
    # RFC 3986, 3.2.1; a password may have an @ or a slash in it, though it should not
    (
        "password",
        "://",
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@\"'<>\\]{0,100}:"
        r"(?P<secret>(?!\d{1,5}/)[^\s\"'<>\\]{1,200}?)"
        r"@(?=[\w.\[-]+(?:[:/?\s,;)\"'\\]|$))",
        _any_password,
    ),
    ("token", "://", r"https?://(?P<secret>[A-Za-z0-9_-]{20,})@[\w.-]+", _long_random),
    # RFC 9110, 11.6.2; RFC 7617; RFC 6750
    (
        "token",
        "authorization",
        r"(?i)\b(?:authorization|auth)[\"'\\]*\s*[:=]?\s*[\"'\\]*(?:bearer|basic|token|apikey"
        r"|ssws|negotiate)[ :]+(?P<secret>[A-Za-z0-9._~+/-]{8,}=*)",
        _header,
    ),
    ("token", "bearer ", r"\b[Bb]earer +(?P<secret>[A-Za-z0-9._~+/-]{16,}=*)", _header),
    (
        "password",
        "basic ",
        r"\b[Bb]asic +(?P<secret>[A-Za-z0-9+/]{8,}={0,2})(?![\w-])",
        is_credentials,
    ),
    # Cookies: of a session, and whatever is long and random
    (
        "session",
        "cookie",
        r"(?i)\bcookies?\b[\"'\\]*\s*[:=]\s*[\"'\\]*(?P<secret>[^\n\"']{12,2000})",
        _long_random,
    ),
    (
        "session",
        "sess sid= auth= remember xsrf csrf",
        r"(?i)(?:sess(?:ion)?[\w.-]{0,20}|sid|auth|remember_me|csrftoken|xsrf-token)="
        r"(?P<secret>[A-Za-z0-9%._~+/:-]{16,}=*)",
        _long_random,
    ),
    # Addresses that carry their own leave: AWS, Google and Azure signatures, tokens in queries
    (
        "signature",
        "=",
        r"(?i)[?&](?:[\w.-]*(?:signature|token|secret|passw(?:or)?d|pwd|api_?key|access_?key|auth)"
        r"|sig|hmac|key|code|pass|sv_sig|x-amz-credential)=(?P<secret>[A-Za-z0-9%+/_.~-]{8,}=*)",
        _long_random,
    ),
    (
        "Azure key",
        "key=",
        r"(?i)(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{30,100}={0,2})",
        bool,
    ),
    (
        "one time secret",
        "otpauth",
        r"otpauth(?:-migration)?://[^\s\"'<>]{0,300}?(?:secret|data)=(?P<secret>[^\s&\"'<>]{8,})",
        bool,
    ),
    (
        "password",
        "wifi:",
        r"WIFI:(?:[A-OQ-Z]:(?:\\.|[^;\\])*;)*P:\"?(?P<secret>(?:\\.|[^;\\\"]){4,64})",
        _any_password,
    ),
    # Options of programs
    (
        "password",
        "curl",
        r"curl\b[^\n]{0,400}?\s(?:-u|--user|--proxy-user|-U)[ =]?[\"']?[^\s:\"']{1,80}:"
        r"(?P<secret>[^\s\"']{3,128})",
        _any_password,
    ),
    (
        "password",
        "mysql",
        r"\bmysql\w*\b[^\n]{0,200}?\s-p(?P<secret>[^\s\"'-][^\s]{3,64})",
        _any_password,
    ),
    ("password", "sshpass", r"sshpass\s+-p\s*[\"']?(?P<secret>[^\s\"']{4,64})", _any_password),
    (
        "password",
        " -p",
        r"(?:docker|podman|helm|az|oc|redis-cli|mongo(?:sh|dump)?|psql|smbclient|ldap\w+|plink|pscp"
        r"|sqlcmd|7z|zip)\b[^\n]{0,200}?\s(?:-p|-P|-a|-w|--pass|-pw)[ ]+[\"']?"
        r"(?P<secret>[^\s\"'-][^\s\"']{5,64})",
        is_password_said,
    ),
    (
        "password",
        "-w",
        r"ldap\w+\b[^\n]{0,200}?\s-w[ ]*[\"']?(?P<secret>[^\s\"'-][^\s\"']{4,64})",
        _password,
    ),
    (
        "password",
        "/user:",
        r"(?i)net use\s+\S+\s+(?:\\\\\S+\s+)?(?P<secret>(?!/)\S{5,64})(?=.*/user:)",
        _any_password,
    ),
    (
        "password",
        "securestring",
        r"ConvertTo-SecureString\s+(?:-String\s+)?[\"'](?P<secret>[^\"'\n]{4,128})",
        _any_password,
    ),
    # Files: netrc, pgpass, htpasswd, Docker's, npm's
    (
        "password",
        "login",
        r"(?:machine|default)\b\s*\S*\s+login\s+\S+\s+password\s+(?P<secret>\S+)",
        _any_password,
    ),
    (
        "password",
        ":",
        r"(?m)^[\w.*-]+:(?:\d{2,5}|\*):[\w.*-]+:[\w.-]+:(?P<secret>\S{4,64})$",
        _any_password,
    ),
    (
        "password hash",
        ":",
        r"(?m)^[\w.@-]{2,40}:(?P<secret>[./A-Za-z0-9]{13}|[0-9a-fA-F]{32}|\{[A-Z0-9]+\}\S{20,})$",
        looks_random,
    ),
    (
        "password",
        '"auth',
        r"\\?\"auth\\?\"\s*:\s*\\?\"(?P<secret>[A-Za-z0-9+/]{8,}={0,2})\\?\"",
        is_credentials,
    ),
    # A user and a password before a host, without a scheme
    (
        "password",
        "@",
        r"(?<![\w/:.])[A-Za-z][\w.-]{1,30}:(?P<secret>[^\s:@/\"'<>]{6,64})@[\w-]+(?:\.[\w-]+)+",
        is_password_said,
    ),
    # AWS's own names for its secret, also in the table that it lets one download
    (
        "AWS secret key",
        "aws amazon akia asia",
        r"(?:(?i:aws|amazon)[\s\S]{0,80}?|(?:AKIA|ASIA)[A-Z0-9]{16}[\s\S]{0,40}?)"
        r"(?<![A-Za-z0-9/+=])(?P<secret>(?=[A-Za-z0-9/+]{0,38}[0-9])"
        r"(?=[A-Za-z0-9/+]{0,38}[A-Z])(?=[A-Za-z0-9/+]{0,38}[a-z])"
        r"[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        _long_random,
    ),
)

_COMPILED = tuple(
    (name, tuple(re.split(r"(?<=\S) (?=\S)", signs)), re.compile(pattern), is_real)
    for name, signs, pattern, is_real in _RULES
)


def wired(text: str, lowered: str) -> Iterator[SecretSpan]:
    """Find what protocols and programs say is secret; `lowered` is the text in small letters."""
    for name, signs, pattern, is_real in _COMPILED:
        if not any(sign in lowered for sign in signs):
            continue
        for match in pattern.finditer(text):
            if is_real(match["secret"]):
                yield SecretSpan(name, *match.span("secret"))
