"""Fetching models from a copy of the hub on loopback: whole and checked, or one clear line."""

import json
import os
import socket
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from filelock import FileLock

from rag_assistant.config import EmbedderSettings, RerankerSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.errors import ModelError
from rag_assistant.models.fetched.catalogue import (
    CATALOGUE,
    NEEDED,
    ONNX_FILE,
    CatalogueFile,
    CatalogueModel,
    models_named,
)
from rag_assistant.models.fetched.download import FetchProgress, WantedFile
from rag_assistant.models.fetched.getting import ModelGetter
from rag_assistant.models.fetched.given_folder import given_model
from rag_assistant.models.fetched.hub import ENDPOINT_VARIABLE, Hub
from rag_assistant.models.fetched.kept import RECORD, KeptModel, kept_models, part_of, remove
from rag_assistant.models.local_embedder import LocalEmbedder
from rag_assistant.models.local_reranker import LocalReranker
from rag_assistant.models.patience import Patience
from tests.egress.elsewhere import elsewhere
from tests.models.hub_server import REVISION, HubReply, HubRequest, HubServer, sha256
from tests.models.tiny_models import embedder_files, reranker_files, write_files

pytestmark = pytest.mark.skipif(
    find_spec("fastembed") is None, reason="the extra `semantic` is not installed"
)

REMOTE = "onnx/model_int8.onnx"
"""Where the model lies in the repositories of these tests."""


def in_repository(files: dict[str, bytes]) -> dict[str, bytes]:
    """Give a model's files as a repository holds them."""
    return {REMOTE if name == ONNX_FILE else name: content for name, content in files.items()}


def row(files: dict[str, bytes], **changed: object) -> CatalogueModel:
    """Give the catalogue's row of a model."""
    listed = [CatalogueFile(name, name) for name in files if name != ONNX_FILE]
    onnx = CatalogueFile(REMOTE, ONNX_FILE, sha256(files[ONNX_FILE]))
    values = {
        "name": "tiny",
        "purpose": "embedder",
        "does": "finds words",
        "repository": "makers/tiny-words",
        "revision": REVISION,
        "licence": "MIT",
        "size": sum(map(len, files.values())),
        "files": (*listed, onnx),
    }
    return CatalogueModel(**{**values, **changed})  # type: ignore[arg-type]


WORDS, PAIRS = embedder_files(), reranker_files()
EMBEDDER = row(WORDS)
RERANKER = row(PAIRS, purpose="reranker", repository="makers/tiny-pairs")
REPOSITORIES = {
    EMBEDDER.repository: in_repository(WORDS),
    RERANKER.repository: in_repository(PAIRS),
}


@pytest.fixture
def getter(tmp_path: Path) -> ModelGetter:
    return ModelGetter(tmp_path / "home")


@pytest.fixture
def server() -> Iterator[HubServer]:
    with HubServer(REPOSITORIES) as running:
        yield running


def hub_at(
    address: str, home: Path, *, silence: float = 5.0, retries: int = 3, **environ: str
) -> Hub:
    patience = Patience(retries=retries, first=0.001)
    return Hub({ENDPOINT_VARIABLE: address, **environ}, Gate(home), silence, patience)


def got(
    getter: ModelGetter,
    hub: Hub,
    model: CatalogueModel = EMBEDDER,
    heard: list[FetchProgress] | None = None,
    told: list[WantedFile] | None = None,
) -> KeptModel:
    with closing(hub):
        return getter.from_hub(
            model,
            hub,
            (told if told is not None else []).extend,
            (heard if heard is not None else []).append,
        )


def failure(getter: ModelGetter, hub: Hub, model: CatalogueModel = EMBEDDER) -> str:
    """Get a model, and give the line that a person reads."""
    with pytest.raises(ModelError) as caught:
        got(getter, hub, model)
    line = str(caught.value)
    assert "\n" not in line and caught.value.hint
    assert not kept_models(getter.home), "nothing that is not whole takes a model's place"
    return line


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != RECORD
    }


def test_a_model_is_fetched_whole_checked_and_used(getter: ModelGetter, server: HubServer) -> None:
    """A model would lie there that does not run, or of which nobody knows where it is from."""
    heard: list[FetchProgress] = []
    told: list[WantedFile] = []
    kept = got(getter, hub_at(server.address, getter.home), EMBEDDER, heard, told)
    assert files_of(kept.folder) == WORDS
    assert kept.folder == getter.home / "models/tiny-words"
    assert (kept.origin, kept.revision, kept.licence) == (server.address, REVISION, "MIT")
    assert {file.name: file.sha256 for file in kept.files} == {
        name: sha256(content) for name, content in WORDS.items()
    }
    hashes = {one.file.name: one.hash for one in told}
    assert hashes[ONNX_FILE] == f"sha256 {sha256(WORDS[ONNX_FILE])}"
    assert hashes["tokenizer.json"].startswith("git sha1 ")
    assert heard[-1].done == heard[-1].total == EMBEDDER.size
    assert [event.done for event in heard] == sorted(event.done for event in heard)
    settings = EmbedderSettings("local", folder=kept.setting)
    vector = LocalEmbedder(settings, getter.home).embed_query("crane")
    assert vector.shape == (16,)
    pairs = got(getter, hub_at(server.address, getter.home), RERANKER)
    reranker = LocalReranker(RerankerSettings("local", folder=pairs.setting), getter.home)
    assert reranker.rerank("crane", ["roof", "crane"]) == [1, 2]
    assert [one.purpose for one in kept_models(getter.home)] == ["embedder", "reranker"]
    assert getter.have(EMBEDDER) == kept


def test_no_key_and_no_cookie_go_to_the_hub(
    getter: ModelGetter, server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person's account would be told which models they have."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password hf_secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    got(getter, hub_at(server.address, getter.home, HF_TOKEN="hf_secret"))
    for request in server.requests:
        assert request.headers.keys() <= {
            *("host", "accept", "accept-encoding", "connection", "user-agent", "range")
        }
        assert request.headers["user-agent"] == "rag-assistant"


def test_what_is_fetched_is_on_record(getter: ModelGetter, server: HubServer) -> None:
    """`egress` would be silent about a host that was asked."""
    got(getter, hub_at(elsewhere(server.address), getter.home))
    (day,) = EgressLedger(getter.home).by_day_and_host()
    assert (day.host, day.models, day.purposes) == (
        "0.0.0.0",
        (EMBEDDER.repository,),
        ("download",),
    )
    assert day.requests == len(server.requests)
    assert (day.characters, day.databases) == (0, ())


def test_an_interrupted_fetch_goes_on_where_it_was(getter: ModelGetter, server: HubServer) -> None:
    """All would be fetched anew after each fault of a network."""
    size = len(WORDS[ONNX_FILE])
    cuts = iter([size // 2])

    def once_cut(request: HubRequest, reply: HubReply) -> HubReply:
        if "/cdn/" in request.path and (cut := next(cuts, None)):
            return replace(reply, cut=cut)
        return reply

    server.odd = once_cut
    assert "broke off" in failure(getter, hub_at(server.address, getter.home, retries=0))
    part = part_of(getter.home / "models/tiny-words") / f"{ONNX_FILE}.part"
    assert part.stat().st_size == size // 2
    server.requests.clear()
    kept = got(getter, hub_at(server.address, getter.home))
    assert files_of(kept.folder) == WORDS
    assert [r.headers.get("range") for r in server.asked("/cdn/")] == [f"bytes={size // 2}-"]
    assert not server.asked("tokenizer.json"), "what was whole is not fetched again"


def test_a_connection_that_breaks_is_tried_again(getter: ModelGetter, server: HubServer) -> None:
    """One fault of many minutes' fetching would end it."""
    faults = iter([HubReply(503), HubReply(429, headers={"retry-after": "0.01"})])
    cuts = iter([100, 200])

    def shaky(request: HubRequest, reply: HubReply) -> HubReply:
        if "/api/" in request.path:
            return next(faults, reply)
        return replace(reply, cut=next(cuts, None)) if "/cdn/" in request.path else reply

    server.odd = shaky
    assert files_of(got(getter, hub_at(server.address, getter.home)).folder) == WORDS
    ranges = [r.headers.get("range") for r in server.asked("/cdn/")]
    assert ranges == [None, "bytes=100-", "bytes=300-"]


def test_a_hub_that_wants_to_be_left_alone_for_long_is_not_waited_for(
    getter: ModelGetter, server: HubServer
) -> None:
    """A person would wait for an hour without a word, or the hub be asked all the more."""
    server.odd = lambda request, reply: HubReply(429, headers={"retry-after": "3600"})
    line = failure(getter, hub_at(server.address, getter.home))
    assert "does not give makers/tiny-words at 01234567 now (429)" in line
    assert len(server.requests) == 1


def test_a_hub_without_ranges_is_begun_anew(getter: ModelGetter, server: HubServer) -> None:
    """The begin of a file would be written behind its begin."""
    part = part_of(getter.home / "models/tiny-words") / f"{ONNX_FILE}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(WORDS[ONNX_FILE][:50])
    content = WORDS[ONNX_FILE]
    server.odd = lambda request, reply: HubReply(200, content) if "/cdn/" in request.path else reply
    assert files_of(got(getter, hub_at(server.address, getter.home)).folder) == WORDS


@pytest.mark.parametrize("status", [206, 416])
def test_a_part_of_something_else_is_fetched_anew(
    getter: ModelGetter, server: HubServer, status: int
) -> None:
    """A part of an older revision would make each later try fail."""
    part = part_of(getter.home / "models/tiny-words") / f"{ONNX_FILE}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"x" * 60)
    if status == 416:
        server.odd = lambda request, reply: HubReply(416) if request.headers.get("range") else reply
    assert files_of(got(getter, hub_at(server.address, getter.home)).folder) == WORDS


def answer_to(part: str, **changed: object) -> Callable[[HubRequest, HubReply], HubReply]:
    """Make what changes the answers to requests whose path has a part."""

    def odd(request: HubRequest, reply: HubReply) -> HubReply:
        return replace(reply, **changed) if part in request.path else reply  # type: ignore[arg-type]

    return odd


BROKEN = {
    "its hash": (
        answer_to("/cdn/", body=b"y" * len(WORDS[ONNX_FILE])),
        r"is not what it should be: its hash is not the listed sha256 .*thrown away.*Run the same",
    ),
    "its git hash": (
        answer_to("tokenizer.json", body=b"y" * len(WORDS["tokenizer.json"])),
        r"tokenizer\.json .* its hash is not the listed git sha1",
    ),
    "too long": (
        answer_to("/cdn/", body=WORDS[ONNX_FILE] + b"more"),
        r"it goes on after [\d,]+ bytes\. It was thrown away",
    ),
    "too short": (answer_to("/cdn/", body=b"y"), r"ended .* after 2 of [\d,]+ bytes.*goes on"),
    "another part": (
        answer_to("/cdn/", status=206, headers={"content-range": "bytes 7-9/10"}),
        "sent another part",
    ),
    "absent": (answer_to("/cdn/", status=404), r"has no onnx/model_int8\.onnx of .* \(404\)"),
    "refused": (answer_to("/api/", status=403), r"does not give .* \(403\).*HF_ENDPOINT"),
    "busy": (answer_to("/api/", status=503), r"does not give .* now \(503\)"),
    "no listing": (answer_to("/api/", body=b"<html>"), "sent no list of the files"),
    "odd listing": (answer_to("/api/", body=b'[{"type": "file"}]'), "sent no list of the files"),
    "an endless listing": (answer_to("/api/", body=b" " * (5 << 20)), "sent no list of the files"),
    "an empty listing": (answer_to("/api/", body=b"[]"), r"lists no tokenizer\.json"),
    "circles": (
        answer_to("/cdn/", status=302, headers={"location": "/cdn/again"}),
        "round in circles",
    ),
    "nowhere": (answer_to("/cdn/", status=302, headers={"location": "ftp:"}), "leads to nowhere"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_comes_broken_is_one_line(case: str, getter: ModelGetter, server: HubServer) -> None:
    """A broken file would be loaded, or a person would read a traceback."""
    server.odd, line = BROKEN[case]
    with pytest.raises(ModelError, match=line):
        got(getter, hub_at(server.address, getter.home, retries=1))
    assert not kept_models(getter.home)
    thrown_away = "thrown away" in line
    part = part_of(getter.home / "models/tiny-words") / f"{ONNX_FILE}.part"
    assert not (thrown_away and part.exists())


def test_a_silent_and_a_slow_hub_are_one_line(getter: ModelGetter, server: HubServer) -> None:
    """A person would wait for hours, and not know for what."""
    server.odd = answer_to("/cdn/", pause=0.02)
    hub = hub_at(server.address, getter.home, silence=0.2, retries=0)
    assert "bytes in 0.2 seconds: too slow. Run the same command again" in failure(getter, hub)
    server.odd = answer_to("/cdn/", pause=0.6)
    hub = hub_at(server.address, getter.home, silence=0.2, retries=0)
    assert "sent nothing for 0.2 seconds" in failure(getter, hub)


def test_a_hub_that_is_not_there_is_one_line(getter: ModelGetter) -> None:
    """A person without a network would not learn what else to do."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    line = failure(getter, hub_at(address, getter.home))
    assert "127.0.0.1 cannot be reached: the connection was refused" in line
    assert "--from FOLDER" in line
    line = failure(getter, hub_at("https://hub.invalid", getter.home))
    assert "hub.invalid cannot be reached: the host was not found" in line
    for odd in ("nonsense", "ftp://hub.example"):
        with pytest.raises(ModelError, match=r"HF_ENDPOINT is .*no web address"):
            hub_at(odd, getter.home)


def test_another_file_than_the_catalogue_pins_is_not_fetched(
    getter: ModelGetter, server: HubServer
) -> None:
    """A mirror could give any model at all: it lists the hashes as well."""
    other = {**WORDS, ONNX_FILE: b"another model"}
    server.repositories = {EMBEDDER.repository: in_repository(other)}
    line = failure(getter, hub_at(server.address, getter.home))
    assert "lists another onnx/model_int8.onnx" in line
    assert not server.asked("/resolve/")
    large = row(WORDS, size=100)
    server.repositories = REPOSITORIES
    assert "MB for tiny-words, not about" in failure(
        getter, hub_at(server.address, getter.home), large
    )


def test_a_hub_may_not_lead_to_a_less_safe_place(getter: ModelGetter, server: HubServer) -> None:
    """A hub could have servers of this machine asked, which answer nobody else."""
    server.odd = answer_to("/api/", status=302, headers={"location": f"{server.address}/secret"})
    line = failure(getter, hub_at(elsewhere(server.address), getter.home))
    assert "leads to 127.0.0.1, which is less safe to ask" in line
    assert not server.asked("/secret")


def test_too_little_room_is_said_before(
    getter: ModelGetter, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk would be filled, which harms the databases."""
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(10**9, 10**9 - 9, 9))
    assert "has 0 MB left" in failure(getter, hub_at(server.address, getter.home))
    assert not server.asked("/resolve/")


def test_a_home_that_cannot_be_written_is_one_line(getter: ModelGetter, server: HubServer) -> None:
    """A person would read a traceback."""
    getter.home.mkdir()
    (getter.home / "models").write_text("in the way")
    assert "tiny-words cannot be kept in" in failure(getter, hub_at(server.address, getter.home))


def test_a_disk_that_is_full_half_way_is_one_line(getter: ModelGetter, server: HubServer) -> None:
    """A person would read a traceback, and what came would be lost."""
    getter.home.mkdir()
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_500, hard))  # writing fails beyond, as when full
    try:
        line = failure(getter, hub_at(server.address, getter.home))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "tiny-words cannot be kept in" in line and "Make room" in line
    assert files_of(got(getter, hub_at(server.address, getter.home)).folder) == WORDS


def test_a_password_of_the_address_is_not_kept(getter: ModelGetter, server: HubServer) -> None:
    """It would stand in a file, and in what is shown."""
    kept = got(getter, hub_at(server.address.replace("//", "//me:secret@"), getter.home))
    assert kept.origin == server.address
    assert "secret" not in (kept.folder / RECORD).read_text()


def test_two_processes_do_not_write_the_same_file(getter: ModelGetter, server: HubServer) -> None:
    """Each would write into the other's part, and both throw it away."""
    models = getter.home / "models"
    models.mkdir(parents=True)
    with FileLock(models / ".lock"):
        assert "Another process gets a model already. Wait" in failure(
            getter, hub_at(server.address, getter.home)
        )
    assert not server.requests


def test_a_folder_of_the_person_is_not_replaced(getter: ModelGetter, server: HubServer) -> None:
    """A model that a person put there would be gone."""
    mine = write_files(getter.home / "models/tiny-words", {"model.onnx": b"mine"})
    assert "this command did not put it there" in failure(
        getter, hub_at(server.address, getter.home)
    )
    assert (mine / "model.onnx").read_bytes() == b"mine"


def test_a_model_that_does_not_run_here_takes_no_place(
    getter: ModelGetter, server: HubServer
) -> None:
    """Searches would fail from then on."""
    broken = {**WORDS, ONNX_FILE: b"no model at all"}
    server.repositories = {EMBEDDER.repository: in_repository(broken)}
    line = failure(getter, hub_at(server.address, getter.home), row(broken))
    assert "cannot be used" in line


def test_a_model_that_was_changed_is_found_and_fetched_anew(
    getter: ModelGetter, server: HubServer
) -> None:
    """A damaged model would count as one that is there."""
    kept = got(getter, hub_at(server.address, getter.home))
    (kept.folder / ONNX_FILE).write_bytes(b"z" * len(WORDS[ONNX_FILE]))
    assert kept.problem() == "model.onnx is not what was fetched"
    assert getter.have(EMBEDDER) is None
    again = got(getter, hub_at(server.address, getter.home))
    assert files_of(again.folder) == WORDS and not again.problem()
    (kept.folder / ONNX_FILE).unlink()
    assert kept.problem() == "model.onnx is missing"
    remove(again)
    assert kept_models(getter.home) == [] and not again.folder.exists()


def test_a_folder_takes_the_place_of_the_hub(getter: ModelGetter, tmp_path: Path) -> None:
    """Without a network there would be no way to a model."""
    snapshot = tmp_path / "disk"
    write_files(snapshot / "a-reranker", in_repository(PAIRS))
    write_files(snapshot / "b-embedder", WORDS)
    given = given_model(snapshot, EMBEDDER)
    assert given and given.folder.name == "b-embedder" and given.known
    kept = getter.from_folder(EMBEDDER, given)
    assert files_of(kept.folder) == WORDS
    assert (kept.origin, kept.revision, kept.licence) == (str(given.folder), "", "MIT")
    assert getter.have(EMBEDDER) == kept
    given = given_model(snapshot / "a-reranker", RERANKER)
    assert given and files_of(getter.from_folder(RERANKER, given).folder) == PAIRS
    assert given_model(snapshot / "a-reranker", EMBEDDER) is None


def test_a_given_folder_that_lacks_something_is_one_line(
    getter: ModelGetter, tmp_path: Path
) -> None:
    """It would be found out at the first search, from then on at each."""
    with pytest.raises(ModelError, match="is no folder"):
        given_model(tmp_path / "absent", EMBEDDER)
    lacking = {name: content for name, content in WORDS.items() if name != "tokenizer.json"}
    with pytest.raises(ModelError, match=r"lacks tokenizer\.json.*makers/tiny-words"):
        given_model(write_files(tmp_path / "lacking", lacking), EMBEDDER)
    damaged = {**WORDS, "config.json": b"{"}
    with pytest.raises(ModelError, match="cannot be read"):
        given_model(write_files(tmp_path / "damaged", damaged), EMBEDDER)
    other = write_files(tmp_path / "other", {**WORDS, ONNX_FILE: b"no model at all"})
    given = given_model(other, EMBEDDER)
    assert given and not given.known
    with pytest.raises(ModelError, match="cannot be used"):
        getter.from_folder(EMBEDDER, given)
    assert not part_of(getter.home / "models/tiny-words").exists()
    assert kept_models(getter.home) == []


def test_a_record_that_cannot_be_read_is_no_model(getter: ModelGetter) -> None:
    """One odd file would end every listing of models."""
    odd = ['{"files": 3}', "{", "[]", json.dumps({"files": [], "purpose": "x"})]
    for number, text in enumerate(odd):
        write_files(getter.home / f"models/{number}", {RECORD: text.encode()})
    assert kept_models(getter.home) == []


def test_the_catalogue_names_what_can_be_fetched() -> None:
    """A name would stand for other files tomorrow, or for a model that cannot be run."""
    assert {model.purpose for model in models_named("small")} == {"embedder", "reranker"}
    with pytest.raises(
        ModelError, match=r"There is no model 'large' to fetch.*`small` or `multilingual`"
    ):
        models_named("large")
    for model in CATALOGUE:
        assert len(model.revision) == 40 and int(model.revision, 16)
        assert {file.name for file in model.files} >= set(NEEDED)
        assert all(len(f.sha256) == 64 for f in model.files if f.name == ONNX_FILE)
        assert model.licence and model.does
        kind = EmbedderSettings if model.purpose == "embedder" else RerankerSettings
        kind("local", folder="x", **dict(model.settings))  # type: ignore[arg-type]
    assert len({model.title for model in CATALOGUE}) == len(CATALOGUE)


def test_the_int8_minilm_comes_through_the_hub_and_finds_by_meaning(getter: ModelGetter) -> None:
    """Of tiny models all may be well, and a real one not be fetched, loaded or used."""
    folder = os.environ.get("TEST_MODEL")
    if not folder:
        pytest.skip("TEST_MODEL names no folder of MiniLM (see CONTRIBUTING)")
    files = files_of(Path(folder))
    model = row(files, repository="makers/minilm")
    with HubServer({model.repository: in_repository(files)}) as server:
        kept = got(getter, hub_at(server.address, getter.home), model)
    embedder = LocalEmbedder(EmbedderSettings("local", folder=kept.setting), getter.home)
    rows = embedder.embed_passages(
        [
            "The crane lifts containers in the harbour.",
            "Every mother and father gets sixteen weeks of leave at full pay.",
        ]
    )
    assert (rows @ embedder.embed_query("paid time at home with a baby")).argmax() == 1
