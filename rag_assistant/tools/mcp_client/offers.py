"""What a server offers, made fit for a model: legal names, checked schemas, short descriptions.

A schema is checked again for each call, on our side and by our validator, so nothing may be left in
it that takes that one to the network or keeps it busy: references stay inside, and patterns become
part of the description.
"""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.text.safe_text import clean, clean_line
from rag_assistant.values.messages import JsonObject

NAME_CHARACTERS = 64
"""The longest name of a tool that models' endpoints take."""

DESCRIPTION_CHARACTERS = 1_000
DEPTH = 24
REFERENCES = 24
"""How often a schema may refer to parts of itself: each reference can double the work."""

_NAMED_SCHEMAS = ("properties", "$defs", "definitions", "dependentSchemas")
_ANY_JSON = ("enum", "const", "default", "examples", "required")
_LEFT_OUT = ("$schema", "$id", "$comment", "$vocabulary", "pattern", "patternProperties")


class BrokenSchema(Exception):
    """A schema that no call could be checked against; the message says why."""


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as its server describes it, unchecked."""

    name: str
    description: str
    schema: JsonObject


def legal_name(server: str, tool: str, servers: Collection[str]) -> str:
    """Give the name by which models call a tool: SERVER_TOOL where that is legal and no other's.

    Otherwise it ends in a digest of both names, so that it never depends on what else is offered:
    a leave given to a name stays with its tool.
    """
    wished = f"{server}_{tool}"
    legal = re.sub(r"[^A-Za-z0-9_-]", "_", wished)
    claimed = any(other != server and wished.startswith(f"{other}_") for other in servers)
    if legal == wished and len(legal) <= NAME_CHARACTERS and not claimed:
        return legal
    digest = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "replace")).hexdigest()[:8]
    return f"{legal[: NAME_CHARACTERS - 9]}_{digest}"


def shortened(text: str, limit: int = DESCRIPTION_CHARACTERS) -> str:
    """Give a description without unsafe characters, cut where it is too long."""
    text = clean(text).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def for_models(text: str) -> str:
    """Give a server's description as models read it: short, and nothing where it gives orders."""
    text = shortened(text)
    return "" if why_suspicious(text) else text


def checked_schema(schema: JsonObject) -> JsonObject:
    """Give a tool's schema as models see it. Raises BrokenSchema when no call could be checked."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - 100 ms, only a run needs it
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415

    if schema.get("type") != "object":
        raise BrokenSchema("its schema is not of an object")
    passed_on: JsonObject = _Cleaner().clean(schema, 0)
    if why := why_suspicious(json.dumps(passed_on, ensure_ascii=False)):
        raise BrokenSchema(f"its schema {why}")
    try:
        Draft202012Validator.check_schema(dict(passed_on))
    except SchemaError as error:
        raise BrokenSchema(f"its schema is broken: {clean_line(error.message)[:100]}") from error
    return passed_on


class _Cleaner:
    """Walks one schema and counts its references."""

    def __init__(self) -> None:
        self._references = 0

    def clean(self, schema: Any, depth: int) -> Any:
        """Give a schema, or the part of one, that may be passed on."""
        if depth > DEPTH:
            raise BrokenSchema("its schema is nested too deeply")
        if isinstance(schema, list):
            return [self.clean(part, depth + 1) for part in schema]
        if not isinstance(schema, Mapping):
            return schema
        kept = {
            key: self._value(key, value, depth)
            for key, value in schema.items()
            if key not in _LEFT_OUT
        }
        if isinstance(schema.get("pattern"), str):
            told = f"{kept.get('description', '')} Pattern: {shortened(schema['pattern'], 200)}"
            kept["description"] = told.strip()
        if "patternProperties" in schema:
            kept.pop("additionalProperties", None)
        return kept

    def _value(self, key: str, value: Any, depth: int) -> Any:
        if key in _ANY_JSON:
            return value
        if key in ("$ref", "$dynamicRef"):
            return self._reference(value)
        if key in _NAMED_SCHEMAS and isinstance(value, Mapping):
            return {name: self.clean(part, depth + 1) for name, part in value.items()}
        if key in ("title", "description") and isinstance(value, str):
            return for_models(value)
        return self.clean(value, depth + 1)

    def _reference(self, target: object) -> str:
        self._references += 1
        if not (isinstance(target, str) and target.startswith("#")):
            raise BrokenSchema("its schema refers to something outside")
        if self._references > REFERENCES:
            raise BrokenSchema("its schema refers to itself too often")
        return target
