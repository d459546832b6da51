"""Synthetic passages and questions of any number, the same for the same seed.

Made for measuring speed and size, not quality: words are as frequent as in English (the law of Zipf
and Mandelbrot), passages keep to a topic, have sentences and some 780 characters, and questions
take their words from one passage. Each passage is made by itself, so that a million take no memory
and the first 10,000 of them are the 10,000. Imports nothing but the standard library.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

WORDS, TOPICS, SENTENCES = 300_000, 2_000, 4_000
"""Content words of the language, topics that passages have, and patterns that sentences have."""

TOPIC_WORDS, FIRST_TOPIC_WORD, LAST_TOPIC_WORD = 400, 300, 60_000
"""Words of a topic, and the ranks that they come from."""

GENERAL = 250
"""Words that are frequent everywhere."""

OFFSET = 10.0
"""Mandelbrot's offset of the ranks: the most frequent content words stand in half the passages."""

SHORTEST, LONGEST, MOST_WORDS = 500, 960, 180
"""Characters at which a passage takes no further sentence, and content words drawn for it."""

_FUNCTION_WORDS = (
    "the of and to in a is that for it was on with as be by at this are from or an which not have"
    " were been has but its they had we can their more when there no if these may some other than"
    " also into only such about between after so most under over during both each then while all"
).split()
_ONSETS = "b c d f g h k l m n p r s t v b d f l m n p r s t ch cr gr pl pr sh st th tr".split()
_NUCLEI = "a e i o u a e i o a e ea ee io ou".split()
_CODAS = ["n", "r", "l", "s", "t", "m", "ck", "nd", "nt", "st", "x", *[""] * 16]
_ENDINGS = "s s s ed ing er ly ation ment".split()
_QUESTIONS = (
    "what is the {} of {} {} {}",
    "how does {} {} the {} {} {}",
    "which {} are {} by {} {} {}",
    "why do {} {} not {} {} {}",
    "can {} {} be {} with {} {}",
    "when was the {} {} {} {} {}",
    "where did {} {} {} from {} to",
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage with its number from 0; `words` are its content words in order, with repeats."""

    number: int
    title: str
    text: str
    words: tuple[str, ...]

    def line(self) -> str:
        """Write it as a line of JSON, in the layout of BEIR."""
        record = {"_id": str(self.number), "title": self.title, "text": self.text}
        return json.dumps(record) + "\n"


class Language:
    """A made-up language; with few `words` (2,000 at least) and `topics` it is made quickly."""

    def __init__(self, seed: int = 1, words: int = WORDS, topics: int = TOPICS) -> None:
        self._seed = seed
        chance = random.Random(seed)
        self._words = _content_words(chance, words)
        self._weights = list(accumulate(1 / (OFFSET + rank) for rank in range(words)))
        self._general = frozenset(self._words[:GENERAL])
        specific = self._words[FIRST_TOPIC_WORD:LAST_TOPIC_WORD]
        self._topics = [chance.sample(specific, TOPIC_WORDS) for _ in range(topics)]
        self._topic_weights = list(accumulate(1 / (OFFSET + rank) for rank in range(TOPIC_WORDS)))
        self._sentences = [_sentence(chance) for _ in range(SENTENCES)]

    def passage(self, number: int) -> Passage:
        """Make the passage of a number."""
        chance = random.Random(f"{self._seed}.{number}")
        length = chance.randint(SHORTEST, LONGEST)
        words = self._some_words(chance)
        parts: list[str] = []
        used = size = 0
        while size < length and used < MOST_WORDS - 20:
            pattern, count = self._sentences[int(chance.random() * SENTENCES)]
            parts.append(pattern % tuple(words[used : used + count]))
            used += count
            size += len(parts[-1]) + 1
        # The end of the last sentence may go over the length, by half a sentence on average.
        title = " ".join(words[: chance.randint(2, 5)]).capitalize()
        return Passage(number, title, " ".join(parts), tuple(words[:used]))

    def passages(self, count: int) -> Iterator[Passage]:
        """Make the first `count` passages, one after the other."""
        return map(self.passage, range(count))

    def frequent_words(self, count: int) -> list[str]:
        """Give a few function words and the most frequent content words after them."""
        return [*_FUNCTION_WORDS[:20], *self._words[: count - 20]]

    def questions(self, count: int, passages: int) -> Iterator[str]:
        """Make questions of eight words, three or four of them stop words, without a sign.

        Two of the words are general ones, as people's questions have them ("effect", "people").
        """
        for number in range(count):
            chance = random.Random(f"{self._seed}?{number}")
            words = list(dict.fromkeys(self.passage(chance.randrange(passages)).words))
            pattern = chance.choice(_QUESTIONS)
            general = chance.sample([word for word in words if word in self._general], 2)
            rest = [word for word in words if word not in general]
            asked = [*general, *chance.sample(rest, pattern.count("{}") - 2)]
            chance.shuffle(asked)
            yield pattern.format(*asked)

    def _some_words(self, chance: random.Random) -> list[str]:
        """Draw content words, every third of one topic, and some numbers and names."""
        topic = self._topics[int(chance.random() * len(self._topics))]
        words = chance.choices(self._words, cum_weights=self._weights, k=MOST_WORDS)
        places = range(2, MOST_WORDS, 3)
        words[2::3] = chance.choices(topic, cum_weights=self._topic_weights, k=len(places))
        code = int(chance.random() * 1e6)
        names = (str(code % 1000), str(1950 + code % 77), f"{'ABCDEFGHKLMN'[code % 12]}-{code}")
        for name in names:
            words[int(chance.random() * MOST_WORDS)] = name
        return words


def _content_words(chance: random.Random, count: int) -> list[str]:
    """Make distinct words, the frequent ones short, a third of them inflections of others."""
    known = set(_FUNCTION_WORDS)
    bases: list[str] = []
    words: list[str] = []
    while len(words) < count:
        if len(bases) > 100 and chance.random() < 0.35:
            word = bases[int(chance.random() * len(bases))].rstrip("e") + chance.choice(_ENDINGS)
        else:
            draws = chance.random()
            syllables = 2 + (draws < 0.5) + (draws < 0.1) if len(words) > 2_000 else 2
            parts = chance.choices(_ONSETS, k=syllables) + chance.choices(_NUCLEI, k=syllables)
            codas = chance.choices(_CODAS, k=syllables)
            word = "".join(parts[n] + parts[syllables + n] + codas[n] for n in range(syllables))
            if word not in known:
                bases.append(word)
        if word not in known:
            known.add(word)
            words.append(word)
    return words


def _sentence(chance: random.Random) -> tuple[str, int]:
    """Make a pattern of a sentence with %s where its content words go, and count these."""
    weights = [1 / (2 + rank) for rank in range(len(_FUNCTION_WORDS))]
    length = chance.randint(8, 22)
    function = iter(chance.choices(_FUNCTION_WORDS, weights, k=length))
    words = [next(function).capitalize()]
    while len(words) < length:
        words.append("%s" if chance.random() < 0.55 else next(function))
        if words[-1] == "%s" and chance.random() < 0.07:
            words[-1] += ","
    pattern = " ".join([*words, "%s."])
    return pattern, pattern.count("%s")


def random_words(chance: random.Random, count: int) -> list[str]:
    """Make words of 3 to 9 letters, for files of which nothing is wanted but that they differ."""
    return ["".join(chance.choices("abcdefghijklmnoprstuvw", k=n % 7 + 3)) for n in range(count)]
