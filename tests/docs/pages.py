"""What the pages say, as a reader meets it: blocks of code, commands, links."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))

_BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>\w+)\n(?P<text>.*?)^ *```", re.S | re.M)
_LINK = re.compile(r"\]\((?P<place>[^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Command:
    """A line of a page that a reader may type, as its words."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {shlex.join(self.words)}"


def blocks(page: Path, language: str) -> list[str]:
    """Give the blocks of a language, those within a list without its indentation."""
    text = page.read_text(encoding="utf-8")
    found = (match for match in _BLOCK.finditer(text) if match["language"] == language)
    return [
        "".join(f"{line.removeprefix(one['indent'])}\n" for line in one["text"].splitlines())
        for one in found
    ]


def commands(page: Path) -> Iterator[Command]:
    """Give the commands of the blocks of shell."""
    for block in blocks(page, "sh"):
        for line in block.splitlines():
            if words := shlex.split(line, comments=True):
                yield Command(page.name, tuple(words))


def of_program(page: Path) -> list[Command]:
    """Give the commands of a page that are our program's."""
    return [one for one in commands(page) if one.words[0] == "rag-assistant"]


def links(page: Path) -> list[str]:
    """Give the links that lead to files."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    return [one for one in _LINK.findall(text) if not one.startswith(("http://", "https://", "#"))]
