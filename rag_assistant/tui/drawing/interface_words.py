"""What to do next, in the words of the interface: keys in the place of commands.

Whoever finds a failure says what helps by the command line, which all front ends share. What can be
done by a key here is said so; of what cannot, only that it is done elsewhere, and no command is
quoted. What is no command, such as what to install, stays as it is.
"""

import re

from rag_assistant.errors import RagError

_KEYS = (
    (r"Index a folder: `rag-assistant index FOLDER`", "Esc, then Ctrl+O adds a folder"),
    (r"Index(?: it| them| its folder)? again: `rag-assistant index [^`]+`", "F5 reads it again"),
    (r"Update its folder again: `rag-assistant index [^`]+`", "F5 reads its folder again"),
    (r"Bring the database into step: `rag-assistant index [^`]+`", "F5 reads changed files again"),
    (r"See why: `rag-assistant databases info [^`]+`", "F4 shows why"),
    (r"rag-assistant databases info [^\s`]+", "F4 lists them"),
    (r"`rag-assistant databases repair (?!conversations\.db|egress\.sqlite)[^`]+`", "F4, then m"),
    (r"Ask something: `rag-assistant ask QUESTION`", "Ask something"),
    (r"See rag-assistant history(?: show [^\s.]+)?", "Ctrl+R lists the conversations"),
    (r"See what the model can do: `rag-assistant doctor`", "F3 tries the model"),
    (r"List (?:the runs|them): `rag-assistant eval runs`", "F9 lists the runs"),
    (r"Index its folder: `?rag-assistant index [^.`]+`?", "Add its folder: Esc, then Ctrl+O"),
    (r"index a folder: rag-assistant index FOLDER", "Ctrl+O adds a folder"),
    (r"or make some from a database: rag-assistant eval init -d NAME", "or make some here: n"),
    (r"`?rag-assistant databases egress \S+ (?:any|local|ask)\b`?", "F4, then e"),
    (r"or empty the database: `rag-assistant index [^`]+--prune`", "or remove it: F4, then x"),
    (r" *\(databases suspicious [^)]*\)", " (F4, then p)"),
    (r"\(why: databases suspicious [^)]*\)", "(why: F4, then p)"),
    (r"What they hold: rag-assistant databases", "F4 lists what they hold"),
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

_ENDS = r"(?=[.;,:)]*(?:\s|\Z))"
"""What stands behind an option: in the name of a file more may follow."""

_OUTSIDE = (
    (r"(Unpack \w+): `?gunzip --keep [^`]*`?", r"\1 first"),
    (r", as with the option --[a-z]+", ""),
    (r"; make new ones: rag-assistant embed \S+", ""),
    (r": rag-assistant (?:embed|eval (?:resume|compare|report)) [^.;,)]*", ""),
    (r"and rag-assistant eval report NUMBER measures", "and the page of the run measures"),
    # One of two ways is an option of a command: the other is left.
    (rf"(?:,? or| Or) [^.;:`]*(?:: ?)?`?(?:--[a-z][\w-]*|-[a-z]\b)(?: [A-Z]+\b)*`?{_ENDS}", ""),
    (r"(?: by|:)? `rag-assistant [a-z][^`]*`", " on the command line"),
    (
        r"(?:^|:? )rag-assistant (?:eval|index|embed|databases|model|doctor)\b[^.;,)]*",
        " on the command line",
    ),
    (rf" ?\(--[a-z][^)]*\){_ENDS}", ""),
    (r": `?--[a-z][\w-]*(?: [\w@=]+)*`?(?: or `?--[a-z][\w-]*(?: [\w@=]+)*`?)*", ""),
)
"""What is left of commands, of which no key does the same."""

_QUOTED = r"“[^”]*”|‘[^’]*’|(?<![\w`])'[^'\n`]*'(?!\w)|(?<![\w`])\"[^\"\n`]*\"(?!\w)"
"""Words of somebody else, a question or a name: they stay, whatever they look like."""

_HELD = "\ue000"
"""Stands for such words in between; as no person's, it is taken for a letter nowhere."""


def in_keys(hint: str) -> str:
    """Give a hint with the keys that do what its commands do, and without any command."""
    quoted = re.findall(_QUOTED, hint) if _HELD not in hint else []
    for words in quoted:
        hint = hint.replace(words, f"{_HELD}{quoted.index(words)}{_HELD}", 1)
    for pattern, said in (*_KEYS, *_OUTSIDE):  # compiled by the first hint: few starts have one
        hint = re.sub(pattern, said, hint)
    for number, words in enumerate(quoted):
        hint = hint.replace(f"{_HELD}{number}{_HELD}", words)
    return hint


def told(error: RagError | OSError) -> str:
    """Say in a line what went wrong, and what helps here."""
    return in_keys(str(error))
