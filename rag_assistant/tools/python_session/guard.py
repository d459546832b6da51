"""The process that starts the one which runs a model's code, and keeps it from what it has no
business with, as far as the system lets it.

On Linux the code runs in namespaces of its own for processes and for the network
(user_namespaces(7), pid_namespaces(7)): it reaches no address, and when its first process ends the
kernel ends all that it has started. Landlock (landlock(7)) lets it read Python, the system's
programs and its folder, and write in its folder only; sockets that are files are still open to it.
What the system does not offer is left out, and `--holds` says which.
`process` runs this as a script by its path: it imports the standard library alone.
"""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_RULE_PATH_BENEATH = 1
_READ, _EXECUTE, _WRITE, _READ_DIR = 1 << 2, 1 << 0, 1 << 1, 1 << 3
_OF_FILES = _READ | _EXECUTE | _WRITE | 1 << 14 | 1 << 15  # those that a single file can have
_ACCESSES = {1: 13, 2: 14, 3: 15, 4: 15}
"""By version of Landlock, how many kinds of access to files it knows; 16 from the fifth on."""

_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc", "/opt", "/nix", "/snap")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/shm")

SIGNALLED = 128
"""Added to a signal's number in the exit code of what it ended, as shells do."""


def main() -> None:
    """Start the worker, or say what can be kept, and end as it ends."""
    if sys.argv[1] == "--holds":
        sys.stdout.write(json.dumps(_tried()))
        return
    if sys.platform != "linux":
        raise NotImplementedError("only Linux keeps the worker from something")
    import resource  # noqa: PLC0415 - there is none on Windows

    folder = json.loads(sys.argv[1])["folder"]
    command = worker_command(sys.argv[2], sys.argv[1])
    apart = _go_apart()
    first = os.fork()
    if not first:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if apart:
            # The first process of a namespace ignores the signals that it has no handler for, so
            # the worker is the second one.
            worker = os.fork()
            if worker:
                _leave_streams()
                os._exit(_code_of(worker))
            os.setpgid(0, 0)
        _close_in(folder)
        os.execv(command[0], command)
    _leave_streams()
    code = _code_of(first)
    shutil.rmtree(folder, ignore_errors=True)
    if code > SIGNALLED:  # so that whoever waits for this process learns how the worker ended
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), code - SIGNALLED)
    os._exit(code)


def worker_command(worker: str, told: str) -> list[str]:
    """Give the command that starts the worker itself: isolated, and in UTF-8 whatever the system
    writes in."""
    return [sys.executable, "-I", "-X", "utf8", worker, told]


def _tried() -> dict[str, bool]:
    """Try in a child what can be kept."""
    if sys.platform != "linux":
        return {"network": False, "files": False, "processes": False}
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        apart = _go_apart()
        files = _close_in(str(Path.cwd()))
        os.write(writing, bytes([apart, files]))
        os._exit(0)
    os.close(writing)
    told = os.read(reading, 2)
    os.waitpid(child, 0)
    apart, files = (bool(one) for one in told.ljust(2, b"\0"))
    return {"network": apart, "files": files, "processes": apart}


def _go_apart() -> bool:
    """Enter namespaces of our own; the next child is the first process of its own. Our user stays
    who he is there."""
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWPID | _CLONE_NEWNET):
        return False
    with contextlib.suppress(OSError):
        own = Path("/proc/self")
        (own / "uid_map").write_text(f"{user} {user} 1", "ascii")
        (own / "setgroups").write_text("deny", "ascii")
        (own / "gid_map").write_text(f"{group} {group} 1", "ascii")
    return True


def _close_in(folder: str) -> bool:
    """Give up all files but Python, the system's programs, and a folder."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << _ACCESSES.get(version, 16)) - 1
    wanted = struct.pack("<Q", handled)
    rules = libc.syscall(_CREATE_RULESET, wanted, len(wanted), 0)
    if rules < 0:
        return False
    reading = _READ | _EXECUTE | _READ_DIR
    allowed = [(path, reading) for path in _python()]
    allowed += [(path, reading) for path in _SYSTEM]
    allowed += [(path, handled) for path in (*_DEVICES, folder)]
    for path, access in allowed:
        with _path_only(path) as descriptor:
            if descriptor is not None:
                of_file = access if Path(path).is_dir() else access & _OF_FILES
                rule = struct.pack("<Qi", of_file & handled, descriptor)
                libc.syscall(_ADD_RULE, rules, _RULE_PATH_BENEATH, rule, 0)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    done = bool(libc.syscall(_RESTRICT_SELF, rules, 0) == 0)
    os.close(rules)
    return done


def _python() -> set[str]:
    """Give the folders that Python itself is read from."""
    of_paths = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    program, prefix = Path(sys.executable), Path(sys.prefix)
    others = (
        *(Path(__file__).resolve().parent, program.parent, program.resolve().parent),
        *(Path(sys.base_prefix) / "lib", prefix / "lib", prefix / "pyvenv.cfg"),
    )
    return {*filter(None, of_paths), *map(str, others)}


@contextlib.contextmanager
def _path_only(path: str) -> Iterator[int | None]:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _leave_streams() -> None:
    """Have no part in the pipes, so that their other ends see the worker's end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _code_of(child: int) -> int:
    """Wait for a child, and for what else becomes ours; give the child's exit code."""
    while True:
        try:
            ended, status = os.wait()
        except InterruptedError:
            continue
        if ended == child:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else SIGNALLED - code


if __name__ == "__main__":
    main()
