"""What every command starts from: the home directory, the settings, the library, the assistant."""

import json
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.config import Config, load_config
from rag_assistant.library.library import Library
from rag_assistant.safe_text import clean, clean_line

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant

HOME_VARIABLE = "RAG_ASSISTANT_HOME"


def home_of(options: Namespace) -> Path:
    """Give the home directory: the option, the environment, or the system's place for user data."""
    chosen = options.home or os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("rag-assistant", appauthor=False)


def config_path(options: Namespace) -> Path:
    """Give the place of the configuration file."""
    return home_of(options) / "config.toml"


def config_of(options: Namespace) -> Config:
    """Read the settings."""
    return load_config(config_path(options))


def library_of(options: Namespace) -> Library:
    """Open the library."""
    return Library(home_of(options))


def searching_library_of(options: Namespace) -> Library:
    """Open the library to search it, by vectors too where an embedder is configured."""
    config = config_of(options)
    if not config.embedder:
        return library_of(options)
    from rag_assistant.models.embedders import make_embedder

    home = home_of(options)
    return Library(home, make_embedder("", config, home, os.environ))


def assistant_of(options: Namespace) -> "Assistant":
    """Make the assistant."""
    from rag_assistant.assistant import Assistant

    return Assistant(searching_library_of(options), config_of(options), os.environ)


def print_json(value: Any) -> None:
    """Print one JSON object."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    sys.stdout.write("\n")


def print_text(text: str) -> None:
    """Print untrusted text, made safe for the terminal."""
    print(clean(text))


def say(line: str) -> None:
    """Tell the person something that is not data."""
    print(clean_line(line), file=sys.stderr)
