"""Question sets made from real folders without a model: fit to measure with, and no junk."""

import asyncio
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.making.made import Made, Wish, make_questions
from rag_assistant.evaluation.making.wording import LONGEST_RUN, longest_run
from rag_assistant.evaluation.measuring.excerpts import find_excerpt
from rag_assistant.evaluation.questions.addressing import wanted_by
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.writing import write_questions
from rag_assistant.ingest.passages import split
from rag_assistant.library.library import Library
from rag_assistant.library.passage_facts import facts_of, plain_of
from rag_assistant.search.query_language import Parsed, parse
from rag_assistant.text.likeness import lower_words
from tests.conftest import write_files
from tests.examples import examples
from tests.ingest.reading import read

CORPORA = Path(__file__).parents[2] / "corpora"
DEMOS = ("handbook", "council", "manual")
COUNT = max(10, examples(40))
"""Questions of a set: ten, forty in a soak."""
KINDS = ("known-item", "table", "list", "two-documents", "keywords", "heading")


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library over the demo folders."""
    library = Library(tmp_path_factory.mktemp("home"))
    for name in (*DEMOS, "redteam"):
        library.index(CORPORA / name)
    return library


async def made_of(library: Library, name: str, count: int = COUNT, seed: int = 0) -> Made:
    """Make questions of a database."""
    return await make_questions(Assistant(library, Config(), {}), name, Wish(count, seed))


@pytest.fixture(scope="module")
def made(demos: Library, request: pytest.FixtureRequest) -> Made:
    """A set of questions of a demo folder."""
    return asyncio.run(made_of(demos, request.param))


of_each_demo = pytest.mark.parametrize(
    ("name", "made"),
    [
        pytest.param(name, name, marks=() if name == "handbook" else pytest.mark.soak)
        for name in DEMOS
    ],
    indirect=["made"],
    ids=DEMOS,
)


async def made_from(tmp_path: Path, files: dict[str, str], count: int = 10) -> Made:
    """Index files and make questions of them."""
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "folder", files))
    return await made_of(library, "folder", count)


def texts_of(library: Library, name: str) -> dict[str, str]:
    """Give the text of each file by its path."""
    database = library.database(name)
    return {entry.path: database.text(entry.id) for entry in database.entries()}


@of_each_demo
def test_a_question_is_answered_by_its_documents_and_does_not_give_the_answer_away(
    demos: Library, made: Made, name: str
) -> None:
    """Else a report counts right answers as wrong, or a search for the phrase is all it takes."""
    assert len(made.questions) == COUNT
    assert len({question.id for question in made.questions}) == COUNT
    texts = texts_of(demos, name)
    for question in (one for one in made.questions if one.answerable):
        assert len(question.quotes) == 1 + (question.kind == "two-documents")
        holding = {
            path
            for path, text in texts.items()
            if any(find_excerpt(text, quote) for quote in question.quotes)
        }
        assert holding == set(question.relevant), question
        for quote in question.quotes:
            assert longest_run(question.text, quote) <= LONGEST_RUN, question
        asked = f" {' '.join(lower_words(question.text))} "
        for answer in question.answers:
            assert f" {' '.join(lower_words(answer))} " not in asked, question
            said = " ".join(lower_words(plain_of(question.quotes[0])))
            assert " ".join(lower_words(answer)) in said, question
        assert parse(question.text) == Parsed(question.text), "an operator of a query"
        assert question.kind in KINDS
        assert question.generated == "eval init"


@of_each_demo
def test_a_fifth_cannot_be_answered(demos: Library, made: Made, name: str) -> None:
    """Else refusals cannot be measured, or a right answer counts as one that was made up."""
    away = [question for question in made.questions if not question.answerable]
    assert len(away) == COUNT // 5
    for question in away:
        assert question.kind == "unanswerable"
        assert not question.relevant
        assert not question.quotes
        [wanted] = wanted_by(demos, question)
        left = {entry.path for entry in demos.database(wanted).entries()}
        assert left
        assert left.isdisjoint(question.without)


async def test_a_name_that_stands_nowhere_beside_what_is_asked_makes_a_near_miss(
    tmp_path: Path,
) -> None:
    """Else what cannot be answered is never close to what can, and any search tells it."""
    files = {
        "boats.md": "# Boats\n\nBoats at Aldmouth must be painted every nine months.\n",
        "nets.md": "# Nets\n\nNets at Porthwen can be mended by the warden within six days.\n",
    }
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "folder", files))
    made = [one for n in range(4) for one in (await made_of(library, "folder", 5, n)).questions]
    missed = [one for one in made if not one.answerable and not one.without]
    assert missed
    for question in missed:
        of_boats = "boats" in question.text.lower()
        assert ("Porthwen" if of_boats else "Aldmouth") in question.text, question


COPIED = (
    "# Boathouse\n\nThe slipway of the boathouse was rebuilt in larch for £7,450.\n\n"
    "The winch on the slipway lifts boats of up to 900 kilograms.\n"
)


async def test_copies_and_versions_of_a_document_are_graded_with_it(tmp_path: Path) -> None:
    """Else a search that finds the copy counts as a miss."""
    files = {
        "boathouse.md": COPIED,
        "old/boathouse.md": COPIED,
        "garden.md": "# Garden\n\nThe hedge around the garden is cut twice by the warden.\n",
    }
    made = await made_from(tmp_path, files)
    asked = [one for one in made.questions if "slipway" in " ".join(one.quotes)]
    assert asked
    for question in asked:
        assert set(question.relevant) == {"boathouse.md", "old/boathouse.md"}
    for question in made.questions:
        away = set(question.without) - {"garden.md"}
        assert away in (set(), {"boathouse.md", "old/boathouse.md"})


JUNK = {
    "code.md": "# Start\n\n```\nThe counter of the loop starts at 14 and ends at 90 steps.\n```\n",
    "loud.md": "# Notice\n\nALL VISITORS MUST SIGN THE BOOK AT THE LODGE WITHIN 5 MINUTES.\n",
    "links.md": "# Links\n\nThe archive of 40 letters is at https://example.org/letters for all.\n",
    "data.txt": "TG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQsIGNvbnNlY3RldHVyIGFkaXBpc2Npbmcg" * 3,
    "back.md": "# More\n\nThey must be returned to the lodge by the warden within 30 days.\n",
}


async def test_code_links_capitals_and_data_are_not_asked_about(tmp_path: Path) -> None:
    """Else a person throws the set away at its first line."""
    made = await made_from(tmp_path, JUNK)
    assert [question.text for question in made.questions if question.kind != "heading"] == []
    assert any(note.startswith("0 of 10 questions") for note in made.notes)


PRICES = (
    "# Prices\n\n| Part | Price in spring | Colour |\n|---|---|---|\n"
    "| Outer bracket | 14 pounds | grey |\n| Inner hinge | 23 pounds | black |\n\n"
    "- Delivery to islands: eleven days by the mail boat.\n"
)


async def test_cells_of_tables_and_items_of_lists_are_asked_about(tmp_path: Path) -> None:
    """Else what stands in a table, as most figures do, is never measured."""
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "folder", {"prices.md": PRICES}))
    made = [one for n in range(4) for one in (await made_of(library, "folder", 9, n)).questions]
    answers = {one.answers: one for one in made if one.kind in ("table", "list")}
    cells = {("14 pounds",), ("grey",), ("23 pounds",), ("black",)}
    assert set(answers) & cells
    assert ("eleven days by the mail boat",) in answers
    for cell in set(answers) & cells:
        [row] = answers[cell].quotes
        assert f"| {cell[0]} " in row


async def test_what_stands_in_every_document_is_not_asked_about(tmp_path: Path) -> None:
    """Else the footer of all letters is the right answer, and any letter as good as the other."""
    footer = "The office of the harbour company is open for 6 hours on working days."
    files = {
        f"{name}.md": f"# {name.title()}\n\nThe {name} was painted by {n + 2} volunteers in spring."
        f"\n\n{footer}\n"
        for n, name in enumerate(("jetty", "crane", "shed", "kiosk", "buoy", "ferry"))
    }
    made = await made_from(tmp_path, files, 20)
    assert made.questions
    assert not any("office" in " ".join(question.quotes) for question in made.questions)


async def test_other_languages_are_asked_about_in_their_own_words(tmp_path: Path) -> None:
    """Else English question words stand around German, which no person would ask."""
    files = {
        "werft.md": "# Werft\n\nDie Schwimmdocks der Werft werden im Herbst von zwei Tauchern auf"
        " Rost und Muschelbewuchs geprüft. Für den Anstrich der Fähre ist die Malerei zuständig,"
        " die auch das Gerüst stellt.\n",
        "港.md": "# 港\n\n港の事務所は午前七時に開きます。船は二隻あります。\n" * 4,
    }
    made = await made_from(tmp_path, files)
    assert made.questions
    for question in made.questions:
        words = set(lower_words(question.text))
        assert not words & {"what", "which", "how", "about", "is", "the", "given"}, question
        assert words <= set(lower_words(files["werft.md"]))
        assert longest_run(question.text, question.quotes[0]) <= LONGEST_RUN
    assert any("German" in note for note in made.notes)
    assert any("without spaces" in note for note in made.notes)


async def test_a_folder_with_little_in_it_gives_fewer_and_says_so(tmp_path: Path) -> None:
    """Else a person waits for fifty questions, or is given the same one fifty times."""
    made = await made_from(tmp_path, {"boathouse.md": COPIED}, 50)
    assert 0 < len(made.questions) < 5
    assert made.notes[0].startswith(f"{len(made.questions)} of 50 questions")


async def test_an_empty_database_is_said_in_one_line(tmp_path: Path) -> None:
    """Else a person gets a traceback, or a file without a line."""
    library = Library(tmp_path / "home")
    folder = write_files(tmp_path / "folder", {})
    folder.mkdir(exist_ok=True)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    library.index(folder)
    with pytest.raises(LibraryError, match="'folder' is empty"):
        await made_of(library, "folder")
    with pytest.raises(LibraryError, match="no database 'folders'"):
        await made_of(library, "folders")


@pytest.mark.parametrize("made", ["handbook"], indirect=True)
def test_what_is_made_reads_back_as_it_is(made: Made, tmp_path: Path) -> None:
    """Else what a person edits is not what was made."""
    path = tmp_path / "manual.questions.jsonl"
    write_questions(path, made.questions)
    read = read_questions(path)
    assert read.questions == made.questions
    assert not read.bad_lines


def test_cells_in_the_middle_of_a_long_table_are_asked_for_by_its_heads() -> None:
    """The first row of a passage would be taken for the heads, and its values for what they say."""
    rows = "".join(f"| Bracket number {n} | {n + 3} pounds |\n" for n in range(60))
    table = f"| Part | Price in spring |\n|---|---|\n{rows}"
    passages = split(read("a.md", table.encode()))
    found = [fact for passage in passages for fact in facts_of(1, passage)]
    assert len(passages) > 2
    assert {(fact.label, fact.column, fact.value) for fact in found} == {
        (f"Bracket number {n}", "Price in spring", f"{n + 3} pounds") for n in range(60)
    }
