"""Queries that nobody would type, of many kinds, the same for the same seed.

Each kind is a function of a source of chance and of some words that the database holds; the name of
the kind goes with the query, so that what is slow or fails can be told apart.
"""

import random
import string
from collections.abc import Callable, Iterator, Sequence

LONGEST_PASTED = 60_000
"""Characters of a pasted text at most; one in a hundred of that kind is ten times as long."""

LONGEST_PHRASE = 300
"""Words of a phrase at most."""

Words = Sequence[str]
_SYNTAX = (
    'AND OR NOT NEAR( NEAR/3 ) ( " "" "" * ^ : {title}: title: text: -title: + - -- , . ; ; -- /* '
    "%s %00 \0 \r\n \t \x1b[31m <b> &amp; $1 ${x} `x` ' rank MATCH path: path:* type: after: \\ "
    'before: path:"a b" type:pdf after:2024-13-99 before:0 -"a b" word* *word w*rd "open “curly” « '
).split(" ")
_SCRIPTS = (
    range(0x20, 0x7F),
    range(0xA0, 0x250),
    range(0x300, 0x370),
    range(0x400, 0x500),
    range(0x590, 0x700),
    range(0x900, 0xA00),
    range(0xE00, 0xE80),
    range(0x3040, 0x3100),
    range(0x4E00, 0x9FFF),
    range(0xAC00, 0xD7A0),
    range(0x2000, 0x2100),
    range(0x1F300, 0x1F700),
    range(0xD800, 0xE000),
    range(0, 0x20),
    range(0xFF00, 0xFFF0),
    range(0xE0000, 0xE0080),
)


def random_characters(chance: random.Random, _: Words) -> str:
    """Any code points of a few scripts, lone surrogates and controls among them."""
    scripts = chance.sample(_SCRIPTS, chance.randint(1, 4))
    length = chance.choice((1, 3, 10, 40, 200))
    return "".join(chr(chance.choice(chance.choice(scripts))) for _ in range(length))


def random_bytes(chance: random.Random, _: Words) -> str:
    """Bytes read as if they were UTF-8 or Latin 1."""
    data = chance.randbytes(chance.choice((2, 8, 32, 128)))
    return data.decode(chance.choice(("utf-8", "latin-1")), chance.choice(("replace", "ignore")))


def syntax(chance: random.Random, words: Words) -> str:
    """Pieces of query languages among words, in any order."""
    pieces = chance.choices(_SYNTAX, k=chance.randint(1, 12)) + chance.choices(words, k=3)
    chance.shuffle(pieces)
    return chance.choice(("", " ")).join(pieces)


def frequent_words(chance: random.Random, words: Words) -> str:
    """The words that most passages hold, as many as there are."""
    return " ".join(chance.choices(words[:60], k=chance.randint(1, 64)))


def frequent_phrase(chance: random.Random, words: Words) -> str:
    """Frequent words in quotes, which must stand side by side, now and then a whole page."""
    longest = chance.choice((6, 6, 6, LONGEST_PHRASE))
    phrases = (" ".join(chance.choices(words[:20], k=chance.randint(1, longest))) for _ in range(4))
    return " ".join(f'"{phrase}"' for phrase in phrases)


def short_prefixes(chance: random.Random, words: Words) -> str:
    """Prefixes of two letters or more, which very many words begin with."""
    starts = (chance.choice(words)[: chance.randint(1, 3)] for _ in range(chance.randint(1, 40)))
    return " ".join(f"{start}*" for start in starts)


def misspelt(chance: random.Random, words: Words) -> str:
    """Words with one to three letters wrong."""
    return " ".join(misspell(chance, chance.choice(words), chance.randint(1, 3)) for _ in range(8))


def unknown_words(chance: random.Random, _: Words) -> str:
    """Words that no language has."""
    count = chance.randint(1, 10)
    return " ".join(
        "".join(chance.choices(string.ascii_lowercase, k=chance.randint(3, 24)))
        for _ in range(count)
    )


def exclusions(chance: random.Random, words: Words) -> str:
    """Much that must not be there, with or without something that must."""
    minus = [f"-{chance.choice(words[:400])}" for _ in range(chance.randint(1, 40))]
    return " ".join([*chance.choices(words, k=chance.randint(0, 2)), *minus])


def filters(chance: random.Random, words: Words) -> str:
    """Filters with odd values and many stars."""
    values = ("*a*" * 9, "?" * 30, "[", "a[b]c", "%", "'", '"', "2024", "0000-00", "*", "\\", "é*")
    names = ("path", "title", "type", "after", "before", "PATH", "-path", "-type", "-title")
    found = [f"{chance.choice(names)}:{chance.choice(values)}" for _ in range(chance.randint(1, 9))]
    return " ".join([*found, *chance.choices(words, k=chance.randint(0, 3))])


def compounds(chance: random.Random, words: Words) -> str:
    """Long identifiers: joined by signs, by humps, by digits."""
    joiner = chance.choice(("-", "_", ".", "/", "::", "@", "", "'", "1"))
    parts = chance.choices(words, k=chance.randint(2, 60))
    return joiner.join(part.capitalize() if joiner == "" else part for part in parts)


def repeated(chance: random.Random, words: Words) -> str:
    """One piece very often."""
    pieces = ('"', "(", "-", "*", "A. ", "a", "\u0301", "ก", "漢", " ", '"a" ', "-a ", "a* ")
    frequent = f'"{chance.choice(words[:40])}" '
    piece = chance.choice((*pieces, frequent, f"{chance.choice(words)} "))
    return piece * (chance.randint(1, 3_000) // len(piece) + 1)


def pasted(chance: random.Random, words: Words) -> str:
    """A document instead of a question."""
    length = chance.randint(1_000, LONGEST_PASTED) * (10 if chance.random() < 0.01 else 1)
    some = chance.choices(words, k=400)
    return " ".join(chance.choices(some, k=length // 7))


def ordinary(chance: random.Random, words: Words) -> str:
    """A question, for comparison."""
    return f"what is the {' '.join(chance.choices(words, k=4))} of it?"


def misspell(chance: random.Random, word: str, mistakes: int) -> str:
    """Change, add, leave out or swap letters."""
    for _ in range(mistakes):
        place, letter = chance.randrange(len(word)), chance.choice(string.ascii_lowercase)
        tail = word[place:]
        changed = (letter + tail[1:], letter + tail, tail[1:], tail[1:2] + tail[:1] + tail[2:])
        word = word[:place] + chance.choice(changed) or letter
    return word


KINDS: dict[Callable[[random.Random, Words], str], int] = {
    random_characters: 20,
    random_bytes: 10,
    syntax: 20,
    frequent_words: 4,
    frequent_phrase: 4,
    short_prefixes: 4,
    misspelt: 4,
    unknown_words: 6,
    exclusions: 5,
    filters: 6,
    compounds: 5,
    repeated: 8,
    pasted: 1,
    ordinary: 3,
}
"""How often each kind comes, in a hundred queries."""


def adversarial_queries(count: int, seed: int, words: Words) -> Iterator[tuple[str, str]]:
    """Give kinds and queries; `words` are the database's, frequent ones first."""
    kinds = list(KINDS)
    for number in range(count):
        chance = random.Random(f"{seed}!{number}")
        kind = chance.choices(kinds, weights=list(KINDS.values()))[0]
        yield kind.__name__.replace("_", " "), kind(chance, words)
