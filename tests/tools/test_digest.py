"""A question put to every passage: within its budget, cited, and going on where it was."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from rag_assistant.agents.retrieval import RetrievalAgent
from rag_assistant.library.digest_file import SUFFIX, DigestFile, PartFound, key_of
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.model import ExtractiveModel
from rag_assistant.tools.digest import PART_TOKENS, DigestBudget
from rag_assistant.tools.progress import listening
from rag_assistant.tools.retrieve import ReadingBy
from rag_assistant.values.documents import EntryText
from rag_assistant.values.evidence import TOOK_OVER, Evidence, EvidenceItem
from tests.conftest import write_files
from tests.tools.documents import ORDER, DocumentTools, quotes

CHAPTERS = 90
LONG = "".join(
    f"## Chapter {n}\n\n{'The tide turns and the quay is quiet. ' * 200}\n\n"
    f"The warden of chapter {n} is called Warden{n}.\n\n"
    for n in range(CHAPTERS)
)
QUESTION = "Who is the warden?"


class Reader:
    """Finds the sentence on the warden in each passage that it is given, and keeps what it read."""

    def __init__(self, *, ends_after: int = 10**6, note: str = "") -> None:
        self.read: list[Sequence[EntryText]] = []
        self.ends_after = ends_after
        self.note = note

    async def retrieve(self, database: str, entries: Sequence[EntryText], query: str) -> Evidence:
        if len(self.read) >= self.ends_after:
            raise KeyboardInterrupt
        self.read.append(entries)
        await asyncio.sleep(0)
        items: list[EvidenceItem] = []
        for text in entries:
            for passage in text.passages:
                at = passage.text.find("The warden of chapter")
                if at >= 0:
                    end = passage.text.index(".", at) + 1
                    entry = text.entry
                    place = passage.place(at, end)
                    words = passage.text[at:end]
                    where = (database, entry.id, entry.title, entry.path)
                    items.append(EvidenceItem(*where, words, place, verified=True))
        notes = (self.note,) if self.note else ()
        return Evidence(database, query, tuple(items), 9, notes=notes)

    def by(self, name: str = "reader") -> ReadingBy:
        """Give what tools are handed."""
        return ReadingBy(self.retrieve, name)

    @property
    def tokens(self) -> int:
        """How much text it read."""
        return (
            sum(
                len(passage.text)
                for part in self.read
                for text in part
                for passage in text.passages
            )
            // 4
        )


def tools(library: Library, reader: Reader, tokens: int = 1_000_000) -> DocumentTools:
    budget = DigestBudget(tokens, 60.0)
    return DocumentTools(library, "archive", reading=reader.by(), budget=budget)


def long_archive(library: Library, tmp_path: Path) -> None:
    """Index a document of some 700 KB."""
    assert len(LONG) > 680_000
    library.index(write_files(tmp_path / "archive", {"long.md": LONG}))


async def test_every_passage_is_read_and_each_line_cited(archive: Library, tmp_path: Path) -> None:
    """A fact of a long document would be missed, or a line stand there without its source."""
    long_archive(archive, tmp_path)
    kit = tools(archive, Reader())
    found, offset = [], 0
    while True:
        page = await kit.call("digest", question=QUESTION, id=kit.ids["long.md"], offset=offset)
        found += quotes(page)
        if "next_offset" not in page:
            break
        offset = page["next_offset"]
    assert found == [f"The warden of chapter {n} is called Warden{n}." for n in range(CHAPTERS)]
    assert page["passages_looked_at"] == page["passages"]
    assert all(source["path"] == "long.md" for source in page["sources"])


async def test_a_digest_keeps_to_its_budget_and_goes_on(archive: Library, tmp_path: Path) -> None:
    """A long document would cost without a limit, or be begun anew with every call."""
    long_archive(archive, tmp_path)
    first, second, third = Reader(), Reader(), Reader()
    kit = tools(archive, first, tokens=100_000)
    output = await kit.run("digest", question=QUESTION, id=kit.ids["long.md"])
    assert output.unfinished and not output.tallies[0].complete
    assert 100_000 - 2 * PART_TOKENS < first.tokens <= 100_000
    kit = tools(archive, second, tokens=100_000)
    output = await kit.run("digest", question=QUESTION, id=kit.ids["long.md"])
    assert not output.unfinished and output.tallies[0].complete
    assert second.tokens < 90_000
    kit = tools(archive, third)
    output = await kit.run("digest", question=QUESTION, id=kit.ids["long.md"])
    assert not third.read and not output.unfinished


async def test_after_a_kill_it_goes_on_where_it_was(archive: Library, tmp_path: Path) -> None:
    """What was read and paid for would be lost with the program."""
    long_archive(archive, tmp_path)
    kit = tools(archive, Reader())
    path = kit.databases[0].path.with_suffix(SUFFIX)
    limited = tools(archive, before := Reader(), tokens=60_000)
    await limited.run("digest", question=QUESTION, id=kit.ids["long.md"])
    with path.open("a") as stream:
        stream.write('["cut off", 9, [[1, 2')  # as a kill leaves it
    kit = tools(archive, after := Reader())
    await kit.run("digest", question=QUESTION, id=kit.ids["long.md"])
    read = [key(part) for part in before.read] + [key(part) for part in after.read]
    assert len(read) == len(set(read))


def key(part: Sequence[EntryText]) -> str:
    return json.dumps([[p.location.start for p in text.passages] for text in part])


async def test_what_changed_or_was_asked_otherwise_is_read_again(
    archive: Library, tmp_path: Path
) -> None:
    """Places of an old text would be quoted of a new one."""
    for question, files in (
        (QUESTION, {}),
        ("Who is the warden now?", {}),
        (QUESTION, {"crane.md": "# Crane\n\nThe warden of chapter 1 is new.\n"}),
    ):
        archive.index(write_files(tmp_path / "archive", files))
        kit = tools(archive, reader := Reader())
        await kit.run("digest", question=question, query="path:crane")
        assert len(reader.read) == 1


async def test_what_another_found_in_the_helpers_place_is_not_kept(archive: Library) -> None:
    """An endpoint that failed once would stand for what the helper would have found."""
    for _ in range(2):
        kit = tools(archive, reader := Reader(note=f"x failed; y {TOOK_OVER}"))
        result = await kit.call("digest", question=QUESTION, query="path:crane")
        assert len(reader.read) == 1 and "failed" in result["notes"][0]


async def test_short_documents_share_a_request_and_hidden_words_are_not_read(
    archive: Library,
) -> None:
    """Each mail would cost a request; or a helper would be handed orders."""
    kit = tools(archive, reader := Reader())
    result = await kit.call("digest", question=QUESTION)
    assert len(reader.read) == 1 and result["documents"] == 8
    texts = [passage.text for text in reader.read[0] for passage in text.passages]
    assert ORDER not in "".join(texts)


async def test_how_far_it_has_come_is_told(archive: Library, tmp_path: Path) -> None:
    """A person would wait for minutes and see nothing."""
    long_archive(archive, tmp_path)
    told: list[str] = []
    kit = tools(archive, Reader())
    with listening(told.append):
        await kit.run("digest", question=QUESTION, id=kit.ids["long.md"])
    assert told[-1].split()[1] == told[-1].split()[3] == str(len(told))


async def test_the_built_in_model_can_read_too(archive: Library) -> None:
    """Without a model's endpoint the tool would be of no use."""
    model = ExtractiveModel()
    agent = RetrievalAgent(model, fallback=model)
    kit = DocumentTools(archive, "archive", reading=ReadingBy(agent.retrieve, model.name))
    result = await kit.call("digest", question="What is the crane fee?")
    assert any("forty euros" in quote for quote in quotes(result))


def test_the_file_holds_no_words(tmp_path: Path) -> None:
    """A digest would leave a copy of documents beside what masks and hides them."""
    kept = DigestFile(tmp_path / "a.db")
    kept.add(key_of("secret words", 1), PartFound(((1, 2, 3),), 7))
    written = (tmp_path / f"a{SUFFIX}").read_text()
    assert "secret" not in written
    assert DigestFile(tmp_path / "a.db").get(key_of("secret words", 1)) == PartFound(
        ((1, 2, 3),), 7
    )


async def test_it_goes_with_its_database(archive: Library) -> None:
    """A database of the same name would be given places of another one."""
    kit = tools(archive, Reader())
    await kit.run("digest", question=QUESTION)
    path = kit.databases[0].path.with_suffix(SUFFIX)
    assert path.is_file()
    archive.remove("archive")
    assert not path.exists()
