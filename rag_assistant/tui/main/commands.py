"""Everything that can be done, once: for `/` in the box and for the list of commands."""

from dataclasses import dataclass

from rag_assistant.tui.question.choices import Completion


@dataclass(frozen=True, slots=True)
class Command:
    """A word to type after `/`, what it does, and the action for it.

    An action is the main screen's own, or that of the part which is named before the point.
    """

    word: str
    help: str
    action: str
    needs: str = ""
    """What is to be typed after the word, if anything is."""


GROUPS: tuple[tuple[str, tuple[Command, ...]], ...] = (
    (
        "Documents",
        (
            Command("find", "Find passages, without a model", "open.find"),
            Command("library", "Databases and their files", "open.library"),
            Command("add", "Add a folder", "indexing.add_folder"),
            Command("rescan", "Read files again that have changed", "rescan"),
            Command("evaluate", "Test how well questions are answered", "open.evaluate"),
        ),
    ),
    (
        "Ask",
        (
            Command("new", "New conversation", "answers.begin"),
            Command("suggested", "Ask the first suggested question", "questions.follow_up"),
            Command("retry", "Ask the last question again", "conversation.do('retry')"),
            Command("continue", "Go on with an answer that broke off", "conversation.do('go_on')"),
            Command("edit", "Edit the last question", "conversation.do('edit')"),
            Command("widen", "Ask the last question of all documents", "conversation.do('widen')"),
            Command("compare", "Ask again and compare answers", "conversation.do('compare')"),
            Command("stop", "Stop the answer", "answers.stop"),
            Command("image", "Send an image with it: /image PATH", "questions.image", "PATH"),
            Command("editor", "Write the question in your editor", "questions.edit_outside"),
        ),
    ),
    (
        "What is asked",
        (
            Command("scope", "Choose the documents that are asked", "open.scope"),
            Command("everything", "Ask all documents again", "scope.everything"),
            Command("databases", "Choose which databases are asked", "columns.databases"),
            Command("model", "Choose the model", "open.model"),
        ),
    ),
    (
        "This answer",
        (
            Command("sources", "Show or hide the sources", "columns.sources"),
            Command("next", "Open the next source", "columns.next_citation"),
            Command(
                "wrong",
                "Mark the source that is open as wrong, or take it back",
                "columns.mark_wrong",
            ),
            Command(
                "steps", "Show or hide the steps of the last answer", "conversation.do('steps')"
            ),
            Command(
                "details",
                "Show what the last answer saw, or all of an error",
                "conversation.details",
            ),
            Command(
                "unread",
                "Files that could not be read for the last answer",
                "conversation.do('failures')",
            ),
            Command("copy", "Copy the last answer", "conversation.copy"),
            Command(
                "cite", "Copy the last answer with its sources", "conversation.copy_with_sources"
            ),
            Command("search", "Search this conversation: /search WORDS", "columns.search", "WORDS"),
        ),
    ),
    (
        "Program",
        (
            Command("history", "Earlier conversations", "open.history"),
            Command("restore", "Go on where the last session ended", "session.restore"),
            Command("settings", "Settings", "open.settings"),
            Command("help", "All keys", "open.help"),
            Command("quit", "Quit", "app.quit"),
        ),
    ),
)
"""All commands, by what they are about."""

COMMANDS = tuple(command for _, commands in GROUPS for command in commands)

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
