"""How a folder is read, kept with its database so that every later run reads it the same way."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rag_assistant.ingest.walk import WalkRules
from rag_assistant.store.damage import damaged


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """Which files of a folder are read, and what the fields of records are called.

    `fields` maps `title`, `text`, `id` and so on to the names that records give them.
    """

    walk: WalkRules = WalkRules()
    fields: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Write the rules for keeping."""
        return json.dumps({"walk": asdict(self.walk), "fields": dict(self.fields)})

    @classmethod
    def from_json(cls, written: str) -> "ReadingRules":
        """Read rules that `to_json` wrote; an empty text gives the defaults."""
        if not written:
            return cls()
        kept = json.loads(written)
        walk: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in kept["walk"].items()
        }
        return cls(WalkRules(**walk), kept["fields"])


def rules_of(path: Path, facts: Mapping[str, str]) -> ReadingRules:
    """Give the rules that the database at `path` keeps among what is known of it.

    Raises IndexDamaged.
    """
    try:
        return ReadingRules.from_json(facts.get("reading", ""))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise damaged(path, error) from error
