"""The schemas (JSON Schema 2020-12) of what is asked and what is given."""

from typing import Any

Schema = dict[str, Any]

LONGEST_QUESTION = 20_000
"""Characters of a question."""

MOST_MESSAGES = 400
"""Messages of a conversation that a request carries."""

LARGEST = 2**53 - 1
"""The largest number that every reader of JSON takes for what it is."""


def listed(of: Schema, **more: Any) -> Schema:
    """Give the schema of a list."""
    return {"type": "array", "items": of, **more}


def fields(needed: Schema, more: Schema | None = None, *, closed: bool = False) -> Schema:
    """Give the schema of an object with fields that it must and may have."""
    made: Schema = {"type": "object", "properties": {**needed, **(more or {})}}
    if needed:
        made["required"] = list(needed)
    return {**made, "additionalProperties": False} if closed else made


TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
QUESTION: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_QUESTION,
    "pattern": r"\S",
    "description": f"a text that is not empty, of {LONGEST_QUESTION:,} characters at most",
}
DATABASE: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9_-]{1,40}$",
    "description": "a name of small letters, digits, hyphens and underscores",
}
ENTRY: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST}

_PLACED: Schema = {
    "uri": TEXT,
    "page": {"type": ["integer", "null"]},
    "heading": TEXT_OR_NULL,
    "line": {"type": ["integer", "null"]},
    "start": NUMBER,
    "end": NUMBER,
}
_DOCUMENT: Schema = {"database": TEXT, "id": NUMBER, "title": TEXT, "path": TEXT}
_CITED = fields({**_DOCUMENT, "quote": TEXT, "uri": TEXT}, _PLACED)

ERROR = fields({"error": fields({"message": TEXT, "type": TEXT}, {"code": TEXT, "param": {}})})
DATABASES = fields(
    {
        "databases": listed(
            fields(
                {"name": TEXT},
                {
                    "about": TEXT,
                    "documents": NUMBER,
                    "not_read": NUMBER,
                    "indexed_at": TEXT_OR_NULL,
                    "error": TEXT,
                },
            )
        )
    }
)
HITS = fields(
    {
        "query": TEXT,
        "databases": listed(TEXT),
        "hits": listed(
            fields(
                {"rank": NUMBER, "score": {"type": "number"}, **_DOCUMENT, "snippet": TEXT},
                _PLACED,
            )
        ),
        "notes": listed(TEXT),
    }
)
_FOUND = listed(fields({**_DOCUMENT, "passages": listed(fields({"quote": TEXT}, _PLACED))}))
ENTRIES = fields({}, {"documents": NUMBER, "of": NUMBER, "documents_found": _FOUND})
PASSAGES = fields(
    {"id": NUMBER, "characters": NUMBER, "documents_found": _FOUND}, {"next_at": NUMBER}
)
OUTLINE = fields(
    {**_DOCUMENT, "characters": NUMBER}, {"parts": listed(fields({"at": NUMBER, "part": TEXT}))}
)
ANSWER = fields(
    {
        "question": TEXT,
        "answer": TEXT,
        "answered": FLAG,
        "confidence": {"type": ["integer", "null"], "minimum": 1, "maximum": 10},
        "citations": listed(
            {**_CITED, "properties": {**_CITED["properties"], "marker": NUMBER, "verified": FLAG}}
        ),
        "not_confirmed": listed(fields({"text": TEXT, "support": TEXT})),
        "objections": listed(TEXT),
        "disagreements": listed(TEXT),
        "refusal": {
            "oneOf": [
                {"type": "null"},
                fields({"reason": TEXT, "nearest": listed(_CITED), "widen": listed(TEXT)}),
            ]
        },
        "coverage": TEXT,
        "model": TEXT,
        "elapsed_ms": NUMBER,
    }
)
ASK = fields(
    {"question": QUESTION},
    {
        "databases": listed(DATABASE, maxItems=100),
        "past": listed(
            fields({"question": QUESTION, "answer": TEXT}, closed=True), maxItems=MOST_MESSAGES
        ),
        "stream": FLAG,
    },
    closed=True,
)
MODEL = fields({"id": TEXT, "object": {"const": "model"}, "created": NUMBER, "owned_by": TEXT})
MODELS = fields({"object": {"const": "list"}, "data": listed(MODEL)})

_PART = {
    "oneOf": [
        fields({"type": {"const": "text"}, "text": TEXT}),
        fields({"type": {"const": "refusal"}, "refusal": TEXT}),
    ]
}
_CONTENT = {"oneOf": [TEXT, listed(_PART, maxItems=100)]}
_MESSAGE = {
    "oneOf": [
        fields({"role": {"enum": ["user", "system", "developer"]}, "content": _CONTENT}),
        fields(
            {"role": {"const": "assistant"}},
            {"content": {"oneOf": [{"type": "null"}, *_CONTENT["oneOf"]]}},
        ),
        fields({"role": {"enum": ["tool", "function"]}}, {"content": {}}),
    ]
}
_ASKED_PART = fields({"type": {"const": "text"}, "text": QUESTION})
_ASKING = fields(
    {
        "role": {"const": "user"},
        "content": {"oneOf": [QUESTION, listed({}, contains=_ASKED_PART)]},
    }
)
_MESSAGES = listed(
    _MESSAGE,
    contains=_ASKING,
    maxItems=MOST_MESSAGES,
    description="a list with a message of the role user that has a text",
)
CHAT = fields(
    {"model": {"type": "string", "examples": ["rag-assistant"]}, "messages": _MESSAGES},
    {
        "stream": {"type": ["boolean", "null"]},
        "stream_options": {
            "oneOf": [{"type": "null"}, fields({}, {"include_usage": FLAG})],
        },
        "n": {"enum": [1, None]},
    },
)
ANNOTATION = fields(
    {
        "type": {"const": "url_citation"},
        "url_citation": fields(
            {"start_index": NUMBER, "end_index": NUMBER, "title": TEXT, "url": TEXT}
        ),
    }
)
USAGE = fields({"prompt_tokens": NUMBER, "completion_tokens": NUMBER, "total_tokens": NUMBER})
COMPLETION = fields(
    {
        "id": TEXT,
        "object": {"const": "chat.completion"},
        "created": NUMBER,
        "model": TEXT,
        "choices": listed(
            fields(
                {
                    "index": NUMBER,
                    "message": fields(
                        {
                            "role": {"const": "assistant"},
                            "content": TEXT,
                            "refusal": {"type": "null"},
                            "annotations": listed(ANNOTATION),
                        }
                    ),
                    "finish_reason": {"const": "stop"},
                    "logprobs": {"type": "null"},
                }
            ),
            minItems=1,
            maxItems=1,
        ),
        "usage": USAGE,
    }
)
