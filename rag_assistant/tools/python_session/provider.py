"""The tool `run_python`, where it is enabled: what a model is told of it and what it gives back."""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence

from rag_assistant.config import ToolSettings
from rag_assistant.errors import ConfigError
from rag_assistant.library.database import Database
from rag_assistant.tools.python_session.database_calls import MOST_HITS, DatabaseCalls
from rag_assistant.tools.python_session.process import PythonLimits, holding
from rag_assistant.tools.python_session.session import PythonOutcome, PythonSession
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.messages import JsonObject, ToolSpec

LEAST_MEGABYTES = 128
"""Address space that Python takes for itself, with some room to work in."""

SESSION = "Python session"
"""What keeps variables, as messages name it."""

_SUMMARY_CHARACTERS = 100


class PythonProvider:
    """Gives `run_python` for one conversation: its runs share variables until `aclose`."""

    def __init__(self, settings: ToolSettings, environ: Mapping[str, str] = os.environ) -> None:
        self._settings = settings
        limits = PythonLimits(settings.python_seconds, settings.python_megabytes * 1024**2)
        self._session = PythonSession(limits, environ)
        self._limits = limits
        self._held: set[tuple[str, int]] = set()  # entries that its variables may have words of

    async def tools(self, databases: Sequence[Database]) -> tuple[Sequence[Tool], Sequence[str]]:
        """Give the tool for a run over `databases`, none unless enabled; and what to know of it.

        Raises ConfigError for limits that nothing could run in.
        """
        if not self._settings.run_python:
            return (), ()
        self._check_limits()
        await asyncio.to_thread(holding)  # the question before a run says it
        return (self._tool(DatabaseCalls(databases)),), ()

    async def renew(self, session: str) -> bool:
        """End the process, and with it all variables; the next run is told that they are gone."""
        if session != SESSION:
            return False
        await self._session.renew()
        self._held.clear()
        return True

    async def aclose(self) -> None:
        """End the process; the next run starts afresh, as for a new conversation."""
        await self._session.aclose()
        self._held.clear()

    def _check_limits(self) -> None:
        if self._settings.python_megabytes < LEAST_MEGABYTES:
            raise ConfigError(
                f"tools.python_megabytes is {self._settings.python_megabytes}.",
                hint=f"Give Python {LEAST_MEGABYTES} or more.",
            )
        if not 0 < self._settings.python_seconds < float("inf"):
            raise ConfigError(
                f"tools.python_seconds is {self._settings.python_seconds:g}.",
                hint="Give a number above 0.",
            )

    def _tool(self, calls: DatabaseCalls) -> Tool:
        async def run(arguments: JsonObject) -> ToolOutput:
            try:
                outcome = await self._session.run(str(arguments["code"]), calls.answer)
            finally:
                self._held |= calls.handed
            ok = outcome.finished and not outcome.error
            told = outcome.printed or outcome.value or outcome.error
            entries = tuple(sorted(self._held)) if told else ()
            if not outcome.finished:  # what it held is gone with it
                self._held.clear()
                calls.handed.clear()
            return ToolOutput(_written(outcome), _summary(outcome), ok, entries=entries)

        description = _DESCRIPTION.format(
            seconds=self._limits.seconds,
            megabytes=self._settings.python_megabytes,
            output=self._limits.output,
            most_hits=MOST_HITS,
        )
        spec = ToolSpec("run_python", description, _SCHEMA)
        extent = holding().extent(self._limits)
        return Tool(spec, run, reads_only=False, explain=_explain, extent=extent, session=SESSION)


def _explain(arguments: JsonObject) -> str:
    """Give the code to the letter, which says itself what it would do."""
    return str(arguments["code"])


def _written(outcome: PythonOutcome) -> str:
    """Write an outcome for the model, as JSON of what there is."""
    parts = {
        "output": outcome.printed,
        "value": outcome.value,
        "error": outcome.error,
        "notes": list(outcome.notes),
    }
    there = {name: part for name, part in parts.items() if part}
    written = json.dumps(there or {"notes": ["It ran; there is no output."]}, ensure_ascii=False)
    # Lone surrogates have no UTF-8; written out they are JSON's own escapes.
    return written.encode("utf-8", "backslashreplace").decode("utf-8")


def _summary(outcome: PythonOutcome) -> str:
    """Give the line that tells most: why it ended early, what was raised, a value, output."""
    ended = () if outcome.finished else outcome.notes[-1:]
    texts = (*ended, outcome.error, outcome.value, outcome.printed, "no output")
    line = next(text for text in texts if text.strip()).strip().splitlines()[-1]
    return line if len(line) <= _SUMMARY_CHARACTERS else f"{line[:_SUMMARY_CHARACTERS]}…"


_DESCRIPTION = (
    "Run Python, to count, compute or compare over whole databases. The person is asked first. "
    "Variables stay for the conversation. Gives what was printed, the value of a last expression, "
    "and the traceback. A run may take {seconds:g} seconds and {megabytes} MB; of each output "
    "{output:,} characters are shown, so print results, not texts. There are these functions: "
    "search(query, database=None, limit=10) gives hits (limit up to {most_hits:,}) with id, title, "
    "path, snippet, score; read(id, database=None) gives an entry with title, path, metadata and "
    "its whole text; entries(database=None, texts=False) goes through all entries: database, "
    "id, title, path, length, metadata, and text if asked; of many entries that is the fast way. "
    "Where there are several databases, read(entry['id'], entry['database'])."
)
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"code": {"type": "string", "minLength": 1, "description": "Python 3 code."}},
    "required": ["code"],
    "additionalProperties": False,
}
