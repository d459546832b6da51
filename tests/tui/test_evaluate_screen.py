"""Question sets in the interface: run without a model, compared with the run before."""

import json
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.running.kept_sets import MADE_HERE, last_runs
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.tui.evaluate.questions import QuestionsScreen
from rag_assistant.tui.evaluate.screen import EvaluateScreen
from rag_assistant.tui.find.screen import FindScreen
from scripts.benchmarks.shared.model_replies import Answer, Silence
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.tui.hosting import Hosted, hosted
from tests.tui.screen import opened

QUESTIONS = (
    {
        "id": "carry",
        "question": "How many days may technicians carry over?",
        "relevant": ["leave.md"],
        "quotes": ["Technicians may carry over eight days of leave"],
        "answers": ["eight days"],
    },
    {
        "id": "permit",
        "question": "What does the parking permit [/b] cost a month?",
        "relevant": ["parking.md"],
        "answers": ["forty euro"],
    },
    {"id": "lost", "question": "Where is the boiler room key?", "relevant": ["leave.md"]},
    {"id": "none", "question": "Who won the zeppelin derby?", "answerable": False},
)


@pytest.fixture
def questions(folder: Path) -> Path:
    """A question set beside the folder of the database."""
    path = folder.parent / "staff.questions.jsonl"
    path.write_text("\n".join(map(json.dumps, QUESTIONS)), encoding="utf-8")
    return path


def row(shown: Hosted, words: str) -> str:
    """Give the line of the list that holds some words."""
    width = shown.app.screen.query_one("#browse-list").region.right
    return next(line[:width] for line in shown.text().splitlines() if words in line[:width])


async def test_a_set_is_run_and_judged_question_by_question(
    assistant: Assistant, questions: Path
) -> None:
    """A person could not see which questions fail, or would need a model to begin."""
    async with opened(assistant) as main:
        await main.pilot.press("f9")
        await main.until(lambda: "staff.questions.jsonl" in main.text(), "the set")
        assert "not run yet" in main.text()
        await main.pilot.press("enter")
        await main.until(lambda: "r searches for each question" in main.text(), "the questions")
        await main.pilot.press("r")
        await main.until(lambda: "found 2/3" in main.text(), "the run")
        await main.pilot.press("escape")
        await main.until(lambda: "found 2/3" in main.text(), "the figures beside the set")
        assert isinstance(main.app.screen, EvaluateScreen)


async def test_answers_are_judged_and_compared_with_the_run_before(
    assistant: Assistant, questions: Path, folder: Path
) -> None:
    """A change for the worse would stand nowhere, or a run would overwrite what it is held to."""
    screen = QuestionsScreen(assistant, questions)
    async with hosted(screen) as shown:
        await shown.press("a")
        await shown.sees("answer 2/3")
        assert row(shown, "technicians carry").split()[-3:] == ["#1", "✓", "✓"]
        assert row(shown, "[/b]").split()[-3:-1] == ["#1", "✗"]
        assert row(shown, "boiler room").split()[-3] == "✗"
        assert row(shown, "zeppelin").split()[-3:-1] == ["–", "✓"]
        (folder / "leave.md").write_text("# Nothing\n\nGone.\n", encoding="utf-8")
        parking = "# Parking\n\nThe parking permit costs forty euro a month.\n"
        (folder / "parking.md").write_text(parking, encoding="utf-8")
        assistant.library.index(folder)
        await shown.press("a")
        await shown.sees("(was 2/3)")
        assert row(shown, "technicians carry").split()[-1] == "worse"
        assert row(shown, "[/b]").split()[-1] == "better"
        assert row(shown, "zeppelin").split()[-1] == "="
        await shown.press("w")
        await shown.until(lambda: "zeppelin" not in shown.words("#browse-list"), "only the wrong")
        assert "technicians carry" in shown.words("#browse-list")
        detail = shown.words("#browse-detail")
        assert "wanted leave.md" in detail
        assert "not among the first 10" in detail
        assert "before at rank 1" in detail
    runs = last_runs(RunStore(assistant.library.home), questions)
    assert runs.last
    assert runs.before
    assert [verdict.answered for verdict in runs.before.verdicts] == [True, False, None, True]


async def test_enter_shows_what_the_search_finds(assistant: Assistant, questions: Path) -> None:
    """A person would know that a question fails, and not why."""
    async with hosted(QuestionsScreen(assistant, questions)) as shown:
        await shown.press("r")
        await shown.sees("found 2/3")
        await shown.press("enter")
        await shown.until(lambda: isinstance(shown.app.screen, FindScreen), "the search")
        await shown.sees("How many days may technicians carry over?")
        await shown.sees("leave.md")


async def test_what_cannot_be_run_says_so_with_the_next_step(
    assistant: Assistant, tmp_path: Path
) -> None:
    """A wrong file would end the program, or do nothing without a word."""
    async with hosted(EvaluateScreen(assistant)) as shown:
        await shown.sees("There is no question set yet")
        await shown.press("o")
        await shown.type(str(tmp_path / "none.jsonl"))
        await shown.press("enter")
        await shown.sees("There is no file")
        (tmp_path / "bad.jsonl").write_text("[/b] not JSON\n")
        await shown.type(str(tmp_path / "bad.jsonl"))
        await shown.press("enter", "r")
        await shown.sees("has no usable question")
    other = tmp_path / "elsewhere.questions.jsonl"
    other.write_text(json.dumps(QUESTIONS[0]))
    async with hosted(QuestionsScreen(assistant, other), (80, 24)) as shown:
        await shown.press("r")
        await shown.sees("elsewhere")


async def test_a_model_is_named_before_it_is_asked_everything(
    empty: Assistant, folder: Path, questions: Path
) -> None:
    """One key by mistake would send hundreds of questions to a model that costs."""
    empty.library.index(folder)
    with ScriptedServer(Answer("eight days")) as server:
        config = Config(model="mine", models={"mine": server.settings()}, fallback=False)
        asked = Assistant(empty.library, config, {})
        screen = QuestionsScreen(asked, questions)
        async with hosted(screen) as shown:
            await shown.press("a")
            await shown.sees("every question goes to mine")
            assert not server.requests
            await shown.press("a")
            await shown.sees("answer 1/3")
            await shown.sees("refused, but it is in the documents")
            assert len(server.requests) >= len(QUESTIONS)
        await asked.aclose()


async def test_escape_stops_a_run_and_keeps_what_is_shown(
    empty: Assistant, folder: Path, questions: Path
) -> None:
    """A run of hours could only be ended with the program, or would leave half a result."""
    empty.library.index(folder)
    with ScriptedServer(Silence()) as server:
        config = Config(model="mine", models={"mine": server.settings()}, fallback=False)
        asked = Assistant(empty.library, config, {})
        async with hosted(QuestionsScreen(asked, questions)) as shown:
            await shown.press("r")
            await shown.sees("found 2/3")
            await shown.press("a", "a")
            await shown.until(lambda: server.requests, "the first question")
            await shown.press("escape")
            await shown.sees("stopped: what is done is kept")
            await shown.until(
                lambda: all(each.hung_up.is_set() for each in server.requests), "the hanging up"
            )
            assert "found 2/3" in shown.text()
            await shown.press("escape")
            await shown.until(lambda: shown.given == [None], "the way back")
        await asked.aclose()


async def test_a_damaged_file_of_runs_is_passed_over(assistant: Assistant, questions: Path) -> None:
    """One broken file would make the screen unusable."""
    async with hosted(QuestionsScreen(assistant, questions)) as shown:
        await shown.press("r")
        await shown.sees("found 2/3")
    (kept,) = (assistant.library.home / "evaluations").iterdir()
    for broken in ("{", "[]", '{"number": "x"}', '{"number": 1, "settings": []}'):
        (kept / "run.json").write_text(broken)
        async with hosted(QuestionsScreen(assistant, questions)) as shown:
            await shown.sees("not run yet: r searches")
    async with hosted(QuestionsScreen(assistant, questions)) as shown:
        await shown.press("r")
        await shown.sees("found 2/3")


async def test_a_set_is_made_here_changed_run_and_shown_as_a_page(
    assistant: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who never saw a command line could not measure anything: a set would be a file to write."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "xdg-open").write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    (programs / "xdg-open").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    async with hosted(EvaluateScreen(assistant)) as shown:
        await shown.sees("n makes one from your documents")
        await shown.press("n")
        await shown.until(lambda: isinstance(shown.app.screen, QuestionsScreen), "the questions")
        await shown.sees("not run yet: r searches")
        (path,) = (assistant.library.home / MADE_HERE).glob("*.jsonl")
        before = read_questions(path).questions
        assert row(shown, before[0].text[:30])
        await shown.sees("misspelt words")
        await shown.press("e")
        await shown.type("How many days, in other words?")
        await shown.press("enter")
        await shown.sees("reworded, saved in")
        await shown.press("n")
        await shown.type("What does the permit cost?")
        await shown.press("enter")
        await shown.type("parking.md")
        await shown.press("enter")
        await shown.sees("added, saved in")
        await shown.press("end", "up", "x")
        await shown.sees("x again removes")
        await shown.press("x")
        await shown.sees("removed, saved in")
        after = read_questions(path).questions
        assert after[0].text == "How many days, in other words?"
        assert after[-1].text == "What does the permit cost?"
        assert len(after) == len(before)
        await shown.press("p")
        await shown.sees("not run yet: r searches")
        await shown.press("r")
        await shown.sees("found ")
        await shown.press("p")
        await shown.sees("with xdg-open")
        page = Path((tmp_path / "opened").read_text().strip())
        assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        assert page.parent == path.parent
        await shown.press("escape")
        await shown.sees("staff.questions.jsonl")


async def test_columns_without_figures_are_left_out(assistant: Assistant, questions: Path) -> None:
    """Questions would be cut off for the sake of columns of dashes."""
    async with hosted(QuestionsScreen(assistant, questions), (100, 30)) as shown:
        await shown.press("r")
        await shown.sees("found 2/3")
        heads = row(shown, "  question  ").split()
        assert heads == ["question", "found"]
