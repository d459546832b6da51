"""The bytes of a question file as text and lines, with what has to be said of its encoding."""

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from rag_assistant.errors import LoadError, QuestionSetError
from rag_assistant.evaluation.questions.gathering import BadLines
from rag_assistant.ingest.encoding import decode

FORMS = (
    "Give a file of questions (.jsonl, .csv, .toml, .txt), TREC topics, or a folder in the layout "
    "of BEIR."
)
LARGEST_FILE = 500_000_000
"""Bytes; a million questions with their references are less."""

_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def bytes_of(path: Path) -> bytes:
    """Read a file. Raises QuestionSetError."""
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            data = stream.read(LARGEST_FILE) if size <= LARGEST_FILE else b""
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or error
        raise QuestionSetError(
            f"The question set {path} cannot be read: {why}.", hint=FORMS
        ) from error
    if size > LARGEST_FILE:
        reason = f"larger than {LARGEST_FILE // 10**6} MB"
        raise QuestionSetError(f"{path} is {reason}.", hint="Split it into several sets.")
    return data


def text_of(path: Path, data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode a file as the ingest does, its lines ended by "\\n"; notes tell a guessed encoding.

    Raises QuestionSetError for what looks like a binary file.
    """
    try:
        decoded = decode(data)
    except LoadError as error:
        raise QuestionSetError(f"{path} is {error.message}.", hint=_way_out(path)) from error
    if decoded.encoding.startswith("utf-"):
        return decoded.text, ()
    note = f"{path.name} is not UTF-8 and was read as {decoded.encoding}: look at its accents"
    return decoded.text, (note,)


def utf8_lines(path: Path, data: bytes, bad: BadLines) -> Iterator[tuple[int, str]]:
    """Give the lines that are not blank, with their numbers; those that are not UTF-8 are bad.

    UTF-16 is read where the file is marked as such.
    """
    if data.startswith(_WIDE_MARKS):
        data = text_of(path, data)[0].encode()
    # Cut as bytes: str.splitlines would also cut at separators that JSON allows inside a text.
    for number, line in enumerate(data.removeprefix(codecs.BOM_UTF8).splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            bad.add(path.name, number, f"not UTF-8: {error.reason}")


def _way_out(path: Path) -> str:
    if path.suffix.lower() in (".xlsx", ".xls", ".ods"):
        return "Save the sheet as CSV, with a column named question."
    if path.suffix.lower() == ".gz":
        return f"Unpack it: gunzip --keep {path}"
    return FORMS
