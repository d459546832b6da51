"""All settings in one list: what each means, its value and its default; changed in place.

It changes config.toml itself and leaves the person's comments where they are. Keys are not in it:
only names of environment variables are.
"""

from pathlib import Path
from typing import Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.config import load_config
from rag_assistant.config.described import Setting, described, read_value
from rag_assistant.config.writing import Value, set_value
from rag_assistant.errors import ConfigError
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, problem
from rag_assistant.tui.library.folder_paths import short
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import FactRow, PickItem, PickList
from rag_assistant.tui.terminal.themes import HIGH_CONTRAST, use_theme

THEME = ("theme",)


class SettingsScreen(BrowseScreen[None]):
    """Lists settings; each change is written at once."""

    NAME = "Settings"
    PLACEHOLDER = "type a word of a setting or of what it does"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Change"),
        Binding("space", "choose", "Change", show=False),
        Binding("d", "default", "Default"),
        *BROWSE_KEYS,
    ]

    class Read(Message):
        """The settings were read, or `failure` says why not; `said` is what was done before."""

        def __init__(
            self,
            settings: tuple[Setting, ...] = (),
            said: str = "",
            failure: ConfigError | None = None,
        ) -> None:
            super().__init__()
            self.settings = settings
            self.said = said
            self.failure = failure

    def __init__(self, config_path: Path) -> None:
        super().__init__()
        self._path = config_path
        self._settings: tuple[Setting, ...] = ()
        self._failure: ConfigError | None = None

    def on_mount(self) -> None:
        """Offer the theme of high contrast wherever the screen is opened."""
        if HIGH_CONTRAST.name not in self.app.available_themes:
            self.app.register_theme(HIGH_CONTRAST)

    @work(thread=True, exclusive=True, exit_on_error=False, group="settings")
    def reload(self) -> None:
        """Read the file again."""
        self.post_message(self._read())

    def _read(self, said: str = "") -> Read:
        try:
            return self.Read(described(load_config(self._path)), said)
        except ConfigError as error:
            return self.Read(failure=error)

    @on(Read)
    def _show(self, event: Read) -> None:
        if event.failure and self._settings:
            self.complain(event.failure.message, event.failure.hint)
            return
        self._settings, self._failure = event.settings, event.failure
        if self.edit.display:
            self.edit.close()
        self.remark(one_line(event.said) if event.said else EMPTY)
        self.filter_changed(self.filter_text)

    def filter_changed(self, text: str) -> None:
        """List the settings that hold all that is typed, in their name or explanation."""
        words = text.casefold().split()
        found = [
            setting
            for setting in self._settings
            if all(word in f"{setting.name} {setting.help}".casefold() for word in words)
        ]
        items: list[PickItem] = []
        table: tuple[str, ...] | None = None
        for setting in found:
            if setting.key[:-1] != table:
                table = setting.key[:-1]
                title = ".".join(table) or "general"
                items += [PickItem(Text())] if items else []
                items.append(PickItem(Text(one_line(title, "bold $text-secondary"))))
            items.append(PickItem(_line(setting), setting.name))
        nothing = plain("No setting fits the filter.")
        if self._failure:
            nothing = problem(self._failure.message, self._failure.hint)
        self.listing.show(tuple(items), nothing)
        self.head(one_line(f"{len(found)} of {len(self._settings)} · {short(self._path)}", QUIET))

    @on(PickList.Moved)
    def _moved(self) -> None:
        setting = self._chosen
        self.detail(*(_explained(setting, self._choices(setting)) if setting else ()))

    @property
    def _chosen(self) -> Setting | None:
        key = self.listing.key
        return next((setting for setting in self._settings if setting.name == key), None)

    def _choices(self, setting: Setting) -> tuple[str, ...]:
        if setting.key == THEME:
            return tuple(self.app.available_themes)
        return setting.choices

    def choose(self) -> None:
        """Turn a switch, or ask for another value."""
        setting = self._chosen
        if setting is None:
            return
        if not setting.is_scalar:
            self.remark(one_line(f"{setting.name} is a list: change it in {self._path}", QUIET))
        elif setting.kind is bool:
            self._write(setting, not setting.value)
        else:
            choices = ", ".join(self._choices(setting)) if setting.choices else ""
            label = one_line(f"{setting.name}{f': {choices}' if choices else ''}", "bold")

            def take(written: str) -> None:
                self._take(setting, written)

            self.edit.open(label, _shown(setting.value), take)

    def _take(self, setting: Setting, written: str) -> None:
        try:
            value = read_value(setting, written)
        except ConfigError as error:
            self.complain(error.message, error.hint)
            return
        if setting.key == THEME and value not in self.app.available_themes:
            listed = ", ".join(self.app.available_themes)
            self.complain(f"There is no theme {value!r}.", f"There are: {listed}.")
            return
        self._write(setting, value)

    def action_default(self) -> None:
        """Set the default again."""
        setting = self._chosen
        if setting and setting.is_scalar and setting.default is not None:
            self._write(setting, setting.default)

    def _write(self, setting: Setting, value: Value) -> None:
        if setting.key == THEME:
            use_theme(self.app, str(value))
        self._write_file(setting, value)

    @work(thread=True, exit_on_error=False, group="change")
    def _write_file(self, setting: Setting, value: Value) -> None:
        try:
            set_value(self._path, setting.key, value)
        except ConfigError as error:
            self.post_message(self.Read(failure=error))
        else:
            when = "" if setting.key == THEME else "; it takes effect at the next start"
            said = f"{setting.name} = {_shown(value) or 'nothing'}, written to config.toml{when}"
            self.post_message(self._read(said))


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} = {inner}" for name, inner in value.items())
    return str(value)


def _line(setting: Setting) -> FactRow:
    changed = setting.value != setting.default
    name = one_line(setting.key[-1], "" if setting.is_scalar else QUIET)
    mark = plain("● ", "$text-accent") if changed else EMPTY
    shown = one_line(_shown(setting.value) or "–", "$text-accent" if changed else QUIET)
    return FactRow(name, (joined([mark, shown]).truncate(40, ellipsis=True),))


def _explained(setting: Setting, choices: tuple[str, ...]) -> tuple[LayoutBlock, ...]:
    changed = setting.value != setting.default
    default = "none" if setting.default is None else _shown(setting.default) or "nothing"
    told = [
        ("value", _shown(setting.value) or "nothing"),
        ("default", default + (": d sets it again" if changed and setting.default else "")),
    ]
    if choices:
        told.append(("one of", ", ".join(choices)))
    elif setting.is_scalar:
        kinds = {bool: "a switch", int: "a whole number", float: "a number", str: "text"}
        told.append(("kind", kinds[setting.kind]))
    blocks: list[LayoutBlock] = [
        Text(one_line(setting.name, "bold")),
        Text(one_line(setting.help)),
        Divider(),
    ]
    blocks += [Indented(Text(one_line(said)), plain(f"{what:<9}", QUIET)) for what, said in told]
    if setting.key[-1] == "api_key_env":
        blocks.append(Text(plain("The key itself stays in the environment.", QUIET)))
    return tuple(blocks)
