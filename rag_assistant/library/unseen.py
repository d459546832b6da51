"""What a walk could not look into, and the files of the ledger that are therefore withheld."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from rag_assistant.ingest.walk import FoundFile, SkippedPath, WalkRules, walk
from rag_assistant.ingest.walking.disks import Disks

DISKS = "disks"
"""The key of `meta` for the disks that are mounted in the folder: a JSON list of paths in it."""


@dataclass(slots=True)
class WalkedFolder:
    """What a walk found and skipped; `unseen` are places it could not look into, with reasons."""

    found: list[FoundFile] = field(default_factory=list)
    skipped: list[SkippedPath] = field(default_factory=list)
    unseen: dict[str, str] = field(default_factory=dict)
    disks: frozenset[str] = frozenset()

    def why_unseen(self, path: str) -> str:
        """Say why a path could not be looked for; "" where it could."""
        if not self.unseen:
            return ""
        places = (path, *map(str, PurePosixPath(path).parents))
        place = next((place for place in places if place in self.unseen), None)
        if place is None:
            return ""
        return self.unseen[place] if place == path else f"{place}: {self.unseen[place]}"


def look(folder: Path, rules: WalkRules, known: frozenset[str] = frozenset()) -> WalkedFolder:
    """Walk a folder, of which the `known` folders were disks of their own before.

    Raises FolderError.
    """
    disks, seen = Disks(known), WalkedFolder()
    for item in walk(folder, rules, disks):
        if isinstance(item, FoundFile):
            seen.found.append(item)
            continue
        seen.skipped.append(item)
        if item.unseen:
            seen.unseen[item.path] = item.reason
    there = {item.path for item in seen.skipped}
    there |= {str(above) for file in seen.found for above in PurePosixPath(file.path).parents}
    for path in disks.absent(there):
        if not seen.why_unseen(path):
            seen.unseen[path] = "not mounted: a disk of its own at the last run, and gone now"
    seen.disks = disks.all()
    return seen


def known_disks(facts: Mapping[str, str]) -> frozenset[str]:
    """Read the disks of what is known of a database; none where that cannot be read."""
    try:
        return frozenset(path for path in json.loads(facts.get(DISKS, "[]")) if path)
    except (ValueError, TypeError):
        return frozenset()


def disks_json(disks: Iterable[str]) -> str:
    """Write the disks for keeping."""
    return json.dumps(sorted(disks))
