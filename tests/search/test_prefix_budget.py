"""Beginnings of words: they find what begins so, and never read half of the index for it."""

from collections.abc import Iterator

import pytest

from rag_assistant.search.planning import plan_alone, posting_budget
from rag_assistant.store.reading import StoreReader
from rag_assistant.values.search_plan import Phrase, Plan
from tests.store.making import entry_of, make_store

PASSAGES = 6_000


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreReader]:
    """6,000 passages that all hold "committee" and "the"; every tenth a word of its own."""
    entries = []
    for number in range(PASSAGES):
        own = f"commuter{'abcdefghij'[number % 10]} community" if number % 10 == 0 else "plain"
        entries.append(entry_of(f"The committee of the harbour {own}.", "Notes", f"{number}"))
    path = tmp_path_factory.mktemp("prefixes") / "x.db"
    with make_store(path, {"notes.jsonl": entries}).reading() as opened:
        yield opened


def postings(reader: StoreReader, plan: Plan) -> int:
    """Count the passages that a plan finds: each is an entry."""
    return len(reader.candidates.best(plan, PASSAGES, looked_at=PASSAGES))


def words_of(plan: Plan) -> set[str]:
    """Give the words that find candidates."""
    return {word for phrase in plan.any_of for word in phrase.words}


def has_beginnings(plan: Plan) -> bool:
    """Say whether beginnings of words find candidates."""
    return any(phrase.begun for phrase in plan.any_of)


@pytest.mark.parametrize(("text", "typing"), [("comm*", False), ("plain comm", True)])
def test_a_frequent_beginning_stands_for_the_words_there_is_room_for(
    reader: StoreReader, text: str, typing: bool
) -> None:
    """A short prefix would read all passages, a second of it in a large database."""
    plan = plan_alone(reader, text, typing=typing)
    assert Phrase(("comm",), begun=True) not in plan.any_of
    assert 0 < postings(reader, plan) <= posting_budget(PASSAGES, typing=typing) + 1_000
    assert words_of(plan) & {"commun", "plain"}


def test_a_rare_beginning_finds_all_words_that_begin_so(reader: StoreReader) -> None:
    """A prefix would find the words that happened to be read, and not the others."""
    assert postings(reader, plan_alone(reader, "commu*")) == PASSAGES // 10


def test_a_stop_word_after_other_words_is_at_its_end(reader: StoreReader) -> None:
    """Typing "from the harbour to" would search for every word that begins with "to"."""
    assert not has_beginnings(plan_alone(reader, "plain harbour the", typing=True))
    assert has_beginnings(plan_alone(reader, "plain harbour comx", typing=True))
    assert has_beginnings(plan_alone(reader, "whe", typing=True))


@pytest.mark.parametrize("text", ["\u0301" * 40, "\u0301\u0301", "harbour \u0301\u0302"])
def test_marks_without_letters_begin_no_word(reader: StoreReader, text: str) -> None:
    """A loose accent is nothing to FTS5, and every word begins with nothing."""
    for typing in (True, False):
        assert not has_beginnings(plan_alone(reader, text, typing=typing))


def test_many_beginnings_share_the_budget(reader: StoreReader) -> None:
    """Forty prefixes would read the index forty times."""
    plan = plan_alone(reader, "com* co* comm* commi* commit* ha* har* harb* pl* pla* no* not*")
    read = sum(postings(reader, Plan((phrase,))) for phrase in plan.any_of)
    assert read <= 2 * posting_budget(PASSAGES)
    assert postings(reader, plan) > 0


@pytest.mark.parametrize("phrases", ['"committee" ', '"The committee" "the COMMITTEE" ', '"漢" '])
def test_a_phrase_said_again_is_read_once(reader: StoreReader, phrases: str) -> None:
    """A frequent word in quotes thirty times over would take seconds."""
    once = plan_alone(reader, phrases.split('"')[1].join('""'))
    again = plan_alone(reader, phrases * 10)
    assert [len(phrases) for phrases in again.required] == [len(some) for some in once.required]
    assert again.any_of == once.any_of


def test_phrases_that_differ_are_all_demanded(reader: StoreReader) -> None:
    """The second of two phrases would be left out, and passages without it shown."""
    plan = plan_alone(reader, '"the committee" "harbour" "committee of"')
    assert len(plan.required) == 3
    assert postings(reader, plan) == PASSAGES
