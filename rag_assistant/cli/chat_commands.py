"""What `/` does in `chat`: the words of the interface, each done in lines.

A word that needs a screen says what there is in its place.
"""

import asyncio
from argparse import Namespace
from collections.abc import Callable, Coroutine, Mapping
from importlib import import_module
from pathlib import Path

from rag_assistant.cli.chat_help import INSTEAD, print_help
from rag_assistant.cli.chat_session import ChatSession
from rag_assistant.cli.chat_source import show_source
from rag_assistant.cli.conversations import place_of
from rag_assistant.cli.drawn import MARK, DrawnWords, bold, draw, quiet
from rag_assistant.cli.main import Exit
from rag_assistant.cli.parser import build_parser
from rag_assistant.cli.session import home_of, say
from rag_assistant.cli.sources import print_sources
from rag_assistant.cli.suggestions import nearest
from rag_assistant.errors import HistoryError, RagError
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.contents import documents_at
from rag_assistant.tui.main.commands import COMMANDS, command_of
from rag_assistant.values.evidence import Citation
from rag_assistant.values.scope import name_of, scopes_in

_MOST_FOUND = 200
"""Exchanges of all conversations among which those of one are looked for."""


class ChatCommands:
    """Does what a word says, and asks questions. `leaves` says that the person wants to leave."""

    def __init__(
        self,
        runner: asyncio.Runner,
        session: ChatSession,
        store: ConversationStore,
        options: Namespace,
    ) -> None:
        self.leaves = False
        self.code = 0
        self._runner = runner
        self._session = session
        self._store = store
        self._options = options
        self._opened = 0
        self._actions: Mapping[str, Callable[[str], str | None]] = {
            "find": self._find,
            "new": self._new,
            "history": self._history,
            "sources": self._sources,
            "next": lambda _: self._open(self._opened + 1),
            "wrong": self._wrong,
            "scope": self._scope,
            "everything": self._everything,
            "databases": self._databases,
            "library": lambda name: self._command("databases", *(("info", name) if name else ())),
            "rescan": self._rescan,
            "add": self._add,
            "image": self._image,
            "model": self._model,
            "settings": lambda _: self._command("config"),
            "retry": lambda _: self._again(),
            "continue": lambda _: self._ended(self._session.go_on()),
            "edit": lambda _: self._last_question(),
            "widen": self._widen,
            "steps": self._steps,
            "details": self._details,
            "unread": self._unread,
            "search": self._search,
            "evaluate": lambda given: self._command("eval", *given.split()),
            "suggested": self._suggested,
            "restore": lambda _: self._history("last"),
            "help": lambda _: print_help(),
            "quit": self._quit,
        }

    def run(self, word: str, rest: str) -> str:
        """Do what a word says; give what is to stand in the next line. Raises RagError."""
        self.code = Exit.DONE
        command = command_of(word)
        if word.isdecimal():
            return self._open(int(word)) or ""
        if command is None:
            near = nearest(word, (each.word for each in COMMANDS))
            meant = f"Did you mean /{near}?" if near else "/help lists them."
            raise RagError(f"There is no command /{word}.", hint=meant)
        if command.needs and not rest:
            raise RagError(f"/{word} needs {command.needs}.", hint=command.help)
        if action := self._actions.get(word):
            return action(rest) or ""
        say(INSTEAD.get(word) or "That needs a screen: `rag-assistant` opens the interface.")
        return ""

    def ask(self, question: str) -> int:
        """Ask a question; give the exit code."""
        self._opened = 0
        draw()
        answered = self._runner.run(self._session.ask(question))
        for suggestion in self._session.suggestions[:1]:
            draw(quiet("/suggested asks: "), suggestion, hang=2)
        draw()
        return Exit.DONE if answered else Exit.FAILED

    def _ended(self, asking: Coroutine[None, None, bool]) -> None:
        self.code = Exit.DONE if self._runner.run(asking) else Exit.FAILED

    def _command(self, *arguments: str) -> None:
        """Do what a command of the command line does, with this home."""
        given = ["--home", str(home_of(self._options)), *arguments]
        try:
            options = build_parser(given).parse_args(given)
        except SystemExit as wrong:  # what was wrong with it has been said
            self.code = Exit.USAGE if wrong.code else Exit.DONE
            return
        module = import_module(f"rag_assistant.cli.{options.module}")
        self.code = getattr(module, options.function)(options)

    # What is asked

    def _databases(self, named: str) -> None:
        library, session = self._session.assistant.library, self._session
        if named:
            session.databases = tuple(library.database(name).name for name in named.split())
        asked = {name_of(one) for one in session.databases} or set(library.names())
        for name in library.names():
            draw(f"[{'x' if name in asked else ' '}] ", bold(name))
        if not library.names():
            say("There is no database yet: /add FOLDER indexes one.")

    def _scope(self, parts: str) -> None:
        """Limit what is asked to documents whose paths hold one of some parts."""
        library, session = self._session.assistant.library, self._session
        if parts:
            names = [name_of(one) for one in session.databases] or library.names()
            session.databases = documents_at(library, names, parts.split())
        for scope in scopes_in(session.databases):
            count = len(scope.entries) + len(scope.paths)
            draw(bold(scope.database), f": {count:,} document{'' if count == 1 else 's'}")
        if not scopes_in(session.databases):
            say("All documents are asked. /scope PART limits it to paths with this in them.")

    def _everything(self, _: str) -> None:
        self._session.databases = ()
        say("All documents are asked.")

    def _model(self, name: str) -> None:
        if not name:
            self._command("model")
            return
        self._session.assistant.models.model(name)  # that there is one
        self._session.model = name
        say(f"{name} answers from now on.")

    def _image(self, path: str) -> None:
        file = Path(path).expanduser()
        if not file.is_file():
            raise RagError(f"There is no file {file}.", hint="Give its path: /image PATH.")
        self._session.images.append(file)
        say(f"{file.name} goes along with the next question.")

    def _add(self, folder: str) -> None:
        if not folder:
            raise RagError("/add needs a folder.", hint="Write it behind it: /add ~/notes.")
        self._command("index", str(Path(folder).expanduser()))

    def _rescan(self, _: str) -> None:
        library = self._session.assistant.library
        for name in [name_of(one) for one in self._session.databases] or library.names():
            self._command("index", library.database(name).folder(), "--name", name)

    # Asking again

    def _last_question(self) -> str:
        if not self._session.question:
            raise RagError("Nothing was asked yet.", hint="Ask something.")
        return self._session.question

    def _again(self) -> None:
        self.code = self.ask(self._last_question())

    def _widen(self, _: str) -> None:
        question = self._last_question()
        if not self._session.databases:
            raise RagError("All documents were searched.", hint="Other words may find more.")
        self._session.databases = ()
        self.code = self.ask(question)

    def _suggested(self, _: str) -> None:
        if not self._session.suggestions:
            raise RagError("No question is suggested.", hint="Ask something.")
        self.code = self.ask(self._session.suggestions[0])

    # Conversations

    def _new(self, _: str) -> None:
        self._runner.run(self._session.begin())
        say("A new conversation.")

    def _history(self, wanted: str) -> None:
        """List conversations, find some by words, or go on with one by its number."""
        try:
            place = place_of(self._store, wanted) if wanted else None
        except HistoryError:
            self._command("history", "search", *wanted.split())
            return
        if place is None:
            self._command("history", "list")
            say("/history NUMBER goes on with one; /history WORDS finds some.")
            return
        session = self._session
        self._runner.run(session.resume(self._store, place.conversation, place.ordinal))
        title = self._store.show(place.conversation).summary.title
        say(f"Going on with conversation {place.conversation}: {title}")

    def _search(self, words: str) -> None:
        """Find questions and answers of this conversation."""
        found = self._store.search(words, _MOST_FOUND)
        here = [one for one in found if one.conversation.id == self._session.kept_as]
        for one in here:
            draw(DrawnWords(f"{one.ordinal}. ", MARK), bold(one.question), hang=3)
            draw(one.snippet, indent=3)
        if not here:
            say("Nothing found in this conversation; /history WORDS looks through all.")

    # The last answer

    def _find(self, words: str) -> None:
        names = [name_of(one) for one in self._session.databases]
        if not words:
            raise RagError("/find needs words.", hint="Write them behind it: /find boiler.")
        self._command("search", *(f"--database={name}" for name in names), "--", *words.split())

    def _sources(self, number: str) -> None:
        if number.isdecimal():
            self._open(int(number))
            return
        if not self._session.citations:
            raise RagError("The last answer cites nothing.", hint="Ask something.")
        print_sources((citation, "") for citation in self._session.citations)
        say("/1 shows the first in its place, /next the next one.")

    def _open(self, number: int) -> str | None:
        """Show a source at the quoted words."""
        citation = self._citation(number)
        show_source(self._session.assistant.library, citation)
        self._opened = number
        return None

    def _citation(self, number: int) -> Citation:
        found = next((one for one in self._session.citations if one.marker == number), None)
        if found is None:
            count = len(self._session.citations)
            raise RagError(f"There is no source {number}.", hint=f"The last answer has {count}.")
        return found

    def _wrong(self, number: str) -> None:
        marker = int(number) if number.isdecimal() else self._opened
        citation, place = self._citation(marker), self._session.place
        if place is None:
            raise HistoryError("This answer is not kept.", hint="Leave out --no-history.")
        self._store.label(place, citation.marker, wrong=True)
        say(f"[{marker}] is marked as wrong.")

    def _steps(self, _: str) -> None:
        for words, end in self._session.steps.values():
            came = f"{words.done}: {end.summary} ({end.seconds:.2f} s)" if end else words.going
            draw(quiet("· "), came, hang=2)
        if not self._session.steps:
            say("Nothing was searched yet.")

    def _details(self, _: str) -> None:
        place = self._session.place
        if place is None:
            raise HistoryError("There is no kept answer.", hint="Ask something.")
        self._command("history", "show", f"{place.conversation}:{place.ordinal}")

    def _unread(self, _: str) -> None:
        library = self._session.assistant.library
        names = [name_of(one) for one in self._session.databases] or library.names()
        figures = {name: library.database(name).figures() for name in names}
        unread = [n for n, held in figures.items() if held.failed or held.partial or held.withheld]
        for name in unread:
            self._command("databases", "info", name)
        if not unread:
            say("Every file could be read.")

    # The program

    def _quit(self, _: str) -> None:
        self.leaves = True
