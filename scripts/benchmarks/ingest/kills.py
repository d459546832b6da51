"""The indexer killed at random moments: nothing may be lost.

After each `kill -9` the database must open and be whole; in the end it must hold exactly what an
undisturbed run makes. Searches beside an indexing run must find something each time.
"""

import argparse
import random
import sqlite3
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.program import PROGRAM
from scripts.benchmarks.shared.synthetic_text import random_words
from scripts.benchmarks.shared.timing import seconds_of

Content = list[tuple[str, str, str, str]]

_CHANGED = "\n\nChanged "


def write_folder(folder: Path, files: int, chance: random.Random) -> None:
    """Write files of a few kinds and sizes."""
    words = random_words(chance, 5_000)
    folder.mkdir()
    for number in range(files):
        body = "\n\n".join(" ".join(chance.choices(words, k=60)) for _ in range(number % 12 + 1))
        kind = (".md", ".txt", ".html")[number % 3]
        text = f"<p>{body}</p>" if kind == ".html" else f"# Note {number}\n\n{body}\n"
        (folder / f"{number:05}{kind}").write_text(text, encoding="utf-8")


def change_some(folder: Path, chance: random.Random) -> None:
    """Edit, add, move and delete files, so that every run has something to do."""
    files = sorted(folder.iterdir())
    for path in chance.sample(files, k=len(files) // 10):
        path.write_text(with_end(path.read_text(encoding="utf-8"), chance), encoding="utf-8")
    for path in chance.sample(files, k=len(files) // 40):
        path.rename(path.with_name(f"moved-{chance.randrange(10**9)}{path.suffix}"))


def with_end(text: str, chance: random.Random) -> str:
    """Give a file's text another end, in place of the one that it was given before."""
    return f"{text.partition(_CHANGED)[0]}{_CHANGED}{chance.random()}.\n"


def content(library: Library, name: str) -> Content:
    """Give what a database holds, whatever ids and rows it has it in."""
    connection = sqlite3.connect(library.database(name).path)
    try:
        return connection.execute(
            "SELECT files.path, entries.title, coalesce(heading, ''), text FROM passages"
            " JOIN entries ON entries.id = entry_id JOIN files ON files.id = file_id"
            " ORDER BY 1, passages.start"
        ).fetchall()
    finally:
        connection.close()


def kill_once(library: Library, folder: Path, seconds: float) -> bool:
    """Start indexing and kill it after `seconds`; give whether it was still going on."""
    command = [*PROGRAM, "--home", str(library.home), "index"]
    process = subprocess.Popen(
        [*command, str(folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(seconds)
    going = process.poll() is None
    process.kill()
    process.wait()
    return going


def wrong_after_kill(library: Library) -> list[str]:
    """Say what is wrong with the database, if there is one yet.

    The lock may outlive the killed process for a moment: a worker that was just being started holds
    it until it becomes a program of its own.
    """
    end = time.monotonic() + 2
    while True:
        try:
            return library.check("f") if "f" in library.names() else []
        except RagError as error:
            if time.monotonic() > end:
                return [str(error)]
            time.sleep(0.01)


def kill_often(scratch: Path, kills: int, files: int, seed: int) -> list[str]:
    """Kill `kills` runs over a folder that changes meanwhile; give what went wrong."""
    chance = random.Random(seed)
    wrong: list[str] = []
    cut_short = 0
    folder, library = scratch / "f", Library(scratch / "home")
    write_folder(folder, files, chance)
    whole = seconds_of(partial(Library(scratch / "timed").index, folder)) + 0.3  # the start
    attempts = 0
    while cut_short < kills and attempts < 10 * kills:
        attempts += 1
        cut_short += kill_once(library, folder, chance.uniform(0.05, whole))
        wrong += [f"after attempt {attempts}: {line}" for line in wrong_after_kill(library)]
        change_some(folder, chance)
    library.index(folder)
    undisturbed = Library(scratch / "undisturbed")
    undisturbed.index(folder)
    wrong += [f"in the end: {line}" for line in library.check("f")]
    if content(library, "f") != content(undisturbed, "f"):
        wrong.append("in the end: the content differs from an undisturbed run's")
    say(f"{cut_short} runs over {files} files were killed in the middle")
    if cut_short < kills:
        wrong.append(f"only {cut_short} of {kills} runs could be killed before they ended")
    return wrong


def read_while_indexing(scratch: Path, readers: int, files: int, seed: int) -> list[str]:
    """Search from `readers` threads while a folder is indexed anew; give what went wrong."""
    wrong: list[str] = []
    searches = 0
    folder, library = scratch / "f", Library(scratch / "home")
    write_folder(folder, files, random.Random(seed))
    library.index(folder)
    for path in folder.iterdir():
        path.write_text(path.read_text(encoding="utf-8") + "\n\nAnother end.\n")
    over = threading.Event()

    def read() -> None:
        nonlocal searches
        while not over.is_set():
            try:
                hits = search_databases([library.database("f")], "note", 5).hits
                searches += 1
                if not hits:
                    wrong.append("a search found nothing")
            except (RagError, sqlite3.Error) as error:
                wrong.append(str(error))

    threads = [threading.Thread(target=read) for _ in range(readers)]
    for thread in threads:
        thread.start()
    report = library.index(folder)
    over.set()
    for thread in threads:
        thread.join()
    say(f"{readers} readers made {searches} searches while {report.updated} files changed")
    return wrong


def say(line: str) -> None:
    """Tell how it goes; the result is what is printed."""
    print(line, file=sys.stderr)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let sizes be chosen."""
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--files", type=int, default=600)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)


def measured(options: argparse.Namespace) -> Report:
    """Kill, and read."""
    places = [options.scratch / name for name in ("killed", "read")]
    for place in places:
        place.mkdir()
    killed = kill_often(places[0], options.kills, options.files, options.seed)
    read = read_while_indexing(places[1], options.readers, options.files, options.seed)
    figures = [
        Figure(f"{options.kills} kills of the indexer: things wrong", len(killed), goal="<= 0"),
        Figure(f"{options.readers} readers beside it: things wrong", len(read), goal="<= 0"),
    ]
    return Report(figures, [f"Wrong: {line}" for line in (killed + read)[:20]])
