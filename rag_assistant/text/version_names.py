"""What the path of a document says of its version: which name it goes by, of which date, number and
stage; and which date a document bears, by its name, by what it says of itself, or by its file.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rag_assistant.text.name_dates import ISO, date_in_name
from rag_assistant.values.documents import DATE_KEYS

DateSource = Literal["name", "document", "file"]

_NUMBER = re.compile(
    r"(?<![^\W_])(?:v|ver|version|rev|revision)[-_. ]?(\d{1,4}(?:\.\d{1,4}){0,3})(?![^\W_])"
)
_COPY = re.compile(
    r"(?<![^\W_])(?:copy of|kopie von|(?:copy|kopie)(?=\W*(?:\(\d{1,3}\)\W*)?$))(?![^\W_])"
)
_COPY_NUMBER = re.compile(r"\((\d{1,3})\)\W*$")
_STAGES: Mapping[str, int] = {
    **dict.fromkeys("old bak backup archive archived obsolete outdated superseded".split(), -2),
    **dict.fromkeys("draft drafts entwurf wip preliminary".split(), -1),
    **dict.fromkeys("final approved signed".split(), 1),
    **dict.fromkeys("corrected amended revised".split(), 2),
}
"""Words that say how far a version had come; a name without one is at 0."""

_STAGE = re.compile(rf"(?<![^\W_])({'|'.join(_STAGES)})(?![^\W_])")
_ANY_MARK = re.compile(rf"(?:19|20)\d\d|\(\d|copy|kopie|v[-_. ]?\d|ver|rev|{'|'.join(_STAGES)}")
"""What a name has that has any mark; most have none, and need not be looked at further."""

_SPACE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class NamedVersion:
    """A path taken apart. Two of the same `stem` differ in nothing but the marks of versions.

    `subject` is the stem without its dates. `date` is ISO 8601, "" where the path has none. `copy`
    counts the copies that programs number, "report (2)".
    """

    stem: str
    subject: str
    date: str = ""
    number: tuple[int, ...] = ()
    stage: int = 0
    copy: int = 0

    def differs_in_marks(self, other: "NamedVersion") -> bool:
        """Whether the names tell two versions apart by more than a date."""
        return (self.number, self.stage, self.copy) != (other.number, other.stage, other.copy)


@lru_cache(1_000)
def named_version(path: str) -> NamedVersion:
    """Take a path apart. Marks count in names of folders too: `archive/`, `2024/`, `drafts/`."""
    *folders, name = unicodedata.normalize("NFC", path).lower().split("/")
    parts = [*folders, name.rsplit(".", 1)[0] or name]
    taken = [_taken_apart(part) for part in parts]
    stem, subject = [one.stem for one in taken], [one.subject for one in taken]
    if not stem[-1]:  # a name of nothing but marks tells documents apart all the same
        stem[-1] = subject[-1] = parts[-1]
    stages = [one.stage for one in taken]
    return NamedVersion(
        "/".join(filter(None, stem[:-1])) + f"/{stem[-1]}",
        "/".join(filter(None, subject[:-1])) + f"/{subject[-1]}",
        next((one.date for one in reversed(taken) if one.date), ""),
        next((one.number for one in reversed(taken) if one.number), ()),
        min(stages) if min(stages) < 0 else max(stages),
        taken[-1].copy,
    )


@lru_cache(1_000)
def _taken_apart(part: str) -> NamedVersion:
    """Take the name of a file or folder apart; folders come again and again."""
    if not _ANY_MARK.search(part):
        plain = _SPACE.sub(" ", part).strip()
        return NamedVersion(plain, plain)
    rest, date = _without_date(part)
    rest, copies = _without(_COPY_NUMBER, rest)
    rest, numbers = _without(_NUMBER, _COPY.sub(" ", rest))
    rest, words = _without(_STAGE, rest)
    plain = _SPACE.sub(" ", rest).strip()
    stages = [_STAGES[word] for word in words]
    return NamedVersion(
        f"{plain} {date}".strip(),
        plain,
        date,
        tuple(int(digits) for digits in numbers[-1].split(".")) if numbers else (),
        min(stages) if stages and min(stages) < 0 else max(stages, default=0),
        int(copies[-1]) if copies else 0,
    )


def _without(pattern: re.Pattern[str], text: str) -> tuple[str, list[str]]:
    found: list[str] = pattern.findall(text)
    return (pattern.sub(" ", text), found) if found else (text, found)


def _without_date(name: str) -> tuple[str, str]:
    """Take the first date out of a name; give it in ISO 8601."""
    found = date_in_name(name)
    if found is None:
        return name, ""
    date, start, end = found
    return f"{name[:start]} {name[end:]}", date.iso


def own_date(metadata: Mapping[str, str]) -> str:
    """Give the date that a document bears by its own word, ISO 8601, "" for none."""
    dates = (metadata.get(key, "") for key in DATE_KEYS)
    return next((date for date in dates if ISO.match(date)), "")


def document_date(
    path: str, metadata: Mapping[str, str], changed: str = ""
) -> tuple[str, DateSource]:
    """Give the day that a document is of, and how that is known.

    A date in its name comes first, since a person put it there; then what the document says of
    itself; last `changed`, when its file was. Each is ISO 8601, to the day at most.
    """
    if named := named_version(path).date:
        return named, "name"
    if own := own_date(metadata):
        return own[:10], "document"
    return changed[:10], "file"
