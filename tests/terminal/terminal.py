"""A real terminal: tmux on a server of its own, typed into and read as a person would.

`with Terminal(environment) as terminal:` gives a shell. Everything is waited for by what is to be
seen; nothing sleeps for a fixed time.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

PROMPT = "READY>"
"""What the shell says when it waits for a command."""

PATIENCE = 60.0
"""Seconds until something that never comes is given up."""

_SETTINGS = """
set -g default-terminal {term}
set -s escape-time 0
set -s focus-events on
set -s set-clipboard off
set -g status off
set -g mouse on
"""

_COLOURS = re.compile(r"\x1b\[[0-9;:]*m|\x0e|\x0f")


class Terminal:
    """A shell in tmux; `size` in columns and rows."""

    def __init__(
        self,
        environment: Mapping[str, str],
        size: tuple[int, int] = (140, 40),
        term: str = "tmux-256color",
    ) -> None:
        # Not below pytest's folders: the path of a socket may be 107 characters long.
        self._folder = Path(tempfile.mkdtemp(prefix="rat-"))
        self._socket = self._folder / "s"
        ours = {k: v for k, v in os.environ.items() if k not in ("TMUX", "COLUMNS", "LINES")}
        self._environment = {**ours, **environment}
        self._size = size
        self._term = term

    def __enter__(self) -> "Terminal":
        width, height = map(str, self._size)
        settings = self._folder / "conf"
        settings.write_text(_SETTINGS.format(term=self._term), encoding="utf-8")
        shell = f"exec env PS1='{PROMPT}' bash --norc --noprofile"
        self._tmux("-f", str(settings), "new-session", "-d", "-x", width, "-y", height, shell)
        self.sees(PROMPT)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tmux("kill-server", check=False)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _tmux(self, *arguments: str, text: str = "", check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments],
            input=text, capture_output=True, encoding="utf-8", errors="surrogateescape",
            env=self._environment, timeout=20, check=False,
        )  # fmt: skip
        if check and done.returncode:
            raise AssertionError(f"tmux {arguments}: {done.stderr}")
        return done.stdout

    # What is typed

    def press(self, *keys: str) -> None:
        """Press keys, by tmux's names: C-f, F2, Escape."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._tmux("send-keys", "-l", "--", text)

    def enter(self, command: str) -> None:
        """Type a line and send it."""
        self.type(command)
        self.press("Enter")

    def paste(self, text: str) -> None:
        """Paste a text, as a terminal does that tells the program so."""
        self._tmux("load-buffer", "-", text=text)
        self._tmux("paste-buffer", "-p")

    def send(self, *characters: int) -> None:
        """Send the bytes of a terminal's own reports, such as that it got the focus."""
        self._tmux("send-keys", "-H", *(f"{character:x}" for character in characters))

    def resize(self, width: int, height: int) -> None:
        """Take another size."""
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    # What is seen

    def text(self) -> str:
        """Give what is on the screen, line by line."""
        return self._tmux("capture-pane", "-p")

    def styled(self) -> str:
        """Give what is on the screen with the sequences of its styles."""
        return self._tmux("capture-pane", "-p", "-e")

    def told(self, form: str) -> str:
        """Give what tmux knows of the terminal: #{pane_title}, #{alternate_on}."""
        return self._tmux("display-message", "-p", form).rstrip("\n")

    @property
    def modes(self) -> str:
        """The modes a program may leave behind: its other screen, the mouse, the cursor, keys."""
        names = "alternate_on mouse_any_flag mouse_sgr_flag cursor_flag bracket_paste_flag"
        names += " keypad_flag pane_title"
        return self.told(" ".join(f"{name}=#{{{name}}}" for name in names.split()))

    @property
    def shell(self) -> int:
        """The shell's process."""
        return int(self.told("#{pane_pid}"))

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something holds; fail by its name, with what is on the screen."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"never came: {what}\n{self.text()}")
            time.sleep(0.05)  # each look is a process of its own

    def press_until(self, key: str, condition: Callable[[], object], what: str) -> None:
        """Press a key again and again until something holds."""

        def pressed() -> object:
            self.press(key)
            return condition()

        self.until(pressed, what)

    def sees(self, *words: str) -> str:
        """Wait until all words are on the screen; give the screen."""
        seen = ""

        def there() -> bool:
            nonlocal seen
            seen = self.text()
            return all(word in seen for word in words)

        self.until(there, " and ".join(words))
        return seen

    def misses(self, *words: str) -> None:
        """Wait until none of some words is on the screen any more."""

        def gone() -> bool:
            text = self.text()
            return not any(some in text for some in words)

        self.until(gone, f"the end of {' and '.join(map(repr, words))}")


def style_of(styled: str, words: str) -> str:
    """Give the sequences in force where some words begin; fail where they are not to be seen."""
    for line in styled.splitlines():
        place = _COLOURS.sub("", line).find(words)
        if place < 0:
            continue
        seen, at, force = 0, 0, ""
        while at < len(line):
            if match := _COLOURS.match(line, at):
                force = "" if match[0] in ("\x1b[m", "\x1b[0m") else force + match[0]
                at = match.end()
            elif seen == place:
                return force
            else:
                seen, at = seen + 1, at + 1
    raise AssertionError(f"{words!r} is not on the screen")
