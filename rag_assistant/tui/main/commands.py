"""Everything that can be done, once: for `/` in the box and for the list of commands."""

from dataclasses import dataclass

from rag_assistant.tui.question.completion import Completion


@dataclass(frozen=True, slots=True)
class Command:
    """A word to type after `/`, what it does, and the main screen's action for it."""

    word: str
    help: str
    action: str
    needs: str = ""
    """What is to be typed after the word, if anything is."""


COMMANDS = (
    Command("find", "Find passages, without a model", "find"),
    Command("new", "New conversation", "new_conversation"),
    Command("history", "Earlier conversations", "history"),
    Command("sources", "Show or hide the sources", "sources"),
    Command("next", "Open the next source", "next_citation"),
    Command("wrong", "Mark the source that is open as wrong, or take it back", "mark_wrong"),
    Command("scope", "Choose the documents that are asked", "scope"),
    Command("everything", "Ask all documents again", "everything"),
    Command("databases", "Choose which databases are asked", "databases"),
    Command("library", "Databases and their files", "library"),
    Command("rescan", "Read files again that have changed", "rescan"),
    Command("add", "Add a folder", "add_folder"),
    Command("image", "Send an image along: /image PATH", "image", "PATH"),
    Command("model", "Choose the model", "model"),
    Command("settings", "Settings", "settings"),
    Command("retry", "Ask the last question again", "retry"),
    Command("continue", "Go on with an answer that broke off", "go_on"),
    Command("edit", "Edit the last question", "edit"),
    Command("widen", "Ask the last question of all documents", "widen"),
    Command("steps", "Show or hide the steps of the last answer", "steps"),
    Command("details", "Show what the last answer saw, or all of an error", "details"),
    Command("compare", "Ask the last question again, and compare the answers", "compare"),
    Command("unread", "Files that could not be read for the last answer", "failures"),
    Command("copy", "Copy the last answer", "copy_answer"),
    Command("cite", "Copy the last answer with its sources", "cite_answer"),
    Command("search", "Search this conversation: /search WORDS", "search", "WORDS"),
    Command("evaluate", "Measure search and answers on questions", "evaluate"),
    Command("editor", "Write the question in your editor", "edit_outside"),
    Command("suggested", "Ask the first suggested question", "follow_up"),
    Command("stop", "Stop the answer", "stop_answer"),
    Command("restore", "Go on where the last session ended", "restore"),
    Command("help", "All keys", "help"),
    Command("quit", "Quit", "quit_app"),
)

CHOICES = tuple(
    Completion(f"/{command.word}", command.help, takes_more=bool(command.needs))
    for command in COMMANDS
)
"""The same, for the box to offer."""


def split_command(text: str) -> tuple[str, str] | None:
    """Give the word and the rest where a text is a command; None where it is a question.

    `/etc/hosts says …` is a question: no command has a second slash in its word.
    """
    if not text.startswith("/"):
        return None
    word, _, rest = text[1:].partition(" ")
    return None if "/" in word or "\n" in word or not word else (word, rest.strip())


def command_of(word: str) -> Command | None:
    """Find a command by its word."""
    return next((command for command in COMMANDS if command.word == word), None)
