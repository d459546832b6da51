"""How a session ends: by Ctrl+C, step by step, or without being closed, which is then made good."""

import time

from textual.content import Content

from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.conversation_controller import ConversationController
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.terminal.clipboard import copy_beside
from rag_assistant.tui.terminal.unfinished import Unfinished

QUIT_SECONDS = 2.0
"""How soon Ctrl+C must come again to quit."""


class SessionController(Controller):
    """Knows what would be lost of `prompt` and `conversation`, and brings back what was left."""

    def __init__(self, prompt: Prompt, conversation: ConversationController) -> None:
        super().__init__()
        self._prompt = prompt
        self._conversation = conversation
        self._left = Unfinished()
        self._interrupted_at = 0.0

    def interrupt(self) -> None:
        """Copy what is selected, or stop the answer, or clear the box, or quit when repeated."""
        box = self._prompt.box
        selected = box.selected_text or self.screen.get_selected_text()
        if selected:
            copy_beside(self, selected)
        elif self._conversation.stop():
            pass
        elif box.text:
            box.forget()
            self.remark("cleared: ↑ brings it back")
        elif time.monotonic() - self._interrupted_at < QUIT_SECONDS:
            self.app.exit()
        else:
            self._interrupted_at = time.monotonic()
            self.remark("Ctrl+C again to quit")

    @property
    def unfinished(self) -> Unfinished:
        """What would be lost if the program ended now."""
        return Unfinished(self._prompt.box.text, self._conversation.kept_as)

    def offer(self, left: Unfinished) -> None:
        """Offer to go on where the last session ended."""
        self._left = left
        self.notice(*offer_lines(left))

    def action_restore(self) -> None:
        """Go on where the last session ended."""
        left, self._left = self._left, Unfinished()
        if left.conversation:
            self._conversation.resume(left.conversation)
        if left.draft:
            self._prompt.write(left.draft)
        if not left:
            self.remark("there is nothing to restore")


def offer_lines(left: Unfinished) -> tuple[Content, ...]:
    """Say what is left and which command brings it back."""
    what = "the conversation" if left.conversation else ""
    if left.draft:
        what += f"{', and ' if what else ''}what you had written: "
    parts = [plain("/restore", "bold"), plain(f" brings back {what}")]
    if left.draft:
        parts.append(one_line(_begins(left.draft), QUIET))
    return (plain("! The last session ended without being closed.", WARN), joined(parts))


def _begins(draft: str) -> str:
    return f"“{draft[:60]}{'…' if len(draft) > 60 else ''}”"
