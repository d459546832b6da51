"""Secrets are taken out of what leaves, and nothing else is."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.assistant import Assistant
from rag_assistant.egress.masking import MARK, MaskedBody, Masker
from rag_assistant.egress.secrets.finding import secret_spans
from rag_assistant.library.library import Library
from rag_assistant.models.own_fields import OWN_FIELDS
from scripts.benchmarks.shared.model_replies import Answer, Call, Script
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from tests.conftest import settle, write_files
from tests.egress.elsewhere import answer_of, ask, configured, far, notes, text_of

MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx7bVb2n0mO3yQ1k4v5w6x7y8z9A0B1C2D3E4F5G6\n"
    "H7I8J9K0L1M2N3O4P5Q6R7S8T9U0V1W2X3Y4Z5a6b7c8d9e0f1g2h3i4j5k6\n-----END RSA PRIVATE KEY-----"
)
SECRETS = {
    "AWS key": ["AKIAIOSFODNN7EXAMPLE", "ASIAY34FZKBOKMUTVV7A"],
    "AWS secret key": ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEKE"],
    "GitHub token": [f"ghp_{MIXED[:36]}", f"github_pat_{MIXED}"],
    "GitLab token": [f"glpat-{MIXED[:20]}"],
    "Slack token": ["xoxb-123456789012-abcDEF345"],
    "Stripe key": [f"sk_live_{MIXED[:24]}"],
    "API key": [f"sk-proj-{MIXED}", f"sk-ant-api03-{MIXED}"],
    "Google key": [f"AIza{MIXED[:35]}"],
    "token": [f"hf_{MIXED[:34]}", f"npm_{MIXED[:36]}"],
    "web token": [f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{MIXED}"],
    "private key": [PEM],
    "card number": ["4111 1111 1111 1111", "5500-0055-5555-5559", "378282246310005"],
    "password": ["Tr0ub4dor&3"],
}
WHERE = {
    "AWS secret key": "aws_secret_access_key = {}",
    "password": "postgres://admin:{}@db.internal:5432/prod",
}
CASES = [(kind, secret) for kind, secrets in SECRETS.items() for secret in secrets]


@pytest.mark.parametrize(("kind", "secret"), CASES)
@pytest.mark.parametrize("around", ["It is {} here.", "- {}\n- next", "({})", '{{"key": "{}"}}'])
def test_a_secret_is_found_by_its_form(kind: str, secret: str, around: str) -> None:
    """Else it leaves this machine in clear."""
    text = around.format(WHERE.get(kind, "{}").format(secret))
    [span] = secret_spans(text)
    assert (span.name, text[span.start : span.end]) == (kind, secret)


@pytest.mark.parametrize(("kind", "secret"), CASES)
def test_a_secret_is_found_within_the_json_of_a_result(kind: str, secret: str) -> None:
    """Else what a search lists goes out in clear, since JSON writes line ends as two letters."""
    text = f"First line\n{WHERE.get(kind, '{}').format(secret)}\nlast line"
    written = json.dumps({"hits": [{"snippet": text}]})
    masked = Masker().masked(written)
    assert json.dumps(secret)[1:-1] not in masked
    assert MARK.search(json.loads(masked)["hits"][0]["snippet"])


@pytest.mark.parametrize(
    "text",
    [
        "Server=db;Database=prod;User Id=sa;Password=hunter22;",
        "host=db user=app password=s3cr3t-pw dbname=prod",
        'api_key = "Zx81Qm02Lw77pA91"',
        "password: hunter2024!",
        f"Authorization: Bearer {MIXED}",
        "AccountKey=" + "Ab1+" * 21 + "Ab==",
    ],
)
def test_a_secret_is_found_by_what_stands_before_it(text: str) -> None:
    """Else a password in a connection string leaves."""
    assert len(secret_spans(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Password: choose a long one. The token is printed on your badge; the secret: patience.",
        "postgres://user:password@host/db and https://example.com:8080/path and mailto:a@b.c",
        "password=<your-password>;Server=x;Database=y; api_key=YOUR_API_KEY_GOES_HERE1",
        "ISBN 978-3-16-148410-0, order 4111111111111112, 2026-11-21 12:00:00.123456789",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "550e8400-e29b-41d4-a716-446655440000 sk-learn-style-names-are-words task-force",
        "Call +49 89 4111 1111 1111; 4.111.111.111.111,11 EUR; FORM-PL-3; DE89 3704 0044 0532 0130",
        "the key: patience and secrecy, access token: see appendix B",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """Else a model is asked about text with holes in it."""
    assert Masker().masked(text) == text


def test_the_same_secret_has_the_same_number() -> None:
    """Else a model cannot tell that two places have one key, or that they have two."""
    masker = Masker()
    first, second = "AKIAIOSFODNN7EXAMPLE", "AKIAJ5Q7EXAMPLE2QRST"
    assert masker.masked(f"{first} {second}") == "[masked: AWS key 1] [masked: AWS key 2]"
    assert masker.masked(f"again {second}") == "again [masked: AWS key 2]"
    assert masker.count == 2


def test_a_key_whose_end_was_cut_off_is_masked_as_far_as_it_goes() -> None:
    """Else a passage that ends within a key shows most of it."""
    begun, ended = PEM[: len(PEM) // 2 + 20], PEM[60:]
    for part in (begun, ended):
        left = Masker().masked(f"before {part}")
        assert "MIIEow" not in left
        assert "Q6R7S8T9" not in left


def test_what_belongs_to_the_protocol_goes_as_it_is() -> None:
    """Else a call loses its id, or a picture is broken."""
    key = f"sk-proj-{MIXED}"
    picture = {"url": "data:image/png;base64,iVBORw0KGgo="}
    body = {
        "model": key,
        "messages": [
            {"role": "user", "content": [{"type": "image_url", "image_url": picture}]},
            {"role": "tool", "tool_call_id": key, "content": f"It is {key}."},
        ],
        "max_tokens": 5,
    }
    masked = MaskedBody(body, Masker(), own=OWN_FIELDS)
    assert masked.body["model"] == key
    assert masked.body["messages"][0] == body["messages"][0]  # type: ignore[index]
    assert masked.body["messages"][1] == {
        "role": "tool",
        "tool_call_id": key,
        "content": "It is [masked: API key 1].",
    }
    assert (masked.secrets, masked.characters) == (1, len("It is [masked: API key 1]."))


@pytest.mark.parametrize("key", ["name", "id", "type", "role", "model", "url", "call_id"])
def test_a_key_named_as_the_protocols_own_hides_nothing_of_a_tool(key: str) -> None:
    """Else what a document wrote goes to a tool's server in clear, under an innocent name."""
    secret = f"ghp_{MIXED[:36]}"
    masked = MaskedBody({key: secret, secret: [{key: f"data:{secret}"}]}, Masker(), own=OWN_FIELDS)
    if key == "model":
        masked = MaskedBody({"file": {key: secret, secret: secret}}, Masker(), own=OWN_FIELDS)
    assert secret not in json.dumps(masked.body)


def test_arguments_of_a_tool_are_masked_by_their_keys_too() -> None:
    """Else a password that a model read goes out as an argument, since no word stands beside it."""
    arguments = {"login": "mara", "password": "Larch+Elm77", "card": 4556737586899855, "page": 3}
    masked = MaskedBody(arguments, Masker())
    assert masked.body == {
        "login": "mara",
        "password": "[masked: password 1]",
        "card": "[masked: card number 2]",
        "page": 3,
    }


def test_a_text_that_begins_as_a_picture_is_text() -> None:
    """Else `data:` before a question or a heading switches masking off."""
    secret = f"ghp_{MIXED[:36]}"
    body = {
        "messages": [
            {"role": "user", "content": f"data: {secret}"},
            {"role": "user", "content": [{"image_url": {"url": f"data:text/plain,{secret}"}}]},
            {
                "role": "user",
                "content": [{"image_url": {"url": f"data:image/png;base64,{secret}"}}],
            },
        ]
    }
    assert secret not in json.dumps(MaskedBody(body, Masker(), own=OWN_FIELDS).body)


@given(st.text(), st.sampled_from(CASES), st.text())
def test_masking_ends_and_leaves_no_secret_behind(
    before: str, case: tuple[str, str], after: str
) -> None:
    """Else some text around a secret hides it, or what is masked is masked again."""
    kind, secret = case
    text = f"{before} \n{WHERE.get(kind, '{}').format(secret)}\n {after}"
    masker = Masker()
    masked = masker.masked(text)
    assert secret not in masked
    assert masker.masked(masked) == masked or masker.count > 1
    assert masker.restored(masked, text) == text or "[masked: " in text


@pytest.mark.soak
def test_masks_of_what_looks_bad_take_no_time() -> None:
    """Else a long line of digits or of base64 holds up an answer for minutes."""
    for text in ("4111 " * 40_000, "A" * 200_000, "a:" * 100_000, "eyJ" * 60_000, "1-" * 90_000):
        Masker().masked(f"password=x host= BEGIN {text} private key")
    for word in (
        "password ",
        "key: ",
        "PIN ",
        "a,password\n",
        "otpauth://",
        "PuTTY-User-Key-File-3: ",
    ):
        Masker().masked(word * 4_000)


async def test_what_a_helper_quotes_with_a_mark_is_verified(
    library: Library, tmp_path: Path
) -> None:
    """Else every quote with a secret in it counts as made up; or the person reads a mark where
    their own document has the words."""
    words = "The key of the shop is AKIAIOSFODNN7EXAMPLE, and Mara has it."
    folder = write_files(tmp_path / "ops", {"keys.md": f"# Keys\n\n{words}\n"})
    settle(folder)
    library.index(folder)

    def play(request: SeenRequest) -> Script:
        if "response_format" in request.body:
            quote = words.replace("AKIAIOSFODNN7EXAMPLE", "[masked: AWS key 1]")
            reply = {"relevant": [quote], "source": [1], "confidence": 9}
            return Answer(json.dumps(reply))
        done = sum(message["role"] == "tool" for message in request.body["messages"])
        calls = (
            Call("search_ops_database", '{"keyword": "key of the shop"}'),
            Call("query_ops_database", '{"query": "Who has the key?", "ids": 1}'),
        )
        return Answer(calls=(calls[done],)) if done < 2 else Answer("Mara has it [1].")

    with ScriptedServer(play) as server:
        assistant = Assistant(library, configured({"far": far(server)}, egress="any"), {})
        events = await ask(assistant, "Who has the key of the shop?")
        await assistant.aclose()
        sent = text_of(server)
    assert "AKIA" not in sent
    assert "[masked: AWS key 1]" in sent
    answer = answer_of(events)
    [citation] = answer.citations
    assert citation.item.verified
    assert citation.item.quote == words
    assert answer.sent[0].masked == 1
    assert "1 secret was masked" in notes(events)
