"""The vectors of what `index` made searchable: made in view of the person, or behind a watch.

Nothing here makes the command fail: the text can be searched, and the next run makes what is left.
"""

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from typing import Any

from rag_assistant.cli.progress_bar import drawn_bar
from rag_assistant.cli.session import config_of, home_of, library_of, print_event, say
from rag_assistant.errors import LibraryError, RagError
from rag_assistant.library.background import BackgroundEmbedding, VectorNews
from rag_assistant.library.embedding import EmbedListener, EmbedProgress, embed_database
from rag_assistant.library.protocols import Embedder


class IndexVectors:
    """Makes vectors by the configured embedder, if there is one and it is not to be left out.

    `note` says in a line, with the next step, why there are none when there should be.
    """

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._library = library_of(options)
        self.note = ""

    @cached_property
    def embedder(self) -> Embedder | None:
        """The embedder; None where none is configured, or it cannot be used."""
        if self._options.no_embed:
            return None
        try:
            config = config_of(self._options)
            if not config.embedder:
                return None
            from rag_assistant.models.embedders import make_embedder

            made = make_embedder("", config, home_of(self._options))
            _ = made.name, made.destination  # a folder that is gone, a key that is missing
        except RagError as error:
            self.note = f"no vectors were made: {error}"
            return None
        return made

    def figures(self, database: str) -> dict[str, Any]:
        """Say for --json how many passages have a vector and how many lack one.

        Vectors count that are of the embedder's model; where there is none, those that are there.
        """
        found = self._library.database(database).coverage()
        embedder = self.embedder.name if self.embedder else ""
        lacking = found.lacking(embedder or (found.kind.model if found.kind else ""))
        counts = {"vectors": found.passages - lacking, "vectors_missing": lacking}
        return {**counts, "embedder": embedder}

    def make(self, database: str) -> bool:
        """Make the vectors that a database lacks; say whether Ctrl-C ended it."""
        interrupted = False
        try:
            if self.embedder:
                self._make(database, self.embedder)
        except KeyboardInterrupt:
            interrupted = True
            self.say_what_is_left(database)
        except RagError as error:
            left = self.figures(database)["vectors_missing"]
            self.note = f"{_passages(left)} without a vector: {error}"
        if self.note:
            say(f"  {self.note}")
        if self.embedder and self._options.events:
            self.print_end(database, self.note)
        return interrupted

    def say_what_is_left(self, database: str) -> None:
        """Say after Ctrl-C how many passages wait for the next run."""
        with suppress(LibraryError):  # it may have been removed meanwhile
            left = self.figures(database)["vectors_missing"]
            if left:
                say(f"{database}: {_passages(left)} without a vector yet; the next run makes them.")

    def print_end(self, database: str, note: str) -> None:
        """Print the event that vectors were made, as far as they were."""
        print_event(
            {"event": "embedded", "database": database, **self.figures(database), "note": note}
        )

    def _make(self, name: str, embedder: Embedder) -> None:
        database = self._library.database(name)
        lacking = database.coverage().lacking(embedder.name)
        if not lacking:
            return
        if embedder.destination:
            from rag_assistant.cli.sending import get_permission
            from rag_assistant.egress.gate import Gate

            gate = Gate(home_of(self._options), config_of(self._options))
            get_permission(gate, [name], embedder.destination)
        say(f"{name}: {_beginning(lacking, embedder)} Ctrl-C leaves the rest for the next run.")
        with embedding_bar(name) as bar:
            listener = partial(_print_progress, name) if self._options.events else bar
            report = embed_database(database, embedder, listener, wait=False)
        if report.interrupted:
            raise KeyboardInterrupt
        if report.failure:
            raise report.failure
        if report.replaced:
            say(f"  vectors of {report.replaced} were replaced")
        counts = f"{report.vectors} of {_passages(report.passages)}"
        say(f"{name}: {report.embedded} vectors made in {report.seconds:.1f} s; {counts} with one.")

    def beside(self) -> BackgroundEmbedding | None:
        """Give what makes vectors in a thread while a folder is watched; None without embedder."""
        if self.embedder is None:
            if self.note:
                say(f"  {self.note}")
            return None
        talk = _Talk(self, self.embedder, events=self._options.events)
        return BackgroundEmbedding(self.embedder, talk)


class _Talk:
    """Tells of vectors that are made in the background: the begin, the end, and each new fault."""

    def __init__(self, vectors: IndexVectors, embedder: Embedder, *, events: bool) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._events = events
        self._begun: set[str] = set()
        self._faults: dict[str, str] = {}

    def __call__(self, news: VectorNews) -> None:
        name = news.database
        ended = news.state == "failed" or (news.state == "made" and news.made > 0)
        if self._events and ended:
            self._vectors.print_end(name, news.reason)
        elif self._events and news.state != "made":
            _print_progress(name, news)
        if news.state == "failed":
            if self._faults.get(name) != news.reason:
                say(f"  {name} lacks vectors, its text is searchable: {news.reason}")
            self._faults[name] = news.reason
        elif news.state == "made":
            if news.made:
                counts = f"{news.done} of {_passages(news.total)}"
                say(f"{name}: {news.made} vectors made; {counts} with one.")
            self._begun.discard(name)
            self._faults.pop(name, None)
        elif name not in self._begun:  # once, however often a model is tried again
            self._begun.add(name)
            say(f"{name}: {_beginning(news.total - news.done, self._embedder)}")


def _beginning(lacking: int, embedder: Embedder) -> str:
    """Say what is made, and where the text goes if it leaves this machine."""
    where = f": their text goes to {embedder.destination}" if embedder.destination else ""
    return (
        f"the text is searchable. Making the vectors of {_passages(lacking)}"
        f" by {embedder.name}{where}."
    )


def _passages(count: int) -> str:
    return f"{count} passage" if count == 1 else f"{count} passages"


def _print_progress(name: str, progress: EmbedProgress | VectorNews) -> None:
    counts = {"done": progress.done, "total": progress.total, "made": progress.made}
    print_event({"event": "embedding", "database": name, **counts})


@contextmanager
def embedding_bar(name: str) -> Iterator[EmbedListener]:
    """Draw how far the vectors are; without a terminal, only say that they have to wait."""
    with drawn_bar() as bar:
        if bar is None:
            yield _Waiting(name)
            return
        task = bar.add_task(f"embedding {name}", total=None, state="")

        def show(progress: EmbedProgress) -> None:
            state = _state(progress)
            bar.update(task, total=progress.total, completed=progress.done, state=state)

        yield show


class _Waiting:
    """Says once that another process is waited for."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._said = False

    def __call__(self, progress: EmbedProgress) -> None:
        if progress.waiting and not self._said:
            self._said = True
            say(f"{self._name} is being changed by another process; waiting for it to end.")


def _state(progress: EmbedProgress) -> str:
    """Say in a line what the counts of a bar do not."""
    if progress.waiting:
        return "waiting for another process that changes the database"
    if (left := progress.seconds_left) is None:
        return "passages"
    return f"passages · {progress.made / progress.seconds:.0f} a second · {left:.0f} s left"
