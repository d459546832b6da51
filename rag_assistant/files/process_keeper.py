"""Keeps a process to what it may take, where the system does not do so itself.

It is looked at from outside, because what runs away in native code lets nothing else of its own
process run. Between two looks a process may take more than it may.
"""

import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from rag_assistant.files.process_limits import limits_memory, limits_time

if TYPE_CHECKING:
    from psutil import Process

LOOKS_A_SECOND = 10

Exceeded = Literal["", "memory", "time"]


class ProcessKeeper:
    """Ends the process `pid` and all that it has started when it takes more than it may.

    Memory is what it and its children have in use, in bytes. Where the system has limits of its
    own, nothing is watched.
    """

    def __init__(self, pid: int, memory_bytes: int, cpu_seconds: float | None = None) -> None:
        self.exceeded: Exceeded = ""
        self._memory = memory_bytes
        self._closed = threading.Event()
        self._seconds: float | None = None
        self._process: Process | None = None
        if limits_memory() and limits_time():
            return
        import psutil  # noqa: PLC0415 - 15 ms that no other system needs to spend

        with suppress(psutil.Error):  # it has ended already
            self._process = psutil.Process(pid)
            if cpu_seconds is not None:
                self.allow(cpu_seconds)
            threading.Thread(target=self._watch, daemon=True).start()

    def allow(self, cpu_seconds: float) -> None:
        """Give it so much processor time from now on."""
        if self._process and not limits_time():
            self._seconds = self._used(self._process) + cpu_seconds

    def close(self) -> None:
        """Look no more."""
        self._closed.set()

    def __enter__(self) -> "ProcessKeeper":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _watch(self) -> None:
        import psutil  # noqa: PLC0415 - as above

        assert self._process
        with suppress(psutil.NoSuchProcess):
            while not self._closed.wait(1 / LOOKS_A_SECOND):
                self.exceeded = self._exceeds(self._process)
                if self.exceeded:
                    end_processes(_family(self._process))
                    return

    def _exceeds(self, process: "Process") -> Exceeded:
        if self._seconds is not None and self._used(process) > self._seconds:
            return "time"
        if limits_memory():
            return ""
        family = [process, *process.children(recursive=True)]
        return "memory" if sum(map(_bytes_of, family)) > self._memory else ""

    def _used(self, process: "Process") -> float:
        import psutil  # noqa: PLC0415 - as above

        with suppress(psutil.Error):
            times = process.cpu_times()
            return float(times.user + times.system)
        return 0.0


def end_family(pid: int) -> None:
    """End a process and all that it has started, where no group of processes does that."""
    end_processes(family_of(pid))


def family_of(pid: int) -> list["Process"]:
    """Give a process and all that it has started, but for what was left to somebody else."""
    import psutil  # noqa: PLC0415 - as above

    with suppress(psutil.NoSuchProcess):
        return _family(psutil.Process(pid))
    return []


def end_processes(processes: Iterable["Process"]) -> None:
    """End those that still run; a number that is another's by now is let be."""
    import psutil  # noqa: PLC0415 - as above

    for one in processes:
        with suppress(psutil.Error):
            one.kill()


def _family(process: "Process") -> list["Process"]:
    import psutil  # noqa: PLC0415 - as above

    family = [process]
    with suppress(psutil.Error):
        family += process.children(recursive=True)
    return family


def _bytes_of(process: "Process") -> int:
    import psutil  # noqa: PLC0415 - as above

    with suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0
