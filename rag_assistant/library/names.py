"""Names of databases, made from folders' names and fit for file names and tool names."""

import re
import unicodedata
from collections.abc import Sequence
from zlib import crc32

from rag_assistant.errors import LibraryError

LONGEST_NAME = 40
"""Characters; `search_<name>_database` stays within the 64 that models' APIs allow."""

_ALLOWED = re.compile(r"[a-z0-9][a-z0-9_-]*")
_RESERVED = frozenset({"conversations"})
"""Files of the home directory that are no databases of documents."""


def name_for(folder_name: str) -> str:
    """Make a database's name of a folder's: "Sales Docs 2024" becomes "sales-docs-2024".

    A name with nothing in it that Latin letters can stand for is named by a checksum.
    """
    decomposed = unicodedata.normalize("NFKD", folder_name.lower())
    latin = decomposed.encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9_]+", "-", latin).strip("-_")[:LONGEST_NAME].rstrip("-_")
    name = name or f"folder-{crc32(folder_name.encode('utf-8', 'surrogatepass')):08x}"
    return f"{name}-folder" if name in _RESERVED else name


def is_name(name: str) -> bool:
    """Whether a database may be called so."""
    fits = len(name) <= LONGEST_NAME and _ALLOWED.fullmatch(name) is not None
    return fits and name not in _RESERVED


def check_name(name: str) -> str:
    """Give `name` back when a database may be called so. Raises LibraryError otherwise."""
    if not is_name(name):
        raise LibraryError(
            f"{name!r} cannot be the name of a database.",
            hint=f"Use up to {LONGEST_NAME} small letters, digits, '-' and '_': "
            f"`--name {name_for(name)}`.",
        )
    return name


def nearest(name: str, names: Sequence[str]) -> str:
    """Say which of `names` somebody may have meant by one that is not there."""
    from rapidfuzz import process  # noqa: PLC0415 - only a mistake needs it

    if not names:
        return "There is none yet; index a folder: rag-assistant index FOLDER"
    near = [match[0] for match in process.extract(name, names, limit=3, score_cutoff=50)]
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return f"There are: {', '.join(names)}."
