"""Writing a question: what was asked before, commands, databases, images, keys that stop things."""

import base64
from pathlib import Path

import pytest
from textual import events
from textual.actions import parse

from rag_assistant.assistant import Assistant
from rag_assistant.config import ModelSettings
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.lists.edit_line import EditLine
from rag_assistant.tui.main.command_list import listed_commands
from rag_assistant.tui.main.commands import COMMANDS
from rag_assistant.tui.question.prompt import Prompt
from rag_assistant.tui.question.question_box import EarlierPrompts, QuestionBox
from rag_assistant.tui.question.scope_names import ScopeNames, narrowed
from rag_assistant.values.messages import UserMessage
from tests.tui.screen import Opened, opened
from tests.tui.scripted_assistant import ScriptedAssistant, scripted
from tests.tui.slow_model import slow

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_earlier_questions_keep_the_draft() -> None:
    """If it fails, looking at an earlier question loses what was being written."""
    earlier = EarlierPrompts()
    earlier.add("one")
    earlier.add("two")
    earlier.suggestions = ("next?",)
    assert earlier.before("draft") == "two"
    assert earlier.before("two") == "one"
    assert earlier.before("one") is None
    assert [earlier.after(""), earlier.after("")] == ["two", "draft"]
    assert earlier.after("draft") is None
    assert earlier.after("") == "next?"
    assert earlier.after("next?") is None
    assert earlier.before("next?") == ""


def test_databases_named_in_a_question_are_taken_out_of_it() -> None:
    """If it fails, a model reads `@staff`, or an address in a question is taken for a database."""
    names = ScopeNames(("staff", "club"))
    assert narrowed("@staff how many?", names) == ("how many?", ("staff",))
    assert narrowed("how many @club @staff", names) == ("how many", ("club", "staff"))
    assert narrowed("who is a@staff or @other?", names) == ("who is a@staff or @other?", ())


async def test_earlier_questions_come_back_with_the_arrows(assistant: Assistant) -> None:
    """If it fails, a question must be typed again to be changed."""
    waiting = slow(assistant)
    waiting.slow.go_on.set()
    async with opened(waiting) as shown:
        await shown.ask("One?")
        await shown.ask("Two?")
        await shown.pilot.press("d", "up")
        assert shown.box.text == "Two?"
        await shown.pilot.press("up", "down", "down")
        assert shown.box.text == "d"
        await shown.pilot.press("ctrl+j", "e", "up")
        assert shown.box.text == "d\ne"


async def test_commands_complete_and_run(assistant: Assistant) -> None:
    """If it fails, nobody finds what can be done, or a command is asked as a question."""
    async with opened(assistant) as shown:
        await shown.pilot.press("/")
        await shown.pilot.pause()
        assert "/find" in shown.text()
        await shown.pilot.press("h", "e", "enter")
        await shown.pilot.pause()
        assert isinstance(shown.app.screen, HelpScreen)
        await shown.pilot.press("escape")
        await shown.pilot.press(*"/nothing", "enter")
        await shown.pilot.pause()
        assert "there is no command /nothing" in shown.text()
        assert shown.box.text == "/nothing"
        assert not shown.exchanges


async def test_escape_closes_the_list_before_it_stops_anything(assistant: Assistant) -> None:
    """If it fails, closing a list ends the answer."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("Running?")
        await shown.until(lambda: waiting.slow.requests, "the request")
        await shown.pilot.press("/")
        await shown.pilot.press("escape")
        await shown.pilot.pause()
        assert shown.phase(0) is Phase.RUNNING
        assert "/find" not in shown.words("#prompt")
        await shown.pilot.press("escape")
        assert shown.phase(0) is Phase.STOPPED


async def test_a_database_can_be_named_for_one_question(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If it fails, limiting one question takes ticking and unticking all databases."""
    other = tmp_path / "club"
    other.mkdir()
    (other / "rules.md").write_text("# Rules\n\nMembers meet on Mondays.\n", encoding="utf-8")
    assistant.library.index(other)
    async with opened(assistant) as shown:
        await shown.pilot.press("@", "c")
        await shown.pilot.pause()
        assert "ask only club" in shown.text()
        await shown.pilot.press("tab")
        assert shown.box.text == "@club "
        exchange = await shown.ask("When do members meet?")
        assert exchange.state.question == "When do members meet?"
        assert exchange.state.databases == ("club",)


async def test_every_command_has_an_action_and_is_in_the_palette(assistant: Assistant) -> None:
    """If it fails, the list of commands names something that cannot be done."""
    async with opened(assistant) as shown:
        listed = [given.words for given in listed_commands()]
        for command in COMMANDS:
            part, action, _ = parse(command.action)
            target = {**shown.main.parts, "app": shown.app}.get(part, shown.main)
            assert hasattr(target, f"action_{action}"), command.word
            assert command.help in listed


async def test_the_list_of_commands_has_keys_and_does_what_is_chosen(assistant: Assistant) -> None:
    """If it fails, a person never learns the key of what they do again and again."""
    async with opened(assistant) as shown:
        await shown.pilot.press("ctrl+p")
        await shown.until(lambda: "what do you want to do?" in shown.text(), "the list")
        row = next(line for line in shown.text().splitlines() if "/library" in line)
        assert "Databases and their files" in row
        assert "F4" in row
        assert len(row.strip("│ ")) <= 80
        await shown.pilot.press(*"all keys", "enter")
        await shown.until(lambda: isinstance(shown.app.screen, HelpScreen), "the help")
        await shown.pilot.press("escape", "ctrl+p", *"nothing of the kind", "enter")
        assert "No command has that name" in shown.text()
        await shown.pilot.press("escape")
        assert shown.app.screen is shown.main
        assert shown.box.has_focus


async def test_on_other_screens_the_list_has_their_own_keys(assistant: Assistant) -> None:
    """If it fails, Ctrl+P offers on another screen what cannot be done there, or nothing."""
    async with opened(assistant) as shown:
        await shown.pilot.press("f4", "ctrl+p")
        await shown.until(lambda: "what do you want to do?" in shown.text(), "the list")
        assert "Reindex" in shown.text()
        await shown.pilot.press(*"rename", "enter")
        await shown.until(lambda: shown.app.screen.query_one(EditLine).display, "the question")


async def test_ctrl_c_copies_stops_clears_and_quits_in_that_order(assistant: Assistant) -> None:
    """If it fails, Ctrl+C loses a draft, or ends the program when an answer was to be stopped."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("Running?")
        await shown.until(lambda: waiting.slow.requests, "the request")
        await shown.pilot.press(*"draft", "shift+home", "ctrl+c")
        assert shown.app.clipboard == "draft"
        await shown.pilot.press("end", "ctrl+c")
        assert shown.phase(0) is Phase.STOPPED
        assert shown.box.text == "draft"
        await shown.pilot.press("ctrl+c")
        assert shown.box.text == ""
        await shown.pilot.press("up")
        assert shown.box.text == "draft"
        await shown.pilot.press("ctrl+c", "ctrl+c")
        await shown.pilot.pause()
        assert "Ctrl+C again to quit" in shown.text()
        assert shown.app.is_running
        await shown.pilot.press("ctrl+c")
        assert shown.app._exit


def _seeing(assistant: Assistant) -> ScriptedAssistant:
    seeing = scripted(assistant, ["A pixel."])
    seeing.models._settings = {
        seeing.config.model: ModelSettings("m", base_url="http://127.0.0.1:9", images=True)
    }
    return seeing


async def test_a_pasted_image_goes_along_with_the_question(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If it fails, a picture cannot be asked about, or stays for the question after it."""
    picture = tmp_path / "my chart.png"
    picture.write_bytes(PIXEL)
    seeing = _seeing(assistant)
    async with opened(seeing) as shown:
        shown.box.post_message(events.Paste(str(picture).replace(" ", "\\ ")))
        await shown.until(lambda: "[image 1: my chart.png]" in shown.text(), "the token")
        assert shown.box.text == ""
        await shown.pilot.press("backspace")
        assert not shown.main.query_one(Prompt).images
        await shown.pilot.press(*f"/image {picture}", "enter")
        await shown.until(lambda: shown.main.query_one(Prompt).images, "the image")
        exchange = await shown.ask("What is it?")
        assert exchange.state.phase is Phase.ANSWERED, exchange.state.reason
        (asked,) = (m for m in seeing.scripted.requests[0].messages if isinstance(m, UserMessage))
        assert [image.media_type for image in asked.images] == ["image/png"]
        assert "[image 1: my chart.png]" in shown.words()
        assert exchange.state.phase is Phase.ANSWERED
        assert not shown.main.query_one(Prompt).images


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.png", None, "cannot be read"),
        ("words.png", b"words", "is not a PNG, JPEG, GIF or WebP image"),
        ("big.png", PIXEL + bytes(30 * 1024**2), "larger than 20 MB"),
        ("torn.png", PIXEL[:40], "is cut off: its end is missing"),
    ],
)
async def test_what_is_no_image_is_refused_in_a_sentence(
    assistant: Assistant, tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    """If it fails, a wrong file takes the draft away, or is sent."""
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    async with opened(_seeing(assistant), (200, 40)) as shown:
        shown.box.post_message(events.Paste(str(path)))
        await shown.until(lambda: said in shown.words("#status"), "the sentence")
        assert not shown.main.query_one(Prompt).images
        assert shown.box.text == str(path)


async def test_a_model_that_cannot_see_says_so_at_once(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If it fails, it turns out after the question that the picture was not seen."""
    picture = tmp_path / "chart.png"
    picture.write_bytes(PIXEL)
    async with opened(assistant) as shown:
        await shown.pilot.press(*f"/image {picture}", "enter")
        await shown.until(lambda: "cannot see images" in shown.text(), "the sentence")


async def _two_asked(shown: Opened) -> None:
    await shown.type_and_send("First?")
    await shown.until(lambda: "The first words." in shown.text(), "the first words")
    await shown.type_and_send("Second?")
    await shown.until(lambda: len(shown.exchanges) == 2, "the second question")
    await shown.pilot.press("shift+tab")


async def test_a_queued_question_can_be_edited_or_removed(assistant: Assistant) -> None:
    """If it fails, a question sent too soon is answered whatever the person does."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await _two_asked(shown)
        await shown.pilot.press("e")
        await shown.until(lambda: len(shown.exchanges) == 1, "the way out of the queue")
        assert shown.box.text == "Second?"
        await shown.pilot.press("backspace", "!", "enter")
        await shown.until(lambda: len(shown.exchanges) == 2, "the edited question")
        shown.main.query_one("#conversation").focus()
        await shown.pilot.press("d")
        await shown.until(lambda: len(shown.exchanges) == 1, "the removal")
        waiting.slow.go_on.set()
        await shown.until(lambda: shown.phase(0) is Phase.ANSWERED, "the first answer")
        await shown.settle()
        assert waiting.slow.questions() == ["First?"]


async def test_an_earlier_question_is_edited_and_asked_again(assistant: Assistant) -> None:
    """If it fails, a question that was put badly must be typed again."""
    waiting = slow(assistant)
    waiting.slow.go_on.set()
    async with opened(waiting) as shown:
        await shown.ask("First?")
        await shown.ask("Second?")
        shown.main.query_one("#conversation").focus()
        await shown.pilot.press("k", "e")
        await shown.pilot.pause()
        assert shown.box.has_focus
        assert shown.box.text == "First?"
        shown.main.query_one("#conversation").focus()
        await shown.pilot.press("r")
        await shown.until(lambda: len(shown.exchanges) == 3, "the question again")
        assert shown.exchanges[2].state.question == "Second?"


async def test_a_letter_in_the_conversation_never_vanishes(assistant: Assistant) -> None:
    """If it fails, a person types into nothing."""
    async with opened(assistant) as shown:
        shown.main.query_one("#conversation").focus()
        await shown.pilot.press("w")
        await shown.pilot.pause()
        assert "Reading: Esc to type" in shown.text()
        await shown.pilot.press("escape")
        assert isinstance(shown.app.focused, QuestionBox)
