"""Commands that a model writes into its answer: `[NAME: value]`, taken out while the text streams.

A command acts at once and costs no request. What is not exactly a command in the model's own prose
stays text: unknown names, links, code, quoted lines, escaped or unbalanced brackets, and a command
that the model copied from what a tool gave it.
"""

import html
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_assistant.agents.citations import markers_for
from rag_assistant.injection.folding import flat
from rag_assistant.text.streaming import Prose
from rag_assistant.values.events import Event, Note, Suggested, TitleGiven

LONGEST = 500
"""Characters of a command; a longer one is text."""

_LONGEST_TITLE = 80
_LONGEST_SUGGESTION = 200
_WORD = re.compile(r"[A-Z_]*")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")
_BRACKET = re.compile(r"\\.|[\[\]\n]")
_QUOTES_BEFORE = frozenset("[\"'“„‚‘«‹")
"""After one of these a command is being quoted, or is no command."""


@dataclass(frozen=True, slots=True)
class InlineCommand:
    """A command. `value` stands for the value where models are told of it; empty: it takes none.

    `act` is given the value and gives an event, or text that takes the command's place, or None
    when it cannot do anything with the value: then the command stays text.
    """

    name: str
    value: str
    description: str
    act: Callable[[str], Event | str | None]

    @property
    def form(self) -> str:
        """How it is written."""
        return f"[{self.name}: {self.value}]" if self.value else f"[{self.name}]"


COMMANDS = (
    InlineCommand(
        "NOTE",
        "what you are about to do",
        "Your plan, in one sentence, before your first tool call. It is shown apart from the "
        "answer; the answer itself never goes here.",
        lambda value: Note(value, is_plan=True),
    ),
    InlineCommand(
        "CITE",
        "3, 4",
        "Cites quotes by their numbers, right after the claim; the same as writing [3][4].",
        markers_for,
    ),
    InlineCommand(
        "TITLE",
        "a few words",
        "Names the conversation. Once, with your first answer.",
        lambda value: TitleGiven(value[:_LONGEST_TITLE]),
    ),
    InlineCommand(
        "SUGGEST",
        "a question",
        "A question that the person may want to ask next. After the answer, three at most.",
        lambda value: Suggested(value[:_LONGEST_SUGGESTION]),
    ),
)
"""All commands there are. A new one is a line here."""


def describe(commands: Sequence[InlineCommand]) -> str:
    """Say how to use commands, one in each line, for the model to read."""
    return "\n".join(f"- {command.form} {command.description}" for command in commands)


def stands_in(command: str, texts: Iterable[str]) -> bool:
    """Whether a command stands in one of the texts, as it is or inside of JSON.

    White space counts as one space, and neither case nor entities nor what nobody sees make a
    difference: who copies often changes them.
    """
    forms = {_flat(command), _flat(json.dumps(command, ensure_ascii=False)[1:-1])}
    return any(form in flat for flat in map(_flat, texts) for form in forms)


@lru_cache(maxsize=64)
def _flat(text: str) -> str:
    plain = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), text.replace("\\n", " "))
    return flat(html.unescape(plain))


class InlineCommandStream:
    """Takes commands out of streamed text.

    `is_quoted` tells of a command, as it was written, whether the model has it from somewhere else.
    """

    def __init__(
        self,
        commands: Sequence[InlineCommand] = COMMANDS,
        is_quoted: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._commands = {command.name: command for command in commands}
        self._is_quoted = is_quoted
        self._prose = Prose()
        self._held = ""
        self._drops_white_space = False

    def feed(self, text: str) -> list[Event | str]:
        """Take a piece; give the text and the events that are ready, in their order.

        What may yet become a command waits for the next piece.
        """
        self._held += text
        return self._read(final=False)

    def finish(self) -> list[Event | str]:
        """Give what was held back when the text has ended."""
        return self._read(final=True)

    def _read(self, *, final: bool) -> list[Event | str]:
        text, at, shown = self._held, 0, _Shown()
        while at < len(text):
            if self._drops_white_space:
                at = self._drop(text, at)
                continue
            if text[at] == "[" and self._prose.is_prose():
                found = self._command_at(text, at, final)
                if found is _MORE:
                    break
                if found:
                    shown.add(found.outcome)
                    self._leave(found)
                    at = found.end
                    continue
            end = self._prose.read(text, at, final=final)
            if end is None:
                break
            shown.add(text[at:end])
            at = end
        self._held = text[at:]
        return shown.parts

    def _leave(self, found: "_Found") -> None:
        """Go on behind a command. A line that held nothing else leaves no empty line."""
        is_text = isinstance(found.outcome, str)
        self._prose.skip(bare=not is_text)
        self._drops_white_space = self._prose.line_is_bare

    def _drop(self, text: str, at: int) -> int:
        if text[at] in " \t":
            return at + 1
        self._drops_white_space = False
        return self._prose.read(text, at, final=False) or at if text[at] == "\n" else at

    def _command_at(self, text: str, at: int, final: bool) -> "_Found | None":
        """Read the command at a bracket: None when there is none, _MORE while that is not sure."""
        if self._prose.before in _QUOTES_BEFORE:
            return None
        word = _WORD.match(text, at + 1)
        assert word  # it matches the empty text, too
        if word.end() == len(text):
            may_be = any(name.startswith(word[0]) for name in self._commands)
            return _MORE if may_be and not final else None
        command = self._commands.get(word[0])
        if command is None or text[word.end()] != (":" if command.value else "]"):
            return None
        return self._whole(command, text, at, final)

    def _whole(self, command: InlineCommand, text: str, at: int, final: bool) -> "_Found | None":
        """Read a command whose name and colon are there."""
        end = _end_of_brackets(text, at)
        if not 0 < end <= at + LONGEST:
            return None
        if end >= len(text) and not final:
            return _MORE  # the next character tells whether it is a link
        if end > len(text) or self._is_link(text[end : end + 1]):
            return None
        outcome = self._outcome(command, text[at:end])
        return None if outcome is None else _Found(end, outcome)

    def _is_link(self, following: str) -> bool:
        """Whether what follows the bracket makes a link of it, or the definition of one."""
        return following == "(" or (following == ":" and self._prose.line_is_bare)

    def _outcome(self, command: InlineCommand, written: str) -> Event | str | None:
        value = written[len(command.name) + 2 : -1].strip()
        if bool(value) != bool(command.value) or value.count("`") % 2:
            return None
        outcome = command.act(value)
        if not isinstance(outcome, str):
            return None if outcome is None or self._is_quoted(written) else outcome
        # A number right after a word would be read as its subscript.
        return f" {outcome}" if self._prose.before.isalnum() else outcome


@dataclass(frozen=True, slots=True)
class _Found:
    """A command that ends before `end`, and what it gave."""

    end: int
    outcome: Event | str


_MORE = _Found(-1, "")


def _end_of_brackets(text: str, at: int) -> int:
    """Give the place behind the bracket that closes the one at `at`, on the same line.

    -1 when the line ends before it, len(text) + 1 when the text does.
    """
    depth = 0
    for mark in _BRACKET.finditer(text, at):
        if mark[0] == "\n":
            return -1
        depth += {"[": 1, "]": -1}.get(mark[0], 0)
        if not depth:
            return mark.end()
    return len(text) + 1


class _Shown:
    """What is ready to be shown, neighbouring texts joined."""

    def __init__(self) -> None:
        self.parts: list[Event | str] = []

    def add(self, part: Event | str) -> None:
        last = self.parts[-1] if self.parts else None
        if isinstance(part, str) and isinstance(last, str):
            self.parts[-1] = last + part
        elif part:
            self.parts.append(part)
