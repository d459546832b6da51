"""`rag-assistant chat`: a conversation in lines, for terminals without a screen and screen readers.

Ctrl-C stops an answer, and not the program. What is asked is kept as by `ask` and the interface,
and gone on with in the same way.
"""

import asyncio
import sys
from argparse import Namespace
from contextlib import suppress

from rag_assistant.assistant import Assistant
from rag_assistant.cli.chat_commands import ChatCommands
from rag_assistant.cli.chat_input import LineReader
from rag_assistant.cli.chat_session import ChatSession
from rag_assistant.cli.conversations import place_of, say_notes, store_of
from rag_assistant.cli.drawn import DrawnWords, bold, draw, is_drawn, quiet
from rag_assistant.cli.history import print_exchange
from rag_assistant.cli.main import Exit
from rag_assistant.cli.permission import terminal_permit
from rag_assistant.cli.session import assistant_of, file_finder, say
from rag_assistant.errors import RagError
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.main.commands import COMMANDS, split_command
from rag_assistant.values.scope import name_of

LEAVING = ("exit", "quit", "bye", ":q")
"""Words that leave, each alone on its line."""

_EARLIER = 10
"""Conversations whose questions the arrow keys bring back."""

_STOPPED = "Stopped; what was written is kept. /continue goes on, /retry asks again."


def run_chat(options: Namespace) -> int:
    """Lead a conversation until the person leaves. Exit code 1 when the last question failed."""
    assistant = assistant_of(options)
    store = store_of(options)
    keeps = assistant.config.history and not options.no_history
    permit = terminal_permit(options.allow)
    with asyncio.Runner() as runner:
        session = ChatSession(
            assistant, store if keeps else None, permit, file_finder(assistant.library)
        )
        chat = _Chat(runner, session, store, options)
        try:
            chat.begin(options)
            return chat.lead()
        finally:
            runner.run(session.aclose())
            runner.run(assistant.aclose())
            say_notes(store)


class _Chat:
    """Takes lines, and does what each says."""

    def __init__(
        self,
        runner: asyncio.Runner,
        session: ChatSession,
        store: ConversationStore,
        options: Namespace,
    ) -> None:
        self._runner = runner
        self._session = session
        self._store = store
        self._commands = ChatCommands(runner, session, store, options)
        words = [f"/{command.word}" for command in COMMANDS]
        self._reader = LineReader(words, _earlier_questions(store) if session.store else ())
        self._code: int = Exit.DONE

    def begin(self, options: Namespace) -> None:
        """Say what is asked, and go on with a kept conversation where one is named."""
        if options.conversation is not None:
            place = place_of(self._store, options.conversation)
            resumed = self._session.resume(self._store, place.conversation, place.ordinal)
            self._runner.run(resumed)
            kept = self._store.show(place.conversation)
            draw(bold(kept.summary.title), hang=2)
            last = self._session.question
            exchange = next(e for e in reversed(kept.exchanges) if e.question == last)
            print_exchange(self._store, self._session.assistant.library, exchange)
            draw()
        if options.databases:
            self._session.databases = tuple(options.databases)
        self._session.model = options.model or self._session.model
        if self._reader.asks:
            _greet(self._session)

    def lead(self) -> int:
        """Take lines until the person leaves; give the exit code."""
        draft, interrupted = "", False
        while True:
            try:
                line = self._reader.read(draft).strip()
            except EOFError:
                if self._reader.asks:
                    draw()
                return self._code
            except KeyboardInterrupt:
                draw()
                if interrupted:
                    return self._code
                interrupted, draft = True, ""
                say("Ctrl-C again, Ctrl-D or exit leaves.")
                continue
            interrupted = False
            if line.lower() in LEAVING:
                return self._code
            draft = self._do(line) if line else ""
            if self._commands.leaves:
                return self._code

    def _do(self, line: str) -> str:
        """Do what a line says; give what is to stand in the next one."""
        self._code = Exit.DONE
        try:
            if command := split_command(line):
                draft = self._commands.run(*command)
                self._code = self._commands.code
                return draft
            self._code = self._commands.ask(line)
        except RagError as error:
            self._code = Exit.FAILED
            say(error.message)
            if error.hint:
                say(f"→ {error.hint}" if is_drawn(sys.stderr) else error.hint)
        except KeyboardInterrupt:
            self._code = Exit.FAILED
            draw(to=sys.stderr)
            say(_STOPPED)
        return ""


def _greet(session: ChatSession) -> None:
    assistant: Assistant = session.assistant
    names = [name_of(one) for one in session.databases] or assistant.library.names()
    asked = ", ".join(names) or "no database yet: /add FOLDER indexes one"
    model = session.model or assistant.config.model
    draw(bold("rag-assistant"), quiet(f" · {asked} · {model}"), hang=2)
    draw(quiet("Ask anything; "), DrawnWords("/help"), quiet(" lists commands, exit leaves."))
    draw()


def _earlier_questions(store: ConversationStore) -> list[str]:
    """Give what was asked lately, the last question last."""
    asked: list[str] = []
    with suppress(RagError):  # it is told when the file is written
        for summary in reversed(store.conversations(_EARLIER)):
            asked += [each.question for each in store.show(summary.id).exchanges]
    return asked
