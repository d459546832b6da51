"""Names that are told apart by a sign (C++, C#, .NET, #include, --flag) and operators (->, ::).

An index of words sees nothing but their letters, if they have any. So each has a word of its own
that is put beside the text and looked up beside the query: `cplusplus`, `csharp`, `dotnet`,
`hashinclude`, `optionflag`, `minusgreater`.
"""

import re
from collections.abc import Iterator

OPERATORS = "-> => <- := :: == != === !== <=> && || ?? ?. |>".split()
"""Those that are looked for. Others are marks of text as well: ** and >> of Markdown and mail."""

_SPOKEN = {
    "-": "minus",
    ">": "greater",
    "<": "less",
    "=": "equals",
    ":": "colon",
    "!": "not",
    "&": "ampersand",
    "|": "bar",
    "?": "question",
    ".": "dot",
}
_WORD_OF = {one: "".join(_SPOKEN[sign] for sign in one) for one in OPERATORS}
_IN_OPERATORS = (">", "=", "::", "&&", "||", "??", "?.", "<-")
"""One of these is in each operator."""

_RUN = re.compile(r"[-+*/%<>=:!&|?~^][-+*/%<>=:!&|?~^.]+")

# Each begins with its sign, which `re` looks for fastest, and looks behind from there.
_PLUS = re.compile(r"\+\+(?<=[^\W_]\+\+)(?![A-Za-z_+])")
_SHARP = re.compile(r"#(?<=[A-Za-z]#)(?<!\w\w#)(?![\w#])")
_HASH = re.compile(r"#(?<![\w#&/]#)(?![\da-fA-F]{3,8}\b)([A-Za-z]\w{1,40})")
_DOT = re.compile(r"\.(?<![\w.)\]/\\]\.)([A-Za-z]\w{1,40})(?![\w(])")
_OPTION = re.compile(r"--(?<![\w-]--)([A-Za-z][\w-]{0,40})")
_PLUS_NAME = re.compile(r"(?<!\w)[CcGg]|(?<![A-Za-z])[A-Z][a-z]{2,15}")
_LONGEST_PLUS_NAME = 17


def signed_words(text: str) -> list[str]:
    """Give the words that stand for the signed names and operators of a text, each once."""
    found = [f"dot{name.lower()}" for name in _DOT.findall(text)]
    # Most texts have none: to look for the bare signs first costs next to nothing.
    if "++" in text:
        found += _plus_names(text)
    if "#" in text:
        found += [f"{text[sharp.start() - 1].lower()}sharp" for sharp in _SHARP.finditer(text)]
        found += [f"hash{name.lower()}" for name in _HASH.findall(text)]
    if "--" in text:
        found += [f"option{re.sub('[-_]', '', name).lower()}" for name in _OPTION.findall(text)]
    if any(sign in text for sign in _IN_OPERATORS):
        found += [_WORD_OF[run] for run in _RUN.findall(text) if run in _WORD_OF]
    return list(dict.fromkeys(found))


def _plus_names(text: str) -> Iterator[str]:
    """Give words for C++, c++17, g++ and Notepad++, but none for the i++ of a loop."""
    for plus in _PLUS.finditer(text):
        before = text[max(0, plus.start() - _LONGEST_PLUS_NAME) : plus.start()]
        for name in _PLUS_NAME.findall(before)[-1:]:
            if before.endswith(name):
                yield f"{name.lower()}plusplus"
