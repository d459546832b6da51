"""What the files that are made for measuring say: short texts in several scripts, with headings,
paragraphs, a list and a table, the same in every run.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scripts.benchmarks.ingest.pdf_tables.contents import PROSE, Known, known

_TABLES_FROM = 11_000
_MOST_ROWS = 5


@dataclass(frozen=True, slots=True)
class Piece:
    """A heading, a paragraph or an item of a list; `level` is that of a heading, from 1."""

    kind: Literal["heading", "paragraph", "item"]
    words: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with the words of all that stands below it up to the next one."""

    title: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownText:
    """A text: its title, its language, and its pieces with tables among them, in order."""

    title: str
    language: str
    pieces: tuple[Piece | Known, ...]

    @property
    def tables(self) -> tuple[Known, ...]:
        """Give its tables."""
        return tuple(one for one in self.pieces if isinstance(one, Known))

    @property
    def prose(self) -> "KnownText":
        """Give it without its tables, for formats that have none."""
        kept = tuple(one for one in self.pieces if isinstance(one, Piece))
        return KnownText(self.title, self.language, kept)

    @property
    def words(self) -> str:
        """Give all that it says, a piece or a row of a table in each line."""
        lines: list[str] = []
        for one in self.pieces:
            lines += [one.words] if isinstance(one, Piece) else table_lines(one)
        return "\n".join(lines)

    def parts(self) -> Iterator[Part]:
        """Give its parts by their headings; tables are in none."""
        title, words = "", list[str]()
        for piece in self.pieces:
            if isinstance(piece, Known):
                continue
            if piece.kind == "heading":
                if title:
                    yield Part(title, tuple(words))
                title, words = piece.words, []
            else:
                words.append(piece.words)
        yield Part(title, tuple(words))


def table_lines(table: Known) -> list[str]:
    """Give the words of a table: its caption, then each row."""
    rows = [*([words for words, _ in row] for row in table.heads), *table.rows]
    lines = [" ".join(words for words in row if words) for row in rows]
    return [table.caption, *lines] if table.caption else lines


def around(table: Known) -> KnownText:
    """Give a table with a paragraph before and one behind."""
    first, last = (Piece("paragraph", words) for words in PROSE)
    return KnownText("", "en", (first, table, last))


_ENGLISH = """
# The ferry of Skerra Sound
The ferry crosses the sound 14 times a day, between 6:40 and 22:15, and takes 36 cars. A crossing
costs £4.50; who lives on the islands pays 1,80 of it back at the year's end.
## What to bring
- A ticket, printed or on a telephone
- A dog's lead: dogs stay on the car deck
- Warm clothes, for the deck is open to the north-west wind
## When it does not run
Above force 8 the master decides. In 2023 that was so on 11 days, or 3.1 % of all; the e-mail to
harbour-office@example.org is answered within two hours.
"""
_GERMAN = """
# Der Jahresbericht der Bücherei
Die Bücherei hatte im vergangenen Jahr 12.480 Besucherinnen und Besucher, 7 % mehr als im Vorjahr.
Die Öffnungszeiten am Mittwoch wurden um zwei Stunden verlängert.
## Ausgaben
- Bücher und Zeitschriften: 18.300 €
- Geräte für die Übertragung: 2.950,50 €
- Kleine Reparaturen am Gebäude
## Ausblick
Im nächsten Jahr soll das Lesezimmer größer werden; „es fehlt nicht am Willen“, sagte der Vorstand,
„sondern am Geld“.
"""
_MIXED = """
# Письма из музея
Музей открыт каждый день, кроме понедельника, с 10 до 18 часов. Билет стоит 350 рублей, для детей
вход свободный.
## Η συλλογή
- Δύο χάρτες του λιμανιού, του 1821 και του 1904
- Ένα ημερολόγιο πλοίου με δώδεκα σελίδες
- Français, español, čeština, Türkçe, naïveté
## 地図と手紙
港の古い地図は二階の部屋にあります。手紙は予約した人だけが読めます。
"""
_OF_CP1252 = ("en", "de")


def _text(language: str, written: str, table: Known) -> KnownText:
    """Make a text of lines of Markdown; the table stands before its second heading."""
    pieces: list[Piece] = []
    for block in written.replace("\n#", "\n\n#").replace("\n- ", "\n\n- ").split("\n\n"):
        line, _, rest = block.strip().partition("\n")
        mark, _, words = line.partition(" ")
        if mark.startswith("#"):
            pieces.append(Piece("heading", words, len(mark)))
            if rest:
                pieces.append(Piece("paragraph", " ".join(rest.split())))
        elif mark == "-":
            pieces.append(Piece("item", " ".join(f"{words} {rest}".split())))
    place = [n for n, one in enumerate(pieces) if one.kind == "heading"][1]
    title = pieces[0].words
    return KnownText(title, language, (*pieces[:place], table, *pieces[place:]))


def texts() -> Iterator[KnownText]:
    """Give three texts: in English, in German, and in four scripts; each has a small table."""
    tables = [
        Known(one.name, one.kind, one.style, one.heads, one.rows[:_MOST_ROWS], one.caption)
        for one in known({"a": "", "b": ""}, seed=_TABLES_FROM, pages=False)
        if one.name.split()[1] in ("accounts", "people", "measures")
    ]
    written = {"en": _ENGLISH, "de": _GERMAN, "ru": _MIXED}
    for (language, text), table in zip(written.items(), tables, strict=False):
        yield _text(language, text, table)


def is_western(text: KnownText) -> bool:
    """Say whether all letters of a text are those of Western Europe."""
    return text.language in _OF_CP1252
