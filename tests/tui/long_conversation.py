"""A conversation of many questions, as if they had been asked before."""

from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem
from rag_assistant.values.messages import Usage
from tests.tui.screen import Opened

LEAVE = EvidenceItem("staff", 1, "Leave", "leave.md", "eight days", Location(0, 10), False)


def answered(number: int) -> RunState:
    """Give a question with its answer."""
    text = f"Answer {number} begins [1].\n\n" + "\n".join(
        f"- word{number}x{line} is said here" for line in range(number % 7 + 1)
    )
    question = f"Question {number}?"
    citations = (Citation(1, LEAVE),)
    answer = Answer(question, text, citations, (), Coverage(), "m", Usage(), 5)
    state = RunState(question, ("staff",), Phase.ANSWERED, text=text, answer=answer)
    state.citations = list(citations)
    return state


async def filled(shown: Opened, count: int) -> ConversationView:
    """Fill the conversation, and wait until its end is in view."""
    conversation = shown.main.query_one(ConversationView)
    conversation.resume([answered(number) for number in range(count)])
    await shown.settle()
    await shown.until(lambda: f"Answer {count - 1} begins" in shown.text(), "the end")
    conversation.focus()
    await shown.settle()
    return conversation
