"""What the interface begins with, where a folder is to be indexed first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Beginning:
    """The folder that was named, if one was, and the environment, in which keys may be set."""

    folder: Path | None = None
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Begun:
    """What the person chose: a folder to index, and the model that answers."""

    folder: Path | None = None
    model: str = ""
