"""The settings: all of them explained, found by a word, changed in the file a person wrote."""

import ast
import inspect
import re
from dataclasses import fields
from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import Theme
from textual.widgets import TextArea

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, load_config, settings
from rag_assistant.config.described import described
from rag_assistant.config.writing import set_value
from rag_assistant.errors import ConfigError
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.lists.choice_dialog import ChoiceDialog
from rag_assistant.tui.settings.labels import explanation_of, group_of, has_label
from rag_assistant.tui.settings.rows import shown_value
from rag_assistant.tui.settings.screen import SettingsScreen
from rag_assistant.tui.terminal.themes import (
    HIGH_CONTRAST,
    LIGHT,
    OWN_THEMES,
    PAPER_AND_INK,
    use_theme,
)
from tests.tui.hosting import hosted

MINE = """# Mine
model = "mine" # for now

[models.mine]
model = "big"
api_key_env = "MY_KEY" # not the key

[limits]
steps = 3 # few
"""

EVERY_TABLE = """[models.m]
model = "x"
[embedders.e]
model = "x"
[rerankers.r]
base_url = "http://127.0.0.1"
model = "x"
[mcp.s]
command = "x"
[databases.d]
egress = "ask"
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
    said = [explanation_of(setting) for setting in found if len(setting.key) < 3]
    assert not [one for one in said if re.search(r"[`\[=]|\.toml", one)], "words of the file"
    names = {setting.name for setting in found}
    assert {"model", "limits.steps", "models.mine.wire", "tools.run_python"} <= names
    tables = {"models", "embedders", "rerankers", "mcp", "limits", "context", "tools"}
    tables |= {"databases", "stores"}
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
        assert "now 3" in detail
        assert "default 10" in detail
        assert "in file limits.steps" in detail


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
            ("limits.tokens", "plenty", "is not a whole number"),
            ("models.mine.price_input", "-1", "out of range"),
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
        use_theme(shown.app, PAPER_AND_INK.name)
        await shown.press("enter", "down", "down")
        assert shown.app.theme == HIGH_CONTRAST.name, "what the cursor is on is shown"
        assert load_config(path).theme == PAPER_AND_INK.name
        await shown.press("escape")
        assert shown.app.theme == PAPER_AND_INK.name, "the theme of before"
        await shown.press("enter", "down", "down", "enter")
        await shown.until(lambda: load_config(path).theme == HIGH_CONTRAST.name, "the file")
        assert shown.app.theme == HIGH_CONTRAST.name


@pytest.mark.parametrize("theme", [PAPER_AND_INK, LIGHT], ids=lambda theme: theme.name)
async def test_it_begins_in_the_theme_of_the_file(library: Library, theme: Theme) -> None:
    """If it fails, the first picture has other colours than were chosen, until they change."""
    app = AssistantApp(Assistant(library, Config(theme=theme.name), {}))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert theme.background
        assert app.screen.background_colors[1] == Color.parse(theme.background)
        assert app.has_class("-dark-mode") is theme.dark
        assert app.has_class("-light-mode") is not theme.dark


async def test_what_names_a_table_is_chosen_from_a_list(path: Path) -> None:
    """If it fails, a person has to know and spell the names of their own models."""
    screen = SettingsScreen(path)
    async with hosted(screen) as shown:
        screen.listing.go_to("judge")
        await shown.press("tab", "enter")
        await shown.until(lambda: isinstance(shown.app.screen, ChoiceDialog), "the choices")
        await shown.press("down", "enter")
        await shown.until(lambda: load_config(path).judge == "mine", "the choice")
        screen.listing.go_to("egress")
        await shown.press("enter", "home", "enter")
        await shown.until(lambda: load_config(path).egress == "local", "the choice")
        assert "on this computer only" in shown.text()


def test_every_setting_has_a_label_and_a_group(tmp_path: Path) -> None:
    """If it fails, a person reads names of the file where there should be words."""
    path = tmp_path / "config.toml"
    path.write_text(EVERY_TABLE)
    for setting in described(load_config(path)):
        assert has_label(setting), setting.name
        assert group_of(setting) not in ("Other", setting.key[0])


def test_switches_and_numbers_are_said_in_words() -> None:
    """If it fails, a limit has no unit and a switch reads as a program writes it."""
    said = {one.name: shown_value(one, one.value) for one in described(Config())}
    assert said["history"] == "on"
    assert said["limits.seconds"] == "300 seconds"
    assert said["limits.tokens"] == "200,000 tokens"
    assert said["judge"] == "none"


@pytest.mark.parametrize("theme", OWN_THEMES, ids=lambda theme: theme.name)
def test_text_can_be_read_in_each_theme(theme: Theme) -> None:
    """If it fails, words are too pale for their ground (WCAG AA, 4.5:1; AAA, 7:1)."""
    least = 7.0 if theme is HIGH_CONTRAST else 4.5
    colours = theme.to_color_system().generate()
    inks = ["foreground", *(name for name in colours if re.fullmatch("text-[a-z]+", name))]
    inks = [ink for ink in inks if not colours[ink].startswith("auto")]
    assert len(inks) > 5
    for ground in ("background", "surface"):
        for ink in inks:
            ratio = _contrast(Color.parse(colours[ink]), Color.parse(colours[ground]))
            assert ratio >= least, (ink, ground, round(ratio, 2))


def _contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    """Give the relative luminance of WCAG 2."""
    parts = [value / 255 for value in (colour.r, colour.g, colour.b)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


async def test_without_motion_nothing_blinks(library: Library) -> None:
    """If it fails, who cannot bear motion has a cursor that goes on and off."""
    config = Config(animations=False)
    app = AssistantApp(Assistant(library, config, {}))
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.animation_level == "none"
        assert isinstance(app.focused, TextArea)
        assert not app.focused.cursor_blink


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
