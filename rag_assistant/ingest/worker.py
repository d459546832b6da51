"""The process that reads files: jobs come in on standard input, extractions go out on the other.

It is started by `pool` as `python -m rag_assistant.ingest.worker FOLDER FIELDS LIMITS`, limits its
own memory and time, and ends when its input does. A message is a list of jobs as JSON, and is
answered by one or more lists of extractions.
"""

import json
import os
import signal
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rag_assistant.files.process_limits import limit_memory, limit_time, peak_bytes
from rag_assistant.ingest.extraction import NO_MEMORY, Extraction, Job, extract, to_json
from rag_assistant.ingest.room import MOST_CHARACTERS


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one file may cost.

    Memory is the address space of a worker, or what it has in use where the system does not limit
    that: the highest real document measured needs a ninth of it. Processor time counts whatever
    else the machine is doing; the clock is for a file that waits instead of computing. Both are
    what a small file has: a large one has `seconds_a_megabyte` more,
    up to as many megabytes as are indexed of any. Of one file `characters` are indexed.
    """

    memory_bytes: int = 1024**3
    cpu_seconds: int = 30
    wall_seconds: float = 120.0
    seconds_a_megabyte: float = 2.0
    characters: int = MOST_CHARACTERS

    def cpu_of(self, size: int) -> int:
        """Give the seconds of processor time that a file of `size` bytes may take."""
        return self.cpu_seconds + int(self._more(size))

    def wall_of(self, size: int) -> float:
        """Give the seconds by the clock that a file of `size` bytes may take."""
        return self.wall_seconds + 4 * self._more(size)

    def _more(self, size: int) -> float:
        return min(size, self.characters) // 1_000_000 * self.seconds_a_megabyte


RECYCLED_BYTES = 400 * 1024**2
"""Memory in use at some time, above which a worker ends itself after its batch."""

SENT_CHARACTERS = 1_000_000
"""Text after which answers are sent without waiting for the end of their batch."""

HEAD = struct.Struct(">II")
"""Length of the JSON that follows, and how many values its list holds."""


def read_message(stream: IO[bytes]) -> tuple[bytes, int] | None:
    """Read one message: its JSON and the number of values in it; None at the stream's end."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    length, count = HEAD.unpack(head)
    body = stream.read(length)
    return (body, count) if len(body) == length else None


def write_message(stream: IO[bytes], values: list[Any]) -> None:
    """Write one message at once."""
    written = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    body = written.encode("utf-8", "replace")
    stream.write(HEAD.pack(len(body), len(values)))
    stream.write(body)
    stream.flush()


def main() -> None:
    """Serve jobs until the input ends."""
    # Standard output belongs to the messages: what a parser prints goes to standard error.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to act on
    folder, fields = Path(sys.argv[1]), json.loads(sys.argv[2])
    limits = WorkerLimits(**json.loads(sys.argv[3]))
    limit_memory(limits.memory_bytes)
    recycled = max(RECYCLED_BYTES, peak_bytes())
    while (message := read_message(sys.stdin.buffer)) is not None:
        answers: list[Any] = []
        answered = 0
        for values in json.loads(message[0]):
            job = Job(*values)
            limit_time(limits.cpu_of(job.size))
            extraction = _extract(folder, job, fields, limits.characters)
            answers.append(to_json(extraction))
            answered += sum(entry.length for entry in extraction.entries)
            if answered > SENT_CHARACTERS:
                write_message(out, answers)
                answers, answered = [], 0
        if answers:
            write_message(out, answers)
        if peak_bytes() > recycled:
            return  # the next batch gets a fresh process


def _extract(folder: Path, job: Job, fields: dict[str, str], most: int) -> Extraction:
    try:
        return extract(folder, job, fields, most)
    except MemoryError:
        return Extraction(job.path, "failed", reason=NO_MEMORY)
    except BaseException as error:  # noqa: BLE001 - a panic of native code is no Exception
        reason = f"the reader failed: {type(error).__name__}"
        return Extraction(job.path, "failed", reason=reason)


if __name__ == "__main__":
    main()
