"""What Linux offers to keep a process from what it has no business with: namespaces, Landlock, and
a filter of system calls. Each is entered for good, and says whether the system let it.

It imports the standard library alone: `guard` uses it in a process that is to load little.
"""

import contextlib
import ctypes
import os
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

_APART = 0x10000000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x00020000
"""CLONE_NEWUSER, NEWPID, NEWNET, NEWIPC and NEWNS."""
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 1 << 1, 1 << 2, 1 << 14, 1 << 18
_SHARED_MEMORY = "/dev/shm"

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_RULE_PATH_BENEATH = 1
_READ, _EXECUTE, _WRITE, _READ_DIR = 1 << 2, 1 << 0, 1 << 1, 1 << 3
_OF_FILES = _READ | _EXECUTE | _WRITE | 1 << 14 | 1 << 15  # those that a single file can have
_ACCESSES = {1: 13, 2: 14, 3: 15, 4: 15}
"""By version of Landlock, how many kinds of access to files it knows; 16 from the fifth on."""
_SCOPES_FROM, _SCOPE_SIGNAL = 6, 1 << 1
"""The version of Landlock that can keep signals among those closed in, and how it is told to."""
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc", "/opt", "/nix", "/snap")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

_SECCOMP_MODE_FILTER = 2
_MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""What the kernel calls a machine (AUDIT_ARCH)."""
_OUTWARD = {"x86_64": (41, 425, 248, 249, 250), "aarch64": (198, 425, 217, 218, 219)}
"""Numbers of socket, io_uring_setup, add_key, request_key and keyctl."""
_PAIR = {"x86_64": 53, "aarch64": 199}
"""The number of socketpair: pairs are let be but for datagrams, which can be sent elsewhere."""
_LEAVING = {"x86_64": (112, 109), "aarch64": (157, 154)}
"""Numbers of setsid and setpgid."""
_X32 = 0x40000000
"""From here on x86-64 has other numbers for the same calls."""
_KINDS_OF_SOCKETS, _DATAGRAM = 0xF, 2
_NUMBER_AT, _MACHINE_AT, _SECOND_AT = 0, 4, 24  # in what a filter looks at (struct seccomp_data)
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # of BPF
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000  # refused: EPERM

Instruction = tuple[int, int, int, int]
"""Of BPF: what is done, how many are skipped if so, and if not, and a number."""


def go_apart(shared_bytes: int) -> bool:
    """Enter namespaces of our own; the next child is the first process of its own. Our user stays
    who he is there. Memory that processes share is new, and `shared_bytes` at most."""
    user, group = os.getuid(), os.getgid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_APART):
        return False
    own = Path("/proc/self")
    with contextlib.suppress(OSError):
        (own / "uid_map").write_text(f"{user} {user} 1", "ascii")
        (own / "setgroups").write_text("deny", "ascii")
        (own / "gid_map").write_text(f"{group} {group} 1", "ascii")
    private = libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
    size = f"size={shared_bytes}".encode()
    flags = _MS_NOSUID | _MS_NODEV
    return not private and not libc.mount(b"tmpfs", _SHARED_MEMORY.encode(), b"tmpfs", flags, size)


def close_in(folder: str, apart: bool) -> bool:
    """Give up all files but Python, the system's programs, a folder, and shared memory where it is
    our own; and signals to others, where the system knows how."""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << _ACCESSES.get(version, 16)) - 1
    scoped = _SCOPE_SIGNAL if version >= _SCOPES_FROM else 0
    wanted = struct.pack("<QQQ", handled, 0, scoped) if scoped else struct.pack("<Q", handled)
    rules = libc.syscall(_CREATE_RULESET, wanted, len(wanted), 0)
    if rules < 0:
        return False
    reading = _READ | _EXECUTE | _READ_DIR
    allowed = [(path, reading) for path in (*_python(), *_SYSTEM)]
    shared = (_SHARED_MEMORY,) if apart else ()
    allowed += [(path, handled) for path in (*_DEVICES, *shared, folder)]
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


def filter_calls(apart: bool) -> bool:
    """Make no sockets any more, those that are files neither; and, where no namespace ends all that
    we start, leave no group of processes, which is ended as one."""
    machine = os.uname().machine
    if machine not in _MACHINES or sys.maxsize <= 1 << 32:
        return False
    refused = (*_OUTWARD[machine], *(() if apart else _LEAVING[machine]))
    steps = _filter(machine, refused)
    code = b"".join(struct.pack("<HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(buffer)))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    return _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(program)) == 0


def _filter(machine: str, refused: Sequence[int]) -> list[Instruction]:
    steps: list[Instruction] = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_IF_EQUAL, 1, 0, _MACHINES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        steps += [(_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE)]
    for number in refused:
        steps += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE)]
    return [
        *steps,
        (_IF_EQUAL, 0, 4, _PAIR[machine]),
        (_LOAD, 0, 0, _SECOND_AT),
        (_AND, 0, 0, _KINDS_OF_SOCKETS),
        (_IF_EQUAL, 0, 1, _DATAGRAM),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]


def end_with_starter() -> None:
    """Be killed when the process that started us ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


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


def _prctl(option: int, value: int, other: int = 0) -> int:
    zero = ctypes.c_ulong(0)
    values = (ctypes.c_ulong(value), ctypes.c_ulong(other))
    return int(ctypes.CDLL(None, use_errno=True).prctl(option, *values, zero, zero))
