"""The settings: all of them explained, found by a word, changed in the file a person wrote."""

import ast
import inspect
from dataclasses import fields
from pathlib import Path

import pytest

from rag_assistant.config import Config, load_config, settings
from rag_assistant.config.described import described
from rag_assistant.config.writing import set_value
from rag_assistant.errors import ConfigError
from rag_assistant.tui.settings.screen import SettingsScreen
from rag_assistant.tui.terminal.themes import HIGH_CONTRAST
from tests.tui.hosting import hosted

MINE = """# Mine
model = "mine" # for now

[models.mine]
model = "big"
api_key_env = "MY_KEY" # not the key

[limits]
steps = 3 # few
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "config.toml"
    made.write_text(MINE)
    return made


def test_every_setting_is_explained(path: Path) -> None:
    """If it fails, a person sees a setting and does not learn what it does."""
    found = described(load_config(path))
    assert all(setting.help for setting in found)
    names = {setting.name for setting in found}
    assert {"model", "limits.steps", "models.mine.wire", "tools.run_python"} <= names
    tables = {"models", "embedders", "rerankers", "mcp", "limits", "context", "tools"}
    tables.add("databases")
    assert {f.name for f in fields(Config)} - tables <= names
    assert ast.parse(inspect.getsource(settings))


async def test_a_word_of_the_explanation_finds_a_setting(path: Path) -> None:
    """If it fails, only who knows the name of a setting finds it."""
    screen = SettingsScreen(path)
    async with hosted(screen) as shown:
        await shown.type("fallback")
        await shown.until(lambda: screen.listing.key == "fallback", "the setting")
        await shown.type("main model requests")
        await shown.until(lambda: screen.listing.key == "limits.steps", "the setting")
        detail = shown.words("#browse-detail")
        assert "Requests to the main model." in detail
        assert "value 3" in detail
        assert "default 10" in detail


async def test_a_value_is_changed_and_comments_stay(path: Path) -> None:
    """If it fails, settings are only changed with an editor, or a person's notes are lost."""
    screen = SettingsScreen(path)
    async with hosted(screen, (80, 24)) as shown:
        screen.listing.go_to("limits.steps")
        await shown.press("tab", "enter")
        await shown.type("many")
        await shown.press("enter")
        assert "is not a whole number" in shown.words("#edit-line")
        assert load_config(path).limits.steps == 3
        await shown.type("7")
        await shown.press("enter")
        await shown.until(lambda: not screen.edit.display, "the change")
        assert path.read_text() == MINE.replace("steps = 3", "steps = 7")
        await shown.press("d")
        await shown.until(lambda: load_config(path).limits.steps == 10, "the default")
        screen.listing.go_to("tools.run_python")
        await shown.press("enter")
        await shown.until(lambda: load_config(path).tools.run_python, "the switch")
        assert "# for now" in path.read_text()


async def test_a_value_that_the_file_cannot_have_says_why(path: Path) -> None:
    """If it fails, the next start fails on a file that this screen wrote."""
    screen = SettingsScreen(path)
    async with hosted(screen) as shown:
        await shown.press("tab")
        for key, value, why in (
            ("embedder", "nobody", "there is no embedder"),
            ("context.policy", "round", "shrink or circular"),
            ("theme", "nothing", "There are: "),
        ):
            screen.listing.go_to(key)
            await shown.press("enter")
            await shown.type(value)
            await shown.press("enter")
            await shown.until(lambda why=why: why in shown.words("#edit-line"), why)  # type: ignore[misc]
            await shown.press("escape")
        assert path.read_text() == MINE


async def test_the_theme_changes_at_once(path: Path) -> None:
    """If it fails, who needs high contrast has to guess names and start anew."""
    screen = SettingsScreen(path)
    async with hosted(screen) as shown:
        screen.listing.go_to("theme")
        await shown.press("tab")
        assert HIGH_CONTRAST.name in shown.words("#browse-detail")
        await shown.press("enter")
        await shown.type(HIGH_CONTRAST.name)
        await shown.press("enter")
        await shown.until(lambda: load_config(path).theme == HIGH_CONTRAST.name, "the file")
        assert shown.app.theme == HIGH_CONTRAST.name


async def test_no_key_is_shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it fails, a key is on a screen that somebody shares."""
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    screen = SettingsScreen(path)
    async with hosted(screen) as shown:
        screen.listing.go_to("models.mine.api_key_env")
        await shown.settle()
        assert "MY_KEY" in shown.words("#browse-detail")
        assert "secret" not in shown.text()


async def test_a_broken_file_is_said_and_left(tmp_path: Path) -> None:
    """If it fails, a slip in the file ends in a traceback, or the file is overwritten."""
    path = tmp_path / "config.toml"
    path.write_text("model = \n")
    async with hosted(SettingsScreen(path), (60, 18)) as shown:
        assert "cannot be read" in shown.text()
        await shown.press("tab", "enter", "d")
        assert path.read_text() == "model = \n"
    with pytest.raises(ConfigError):
        set_value(path, ("limits", "steps"), 3)


async def test_no_colour_still_tells_what_is_chosen(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, the cursor cannot be seen without colours."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with hosted(SettingsScreen(path), (80, 24)) as shown:
        await shown.press("tab", "down")
        assert shown.text().count("❯") == 1
