"""Who the assistant is to be: a name, a tone and standing instructions, from a file of the person.

They say how it speaks; the rules on evidence stand after them in the prompt and are not theirs.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.config.reading import read_settings
from rag_assistant.errors import ConfigError

MOST_BYTES = 16_000
"""The longest file: every request to the model carries it."""


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona; what the file leaves out is empty."""

    name: str = ""
    """What the assistant calls itself."""
    tone: str = ""
    """How it speaks: terse, warm, in plain words for a layman."""
    instructions: str = ""
    """What it is always to do, such as to answer in French or to give amounts in euros."""


def load_persona(path: str, home: Path) -> Persona:
    """Read a persona; a relative path starts in the home directory, an empty one is no persona.

    Raises ConfigError naming the file and the key at fault.
    """
    if not path:
        return Persona()
    place = home / Path(path).expanduser()
    try:
        if not place.is_file():
            raise ConfigError(f"There is no persona file {place}.", hint=_MEND)
        with place.open("rb") as stream:
            written = stream.read(MOST_BYTES + 1)
        if len(written) > MOST_BYTES:
            raise ConfigError(
                f"{place} is longer than {MOST_BYTES:,} bytes.",
                hint="Shorten it: every request carries it.",
            )
        values = tomllib.loads(written.decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{place} cannot be read: {error}.", hint=_MEND) from error
    return read_settings(Persona, values, place, "")


_MEND = "Mend it, or take `persona` out of config.toml."
