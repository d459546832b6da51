"""A cluster that lives as long as another process: that of a test run, whose workers share it.

Whoever needs it first starts a keeper, a process of its own, which starts the nodes, writes down
where they are or why there are none, and ends them when the run has ended, however it did. Nodes
end with their keeper, so that nothing is left when it is killed, too.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.nodes import PATIENCE, end_all, root_folder, start

ASKERS_PATIENCE = 100
"""Seconds that somebody waits for a cluster, which is shorter than a test may take."""

_MARK = "run-"


def name_for(run: int) -> str:
    """Name the cluster of the process `run`, as no other process's is, of the same number too."""
    return f"{_MARK}{run}-{_began(run)}"


def begin(run: int, nodes: int) -> None:
    """Let the cluster of the process `run` be started, if nobody has yet, and do not wait.

    Raises CannotStartCluster where none can be.
    """
    if not hasattr(os, "pidfd_open"):
        raise CannotStartCluster("The cluster of a test run needs Linux.")
    name, root = name_for(run), root_folder()
    root.mkdir(parents=True, exist_ok=True)
    log = root / f"{name}.log"
    with FileLock(root / f"{name}.lock"):
        if log.exists():
            return
        command = [sys.executable, "-m", "scripts.cluster.keeper", str(run), str(nodes)]
        with log.open("wb") as output:
            subprocess.run(
                command, check=True, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                start_new_session=True, cwd=Path(__file__).parents[2],
            )  # fmt: skip


def cluster_for(run: int, nodes: int) -> list[str]:
    """Give the addresses of the cluster of the process `run`, started if nobody has yet.

    Raises CannotStartCluster, at once for all that ask after the first.
    """
    begin(run, nodes)
    name, until = name_for(run), time.monotonic() + ASKERS_PATIENCE
    while not (told := _told(name)):
        if time.monotonic() > until:
            reason = f"The cluster of this run was not up after {ASKERS_PATIENCE} s."
            _tell(name, {"reason": reason})
        time.sleep(0.1)
    if "reason" in told:
        raise CannotStartCluster(told["reason"])
    return list(told["urls"])


def _told(name: str) -> dict[str, list[str]] | dict[str, str]:
    with suppress(OSError, ValueError):
        told: dict[str, str] = json.loads((root_folder() / f"{name}.json").read_text("utf-8"))
        return told
    return {}


def _tell(name: str, told: object) -> None:
    whole = root_folder() / f"{name}.json"
    part = whole.with_suffix(".part")
    part.write_text(json.dumps(told), "utf-8")
    part.replace(whole)


def _began(process: int) -> str:
    """Give when a process began, in ticks since the machine did; empty where it is not there."""
    with suppress(OSError):
        told = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
        return told.rpartition(")")[2].split()[19]
    return ""


def _left_over() -> Iterator[str]:
    """Give the names of clusters whose runs have ended, of which a killed keeper left the files."""
    for place in root_folder().glob(f"{_MARK}*"):
        name = place.name.partition(".")[0]
        run, _, began = name.removeprefix(_MARK).partition("-")
        if run.isdigit() and began.partition("-")[0] != _began(int(run)):
            yield name


def _forget(name: str) -> None:
    for place in root_folder().glob(f"{name}*"):
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)


def _end_with(run: int) -> None:
    """Let this process be asked to end when another has."""
    handle = os.pidfd_open(run)

    def wait() -> None:
        select.select([handle], [], [])
        os.kill(os.getpid(), signal.SIGTERM)

    def leave(*_: object) -> None:
        raise SystemExit

    signal.signal(signal.SIGTERM, leave)
    threading.Thread(target=wait, daemon=True).start()


def keep(run: int, nodes: int) -> None:
    """Start the cluster of the process `run`, and end it when that has ended."""
    name = name_for(run)
    try:
        _end_with(run)
        for other in set(_left_over()):
            _forget(other)
        try:
            told: object = {"urls": [one.url for one in start(nodes, name, is_bound=True)]}
        except CannotStartCluster as error:
            told = {"reason": str(error)}
        _tell(name, told)
        while True:
            time.sleep(PATIENCE)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        end_all()
        _forget(name)


if __name__ == "__main__":
    if os.fork():  # who started it need not wait for it
        os._exit(0)
    keep(int(sys.argv[1]), int(sys.argv[2]))
