"""All settings in one list: what each means, its value and its default; changed in place.

It changes config.toml itself and leaves the person's comments where they are. Keys are not in it:
only names of environment variables are.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.config import EXTRACTIVE, load_config
from rag_assistant.config.described import Setting, described, read_value
from rag_assistant.config.writing import Value, set_value
from rag_assistant.errors import ConfigError
from rag_assistant.tui.drawing.safe_widgets import EMPTY, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, problem
from rag_assistant.tui.library.folder_paths import short
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.choice_dialog import ChoiceDialog
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.settings.labels import (
    choice_words,
    explanation_of,
    group_of,
    label_of,
    unit_of,
)
from rag_assistant.tui.settings.rows import explained, in_order, items_of, shown_value
from rag_assistant.tui.terminal.themes import OWN_THEMES, offer_themes, use_theme

THEME = ("theme",)

_NAMED = {
    "model": ("models", EXTRACTIVE),
    "helper": ("models", "", EXTRACTIVE),
    "judge": ("models", ""),
    "embedder": ("embedders", ""),
    "reranker": ("rerankers", ""),
}
"""Settings that name a table of the file: which, and what else they can be."""


def _searched(setting: Setting) -> str:
    help_words = f"{explanation_of(setting)} {setting.help}"
    words = (label_of(setting), group_of(setting), setting.name, help_words)
    return " ".join(words).casefold()


class SettingsScreen(BrowseScreen[None]):
    """Lists settings; each change is written at once."""

    NAME = "Settings"
    PLACEHOLDER = "search settings by name or by what they do"
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
        """Offer our themes wherever the screen is opened."""
        offer_themes(self.app)

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
        """List the settings that hold all that is typed, in their label, name or explanation."""
        words = text.casefold().split()
        found = [
            setting
            for setting in self._settings
            if all(word in _searched(setting) for word in words)
        ]
        nothing = plain("No setting fits the filter.")
        if self._failure:
            nothing = problem(self._failure.message, self._failure.hint)
        self.listing.show(items_of(in_order(found)), nothing)
        self.head(one_line(f"{len(found)} of {len(self._settings)} · {short(self._path)}", QUIET))

    @on(PickList.Moved)
    def _moved(self) -> None:
        setting = self._chosen
        self.detail(*(explained(setting, self._choices(setting)) if setting else ()))

    @property
    def _chosen(self) -> Setting | None:
        key = self.listing.key
        return next((setting for setting in self._settings if setting.name == key), None)

    def _choices(self, setting: Setting) -> tuple[str, ...]:
        """Give what a text can be; nothing where it can be anything."""
        if setting.key == THEME:
            own = [theme.name for theme in OWN_THEMES]
            others = (name for name in self.app.available_themes if name not in own)
            return (*own, *others)
        if len(setting.key) == 1 and setting.name in _NAMED:
            table, *first = _NAMED[setting.name]
            named = (one.key[1] for one in self._settings if one.key[0] == table)
            return tuple(dict.fromkeys([*first, *named]))
        return setting.choices

    def choose(self) -> None:
        """Turn a switch, list the choices, or ask for another value."""
        setting = self._chosen
        if setting is None:
            return
        if not setting.is_scalar:
            said = f"{label_of(setting)} is a list: change it in {short(self._path)}"
            self.remark(one_line(said, QUIET))
        elif setting.kind is bool:
            self._write(setting, not setting.value)
        elif choices := self._choices(setting):
            self._list(setting, choices)
        else:
            unit = unit_of(setting)
            label = one_line(f"{label_of(setting)}{f', {unit}' if unit else ''}", "bold")
            written = f"{setting.value:g}" if setting.kind is float else str(setting.value)
            self.edit.open(label, written, partial(self._take, setting))

    def _list(self, setting: Setting, choices: Sequence[str]) -> None:
        """Let one of the choices be taken; themes are shown as the cursor comes to them."""
        is_theme = setting.key == THEME
        before = self.app.theme

        def taken(value: str | None) -> None:
            if is_theme and value is None:
                use_theme(self.app, before)
            if value is not None:
                self._write(setting, value)

        def preview(value: str) -> None:
            if is_theme:
                use_theme(self.app, value)

        listed = [(value, choice_words(setting, value)) for value in choices]
        now = before if is_theme else str(setting.value)
        self.app.push_screen(ChoiceDialog(label_of(setting), listed, now, preview), taken)

    def _take(self, setting: Setting, written: str) -> None:
        try:
            value = read_value(setting, written)
        except ConfigError as error:
            self.complain(error.message, error.hint)
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
            said = f"{label_of(setting)}: {shown_value(setting, value)}, saved{when}"
            self.post_message(self._read(said))
