"""A key that a server repeats in what it says of a failure."""

from urllib.parse import quote

import pytest

from rag_assistant.models.key_filter import MARK, without_key

KEY = "sk-proj-Zk3+9Qv/7TtLm2Xe8Ra5"


@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: {KEY}.",
        f"Incorrect API key provided: {KEY[:9]}*****{KEY[-4:]}.",
        f"Incorrect API key provided: {KEY[:4]}…{KEY[-4:]}.",
        f"GET /v1?key={quote(KEY, safe='')} failed",
        f"GET /v1?key={quote(quote(KEY, safe=''), safe='')} failed",
        f"GET /v1?key={quote(' '.join(KEY), safe='')} failed",
        f"Incorrect API key provided: {KEY[:8]}...{KEY[-4:]}.",
        f"Bad header: Bearer {' '.join(KEY)}",
        f"Bad header: {KEY[:14]}\n{KEY[14:]}",
        f"Bad header: {KEY[:10]}\u200b{KEY[10:]}",
        f"It ends in {KEY[-8:]}",
        f"It begins with {KEY[:12]} and ends in {KEY[-6:]}",
    ],
)
def test_no_part_of_a_key_is_told(said: str) -> None:
    """A key, or most of it, would stand in a message that a person copies into a forum."""
    told = without_key(said, KEY)
    assert MARK in told
    plain = "".join(told.split()).replace("\u200b", "")
    assert not any(KEY[n : n + 6] in plain for n in range(len(KEY) - 5)), told
    assert told.split()[0] == said.split(maxsplit=1)[0]


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("The model qwen3-8b-instruct is not loaded on this server.", KEY),
        ("The project has no quota left … ask its owner, or wait ***.", KEY),
        ("Request 7b3f9a2c-1d4e-4f5a-9b8c-0d1e2f3a4b5c failed at 12:30:59.", KEY),
        ("A local server needs no secret key.", "local-server-key-of-mine"),
        ("Nothing here.", ""),
    ],
)
def test_what_is_no_part_of_it_stays(said: str, key: str) -> None:
    """A message would lose the words that say what is wrong."""
    assert without_key(said, key) == said


def test_a_short_key_is_hidden_as_a_whole_alone() -> None:
    """Every message would lose words to a key that is hardly one."""
    assert without_key("ollama is not ollam.", "ollama") == f"{MARK} is not ollam."
