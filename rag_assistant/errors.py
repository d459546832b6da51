"""Every failure a person may see: one line saying what is wrong, and the next step.

The front ends decide how an error looks; nothing below them prints or exits.
"""


class RagError(Exception):
    """What went wrong, in one line, with `hint`: what the person can do next."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return in_full(self.message, self.hint)


def in_full(reason: str, hint: str) -> str:
    """Give a reason and the next step as sentences; a reason alone is given as it is."""
    return f"{with_stop(reason)} {hint}" if hint else reason


def with_stop(reason: str) -> str:
    """End a sentence with a full stop where it has no end."""
    return reason if not reason or reason.endswith((".", "!", "?", ":", "…")) else f"{reason}."


class ConfigError(RagError):
    """The configuration file cannot be read or says something unknown."""


class FolderError(RagError):
    """A folder cannot be indexed: missing, empty, not a folder, or it lost its files."""


class LibraryError(RagError):
    """A database is unknown, ambiguous, busy, or its home cannot be used."""


class IndexDamaged(RagError):
    """A database file cannot be read as a database of this version."""


class IndexOutdated(IndexDamaged):
    """A database file was made by another version of the program."""


class IndexGone(IndexDamaged):
    """A database file is a link to one that is not there."""


class EntryNotFound(RagError):
    """No entry has this id."""


class LoadError(RagError):
    """One file cannot be read; the reason goes to the ledger and the rest goes on."""


class NothingToRead(LoadError):
    """One file is whole and holds no text; it is skipped, which is no failure."""


class HistoryError(RagError):
    """The conversations that are kept cannot be read or written, or have none of this number."""


class QuestionSetError(RagError):
    """A question set for the evaluation cannot be read."""


class ModelError(RagError):
    """A model cannot be used or did not answer."""


class EgressError(ModelError):
    """A text may not leave this machine, or that it leaves cannot be recorded."""


class BadReply(RagError):
    """A model's reply is not of the asked form; the message is the text to send back to it."""


class ImageError(RagError):
    """An image cannot be read, or not be seen by the model."""


class ToolFailed(RagError):
    """A tool cannot do what was asked; the message is the text the model reads."""
