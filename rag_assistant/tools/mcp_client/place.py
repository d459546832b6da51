"""Where a server is and what it is given: a program and its environment, or an address and headers.

Values of environment variables come in here, and here is what takes them out of every text again.
"""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from rag_assistant.config import McpSettings
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.mcp_client.failures import ServerFailed

USUAL_VARIABLES = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TMPDIR", "TZ"),
    *("SYSTEMROOT", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "TEMP", "COMSPEC"),
)
"""What any program needs to start; none of it is a secret."""

DETAIL_CHARACTERS = 200
"""How much of a server's own words a failure shows."""

SHORTEST_SECRET = 6
"""Values shorter than this are not taken out of texts: `1` and `true` are in every one."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """One server. `shown` says where it is, without anything secret."""

    name: str
    shown: str
    settings: McpSettings
    program: str = ""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What stands in place of each value that is never shown."""

    def hide(self, text: str) -> str:
        """Give `text` without the values of headers and the address's own credentials."""
        for value in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(value, self.secrets[value])
        return text

    def detail(self, text: str) -> str:
        """Give a server's words about a failure as one clean, short line without secrets.

        A program prints what it was given when it fails, so the variables are taken out too.
        """
        for variable in self.settings.env:
            value = self.environment.get(variable, "")
            if _is_long(value):
                text = text.replace(value, f"[{variable}]")
        line = clean_line(self.hide(text))
        if len(line) > DETAIL_CHARACTERS:
            line = line[: DETAIL_CHARACTERS - 1].rstrip() + "…"
        return line

    def failed(self, what: str, *, hint: str, detail: str = "") -> ServerFailed:
        """Make the failure of this server; `what` follows its name."""
        message = f"The MCP server {clean_line(self.name)} {what}."
        return ServerFailed(message, hint=hint, detail=self.detail(detail))

    def mend(self, key: str) -> str:
        """Give the next step for a setting that is wrong."""
        return f"Correct {key} under [mcp.{clean_line(self.name)}] in config.toml."


def locate(name: str, settings: McpSettings, environ: Mapping[str, str]) -> ServerAddress:
    """Find the program, or check the address, and take what was named from the environment.

    Raises ServerFailed when one of them is not there.
    """
    if settings.command:
        return _program(name, settings, environ)
    return _address(name, settings, environ)


def unset_variables(settings: McpSettings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Give the variables that a program should be given and that are not set."""
    return tuple(variable for variable in settings.env if variable not in environ)


def _program(name: str, settings: McpSettings, environ: Mapping[str, str]) -> ServerAddress:
    place = ServerAddress(name, f"program {clean_line(settings.command)}", settings)
    program = shutil.which(settings.command, path=environ.get("PATH"))
    if program is None:
        raise place.failed(
            f"cannot be started: there is no program {clean_line(settings.command)!r}",
            hint=f"Install it. {place.mend('command')}",
        )
    given = (*USUAL_VARIABLES, *settings.env)
    environment = {variable: environ[variable] for variable in given if variable in environ}
    return ServerAddress(name, place.shown, settings, program, environment)


def _address(name: str, settings: McpSettings, environ: Mapping[str, str]) -> ServerAddress:
    try:
        parts = urlsplit(settings.url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    bare = ServerAddress(name, f"at {clean_line(host)}" + (f":{port}" if port else ""), settings)
    plain = settings.url.isprintable() and " " not in settings.url
    if not (host and plain) or parts.scheme not in ("http", "https"):
        raise bare.failed("has no web address", hint=bare.mend("url"))
    headers: dict[str, str] = {}
    secrets = {part: "[url]" for part in (parts.query, parts.password or "") if _is_long(part)}
    for header, variable in settings.headers.items():
        value = environ.get(variable, "").strip()
        if not value:
            raise bare.failed(
                f"cannot be asked: {clean_line(variable)}, the value of its header "
                f"{clean_line(header)}, is not set",
                hint=f"Set {clean_line(variable)} in the environment.",
            )
        if not (value.isascii() and value.isprintable() and header.isascii()):
            raise bare.failed(
                f"cannot be asked: {clean_line(variable)} holds what no header may hold",
                hint=f"Set {clean_line(variable)} again.",
            )
        headers[header] = value
        # What is secret in `Bearer KEY` is the key alone, too.
        for secret in filter(_is_long, (value, value.rpartition(" ")[2])):
            secrets[secret] = f"[{clean_line(variable)}]"
    return ServerAddress(name, bare.shown, settings, headers=headers, secrets=secrets)


def _is_long(value: str) -> bool:
    return len(value) >= SHORTEST_SECRET
