"""What to do next, in the words of the interface: keys in the place of commands.

Whoever finds a failure says what helps by the command line, which all front ends share. What can be
done by a key here is said so here; what cannot, such as installing something, stays as it is.
"""

import re

_KEYS = (
    (r"Index a folder: `rag-assistant index FOLDER`", "Esc, then Ctrl+O adds a folder"),
    (r"Index(?: it| them| its folder)? again: `rag-assistant index [^`]+`", "F5 reads it again"),
    (r"Update its folder again: `rag-assistant index [^`]+`", "F5 reads its folder again"),
    (r"Bring the database into step: `rag-assistant index [^`]+`", "F5 reads changed files again"),
    (r"See why: `rag-assistant databases info [^`]+`", "F4 shows why"),
    (r"rag-assistant databases info [^\s`]+", "F4 lists them"),
    (r"Ask something: `rag-assistant ask QUESTION`", "Ask something"),
    (r"See rag-assistant history(?: show \d+)?", "Ctrl+R lists the conversations"),
    (r"See what the model can do: `rag-assistant doctor`", "F3 tries the model"),
    (r"List (?:the runs|them): `rag-assistant eval runs`", "F9 lists the runs"),
    (r"Choose one that can: --model NAME", "F3 chooses another model"),
    (
        r"Add \[models\.NAME\] to config\.toml, or set OPENAI_API_KEY or OPENAI_BASE_URL",
        "F3 chooses another",
    ),
    (r"choose another model\b", "choose another model (F3)"),
    (r"Start a new conversation", "Start a new conversation (Ctrl+N)"),
    (r"(?:correct|Check) base_url", "Check its address (F3)"),
    (r"Raise it under \[limits\] in the configuration", "Raise it in the settings (F2)"),
    (r"and that base_url is right: it usually ends in /v1", "and its address (F3)"),
)
_PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _KEYS)


def in_keys(hint: str) -> str:
    """Give a hint with the keys that do what its commands do."""
    for pattern, words in _PATTERNS:
        hint = pattern.sub(words, hint)
    return hint
