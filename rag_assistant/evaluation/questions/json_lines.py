"""Question sets as JSON lines (https://jsonlines.org): an object of a question's keys on each."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from rag_assistant.evaluation.questions.gathering import QuestionCollector
from rag_assistant.evaluation.questions.text_files import utf8_lines
from rag_assistant.evaluation.questions.values import QuestionSet


def read_json_lines(path: Path, data: bytes) -> QuestionSet:
    """Read the questions of a file's lines; a line that is none is named with its number."""
    gathered = QuestionCollector(path.name)
    for number, line in utf8_lines(path, data, gathered.bad):
        try:
            values = _DECODER.decode(line.strip())
        except RecursionError:
            gathered.leave_out(number, "nested too deep")
        except ValueError as error:  # not JSON, or a number of thousands of digits
            gathered.leave_out(number, _reason(error))
        else:
            gathered.take(number, values)
    return gathered.found()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise _Twice(f"the key {twice[:60]!r} comes twice")
    return values


class _Twice(ValueError):
    """An object has a key twice, of which one would be lost."""


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at column {error.colno}"
    return str(error) if isinstance(error, _Twice) else "a number has too many digits"


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
