"""What settings are called where people read, the groups they stand in, and their units."""

from collections.abc import Mapping

from rag_assistant.config.described import Setting
from rag_assistant.tui.drawing.interface_words import in_keys

GENERAL: Mapping[str, str] = {
    "model": "Answers",
    "helper": "Answers",
    "judge": "Answers",
    "fallback": "Answers",
    "persona": "Answers",
    "embedder": "Search",
    "reranker": "Search",
    "egress": "Privacy",
    "history": "Privacy",
    "theme": "Look",
    "animations": "Look",
    "ascii": "Look",
    "mouse": "Look",
}
"""The groups of the settings that stand in no table of the file, in the order they are listed."""

_TABLES: Mapping[str, str] = {
    "models": "Model {}",
    "embedders": "Vectors by {}",
    "rerankers": "Second look by {}",
    "limits": "Limits of one question",
    "context": "Long conversations",
    "tools": "Tools",
    "mcp": "Tools of the server {}",
    "databases": "Database {}",
}

_ENDPOINT: Mapping[str, str] = {
    "base_url": "Address",
    "api_key_env": "Variable that holds the key",
    "keyring": "Key in the system's keyring",
    "local": "Runs on this computer",
    "timeout_seconds": "Longest silence|seconds",
    "folder": "Folder of the model",
}

_LABELS: Mapping[str, str] = {
    "model": "Model that answers",
    "helper": "Model that condenses documents",
    "judge": "Model that gives a second reading",
    "fallback": "Built-in model steps in",
    "persona": "Persona file",
    "embedder": "Search by meaning with",
    "reranker": "Best hits read once more by",
    "egress": "Where text of documents may go",
    "history": "Keep conversations",
    "theme": "Theme",
    "animations": "Motion",
    "ascii": "ASCII frames and marks",
    "mouse": "Mouse",
    "limits.steps": "Requests to the model",
    "limits.tokens": "All requests together|tokens",
    "limits.seconds": "Longest silence|seconds",
    "limits.searches": "Searches",
    "limits.search_tokens": "Shown of a search|tokens",
    "limits.evidence_tokens": "Condensed at once|tokens",
    "context.policy": "What is left out first",
    "context.items": "Messages that are kept",
    "context.tokens": "Longest request|tokens",
    "tools.run_python": "Models may ask to run Python",
    "tools.python_seconds": "Longest run of Python|seconds",
    "tools.python_megabytes": "Memory of Python|MB",
    "tools.bounding_boxes": "Models may mark things in images",
    **{f"models.*.{name}": label for name, label in _ENDPOINT.items()},
    "models.*.model": "Name at the endpoint",
    "models.*.wire": "Interface",
    "models.*.native_tools": "Takes tools in the request",
    "models.*.call_form": "How it writes calls of tools",
    "models.*.helper": "Documents are condensed for it",
    "models.*.evidence_tokens": "Reads at once|tokens",
    "models.*.images": "Sees images",
    "models.*.context_tokens": "Longest conversation|tokens",
    "models.*.price_input": "Price of input|per million tokens",
    "models.*.price_output": "Price of output|per million tokens",
    "models.*.max_output_tokens": "Longest reply|tokens",
    **{f"embedders.*.{name}": label for name, label in _ENDPOINT.items()},
    "embedders.*.kind": "Kind",
    "embedders.*.model": "Name at the endpoint",
    "embedders.*.batch": "Sent at once|passages",
    "embedders.*.dimensions": "Numbers in a vector",
    "embedders.*.query_prefix": "Words before a question",
    "embedders.*.passage_prefix": "Words before a passage",
    "embedders.*.max_characters": "Sent of a passage|characters",
    **{f"rerankers.*.{name}": label for name, label in _ENDPOINT.items()},
    "rerankers.*.kind": "Kind",
    "rerankers.*.model": "Name of the model",
    "rerankers.*.wire": "Interface",
    "rerankers.*.passages": "Hits that are read|hits",
    "mcp.*.command": "Program",
    "mcp.*.args": "Its arguments",
    "mcp.*.env": "Variables that it is given",
    "mcp.*.url": "Address",
    "mcp.*.transport": "Interface",
    "mcp.*.headers": "Headers of requests",
    "mcp.*.allow": "Tools that run without asking",
    "mcp.*.timeout_seconds": "Longest call|seconds",
    "databases.*.egress": "Where its text may go",
}

_CHOICES: Mapping[tuple[str, str], str] = {
    ("egress", "local"): "on this computer only",
    ("egress", "ask"): "elsewhere once you said yes",
    ("egress", "any"): "anywhere",
    ("policy", "shrink"): "what was read, then the oldest",
    ("policy", "circular"): "the oldest messages",
    ("helper", "always"): "always",
    ("helper", "auto"): "where they are long",
    ("helper", "never"): "never",
    ("model", "extractive"): "built-in: quotes, no key, no network",
    ("helper", ""): "the model that answers",
    ("judge", ""): "none",
    ("embedder", ""): "none: by words alone",
    ("reranker", ""): "none",
}


_EXPLANATIONS: Mapping[str, str] = {
    "model": "The model that answers questions. The built-in one quotes, and needs no other.",
    "helper": "The model that condenses documents for the one that answers.",
    "embedder": "The model by which passages are found that are near in meaning.",
    "reranker": "The model that puts the best hits in order once more.",
    "egress": "Where the text of a database may go for which nothing else is set.",
    "persona": "A file that says what the assistant is called, its tone, and what it keeps to.",
    "history": "Whether conversations are kept, to be found and gone on with.",
    "theme": "The colours of the interface.",
    "tools.bounding_boxes": "Whether a model that sees images may mark things in them.",
    "context.policy": "What a conversation that is too long for the model gives up first.",
    "context.items": "How many messages are kept where the oldest are left out first.",
    "context.tokens": "How long a request may be where the model does not say how much it reads.",
}
"""What settings do, where the file's own explanation speaks of how it is written there."""


def explanation_of(setting: Setting) -> str:
    """Say what a setting does."""
    return _EXPLANATIONS.get(_pattern(setting), in_keys(setting.help))


def has_label(setting: Setting) -> bool:
    """Whether it is called something."""
    return _pattern(setting) in _LABELS


def label_of(setting: Setting) -> str:
    """Give what a setting is called; its own name where there is nothing better."""
    return _words(setting)[0]


def unit_of(setting: Setting) -> str:
    """Give the unit of a number; empty for none."""
    return _words(setting)[1]


def group_of(setting: Setting) -> str:
    """Give the title that a setting stands under."""
    if len(setting.key) == 1:
        return GENERAL.get(setting.name, "Other")
    return _TABLES.get(setting.key[0], setting.key[0]).format(setting.key[1])


def choice_words(setting: Setting, value: str) -> str:
    """Say what a choice means; the value itself where it says so."""
    return _CHOICES.get((setting.key[-1], value), value)


def _words(setting: Setting) -> tuple[str, str]:
    label, _, unit = _LABELS.get(_pattern(setting), setting.key[-1]).partition("|")
    return label, unit


def _pattern(setting: Setting) -> str:
    if len(setting.key) == 3:
        return f"{setting.key[0]}.*.{setting.key[2]}"
    return setting.name
