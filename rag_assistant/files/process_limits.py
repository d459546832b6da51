"""Limits that a process sets itself before it touches what nobody has looked at.

What the system does not limit (memory on macOS, all of it on Windows) is watched from outside, by
`process_keeper`.
"""

import os
import sys
from contextlib import suppress


def limits_memory() -> bool:
    """Whether the system keeps a process to an amount of memory that the process names itself.

    macOS has RLIMIT_AS and refuses to set it (python/cpython#78783); Windows has no such limits.
    """
    return sys.platform not in ("win32", "darwin")


def limits_time() -> bool:
    """Whether the system ends a process after an amount of processor time."""
    return sys.platform != "win32"


def limit_memory(most_bytes: int) -> None:
    """Let no more address space be had from now on, and give way to other programs."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    if limits_memory():
        # Who started us may have set less, and that is not ours to raise.
        _, most_allowed = resource.getrlimit(resource.RLIMIT_AS)
        if most_allowed != resource.RLIM_INFINITY:
            most_bytes = min(most_bytes, most_allowed)
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    with suppress(ValueError, OSError):  # it spares the disk, and limits nothing
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)


def limit_time(seconds: int) -> None:
    """Let the system end this process after so much more processor time."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - as above

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + seconds + 1
    _, most_allowed = resource.getrlimit(resource.RLIMIT_CPU)
    if most_allowed != resource.RLIM_INFINITY:
        limit = min(limit, most_allowed)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most_allowed))


def peak_bytes() -> int:
    """Give the most memory that this process has had in use at any time.

    Linux counts the peak of the process that started this one as ours.
    """
    if sys.platform == "win32":
        import psutil  # noqa: PLC0415 - as in `process_keeper`

        memory = psutil.Process().memory_info()
        return int(getattr(memory, "peak_wset", memory.rss))
    import resource  # noqa: PLC0415 - as above

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
