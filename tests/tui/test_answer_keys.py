"""The keys of the conversation: between questions, copying, queued questions, and selection."""

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.main.commands import COMMANDS
from tests.tui.screen import NARROW, Opened, opened
from tests.tui.slow_model import slow

CARRY = "How many days of leave may technicians carry over?"
PERMIT = "What does the parking permit cost?"


def _copied(shown: Opened) -> str:
    return shown.app.clipboard


async def test_letters_that_mean_nothing_are_told(assistant: Assistant) -> None:
    """If it fails, a person types into nothing."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        conversation = shown.main.query_one(ConversationView)
        bound = conversation._bindings.key_to_bindings
        free = [letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter not in bound]
        assert "q" in free
        for letter in free:
            conversation.focus()
            await shown.pilot.press(letter)
            await shown.until(lambda: "Reading: Esc to type" in shown.text(), letter)


async def test_what_is_typed_after_a_click_is_a_question(assistant: Assistant) -> None:
    """Typing "where is the form" after a click had edited an earlier question (its "e")."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        for part in ("#conversation", "#databases", "PassageView"):
            await shown.pilot.click(part, offset=(4, 2))
            await shown.pilot.press(*"era")
            await shown.settle()
        assert shown.box.text == "eraeraera"
        assert len(shown.exchanges) == 1


async def test_the_screen_says_where_the_keys_act(assistant: Assistant) -> None:
    """A person who went to the conversation would type a question and be answered by commands."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("shift+tab")
        await shown.until(lambda: "Esc: back to typing here" in shown.text(), "the place")
        assert shown.main.focused is shown.main.query_one(ConversationView)
        await shown.pilot.press("escape")
        await shown.until(lambda: "Ask your documents…" in shown.text(), "the invitation")
        await shown.pilot.press(*"words")
        assert shown.box.text == "words"


async def test_arrows_go_through_a_long_answer_before_the_next(assistant: Assistant) -> None:
    """If it fails, the middle of a long answer is passed over."""
    waiting = slow(assistant)
    waiting.slow.before = "\n\n".join(f"Paragraph {number}." for number in range(40))
    waiting.slow.go_on.set()
    async with opened(waiting, NARROW) as shown:
        await shown.ask("First?")
        await shown.ask("Second?")
        conversation = shown.main.query_one(ConversationView)
        conversation.focus()
        await shown.pilot.press("home")
        await shown.until(lambda: "First?" in shown.text(), "the first question")
        conversation.cursor.choose(conversation.items[0])
        seen = shown.text()
        for _ in range(12):
            await shown.pilot.press("down")
            await shown.settle()
            seen += shown.text()
            if conversation.cursor.at is conversation.items[1]:
                break
        assert all(f"Paragraph {number}." in seen for number in range(40))
        assert "Second?" in shown.text()
        await shown.pilot.press("k")
        await shown.settle()
        assert conversation.cursor.at is conversation.items[0]
        assert "The last words." in shown.text()


async def test_enter_unfolds_the_steps(assistant: Assistant) -> None:
    """If it fails, what was done for an answer takes the mouse to see."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("enter")
        await shown.until(lambda: "Searched staff for" in shown.text(), "the steps")
        assert exchange.expanded
        await shown.pilot.press("enter")
        await shown.until(lambda: "Searched staff for" not in shown.text(), "the folding")


async def test_an_answer_is_copied_with_its_sources(assistant: Assistant) -> None:
    """If it fails, what is pasted elsewhere has numbers that lead nowhere."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("y")
        await shown.until(lambda: "copied" in shown.text(), "the remark")
        if "OSC 52" not in shown.text():
            return  # this machine has a clipboard, which is left alone
        assert _copied(shown) == exchange.state.text
        await shown.pilot.press("Y")
        await shown.until(lambda: _copied(shown) != exchange.state.text, "the other copy")
        words, _, sources = _copied(shown).rpartition("\n\n")
        assert words == exchange.state.text.strip()
        first = exchange.state.citations[0].item
        assert sources.splitlines()[0].startswith(f"[1] {first.title}, ")
        assert sources.splitlines()[0].endswith(first.path)


async def test_dragging_selects_exactly_those_words(assistant: Assistant) -> None:
    """If it fails, what is copied from an answer is not what was marked."""
    waiting = slow(assistant)
    waiting.slow.before = "Alpha beta gamma delta."
    waiting.slow.after = ""
    waiting.slow.go_on.set()
    async with opened(waiting) as shown:
        await shown.ask("Drag?")
        lines = shown.text().splitlines()
        row = next(number for number, line in enumerate(lines) if "Alpha beta" in line)
        column = lines[row].index("beta")
        await shown.pilot.mouse_down(offset=(column, row))
        await shown.pilot.hover(offset=(column + 9, row))
        await shown.pilot.mouse_up(offset=(column + 9, row))
        await shown.pilot.pause()
        assert shown.main.get_selected_text() == "beta gamma"


async def test_a_queued_question_is_edited_or_removed(assistant: Assistant) -> None:
    """If it fails, a question that was sent too early cannot be taken back."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("First?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        for question in ("Second?", "Third?"):
            await shown.type_and_send(question)
        await shown.until(lambda: len(shown.exchanges) == 3, "the queued questions")
        assert "◌ queued: after the one before it. e edit d remove" in shown.words()
        conversation = shown.main.query_one(ConversationView)
        conversation.focus()
        await shown.pilot.press("d")
        await shown.until(lambda: len(shown.exchanges) == 2, "the removal")
        await shown.pilot.press("e")
        await shown.until(lambda: len(shown.exchanges) == 1, "the removal")
        assert shown.box.text == "Second?"
        assert len(conversation.items) == 1
        waiting.slow.go_on.set()
        await shown.until(lambda: shown.phase(0) is Phase.ANSWERED, "the answer")
        assert waiting.slow.questions() == ["First?"]


async def test_new_words_are_followed_until_one_scrolls_up(assistant: Assistant) -> None:
    """If it fails, the end of an answer that grows is below the view, or pulls the reader down."""
    waiting = slow(assistant)
    waiting.slow.before = "\n\n".join(f"Paragraph {number}." for number in range(60))
    waiting.slow.after = "\n\n" + "\n\n".join(f"More {number}." for number in range(30))
    async with opened(waiting, NARROW) as shown:
        conversation = shown.main.query_one(ConversationView)
        await shown.type_and_send("Long?")
        await shown.until(lambda: "Paragraph 59." in shown.text(), "the last words so far")
        conversation.focus()
        await shown.pilot.press("pageup", "pageup")
        await shown.until(lambda: "↓ new text" in shown.text(), "the sign")
        before = conversation.scroll_y
        waiting.slow.go_on.set()
        await shown.until(lambda: shown.exchanges[0].state.over, "the end of the answer")
        await shown.settle()
        assert conversation.scroll_y == before
        await shown.pilot.press("end")
        await shown.until(lambda: "More 29." in shown.text(), "the last words")
        assert conversation.follows


def test_each_action_is_a_command() -> None:
    """If it fails, something can be done by a key alone."""
    words = {command.word for command in COMMANDS}
    assert words >= {"retry", "continue", "edit", "widen", "steps", "details", "copy", "cite"}
    assert "search" in words
