"""The keys that act anywhere on the main screen, and all its keys for the list of them."""

from textual.binding import Binding, BindingType

from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.evidence.passage_pane import PassagePane
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.keys.help_screen import KeyGroup
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from rag_assistant.tui.permission.card import PermissionCard
from rag_assistant.tui.question.question_box import QuestionBox

MAIN_KEYS: list[BindingType] = [
    Binding("f1", "do('help')", "Help", priority=True),
    Binding("ctrl+f", "do('find')", "Find", priority=True),
    Binding("ctrl+g", "do('next')", "Next source", priority=True),
    Binding("ctrl+t", "do('sources')", "Sources", priority=True),
    Binding("ctrl+o", "do('add')", "Add folder", priority=True),
    Binding("ctrl+l", "do('scope')", "Scope", priority=True),
    Binding("ctrl+r", "do('history')", "History", priority=True),
    Binding("ctrl+n", "do('new')", "New conversation", priority=True),
    Binding("ctrl+s", "do('suggested')", "Ask what is suggested first", show=False, priority=True),
    Binding("f2", "do('settings')", "Settings", show=False, priority=True),
    Binding("f3", "do('model')", "Model", show=False, priority=True),
    Binding("f4", "do('library')", "Library", show=False, priority=True),
    Binding("f5", "do('rescan')", "Read changed files again", show=False, priority=True),
    Binding("f8", "do('editor')", "Write in your editor", show=False, priority=True),
    Binding("f9", "do('evaluate')", "Evaluate", show=False, priority=True),
    Binding("ctrl+c", "interrupt", "Copy, stop, clear, quit", show=False, priority=True),
    Binding("tab", "next_part", "Next part, or what waits for you", show=False),
    Binding("shift+tab", "part_before", "From the question to the conversation", show=False),
]
"""The main screen's own; most do what the command of a word does."""

APP_KEYS = [Binding("ctrl+q", "quit", "Quit"), Binding("ctrl+p", "command_palette", "Commands")]
"""Keys of the application itself, for the list of keys."""


def key_groups() -> list[KeyGroup]:
    """Give all keys, by where they act."""
    return [
        ("Anywhere", [*MAIN_KEYS, *APP_KEYS]),
        ("Question", QuestionBox.BINDINGS),
        ("Conversation", ConversationView.BINDINGS),
        ("Databases", DatabasesPanel.BINDINGS),
        ("Source", [*EvidencePanel.BINDINGS, *PassagePane.BINDINGS, *PassageView.BINDINGS]),
        ("A tool asks for permission", PermissionCard.BINDINGS),
    ]
