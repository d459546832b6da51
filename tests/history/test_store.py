"""Conversations in a real SQLite file: kept, found, branched, deleted, upgraded, damaged."""

import json
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.errors import HistoryError
from rag_assistant.history.kept import Past
from rag_assistant.history.recording import Follows, Recording
from rag_assistant.history.schema import STEPS, VERSION, upgrade
from rag_assistant.history.store import ConversationStore
from rag_assistant.values.events import Event, RunStarted, Stopped, TextDelta, TitleGiven
from rag_assistant.values.messages import (
    AssistantMessage,
    Image,
    Message,
    PastExchange,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from tests.examples import examples
from tests.history.runs import CITATION, EVIDENCE, answered, run, started

SAID: tuple[Message, ...] = (
    UserMessage("How many days?", (Image("image/png", "aGVsbG8="),)),
    AssistantMessage("", (ToolCall("c1", "search", '{"query": "leave"}'),), ({"type": "r"},)),
    ToolMessage("c1", "search", "27 days"),
    AssistantMessage("You get 27 days [1]."),
)


def keep(
    store: ConversationStore,
    events: Sequence[Event],
    conversation: int | None = None,
    messages: Sequence[Message] = (),
) -> int:
    """Keep a whole run; gives its conversation."""
    first = events[0]
    assert isinstance(first, RunStarted)
    recording = store.begin(first, Follows(conversation, 10**6) if conversation else None)
    recording.keep(events)
    recording.finish(messages)
    recording.close()
    return recording.place.conversation


def test_a_run_is_kept_with_all_that_belongs_to_it(store: ConversationStore) -> None:
    """Something said, cited, found or spent would not be there later."""
    conversation = keep(store, run(), messages=SAID)
    kept = store.show(conversation)
    assert kept.summary.title == "How many days?"
    assert (kept.summary.exchanges, kept.summary.citations) == (1, 1)
    (exchange,) = kept.exchanges
    assert (exchange.question, exchange.answer) == ("How many days?", "You get 27 days [1].")
    assert (exchange.state, exchange.model, exchange.elapsed_ms) == ("answered", "mine", 1234)
    assert (exchange.usage.requests, exchange.cost) == (2, 0.25)
    assert exchange.usage_by_model[0].role == "main"
    assert exchange.evidence == (EVIDENCE,)
    version = replace(CITATION.item, text_hash="version-1")
    assert [kept.citation for kept in exchange.citations] == [replace(CITATION, item=version)]
    assert exchange.coverage == answered("", "").answer.coverage
    assert exchange.citations[0].text_hash == "version-1"
    assert exchange.messages == SAID
    assert store.replay(conversation).events == tuple(run())
    held = exchange.databases, (("handbook", EVIDENCE.items[0].entry_id),)
    past = PastExchange("How many days?", SAID, "You get 27 days [1].", *held)
    assert store.resume(conversation) == Past((past,), (EVIDENCE,))


def test_conversations_are_listed_by_the_latest_and_paged(store: ConversationStore) -> None:
    """A person would not find the last conversation at the top, or never come to the old ones."""
    numbers = [keep(store, run(f"Question {number}?")) for number in range(5)]
    keep(store, run("Once more?"), numbers[1])
    order = [numbers[1], numbers[4], numbers[3], numbers[2], numbers[0]]
    assert [line.id for line in store.conversations(3)] == order[:3]
    assert [line.id for line in store.conversations(3, 3)] == order[3:]
    assert store.latest() == numbers[1]
    assert store.count() == 5
    assert store.conversations(1)[0].exchanges == 2


def test_questions_answers_and_titles_are_found_by_any_words(store: ConversationStore) -> None:
    """A conversation could not be found by what was said in it."""
    leave = keep(store, run("How many days?", "You get 27 days of parental leave."))
    crane = keep(store, run("Who runs the crane?", "Extension 4410."))
    store.rename(crane, "Harbour")
    japanese = keep(store, run("休暇は何日ありますか", "年次休暇は二十七日です。"))

    def found(text: str) -> list[tuple[int, int]]:
        return [(match.conversation.id, match.ordinal) for match in store.search(text)]

    assert found("parental") == [(leave, 1)]
    assert found("PARENTS leaving") == [(leave, 1)]  # stems, whatever their case
    assert found("crane extension") == [(crane, 1)]
    assert found("harbour") == [(crane, 1)]
    assert found("年次休暇") == [(japanese, 1)]
    assert found("days volcano") == [(leave, 1)]  # some of the words, where none has all
    assert found('"27 days"') == [(leave, 1)]
    assert found('"days 27"') == []
    assert found("ext*") == [(crane, 1)]
    assert set(found("days -parental")) == set()
    assert found("volcano") == []
    assert "parental" in store.search("parental")[0].snippet
    assert store.search("days", limit=1, offset=1) == []


@settings(max_examples=examples(80))
@given(text=st.text(max_size=40) | st.text('"*()-:^+{}\\ANDORNEAT \x00\ud800', max_size=30))
def test_any_text_may_be_searched_for(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A question mark or a quote typed into the search would be an error."""
    path = tmp_path_factory.getbasetemp() / "any-text" / "conversations.db"
    store = ConversationStore(path)
    if not path.exists():
        keep(store, run())
    store.search(text)


def test_a_title_is_the_persons_then_the_models_then_the_question(
    store: ConversationStore,
) -> None:
    """A model would overwrite the name that a person gave."""
    conversation = keep(store, run("How many\ndays?"))
    assert store.show(conversation).summary.title == "How many days?"
    keep(store, [started(), TitleGiven("Leave"), *run()[1:]], conversation)
    assert store.show(conversation).summary.title == "Leave"
    store.rename(conversation, "  My  leave ")
    keep(store, [started(), TitleGiven("Other"), *run()[1:]], conversation)
    assert store.show(conversation).summary.title == "My leave"
    with pytest.raises(HistoryError, match="empty"):
        store.rename(conversation, " ")


def test_a_branch_holds_what_was_said_until_then_and_goes_its_own_way(
    store: ConversationStore,
) -> None:
    """Going back to an earlier question would lose, or change, what came after it."""
    conversation = keep(store, run("One?"), messages=SAID)
    keep(store, run("Two?"), conversation)
    branch = store.branch(conversation, 1)
    keep(store, run("Other?"), branch)
    assert [e.question for e in store.show(branch).exchanges] == ["One?", "Other?"]
    assert [e.question for e in store.show(conversation).exchanges] == ["One?", "Two?"]
    copy, original = store.show(branch), store.show(conversation)
    assert copy.exchanges[0] == original.exchanges[0]
    assert copy.summary.parent == conversation
    assert store.replay(branch, 1).events == store.replay(conversation, 1).events
    assert {match.conversation.id for match in store.search("One")} == {conversation, branch}
    store.delete(conversation)
    assert store.show(branch).summary.parent == 0
    assert len(store.show(branch).exchanges) == 2
    with pytest.raises(HistoryError, match="no exchange 9"):
        store.replay(branch, 9)
    with pytest.raises(HistoryError, match="no conversation 99"):
        store.branch(99, 1)


def test_what_is_deleted_is_nowhere_in_the_files(store: ConversationStore) -> None:
    """Someone else could read what a person has deleted; or too much would be deleted."""
    secret = keep(store, run("What about xylophones?", "Xylophonist says zyzzyva."))
    other = keep(store, run("Who runs the crane?", "Extension 4410."))
    store.delete(secret)
    assert store.take_notes() == []
    for file in store.path.parent.iterdir():
        written = file.read_bytes().lower()
        assert b"xylophon" not in written, file
        assert b"zyzzyva" not in written, file
    assert [line.id for line in store.conversations()] == [other]
    assert store.search("crane")
    with pytest.raises(HistoryError, match="no conversation"):
        store.delete(secret)
    assert keep(store, run()) > other  # a number is never given out again
    assert store.delete_all() == 2
    assert store.conversations() == []
    with closing(sqlite3.connect(store.path)) as connection:
        for table in ("exchanges", "events", "messages", "evidence", "citations"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


def test_the_files_are_the_persons_alone(store: ConversationStore) -> None:
    """Other users of the machine could read what was asked."""
    keep(store, run())
    assert store.path.stat().st_mode & 0o077 == 0


def test_looking_at_a_history_that_is_not_there_makes_no_file(store: ConversationStore) -> None:
    """Listing would leave files behind, even where nothing may be written."""
    assert store.conversations() == []
    assert store.search("x") == []
    assert store.count() == 0
    with pytest.raises(HistoryError, match="No conversation is kept yet"):
        store.latest()
    assert not store.path.parent.exists()


def begun(store: ConversationStore, *events: Event) -> Recording:
    """Begin a run and leave it there."""
    recording = store.begin(started())
    recording.keep([started(), *events])
    return recording


def test_a_run_that_goes_on_is_running_for_everyone(store: ConversationStore) -> None:
    """A second window would take a run that is going on for one that has died."""
    recording = begun(store, TextDelta("You get"))
    other = ConversationStore(store.path)
    assert other.conversations()[0].state == "running"
    with pytest.raises(HistoryError, match="no exchange"):
        other.branch(recording.place.conversation, 1)
    recording.keep(run()[-1:])
    recording.finish(())
    recording.close()
    assert other.conversations()[0].state == "answered"


def test_a_run_whose_process_died_is_interrupted_with_what_there_was(
    store: ConversationStore,
) -> None:
    """After a crash a conversation would be stuck, or its half answer lost."""
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from rag_assistant.values.events import TextDelta\n"
        "from rag_assistant.history.store import ConversationStore\n"
        "from tests.history.runs import started\n"
        f"recording = ConversationStore(Path({str(store.path)!r})).begin(started())\n"
        "recording.keep([started(), TextDelta('You get '), TextDelta('27')])\n"
        "os.kill(os.getpid(), 9)\n"
    )
    dead = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert dead.returncode == -9
    (exchange,) = store.show(store.latest()).exchanges
    assert (exchange.state, exchange.answer) == ("interrupted", "You get 27")
    assert [match.ordinal for match in store.search("27")] == [1]
    past = store.resume(store.latest())
    held = started().databases
    assert past == Past((PastExchange(started().question, (), "You get 27", held),))
    assert keep(store, run("And then?"), store.latest()) == store.latest()
    assert store.conversations()[0].state == "answered"
    assert not list(store.path.parent.glob("conversations.*.lock"))


def test_a_stopped_run_says_why(store: ConversationStore) -> None:
    """A limit that was met would look like an answer."""
    partial = answered("How many days?", "You")
    events: list[Event] = [started(), TextDelta("You")]
    events.append(Stopped("At the limit.", "Raise it.", partial.answer))
    (exchange,) = store.show(keep(store, events)).exchanges
    assert (exchange.state, exchange.reason) == ("stopped", "At the limit. Raise it.")
    recording = begun(store, TextDelta("Hal"))
    recording.finish((), "Cut off.")
    recording.close()
    (exchange,) = store.show(recording.place.conversation).exchanges
    assert (exchange.state, exchange.reason, exchange.answer) == ("stopped", "Cut off.", "Hal")


@pytest.mark.soak
def test_two_processes_keep_conversations_at_once(store: ConversationStore) -> None:
    """Two windows would lose each other's questions, or fail because the file is locked."""
    code = (
        "from pathlib import Path\n"
        "from rag_assistant.history.store import ConversationStore\n"
        "from tests.history.runs import run\n"
        "from tests.history.test_store import keep\n"
        f"store = ConversationStore(Path({str(store.path)!r}))\n"
        "for number in range(20):\n"
        "    keep(store, run(f'Question {number}?'), 1)\n"
    )
    keep(store, run("First?"))
    others = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    threads = [
        threading.Thread(target=lambda: [keep(store, run("Mine?"), 1) for _ in range(20)])
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [other.wait(60) for other in others] == [0, 0]
    kept = store.show(1)
    assert [exchange.ordinal for exchange in kept.exchanges] == list(range(1, 82))
    assert all(exchange.state == "answered" for exchange in kept.exchanges)


def test_a_file_of_an_earlier_version_is_upgraded_with_all_it_holds(
    store: ConversationStore,
) -> None:
    """An update of the program would lose every conversation, or not open them."""
    store.path.parent.mkdir()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        upgrade(connection, STEPS[:1])
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        connection.execute(
            "INSERT INTO conversations VALUES (4, 'Leave', 'person', '2026-01-01T00:00:00+00:00',"
            " '2026-01-01T00:00:00+00:00', '[\"handbook\"]', 'mine', NULL, NULL)"
        )
        connection.execute(
            "INSERT INTO exchanges (conversation, ordinal, question, answer, state, reason,"
            " process, started, elapsed_ms, databases, model, usage, usage_by_model, variants)"
            " VALUES (4, 1, 'How many?', '27 days', 'answered', '', '', '', 1, '[]', 'mine', '{}',"
            " '[]', '')"
        )
    assert [match.conversation.id for match in store.search("days")] == [4]
    assert store.conversations()[0].title == "Leave"
    with closing(sqlite3.connect(store.path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(store: ConversationStore) -> None:
    """A disk that is full during an upgrade would cost all conversations."""
    keep(store, run())

    def break_off(database: object) -> None:
        with closing(sqlite3.connect(store.path)):
            pass
        raise OSError("no space")

    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        with pytest.raises(OSError, match="no space"):
            upgrade(connection, (*STEPS, break_off))
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert store.count() == 1


def test_a_file_of_a_newer_version_is_read_and_never_written(store: ConversationStore) -> None:
    """Going back to an older program would spoil what the newer one has kept."""
    conversation = keep(store, run())
    with closing(sqlite3.connect(store.path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
        line = json.dumps({"event": "mood_changed", "mood": "merry"})
        connection.execute("UPDATE events SET event = ? WHERE ordinal = 3", (line,))
        connection.execute("UPDATE exchanges SET state = 'running', process = 'dead'")
    before = store.path.read_bytes()
    replay = store.replay(conversation)
    assert replay.skipped == ("mood_changed",)
    assert len(replay.events) == len(run()) - 1
    assert "newer version" in store.take_notes()[0]
    assert store.take_notes() == []
    with pytest.raises(HistoryError, match="newer version"):
        keep(store, run())
    with pytest.raises(HistoryError, match="newer version"):
        store.delete(conversation)
    assert store.path.read_bytes() == before


def test_a_resumed_conversation_has_what_it_went_on_from(store: ConversationStore) -> None:
    """Numbers of quotes would mean others after resuming than they did before."""
    conversation = keep(store, run("One?"), messages=SAID)
    keep(store, run("Given up?", "Half"), conversation)  # the conversation went on without it
    keep(store, [started("Nothing?")], conversation)
    keep(store, run("Two?"), conversation, messages=SAID[:1])
    past = store.resume(conversation)
    said = [(exchange.question, len(exchange.messages)) for exchange in past.exchanges]
    assert said == [("One?", 4), ("Given up?", 0), ("Two?", 1)]
    assert past.evidence == (EVIDENCE, EVIDENCE)
    assert len(store.resume(conversation, up_to=1).exchanges) == 1


def test_two_windows_that_go_on_with_one_conversation_part_ways(store: ConversationStore) -> None:
    """Each would be answered without what was said in the other, and the history mix them up."""
    conversation = keep(store, run("One?"))
    ours = store.begin(started("Ours?"), Follows(conversation, 1))
    theirs = store.begin(started("Theirs?"), Follows(conversation, 1))
    assert (ours.place, theirs.place) == (Follows(1, 2), Follows(2, 2))
    assert store.take_notes() == [
        "This goes on as conversation 2: it is a branch of 1; there, other questions came after"
        " question 1."
    ]
    for recording in (ours, theirs):
        recording.keep(run()[1:])
        recording.finish(())
        recording.close()
    assert [e.question for e in store.show(1).exchanges] == ["One?", "Ours?"]
    assert [e.question for e in store.show(2).exchanges] == ["One?", "Theirs?"]
    store.delete(1)
    anew = store.begin(started("After?"), Follows(1, 2))
    anew.close()
    assert anew.place == Follows(3, 1)
    assert "conversation 1 was deleted" in store.take_notes()[0]


def test_a_home_that_cannot_be_written_is_read_all_the_same() -> None:
    """Conversations on a read-only disk, or of a copied home, could not be looked at."""
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from rag_assistant.errors import HistoryError\n"
        "from rag_assistant.history.store import ConversationStore\n"
        "from tests.history.runs import run\n"
        "from tests.history.test_store import keep\n"
        "store = ConversationStore(Path(sys.argv[1]) / 'conversations.db')\n"
        "keep(store, run())\n"
        "store.search('days'), store.show(1), store.count(), store.path.as_uri()\n"  # imports
        "os.chmod(store.path, 0o444)\n"
        "os.chmod(store.path.parent, 0o555)\n"
        "if os.geteuid() == 0:\n"
        "    os.seteuid(65534)  # root may write everywhere\n"
        "print(store.count(), len(store.search('days')), store.show(1).exchanges[0].answer)\n"
        "try:\n"
        "    keep(store, run())\n"
        "except HistoryError as error:\n"
        "    print(error)\n"
        "if os.getuid() == 0:\n"
        "    os.seteuid(0)\n"
        "os.chmod(store.path.parent, 0o755)\n"
    )
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        done = subprocess.run(
            [sys.executable, "-c", code, home], capture_output=True, text=True, check=True
        )
    read, refused = done.stdout.splitlines()
    assert read == "1 1 You get 27 days [1]."
    assert "cannot be used: attempt to write a readonly database" in refused


def aside_of(store: ConversationStore) -> list[Path]:
    return sorted(store.path.parent.glob("conversations.damaged-*"))


@pytest.mark.parametrize("damage", ["garbage", "another database"])
def test_a_file_that_is_none_of_ours_is_set_aside_and_a_new_one_begun(
    store: ConversationStore, damage: str
) -> None:
    """A broken disk block would keep a person from asking for ever, or be deleted silently."""
    store.path.parent.mkdir()
    if damage == "garbage":
        store.path.write_bytes(b"garbage" * 4096)
    else:
        with closing(sqlite3.connect(store.path)) as connection:
            connection.execute("CREATE TABLE recipes (name TEXT)")
    before = store.path.read_bytes()
    assert store.conversations() == []
    (note,) = store.take_notes()
    (aside,) = aside_of(store)
    assert str(aside) in note
    assert "damaged" in note
    assert aside.read_bytes() == before
    keep(store, run())
    assert store.count() == 1
    assert store.take_notes() == []


def test_damage_deep_in_the_file_is_told_when_it_is_met(store: ConversationStore) -> None:
    """Only some commands would fail, with a traceback, and go on failing."""
    for number in range(12):
        keep(store, run(f"Question {number}?", "word " * 200))
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(store.path.read_bytes())
    half = len(content) // 2
    content[half:] = b"\xff" * (len(content) - half)
    store.path.write_bytes(content)
    kept = 0
    for number in range(1, 13):
        with suppress(HistoryError):  # those that could not be read are not there any more
            exchanges = store.show(number).exchanges
            kept += [one.question for one in exchanges] == [f"Question {number - 1}?"]
    (aside,) = aside_of(store)
    assert aside.read_bytes() == content
    (note,) = store.take_notes()
    assert str(aside) in note
    assert 0 < kept <= store.count() <= 12
    assert keep(store, run()) == 13  # no number is given out again
    assert store.problems() == []


def test_a_conversation_deleted_while_it_goes_on_is_told(store: ConversationStore) -> None:
    """What is asked then would seem to be kept."""
    recording = begun(store)
    ConversationStore(store.path).delete(recording.place.conversation)
    with pytest.raises(HistoryError, match="deleted meanwhile"):
        recording.keep(run()[1:])
    recording.close()
    assert store.count() == 0


def test_an_entry_that_has_changed_since_is_told(store: ConversationStore) -> None:
    """An old answer would seem to rest on a text that says something else now."""
    conversation = keep(store, run())
    (citation,) = store.show(conversation).exchanges[0].citations
    for now, told in (("version-1", ""), ("version-2", "changed"), ("", "gone")):
        later = ConversationStore(store.path, lambda *_, now=now: now)
        assert later.change_since(citation) == told


def test_half_characters_are_kept_as_question_marks(store: ConversationStore) -> None:
    """One odd byte in a question would keep the whole conversation from being kept."""
    conversation = keep(store, run("How \ud800 many?", "27 \udcff days"), messages=[
        UserMessage("How \ud800 many?"),
    ])  # fmt: skip
    assert store.show(conversation).exchanges[0].answer == "27 ? days"
    assert store.replay(conversation).events == tuple(run("How \ud800 many?", "27 \udcff days"))
