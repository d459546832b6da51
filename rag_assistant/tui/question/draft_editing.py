"""Writing a question in the person's own editor; what stood in the box before is not lost."""

from collections.abc import Callable

from rag_assistant.errors import FolderError
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.terminal.outside_editor import edited_outside


async def edit_draft(box: QuestionBox, tell: Callable[[str], None]) -> None:
    """Edit what stands in the box outside; `tell` is given the line that says what went wrong.

    What stood in the box before comes back with ↑.
    """
    try:
        written = await edited_outside(box.app, box.text)
    except FolderError as error:
        tell(told(error))
    else:
        if written != box.text.rstrip():
            box.write(written)
