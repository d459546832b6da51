"""The text of an answer while its events come."""

from rag_assistant.values.events import Answered, Event, Note, Stopped, TextDelta


def text_after(text: str, event: Event) -> str:
    """Give the text of the answer as it stands after an event."""
    match event:
        case TextDelta(piece):
            return text + piece
        case Note(was_streamed=True):
            return ""
        case Answered(answer) | Stopped(partial=answer):
            return answer.text
    return text
