"""The words of a LaTeX file, line for line: commands, comments and the preamble are taken out,
headings are found, formulas and listings stay as they are written.
"""

import re
from dataclasses import dataclass, field

from rag_assistant.ingest.parsing.markup.tex_characters import CHARACTER, character, plain
from rag_assistant.values.documents import Heading

_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4}
_LEVELS |= {"paragraph": 5, "subparagraph": 6, "frametitle": 2}
_FACTS = frozenset({"title", "author", "date"})
_WORDLESS = frozenset(
    """
    label ref eqref pageref autoref cref Cref vspace hspace includegraphics bibliography input
    bibliographystyle include usepackage documentclass newcommand renewcommand providecommand def
    setlength addtolength setcounter pagestyle thispagestyle geometry hypersetup definecolor color
    newtheorem DeclareMathOperator fontsize addbibresource graphicspath addcontentsline markboth
    newenvironment renewenvironment theoremstyle hyphenation index captionsetup lstset pagenumbering
    begin end
    """.split()
)
_VERBATIM = "verbatim|Verbatim|lstlisting|minted|alltt"
_FORMULAS = "equation|align|gather|multline|eqnarray|displaymath|math|flalign|alignat"
_TOKEN = re.compile(
    rf"\\begin\{{(?P<kept>(?:{_VERBATIM}|{_FORMULAS}|comment)\*?)\}}"
    r"|(?P<comment>%[^\n]*)"
    r"|(?P<newline>\\\\\*?(?:\[[^\]\n]{0,40}\])?)"
    rf"|(?P<character>{re.sub(r'[?]P<[a-z]+>', '', CHARACTER.pattern)})"
    r"|(?P<math>\$\$?(?:[^$\\\n]|\\.|\n(?![ \t]*\n))++\$\$?|\\\[|\\\()"
    r"|\\(?P<command>[A-Za-z@]+)\*?(?:[ \t]*\[[^\[\]\n]{0,200}\])?"
    r"|(?P<rest>\\.|\}\{|[{}~&]|``|''|---?)"
)
_CLOSED = {"\\[": "\\]", "\\(": "\\)"}
_RESTS = {"}{": " ", "~": " ", "&": " | ", "``": "“", "''": "”", "--": "–", "---": "—"}
_BEGIN, _END = "\\begin{document}", "\\end{document}"
_LONGEST_TITLE = 200
_LONGEST_GROUP = 2000  # characters of an argument that is taken as a whole
_DEEPEST_GROUP = 10
_BRACE = re.compile(r"\\.|[{}]|\n[ \t]*\n", re.DOTALL)


@dataclass(slots=True)
class LatexText:
    """What a file says: its text, where headings and listings are, its title, author and date."""

    parts: list[str] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    length: int = 0

    def write(self, text: str) -> None:
        """Write a part of the text."""
        self.parts.append(text)
        self.length += len(text)


def read(source: str) -> LatexText:
    """Read a file; its text has as many lines as the source. The time is linear in its length."""
    written = LatexText()
    start = source.find(_BEGIN)
    end = source.find(_END, max(start, 0))
    if start >= 0:
        _facts_of(source[:start], written)
        start += len(_BEGIN)
        written.write("\n" * source.count("\n", 0, start))
    at = max(start, 0)
    end = len(source) if end < 0 else end
    while found := _TOKEN.search(source, at, end):
        written.write(source[at : found.start()])
        at = _token(source, found, end, written)
    written.write(source[at:end])
    return written


def _token(source: str, found: re.Match[str], end: int, written: LatexText) -> int:
    """Write what a token stands for; give where the source goes on."""
    if found["kept"]:
        return _kept(source, found, end, written)
    if found["command"]:
        return _command(source, found, end, written)
    if said := found["character"]:
        match = CHARACTER.match(said)
        written.write(character(match) if match else said)
    elif opening := found["math"]:
        close = _CLOSED.get(opening)
        last = source.find(close, found.end(), found.end() + _LONGEST_GROUP) if close else -1
        stop = last + 2 if last >= 0 else found.end()
        written.write(source[found.start() : stop])
        return stop
    elif found["rest"]:
        written.write(_RESTS.get(found["rest"], ""))
    elif found["newline"]:
        written.write(" ")
    return found.end()


def _kept(source: str, found: re.Match[str], end: int, written: LatexText) -> int:
    """Write a formula or a listing as it is; leave out what is commented out as a whole."""
    name = found["kept"]
    close = source.find(f"\\end{{{name}}}", found.end(), end)
    last = end if close < 0 else close
    inner = source[found.end() : last]
    if name.rstrip("*") == "comment":
        written.write("\n" * inner.count("\n"))
    else:
        if name.rstrip("*") in _VERBATIM.split("|"):
            written.code.append((written.length, written.length + len(inner)))
        written.write(inner)
    return end if close < 0 else close + len(f"\\end{{{name}}}")


def _command(source: str, found: re.Match[str], end: int, written: LatexText) -> int:
    """Write what a command says, by its name; the words in its braces mostly follow as text."""
    name, after = found["command"], found.end()
    group = _group(source, after, end)
    if name in _LEVELS or name in _FACTS:
        inner = source[after + 1 : group - 1] if group > after else ""
        words = plain(_without_comments(inner))[:_LONGEST_TITLE]
        if name in _FACTS:
            written.facts.setdefault(name, words)
        elif words:
            written.headings.append(Heading(written.length, _LEVELS[name], words))
        lines = source.count("\n", after, group)
        if name in _FACTS:
            written.write("\n" * lines)
        else:
            written.write(words + ("\n" * lines or " "))
        return group
    if "cite" in name.lower() and group > after:
        written.write(f"[{' '.join(source[after + 1 : group - 1].split())}]")
        written.write("\n" * source.count("\n", after, group))
        return group
    if name in _WORDLESS:
        while group > after:
            written.write("\n" * source.count("\n", after, group))
            after, group = group, _group(source, group, end)
        return after
    if name == "item":
        written.write("-")
        return found.start() + len("\\item")
    if name == "caption" and group > after:
        return _caption(source, after, group, written)
    written.write(" " if name in ("footnote", "quad", "qquad", "par", "href") else "")
    return after


def _caption(source: str, after: int, group: int, written: LatexText) -> int:
    """Write the words of a caption, and keep them apart from a table on the same line."""
    written.write(plain(_without_comments(source[after + 1 : group - 1])))
    lines = source.count("\n", after, group)
    written.write("\n" * lines if lines else " ")
    return group


def _group(source: str, at: int, end: int) -> int:
    """Give the end of the group in braces that begins at `at`; `at` where none does, or is whole.

    A group of more than some lines, or with an empty line in it, is text and no argument.
    """
    if source[at : at + 1] != "{":
        return at
    depth = 0
    for found in _BRACE.finditer(source, at, min(end, at + _LONGEST_GROUP)):
        if found[0] == "{":
            depth += 1
            if depth > _DEEPEST_GROUP:
                return at
        elif found[0] == "}":
            depth -= 1
            if not depth:
                return found.end()
        elif found[0][0] == "\n":
            return at
    return at


def _facts_of(preamble: str, written: LatexText) -> None:
    for found in re.finditer(r"\\(title|author|date)(?:\[[^\[\]\n]{0,200}\])?(?=\{)", preamble):
        group = _group(preamble, found.end(), len(preamble))
        inner = _without_comments(preamble[found.end() + 1 : max(group - 1, 0)])
        words = plain(re.sub(r"\\(?:and|\\)(?![A-Za-z])", ", ", inner))
        written.facts.setdefault(found[1], words.replace(" ,", ","))


def _without_comments(text: str) -> str:
    return re.sub(r"(?<!\\)%[^\n]*", "", text)
