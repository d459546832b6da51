"""What a store knows somebody by: looked up where the settings say, and shown nowhere."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rag_assistant.config import StoreSettings
from rag_assistant.errors import ConfigError, LibraryError
from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.credentials import Credentials, credentials_of
from tests.cli.program import Program

URLS = ("https://search.example:9200",)
KEPT = {"WORD": "blue horse\n", "KEY": "abc123=="}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (StoreSettings(), Credentials()),
        (StoreSettings(user="ann", password_env="WORD"), Credentials("ann", "blue horse")),
        (StoreSettings(api_key_env="KEY"), Credentials(api_key="abc123==")),
    ],
)
def test_secrets_are_taken_from_the_environment(
    settings: StoreSettings, expected: Credentials
) -> None:
    """A password would have to stand in a file."""
    found = credentials_of(URLS, settings, KEPT)
    assert found == expected
    assert "horse" not in repr(found)
    assert "abc" not in repr(found)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (StoreSettings(user="ann"), "no password for ann.*Name its variable as password_env"),
        (StoreSettings(user="ann", password_env="NONE"), "no password for ann.*Set NONE"),
        (StoreSettings(api_key_env="NONE"), "no API key.*Set NONE"),
        (StoreSettings(user="ann", api_key_env="KEY"), "a user and an API key.*Leave one"),
        (StoreSettings(api_key_env="WORD"), "holds characters that none has.*Copy it again"),
    ],
)
def test_what_is_missing_is_said(settings: StoreSettings, words: str) -> None:
    """A person would be told by the store that they are nobody, and look there."""
    with pytest.raises(ConfigError, match=words) as told:
        credentials_of(URLS, settings, KEPT)
    assert "horse" not in str(told.value)


def test_a_password_is_kept_in_the_keyring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would have to be typed, or stand in the environment of each program."""
    pytest.importorskip("keyring", reason="the extra `keyring` is not installed")
    from tests.egress.file_keyring import FILE, FileKeyring

    own = FileKeyring()  # type: ignore[no-untyped-call]
    monkeypatch.setattr("keyring.core._keyring_backend", own)
    given = {"PYTHON_KEYRING_BACKEND": "tests.egress.file_keyring.FileKeyring"}
    given[FILE] = str(tmp_path / "keyring.json")
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    program = Program(tmp_path / "home")
    program.home.mkdir()
    config = program.home / "config.toml"
    config.write_text(f'[stores.team]\nurls = ["{URLS[0]}"]\nuser = "ann"\n')
    put = program.run("model", "key", "team", stdin="blue horse\n")
    assert put.code == 0, put.err
    assert "keyring = true" in config.read_text()
    settings = StoreSettings(user="ann", keyring=True)
    assert credentials_of(URLS, settings, {}) == Credentials("ann", "blue horse")
    assert program.run("model", "key", "team", "--forget").code == 0
    with pytest.raises(ConfigError, match=r"no password for ann.*model key NAME"):
        credentials_of(URLS, settings, {})


@pytest.mark.parametrize("ask", [Cluster.demand_version, lambda one: one.asked("GET", "/")])
def test_without_its_package_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, ask: Callable[[Cluster], object]
) -> None:
    """Who installed the program alone would be told of an internal error."""
    for name in ("opensearchpy", "opensearchpy.exceptions"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(LibraryError, match=r"need the extra `opensearch`.*Run `.*opensearch"):
        ask(Cluster(Address(URLS)))
