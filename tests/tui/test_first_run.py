"""The first run: from a folder to an answer, with and without a model."""

import subprocess
import sys
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings, load_config
from rag_assistant.library import sync
from rag_assistant.models.discovery import PORTS_ENV
from rag_assistant.tui.library.folder_picker import FolderPicker
from rag_assistant.tui.models.screen import ModelScreen
from rag_assistant.values.coverage import coverage_statement
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer
from tests.tui.first_run import begun
from tests.tui.screen import Opened, opened


async def _folder_is_known(shown: Opened, words: str = "readable") -> None:
    await shown.until(lambda: words in shown.text(), words)
    await shown.until(lambda: "looking" not in shown.text(), "the end of looking")


@pytest.mark.parametrize("size", [(140, 40), (80, 24), (60, 18)])
async def test_a_folder_is_counted_before_anything_is_indexed(
    empty: Assistant, folder: Path, size: tuple[int, int]
) -> None:
    """If it fails, a person cannot see what will be indexed, and where the index goes."""
    (folder / "film.mp4").write_bytes(b"\0\1\2")
    async with begun(empty, folder, size=size) as shown:
        await _folder_is_known(shown, "3 readable")
        assert "4 files" in shown.text()
        assert "md      █" in shown.text()
        assert "1 skipped" in shown.text()
        assert "stays on this computer" in shown.text()
        assert "staff.db" in "".join(shown.text().split()), "wherever a long path breaks"
        assert not empty.library.names()


async def test_what_is_skipped_is_listed_with_reasons(empty: Assistant, folder: Path) -> None:
    """If it fails, files are left out and nobody can find out why before asking."""
    (folder / "film.mp4").write_bytes(b"\0\1\2")
    (folder / "nothing.md").touch()
    async with begun(empty, folder) as shown:
        await _folder_is_known(shown, "2 skipped")
        await shown.pilot.press("s")
        await shown.until(lambda: "nothing.md  empty" in shown.text(), "the reasons")
        assert "film.mp4" in shown.text()
        await shown.pilot.press("s")
        await shown.until(lambda: "film.mp4" not in shown.text(), "the list to go")


async def test_a_long_list_of_skipped_files_is_scrolled_by_keys(
    empty: Assistant, folder: Path
) -> None:
    """If it fails, only the first reasons can be read without a mouse."""
    for number in range(60):
        (folder / f"film{number:02}.mp4").write_bytes(b"\0\1\2")
    async with begun(empty, folder, size=(60, 18)) as shown:
        await _folder_is_known(shown, "60 skipped")
        await shown.pilot.press("s")
        await shown.until(lambda: "film00.mp4" in shown.text(), "the first of them")
        await shown.pilot.press("end")
        await shown.until(lambda: "film59.mp4" in shown.text(), "the last of them")


async def test_four_keys_lead_to_an_answer_without_a_model(empty: Assistant, folder: Path) -> None:
    """If it fails, a first answer takes more than Enter, and a question that is offered."""
    async with begun(empty, folder) as shown:
        await _folder_is_known(shown)
        assert "built in: finds passages and quotes them" in shown.words("#first-model")
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.app.screen is shown.main, "the conversation")
        assert shown.box.has_focus
        await shown.until(lambda: "→ How many days of leave" in shown.text(), "the offered")
        assert "How much does the parking permit cost?" in shown.words("#offered")
        assert "over? Ctrl+S asks it, ↓ writes it" in shown.words("#offered")
        assert "cost? Ctrl+E" in shown.words("#offered")
        await shown.pilot.press("ctrl+s")
        await shown.until(lambda: shown.exchanges and shown.exchanges[0].state.over, "the answer")
        assert shown.exchanges[0].state.citations
        assert not shown.sees("#offered")
        assert "error" not in shown.text().lower()


async def test_a_later_start_offers_questions_too(empty: Assistant, folder: Path) -> None:
    """If it fails, whoever comes back to an empty conversation has to know what to ask."""
    empty.library.index(folder)
    async with opened(empty) as shown:
        await shown.until(lambda: shown.sees("#offered"), "the offered questions")
        assert "How much does the parking permit cost?" in shown.words("#offered")


async def test_a_question_offered_is_asked_by_a_click(empty: Assistant, folder: Path) -> None:
    """If it fails, the questions under the box look as if they could be clicked, and cannot."""
    async with begun(empty, folder) as shown:
        await _folder_is_known(shown)
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.sees("#offered"), "the offered questions")
        await shown.settle()
        await shown.pilot.click("#offered", offset=(8, 0))
        await shown.until(lambda: shown.exchanges and shown.exchanges[0].state.over, "the answer")


async def test_without_a_folder_one_is_chosen(empty: Assistant, folder: Path) -> None:
    """If it fails, the bare command leads nowhere for someone who has no database."""
    async with begun(empty, None, size=(80, 24)) as shown:
        assert "Which folder do you want to ask?" in shown.text()
        shown.app.screen.post_message(events.Paste(str(folder)))
        path = shown.app.screen.query_one("#folder", Input)
        await shown.until(lambda: path.value == str(folder), "the path")
        await shown.pilot.press("enter")
        await _folder_is_known(shown, "3 readable")
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.rows and shown.rows[0].whole, "the database")
        assert [row.name for row in shown.rows] == ["staff"]


async def test_escape_leaves_the_first_screen_for_a_working_one(empty: Assistant) -> None:
    """If it fails, whoever has no folder at hand is locked in, or out."""
    async with begun(empty, None) as shown:
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.app.screen is shown.main, "the conversation")
        assert shown.box.has_focus
        assert "Ctrl+O" in shown.text()


async def test_another_folder_is_chosen_before_indexing(
    empty: Assistant, folder: Path, tmp_path: Path
) -> None:
    """If it fails, a wrong folder has to be indexed before the right one."""
    other = tmp_path / "my club (old)"
    other.mkdir()
    (other / "a.txt").write_text("The club meets on Mondays.", encoding="utf-8")
    async with begun(empty, folder) as shown:
        await _folder_is_known(shown, "3 readable")
        await shown.pilot.press("o")
        dropped = str(other).replace(" ", "\\ ").replace("(", "\\(").replace(")", "\\)")
        shown.app.screen.post_message(events.Paste(dropped))
        await shown.until(lambda: "my club (old)" in shown.words("#folder"), "the path")
        await shown.pilot.press("enter")
        await _folder_is_known(shown, "1 readable")
        assert "txt     █" in shown.text()
        assert not empty.library.names()


async def test_a_folder_with_nothing_to_read_says_so(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, indexing an empty folder ends in a complaint after the screen is gone."""
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    async with begun(empty, nothing) as shown:
        await _folder_is_known(shown, "0 readable")
        await shown.pilot.press("enter")
        await shown.until(lambda: "o chooses another folder" in shown.text(), "the next step")


async def test_a_local_model_is_taken_with_one_key(
    empty: Assistant, folder: Path, tmp_path: Path
) -> None:
    """If it fails, a model that runs on this computer has to be written into a file by hand."""
    path = tmp_path / "config.toml"
    with ScriptedServer() as server:
        environ = {PORTS_ENV: server.host.rpartition(":")[2]}
        async with begun(empty, folder, environ=environ, config_path=path) as shown:
            await shown.until(lambda: f"1 {MODEL}" in shown.text(), "the model")
            assert server.host in shown.text()
            assert not path.exists()
            await shown.pilot.press("1")
            await shown.until(lambda: f"{MODEL} answers" in shown.text(), "the choice")
            assert load_config(path).models[MODEL].base_url == server.base_url
            await _folder_is_known(shown)
            await shown.pilot.press("enter")
            await shown.until(lambda: f"{MODEL} ●" in shown.words("#status"), "the header")
            await shown.until(
                lambda: shown.rows and shown.rows[0].whole,
                "the database",
            )
            exchange = await shown.ask("Hello?")
            assert exchange.state.model == MODEL


async def test_a_hosted_model_is_asked_about_once(
    empty: Assistant, folder: Path, tmp_path: Path
) -> None:
    """If it fails, passages may leave this computer because a key happened to be set."""
    path = tmp_path / "config.toml"
    environ = {PORTS_ENV: "", "MISTRAL_API_KEY": "k"}
    async with begun(empty, folder, environ=environ, config_path=path) as shown:
        await shown.until(lambda: "sends passages to api.mistral.ai" in shown.text(), "the offer")
        await shown.pilot.press("1")
        await shown.until(lambda: "Sends passages to api.mistral.ai" in shown.text(), "the ask")
        await shown.pilot.press("escape")
        await shown.until(lambda: not shown.app.screen.query_one("#edit-line").display, "no")
        assert not path.exists()
        await shown.pilot.press("1")
        await shown.until(lambda: shown.app.screen.query_one("#edit-line").display, "the ask")
        await shown.pilot.press(*"small", "enter")
        await shown.until(lambda: "small answers" in shown.text(), "the choice")
        taken = load_config(path)
        assert taken.model == "small"
        wanted = ModelSettings("small", "https://api.mistral.ai/v1", "chat", "MISTRAL_API_KEY")
        assert taken.models["small"] == wanted
        await _folder_is_known(shown)
        await shown.pilot.press("enter")
        await shown.until(
            lambda: "sends passages to api.mistral.ai" in shown.words("#status"), "the header"
        )


async def test_all_models_are_a_key_away(empty: Assistant, folder: Path, tmp_path: Path) -> None:
    """If it fails, a model beyond the first few cannot be taken before the first question."""
    path = tmp_path / "config.toml"
    async with begun(empty, folder, config_path=path) as shown:
        await _folder_is_known(shown)
        await shown.pilot.press("m")
        await shown.until(lambda: isinstance(shown.app.screen, ModelScreen), "the models")
        await shown.pilot.press("escape")
        await shown.until(lambda: "3 readable" in shown.text(), "the first screen")


@pytest.mark.soak
async def test_indexing_shows_and_answers_come_before_its_end(
    empty: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a large folder cannot be asked before all of it is read, or Esc stops it."""
    many = tmp_path / "many"
    many.mkdir()
    rest = "words and more of them " * 700
    monkeypatch.setattr(sync, "COMMIT_SECONDS", 0.2)  # so that a third of the files will do
    for number in range(1000):
        text = f"# Note {number}\n\nThe permit number {number} costs 40 euro.\n\n{rest}\n"
        (many / f"{number:04}.md").write_text(text, encoding="utf-8")
    async with begun(empty, many) as shown:
        await shown.pilot.press("enter")
        await shown.until(lambda: shown.app.screen is shown.main, "the conversation")
        await shown.pilot.press("escape")
        await shown.until(
            lambda: all(word in shown.text() for word in ("searchable: ", "/1,000")), "the bar"
        )
        await shown.until(lambda: any(row.entries for row in shown.rows), "entries")
        if not shown.main.indexing.progress:
            pytest.skip("the folder was indexed before the first entries could be seen here")
        shown.main.panel.ask("What does the permit cost?")
        await shown.until(lambda: shown.exchanges and shown.exchanges[0].state.over, "the answer")
        state = shown.exchanges[0].state
        assert "40 euro" in state.text
        assert state.answer is not None
        assert "indexing is not finished" in coverage_statement(state.answer.coverage)
    # Leaving stops it; what was read is kept, and the next start goes on.
    assert empty.library.database("many").figures().entries > 0


async def test_a_folder_that_is_known_is_brought_into_step(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, opening a folder twice makes a second database, or hides what is there."""
    (folder / "new.md").write_text("# New\n\nThe canteen opens at noon.\n", encoding="utf-8")
    async with begun(assistant, folder) as shown:
        await _folder_is_known(shown, "indexed already as staff")
        await shown.pilot.press("enter")
        await shown.until(lambda: "1 added" in shown.text(), "the report")
        assert assistant.library.names() == ["staff"]


async def test_the_first_screen_stays_away_where_there_is_a_database(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If it fails, every start begins with a question instead of the box."""
    async with opened(assistant, config_path=tmp_path / "config.toml") as shown:
        assert shown.app.screen is shown.main
        assert not shown.app.screen.query(FolderPicker)
        assert assistant.config == Config()


def test_the_first_picture_waits_for_no_format_and_no_network() -> None:
    """If it fails, the first screen comes later by what only reading and asking need."""
    code = (
        "import rag_assistant.cli.interface, rag_assistant.tui.app, sys\n"
        "import rag_assistant.tui.first_run.screen\n"
        "late = ('openai', 'httpx2', 'rag_assistant.ingest.loaders', 'lxml', 'PIL', 'mcp')\n"
        "print([name for name in late if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
