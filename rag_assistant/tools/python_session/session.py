"""The conversation's Python: code is run one piece after the other, within limits of time, memory
and output, and a process that was lost is started anew, which the next result says.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rag_assistant.errors import RagError, ToolFailed
from rag_assistant.tools.python_session.process import Printed, PythonLimits, PythonProcess

Answer = Callable[[str, Mapping[str, Any]], Any]
"""Answers a call of the code: its name and its arguments, both to be checked, to a JSON value."""

_GONE = "The variables of earlier runs are gone: their process had ended."


@dataclass(frozen=True, slots=True)
class PythonOutcome:
    """What came of a run: what it printed, the last expression's value, the traceback, remarks.

    Texts that do not exist are empty; each was cut to the limit of output, and `notes` say so.
    `finished` is false where the run was ended before its time, and its variables with it.
    """

    printed: str = ""
    value: str = ""
    error: str = ""
    notes: tuple[str, ...] = ()
    finished: bool = True


class PythonSession:
    """Runs code in a process that is started when it is first needed."""

    def __init__(self, limits: PythonLimits, environ: Mapping[str, str] = os.environ) -> None:
        self._limits = limits
        self._environ = environ
        self._process: PythonProcess | None = None
        self._lost = False
        self._one_at_a_time = asyncio.Lock()

    async def run(self, code: str, answer: Answer) -> PythonOutcome:
        """Run code; `answer` is called in a thread for what it asks of the databases.

        Cancelling ends the process at once. Raises ToolFailed when it cannot be started.
        """
        async with self._one_at_a_time:
            notes = (_GONE,) if self._lost else ()
            process = self._process = self._process or self._start()
            self._lost = True
            try:
                async with asyncio.timeout(self._limits.seconds):
                    done = await _exchange(process, code, answer)
            except TimeoutError:
                why = f"It was stopped after {self._limits.seconds:g} seconds"
                return await self._lose(process, why, notes)
            except BaseException:
                self._forget(process)
                raise
            if done is None:
                return await self._lose(process, "", notes)
            self._lost = False
            return _outcome(done, await asyncio.to_thread(process.printed), notes)

    async def renew(self) -> None:
        """Let the next run start without the variables of earlier ones, which its result says."""
        lost = self._lost or self._process is not None
        await self.aclose()
        self._lost = lost

    async def aclose(self) -> None:
        """End the process, if there is one; what is run later starts afresh."""
        process, self._process, self._lost = self._process, None, False
        if process:
            process.kill()
            await asyncio.to_thread(process.ended)

    def _start(self) -> PythonProcess:
        try:
            return PythonProcess(self._limits, self._environ)
        except OSError as error:
            raise ToolFailed(
                f"Python cannot be started: {error}.", hint="Answer without running code."
            ) from error

    def _forget(self, process: PythonProcess) -> None:
        process.kill()
        if self._process is process:
            self._process = None

    async def _lose(
        self, process: PythonProcess, why: str, notes: tuple[str, ...]
    ) -> PythonOutcome:
        """End a process that is of no more use, and keep what it printed."""
        self._forget(process)
        ended = await asyncio.to_thread(process.ended)
        memory = "; it may have run out of memory" if ended.startswith("signal") else ""
        why = why or f"The process ended before the code did ({ended}){memory}"
        printed = await asyncio.to_thread(process.printed)
        notes = (*notes, f"{why}. Its variables are gone; the next run starts anew.")
        return PythonOutcome(printed.text, notes=(*notes, *_cuts(printed, {})), finished=False)


async def _exchange(process: PythonProcess, code: str, answer: Answer) -> dict[str, Any] | None:
    """Send code and answer its calls until it is done; None when the process was lost over it."""
    await asyncio.to_thread(process.send, {"code": code})
    while (frame := await asyncio.to_thread(process.receive)) is not None:
        if "done" in frame:
            done = frame["done"]
            return done if isinstance(done, dict) else None
        number, name, arguments = (frame.get(key) for key in ("number", "call", "arguments"))
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return None
        try:
            value = await asyncio.to_thread(answer, name, arguments)
        except RagError as error:
            reply = {"number": number, "error": str(error)}
        else:
            reply = {"number": number, "value": value}
        await asyncio.to_thread(process.send, reply)
    return None


def _outcome(done: Mapping[str, Any], printed: Printed, notes: tuple[str, ...]) -> PythonOutcome:
    note = (str(done["note"]),) if "note" in done else ()
    return PythonOutcome(
        printed.text,
        str(done.get("value", "")),
        str(done.get("error", "")),
        (*notes, *note, *_cuts(printed, done)),
    )


def _cuts(printed: Printed, done: Mapping[str, Any]) -> list[str]:
    """Say of each text that was cut how much of it is missing."""
    notes = []
    if printed.left_out:
        notes.append(f"The output was cut: {printed.left_out:,} more bytes. Print less of it.")
    for kind, where in (("value", "end"), ("error", "beginning")):
        cut = done.get(f"{kind}_cut")
        if isinstance(cut, int) and cut > 0:
            notes.append(f"The {kind} was cut at its {where}: {cut:,} more characters.")
    return notes
