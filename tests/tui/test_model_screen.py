"""The models: what is there, choosing one, a helper, and the fit test."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings, load_config
from rag_assistant.tui.models.screen import ModelScreen
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.models.fit_model import FitModel
from tests.models.test_discovery import listing, saying, serving
from tests.tui.hosting import hosted

PORTS = "RAG_ASSISTANT_LOCAL_PORTS"


@pytest.fixture(autouse=True)
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PORTS, "")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "config.toml"
    made.write_text('# Mine\n[models.far]\nmodel = "big"\nbase_url = "https://x.example/v1"\n')
    return made


def _with(assistant: Assistant, path: Path) -> Assistant:
    assistant.config = load_config(path)
    return assistant


async def test_without_a_model_it_says_what_works(empty: Assistant, path: Path) -> None:
    """If it fails, who has no model takes this for a dead end."""
    path.unlink()
    async with hosted(ModelScreen(empty, path), (80, 24)) as shown:
        await shown.until(lambda: "no other model" in shown.text(), "the end of looking")
        assert "quotes" in shown.words("#browse-list")
        assert "Needs no key, no network" in shown.words("#browse-detail")
        await shown.press("t")
        assert "needs no test" in shown.words("#browse-remark")
        await shown.press("escape")
        assert shown.given == [None]


async def test_a_configured_model_is_chosen_and_a_helper(empty: Assistant, path: Path) -> None:
    """If it fails, the choice is lost at the next start, or where passages go is not told."""
    screen = ModelScreen(_with(empty, path), path)
    async with hosted(screen) as shown:
        await shown.press("down")
        assert "sends questions and passages to x.example" in shown.words("#browse-detail")
        await shown.press("h")
        await shown.until(lambda: load_config(path).helper == "far", "the helper")
        await shown.until(lambda: "helps" in shown.words("#browse-list"), "its role")
        await shown.press("enter")
        await shown.until(lambda: shown.given == ["far"], "the choice")
    assert load_config(path).model == "far"
    assert empty.config.model == "far"
    assert "# Mine" in path.read_text()


async def test_a_model_on_this_computer_is_offered(
    empty: Assistant, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a person with Ollama running has to write addresses by hand."""
    async with serving(listing("qwen3:8b", "[/bold] [$x]", owner="library")) as (port, _):
        monkeypatch.setenv(PORTS, str(port))
        screen = ModelScreen(_with(empty, path), path)
        async with hosted(screen) as shown:
            while "qwen3:8b" not in shown.text():
                if "no further model" in shown.text():
                    await shown.press("r")  # a busy machine: nobody answered while it looked
                    await shown.pilot.pause(2)  # pressed again at once, it would begin anew
                await shown.pilot.pause(0.05)
            assert "[/bold] [$x]" in shown.text()
            await shown.press("slash")
            await shown.type("qwen")
            await shown.until(lambda: "[/bold]" not in shown.text(), "the filter")
            await shown.press("down", "end", "enter")
            await shown.until(lambda: shown.given == ["qwen3:8b"], "the choice")
    config = load_config(path)
    assert config.model == "qwen3:8b"
    assert config.models["qwen3:8b"].base_url == f"http://127.0.0.1:{port}/v1"


async def test_the_fit_test_shows_its_lines(empty: Assistant, path: Path) -> None:
    """If it fails, a person waits minutes without a sign, or never learns what fails."""
    with ScriptedServer(FitModel()) as server:
        empty.config = replace(Config(), models={"near": server.settings("chat")})
        screen = ModelScreen(empty, path)
        async with hosted(screen) as shown:
            await shown.press("down", "t")
            await shown.until(lambda: "testing…" in shown.words("#browse-detail"), "the start")
            await shown.until(lambda: "✓ sees images" in shown.words("#browse-detail"), "the end")
            assert "✓ native tools" in shown.words("#browse-detail")
            assert "testing…" not in shown.words("#browse-detail")


async def test_a_test_can_be_stopped(empty: Assistant, path: Path) -> None:
    """If it fails, Esc leaves while a model is still being asked, or waits for it."""
    hung = asyncio.Event()

    async def hang(_: asyncio.StreamWriter) -> None:
        await hung.wait()

    async with serving(hang) as (port, heads):
        settings = ModelSettings("slow", f"http://127.0.0.1:{port}/v1")
        empty.config = replace(Config(), models={"slow": settings})
        async with hosted(ModelScreen(empty, path)) as shown:
            await shown.press("down", "t")
            await shown.until(lambda: heads, "the request")
            await shown.press("escape")
            assert not shown.given
            assert "testing…" not in shown.words("#browse-detail")
            hung.set()
            await shown.press("escape")
            assert shown.given == [None]


async def test_a_host_lists_its_models_only_when_asked(
    empty: Assistant, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, hosts are called unasked, or a model there has to be named from memory."""
    async with serving(listing("far-2", "far-1 [/bold]")) as (port, heads):
        address = f"http://127.0.0.1:{port}/v1"
        path.write_text(
            f'[models.mine]\nmodel = "far-2"\nbase_url = "{address}"\n'
            'api_key_env = "MINE_API_KEY"\n'
        )
        monkeypatch.setenv("MINE_API_KEY", "sk-secret")
        async with hosted(ModelScreen(_with(empty, path), path)) as shown:
            await shown.sees("By a key that is set")
            await shown.sees("no other model")
            await shown.press("end")
            asks = "Only the key in $MINE_API_KEY is sent."
            await shown.until(lambda: asks in shown.words("#browse-detail"), "what is sent")
            assert not heads
            await shown.press("enter")
            await shown.sees("far-1 [/bold]")
            await shown.sees("2 models")
            assert "sk-secret" not in shown.text()
            await shown.press("end", "enter")
            await shown.until(lambda: shown.given == ["far-1 [/bold]"], "the choice")
    config = load_config(path)
    taken = config.models[config.model]
    assert (taken.base_url, taken.api_key_env) == (address, "MINE_API_KEY")


async def test_a_host_that_lists_nothing_says_why(
    empty: Assistant, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a wrong key looks like a host without models."""
    async with serving(saying("{}", "401 Unauthorized")) as (port, heads):
        path.write_text(
            f'[models.mine]\nmodel = "m"\nbase_url = "http://127.0.0.1:{port}/v1"\n'
            'api_key_env = "MINE_API_KEY"\n'
        )
        monkeypatch.setenv("MINE_API_KEY", "sk-secret")
        async with hosted(ModelScreen(_with(empty, path), path), (80, 24)) as shown:
            await shown.sees("no other model")
            await shown.press("l")
            await shown.sees("did not accept the key in MINE_API_KEY (401)")
            await shown.sees("not listed")
            assert len(heads) == 1
