"""A model's reply that is to be one JSON object of a schema; what is wrong goes back to it."""

import json
from typing import Any, NoReturn

from rag_assistant.errors import BadReply
from rag_assistant.values.messages import JsonObject


def read_object(written: str, schema: JsonObject) -> dict[str, Any]:
    """Read the object in a reply; a code fence or words around it are forgiven.

    Raises BadReply with the reason, worded for the model.
    """
    return checked(parsed_object(written), schema)


def parsed_object(written: str) -> dict[str, Any]:
    """Read the object in a reply, whatever it holds. Raises BadReply."""
    start, end = written.find("{"), written.rfind("}")
    if start < 0 or end < start:
        raise BadReply("it holds no JSON object.")
    try:
        reply = json.loads(written[start : end + 1], parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadReply(f"it is not JSON ({error}).") from error
    return dict(reply)


def checked(reply: dict[str, Any], schema: JsonObject) -> dict[str, Any]:
    """Give an object that is of a schema. Raises BadReply."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 100 ms, only a run needs it

    problems = [
        f"{problem.json_path}: {problem.message}"
        for problem in Draft202012Validator(dict(schema)).iter_errors(reply)
    ]
    if problems:
        raise BadReply("; ".join(problems[:3])[:500] + ".")
    return reply


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")
