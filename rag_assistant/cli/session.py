"""What every command starts from: the home directory, the settings, the library, the assistant."""

import json
import sys
from argparse import Namespace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.api.opening import config_file, home_at, open_assistant, searching_library
from rag_assistant.cli.drawn import DrawnWords, FileOf, draw, draw_text, file_in, is_drawn
from rag_assistant.cli.streams import holds_all
from rag_assistant.errors import RagError
from rag_assistant.text.safe_text import clean, clean_line

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant
    from rag_assistant.config import Config
    from rag_assistant.egress.gate import Gate
    from rag_assistant.library.library import Library


def home_of(options: Namespace) -> Path:
    """Give the home directory: the option, the environment, or the system's place for user data."""
    home = home_at(options.home)
    try:
        home.exists()
    except OSError as error:
        raise RagError(
            f"{str(home)[:60]}… cannot be a home: {error.strerror}.",
            hint="Choose another: --home DIR, or RAG_ASSISTANT_HOME in the environment.",
        ) from error
    return home


def config_path(options: Namespace) -> Path:
    """Give the place of the configuration file."""
    return config_file(home_of(options))


def config_of(options: Namespace) -> "Config":
    """Read the settings."""
    from rag_assistant.config import load_config

    return load_config(config_path(options))


def library_of(options: Namespace) -> "Library":
    """Open the library."""
    from rag_assistant.library.library import Library

    return Library(home_of(options))


def searching_library_of(options: Namespace) -> "Library":
    """Open the library to search it with the embedder and the reranker that are configured."""
    if not config_path(options).exists():
        return library_of(options)  # without loading what reads settings: search starts sooner
    return searching_library(home_of(options), config_of(options))


def assistant_of(
    options: Namespace, gate: "Gate | None" = None, *, mcp: bool = True
) -> "Assistant":
    """Make the assistant; what it sends to another machine passes `gate`.

    Databases of the settings that are not there are told: what is set for them has no effect.
    """
    config = config_of(options)
    assistant = open_assistant(home_of(options), config, gate, mcp=mcp)
    for told in (of_dead_link(options), *of_no_database(assistant.library, config)):
        if told:
            say(f"Note: {told}.")
    return assistant


def of_dead_link(options: Namespace) -> str:
    """Say that the settings are a link to nothing, "" where they are none."""
    from rag_assistant.config.reading import dead_link

    dead = dead_link(config_path(options))
    return f"{dead}; the settings are the defaults, and nothing is sent" if dead else ""


def of_no_database(library: "Library", config: "Config") -> list[str]:
    """Name the tables of the settings that are of no database."""
    unknown = sorted(config.databases.keys() - set(library.names()))
    return [f"[databases.{name}] in the settings is of no database, and has no effect"
            for name in unknown]  # fmt: skip


def print_json(value: Any) -> None:
    """Print one JSON object, in ASCII alone where the output is not in an encoding of Unicode."""
    json.dump(
        value,
        sys.stdout,
        ensure_ascii=not holds_all(sys.stdout),
        indent=2 if sys.stdout.isatty() else None,
    )
    sys.stdout.write("\n")


def print_event(value: dict[str, Any]) -> None:
    """Print one JSON object as a line, at once and whole whichever thread prints beside."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Print untrusted text, made safe for the terminal."""
    print(clean(text))


def print_prose(text: str, *, hang: int = 2) -> None:
    """Print untrusted text whose lines a terminal breaks between words.

    What follows in a line is indented as it begins, and by `hang` more.
    """
    if not is_drawn():
        print_text(text)
        return
    from rich.text import Text

    for line in clean(text).split("\n"):
        words = line.lstrip(" ")
        indent = len(line) - len(words)
        draw_text(Text(words), indent=indent, hang=indent + hang)


def say(line: str, style: str = "", *, indent: int = 0) -> None:
    """Tell the person something that is not data; a terminal indents it by so many columns."""
    if not is_drawn(sys.stderr):
        indent = 0
    line = clean_line(line)
    hang = indent + 2 if line.startswith(("- ", "· ", "! ")) else indent
    draw(DrawnWords(line, style), indent=indent, hang=hang, to=sys.stderr)


def file_finder(library: "Library") -> FileOf:
    """Make what gives the file of an entry, by database and path, where a terminal can open it."""

    @cache
    def folder(database: str) -> str:
        try:
            return library.database(database).folder()
        except RagError:
            return ""

    return lambda database, path: file_in(folder(database), path) if is_drawn() else None
