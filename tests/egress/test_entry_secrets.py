"""What is secret in an entry is decided on all of it, whatever part of it leaves."""

import base64
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.secrets.finding import secret_spans
from rag_assistant.egress.secrets.known import KnownSecrets, secrets_of
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.models.embedders import EndpointEmbedder
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.conftest import settle, write_files
from tests.egress.elsewhere import ask, configured, elsewhere, far, player, text_of
from tests.models.embedding_server import EmbeddingServer

RANDOM = Random(9)
"""A key's bytes need no key behind them."""


def pem(kind: str = "RSA PRIVATE KEY", size: int = 2400) -> str:
    """Make up the text of a private key: 50 lines, as of one of 4,096 bits."""
    body = base64.b64encode(RANDOM.randbytes(size)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"])


def left_of(secret: str, text: str) -> list[str]:
    """Give the parts of a secret, eight characters long, that stand in a text."""
    body = "".join(line for line in secret.splitlines() if "-----" not in line)
    return [body[at : at + 8] for at in range(0, len(body) - 8, 4) if body[at : at + 8] in text]


def indexed(library: Library, folder: Path, files: dict[str, str]) -> None:
    """Index a folder of files as the database `ops`."""
    settle(write_files(folder / "ops", files))
    library.index(folder / "ops")


@pytest.mark.parametrize("name", ["key.txt", "key.md"])
def test_no_line_of_a_key_goes_to_an_embedder(library: Library, tmp_path: Path, name: str) -> None:
    """Else the passages of its middle, which have no edge, show most of it."""
    key = pem()
    indexed(library, tmp_path, {name: f"# Web server\n\nThe key of the shop.\n\n{key}\n\nEnd.\n"})
    with EmbeddingServer() as server:
        settings = server.settings(dimensions=32)
        settings = replace(settings, base_url=elsewhere(server.base_url))
        embedder = EndpointEmbedder(settings, {}, Gate(library.home, Config(egress="any")))
        assert not embed_database(library.database("ops"), embedder).failure
        embedder.close()
        sent = json.dumps(server.requests)
    assert "key of the shop" in sent
    assert left_of(key, sent) == []


async def test_no_line_of_a_key_goes_to_a_model(library: Library, tmp_path: Path) -> None:
    """Else snippets and quotes, which are cut from its middle, show parts of it."""
    key = pem()
    text = (
        f"# Web server\n\nOf parental leave, beside the key.\n\n{key}\n\nOf parental leave again.\n"
    )
    indexed(library, tmp_path, {"key.md": text, "other.md": "# Leave\n\nParental leave is long.\n"})
    with ScriptedServer(player("ops")) as server:
        assistant = Assistant(library, configured({"far": far(server)}, egress="any"), {})
        await ask(assistant, "How long is parental leave?")
        await assistant.aclose()
        sent = text_of(server)
    assert "beside the key" in sent
    assert left_of(key, sent) == []


def test_any_part_of_an_entry_shows_nothing_of_its_secrets() -> None:
    """Else a row of a table without its head, or a cut through a token, leaves in clear."""
    rows = [f"user{n};{RANDOM.randbytes(4).hex()}+Ab{n};ops" for n in range(300)]
    entry = "\n".join(["login;passwort;team", *rows, "", pem(size=1200)])
    secrets = secrets_of(entry)
    assert len(secrets) == 301
    for start in range(0, len(entry), 650):
        part = entry[start : start + 650]
        shown = part
        for span in reversed([*KnownSecrets(secrets).spans(part)]):
            shown = shown[: span.start] + " " + shown[span.end :]
        assert not [row for row in rows if row.split(";")[1] in shown]
        assert left_of(entry[entry.index("-----") :], shown) == []


def test_ordinary_words_of_an_entry_stay() -> None:
    """Else an entry with a password of words leaves with holes wherever a word of it stands."""
    secrets = secrets_of('The passphrase is "copper lantern seldom walks home".')
    assert secrets
    assert list(KnownSecrets(secrets).spans("A lantern of copper; who walks home, seldom?")) == []


def test_a_key_is_one_secret_whichever_edge_it_lacks() -> None:
    """Else a passage that begins or ends within a key shows the rest of it."""
    for kind in ("PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK", "EC PRIVATE KEY"):
        key = pem(kind, 700)
        whole = f"Before it.\n{key}\nBehind it."
        for cut in (whole[:300], whole[300:], whole):
            [span] = secret_spans(cut)
            assert left_of(key, cut[: span.start] + cut[span.end :]) == []
