"""Limits that a process sets itself before it touches what nobody has looked at."""

import os
import sys


def limit_memory(most_bytes: int) -> None:
    """Let no more address space be had from now on, and give way to other programs.

    There are no such limits on Windows: who started the process keeps a clock.
    """
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)


def limit_time(seconds: int) -> None:
    """Let the system end this process after so much more processor time."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - as above

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
