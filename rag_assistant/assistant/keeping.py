"""What a conversation keeps beside what was said, and whose words may be in it: pictures that were
attached, and the sessions of tools, which are the Python process and MCP servers.

A run goes on with all of it, or with what may go to the host that answers; the rest is left out,
and that is said.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.tools.provider import ToolProvider
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.messages import JsonObject


@dataclass(frozen=True, slots=True)
class Kept:
    """Something that is kept: a picture by its path, a session by its name.

    `databases` are all whose words may be in it. `is_asked` says that it belongs to this question,
    which cannot do without it.
    """

    what: Path | str
    databases: tuple[str, ...]
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class Withheld:
    """Something kept that a run does without: text of the databases `of` may not go to `host`."""

    kept: Kept
    of: tuple[str, ...]
    host: str


class Keeping:
    """What one conversation keeps. Sessions are named by the tools that use them."""

    def __init__(self) -> None:
        self._pictures: dict[Path, tuple[str, ...]] = {}
        self._sessions: dict[str, dict[str, None]] = {}

    def there(self, library: Library, asked: Sequence[Path]) -> tuple[Kept, ...]:
        """Give what is kept, and the pictures of the question that is asked now.

        A picture is of the databases in whose folders it lies, or lay. It blocks.
        """
        pictures = [*dict.fromkeys((*self._pictures, *asked))]
        folders = _folders(library) if pictures else {}
        known = self._pictures
        return (
            *(Kept(p, _holders(p, folders, known.get(p, ())), p in asked) for p in pictures),
            *(Kept(name, tuple(told)) for name, told in self._sessions.items()),
        )

    def attach(self, pictures: Iterable[Kept]) -> None:
        """Keep the pictures of a question for those that follow."""
        for picture in pictures:
            if isinstance(picture.what, Path):
                self._pictures[picture.what] = picture.databases

    def listening(
        self, tools: Sequence[Tool], databases: Callable[[], Iterable[str]]
    ) -> list[Tool]:
        """Let it be known of each session what it is told: words of any database of the run."""
        return [self._listening(tool, databases) if tool.session else tool for tool in tools]

    def _listening(self, tool: Tool, databases: Callable[[], Iterable[str]]) -> Tool:
        async def function(arguments: JsonObject) -> ToolOutput:
            if arguments:
                self._sessions.setdefault(tool.session, {}).update(dict.fromkeys(databases()))
            return await tool.function(arguments)

        return replace(tool, function=function)

    async def withhold(
        self, withheld: Sequence[Withheld], providers: Sequence[ToolProvider]
    ) -> tuple[list[str], set[str]]:
        """Start sessions anew that are withheld; give what to tell of all that is, and the names
        of those sessions that nobody can start anew, whose tools have to be left out."""
        notes = _picture_notes([one for one in withheld if isinstance(one.kept.what, Path)])
        closed: set[str] = set()
        for one in withheld:
            session = one.kept.what
            if isinstance(session, Path):
                continue
            why = f"text of {', '.join(one.of)}, which may not go to {one.host}"
            if any([await provider.renew(session) for provider in providers]):
                del self._sessions[session]
                notes.append(f"The {session} was started anew: its variables may hold {why}.")
            else:
                closed.add(session)
                notes.append(f"The tools of the {session} are left out: it was told {why}.")
        return notes, closed


def _picture_notes(withheld: Sequence[Withheld]) -> list[str]:
    if not withheld:
        return []
    one, count = withheld[0], len(withheld)
    names = ", ".join(dict.fromkeys(name for other in withheld for name in other.of))
    few = (
        "1 picture that was attached before is"
        if count == 1
        else (f"{count} pictures that were attached before are")
    )
    lies = "it lies" if count == 1 else "they lie"
    return [f"{few} left out: {lies} in the folder of {names}, which may not go to {one.host}."]


def _folders(library: Library) -> dict[str, Path]:
    found = {name: library.last_folder(name) for name in library.names()}
    return {name: Path(folder).resolve() for name, folder in found.items() if folder}


def _holders(picture: Path, folders: dict[str, Path], before: tuple[str, ...]) -> tuple[str, ...]:
    place = picture.resolve()
    holders = [name for name, folder in folders.items() if place.is_relative_to(folder)]
    return tuple(dict.fromkeys((*before, *holders)))
