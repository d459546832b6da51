"""What makes a gold sentence wrong, by rule: each gives another sentence, or "" where it cannot."""

import random
import re
from collections.abc import Callable, Mapping, Sequence

from rag_assistant.text.months import MONTHS
from rag_assistant.text.quantities import Quantity, quantities_in
from scripts.benchmarks.trust.claims_forms import without_references
from scripts.benchmarks.trust.claims_gold import Gold

Alteration = Callable[[str, Gold, random.Random], str]

_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|may|must|should|will|has|have|had|could|would)\b(?! not\b|n't)"
)
_NOT = re.compile(r"\b(?:not|never) |\b(?:cannot)\b")
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})*\b")
_CODE = re.compile(r"\b(?=\w*[A-Za-z])[A-Za-z][\w]*-?\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b")
_OTHER_UNITS = {
    r"(?<=\d) ?%": " mg", r"(?<=\d) mg\b": " g", r"(?<=\d) ?kg\b": " g", r"(?<=\d) ?mm\b": " cm",
    r"(?<=\d) ?km\b": " m", r"(?<=\d) m\b": " km", r"\bdays\b": "weeks", r"\bweeks\b": "months",
    r"\bmonths\b": "years", r"\byears\b": "months", r"\bhours\b": "minutes", r"£(?=\d)": "€",
    r"\bminutes\b": "hours", r"(?<=\d) ?bar\b": " psi", r"(?<=\d) ?°C\b": " °F", r"\$(?=\d)": "£",
}  # fmt: skip
_OPPOSITES = {
    "before": "after", "after": "before", "more": "less", "less": "more", "higher": "lower",
    "lower": "higher", "above": "below", "below": "above", "increase": "decrease",
    "increased": "decreased", "decreased": "increased", "increases": "decreases", "first": "last",
    "maximum": "minimum", "minimum": "maximum", "positive": "negative", "rose": "fell",
    "fell": "rose", "fewer": "more", "larger": "smaller", "earlier": "later", "later": "earlier",
    "over": "under", "gain": "loss", "raised": "lowered", "largest": "smallest",
}  # fmt: skip
_ADDED = (
    ", mainly because of rising energy costs", ", although exceptions are granted on request",
    ", which was confirmed by an independent review", " and was praised by local newspapers",
    ", provided that a supervisor signs the form", ", especially in coastal regions",
    ", as a committee of experts had recommended", " and must be renewed every spring",
    ", but only for members of the association", ", after a long public debate",
)  # fmt: skip
_SAID_BY = (
    "According to the World Bank, ", "Professor Hale reported that ", "As Maria Lindqvist wrote, ",
    "The Ministry of Transport announced that ", "According to a survey by Gallup, ",
)  # fmt: skip


def number(sentence: str, _: Gold, chance: random.Random) -> str:
    """Put another number for one."""
    found = _plain_numbers(sentence)
    if not found:
        return ""
    one = chance.choice(found)
    digits = re.search(r"\d+(?:[.,]\d+)*", one.words)
    if digits is None:
        return ""
    written = digits[0]
    place = chance.randrange(len(written))
    while not written[place].isdigit():
        place = chance.randrange(len(written))
    other = str((int(written[place]) + chance.randint(1, 8)) % 10)
    changed = f"{written[:place]}{other}{written[place + 1 :]}"
    changed = f"1{changed[1:]}" if changed[0] == "0" and len(changed) > 1 else changed
    if changed == written or re.search(rf"(?<![\d.,]){re.escape(changed)}(?![\d])", sentence):
        return ""
    start = one.start + digits.start()
    return f"{sentence[:start]}{changed}{sentence[start + len(written) :]}"


def scale(sentence: str, _: Gold, chance: random.Random) -> str:
    """Make a number a thousand times, or ten times, what it is."""
    for one, other in (("million", "billion"), ("billion", "million"), ("thousand", "million")):
        if match := re.search(rf" {one}\b", sentence):
            return f"{sentence[: match.start()]} {other}{sentence[match.end() :]}"
    found = [
        digits
        for value in _plain_numbers(sentence)
        for digits in _WHOLE_NUMBER.finditer(sentence, value.start, value.end)
    ]
    if not found:
        return ""
    end = (digits := chance.choice(found)).end()
    return f"{sentence[:end]}{',000' if len(digits[0]) < 4 else '0'}{sentence[end:]}"


_WHOLE_NUMBER = re.compile(r"(?<![\w.,(])[1-9]\d{1,2}(?:,\d{3})*(?![\w.,)]*\d|\w)")
"""A whole number of two digits at least that is written as such: no part of a name or a decimal."""


def date(sentence: str, _: Gold, chance: random.Random) -> str:
    """Put another year, month or day for one."""
    years = list(re.finditer(r"(?<![\d.,-])(?:1[5-9]|20)\d\d(?![\d.,]\d|\d)", sentence))
    months = [m for name in MONTHS for m in re.finditer(rf"\b{name.capitalize()}\b", sentence)]
    if months and (not years or chance.random() < 0.5):
        one = chance.choice(months)
        others = [name for name in MONTHS if name.capitalize() not in sentence and name != "may"]
        other = chance.choice(others).capitalize()
    elif years:
        one = chance.choice(years)
        other = str(int(one[0]) + chance.choice((-7, -3, -2, -1, 1, 2, 3, 4)))
        if other in sentence:
            return ""
    else:
        return ""
    return f"{sentence[: one.start()]}{other}{sentence[one.end() :]}"


def unit(sentence: str, _: Gold, chance: random.Random) -> str:
    """Put another unit behind a number."""
    values = [one for one in quantities_in(sentence) if one.kind in ("number", "money", "share")]
    spans = [(one.start, one.end) for one in values if one.readings[0].unit]
    found = [
        (match, other)
        for pattern, other in _OTHER_UNITS.items()
        for match in re.finditer(pattern, sentence)
        if any(start <= match.start() < end for start, end in spans)
    ]
    if not found:
        return ""
    match, other = chance.choice(found)
    return f"{sentence[: match.start()]}{other}{sentence[match.end() :]}"


def version(sentence: str, _: Gold, chance: random.Random) -> str:
    """Change the number in a code or a version."""
    found = list(_CODE.finditer(sentence))
    if not found:
        return ""
    one = chance.choice(found)
    digits = list(re.finditer(r"\d+", one[0]))[-1]
    other = f"{one[0][: digits.start()]}{int(digits[0]) + chance.randint(1, 4)}"
    other += one[0][digits.end() :]
    if other in sentence:
        return ""
    return f"{sentence[: one.start()]}{other}{sentence[one.end() :]}"


def name(sentence: str, gold: Gold, chance: random.Random) -> str:
    """Put another name, of the same document where it has one, for a name."""
    found = [match for match in _NAME.finditer(sentence) if match[0].lower() not in MONTHS]
    if not found:
        return ""
    one = chance.choice(found)
    words = len(one[0].split())
    others = [
        other
        for other in dict.fromkeys(match[0] for match in _NAME.finditer(gold.text.text))
        if len(other.split()) == words and other.lower() not in MONTHS
        and not set(other.split()) & set(sentence.replace(",", " ").replace(".", " ").split())
    ]  # fmt: skip
    fallback = " ".join(chance.sample(("Harlow", "Tessier", "Okafor", "Brandt"), min(words, 4)))
    other = chance.choice(others) if others and chance.random() < 0.7 else fallback
    return f"{sentence[: one.start()]}{other}{sentence[one.end() :]}"


def negation(sentence: str, _: Gold, chance: random.Random) -> str:
    """Put a "not" behind a verb, or leave one out."""
    if found := _NOT.search(sentence):
        other = "can" if found[0] == "cannot" else ""
        return f"{sentence[: found.start()]}{other}{sentence[found.end() :]}"
    verbs = list(_AUXILIARY.finditer(sentence))
    if not verbs:
        return ""
    one = verbs[0] if chance.random() < 0.7 else chance.choice(verbs)
    return f"{sentence[: one.end()]} not{sentence[one.end() :]}"


def sign(sentence: str, _: Gold, chance: random.Random) -> str:
    """Turn more into less, before into after, a number into a negative one."""
    words = list(re.finditer(r"[A-Za-z]+", sentence))
    found = [word for word in words if word[0] in _OPPOSITES]
    if found:
        one = chance.choice(found)
        return f"{sentence[: one.start()]}{_OPPOSITES[one[0]]}{sentence[one.end() :]}"
    numbers = [
        one
        for one in _plain_numbers(sentence)
        if one.readings[0].unit in ("%", "°C") and sentence[one.start - 1 : one.start] == " "
    ]
    if not numbers:
        return ""
    place = chance.choice(numbers).start
    return f"{sentence[:place]}-{sentence[place:]}"


def exchanged(sentence: str, _: Gold, chance: random.Random) -> str:
    """Let two values change places."""
    found = _plain_numbers(sentence)
    pairs = [
        (one, other)
        for one in found
        for other in found
        if one.start < other.start and one.words != other.words
        and bool(one.readings[0].unit) == bool(other.readings[0].unit)
    ]  # fmt: skip
    return _swapped(sentence, *_spans(chance.choice(pairs))) if pairs else ""


def roles(sentence: str, _: Gold, chance: random.Random) -> str:
    """Let two names change places: who did it and to whom it was done."""
    found = [match for match in _NAME.finditer(f" {sentence}") if match[0].lower() not in MONTHS]
    first = re.match(r"[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,})+\b", sentence)
    spans = [(match.start() - 1, match.end() - 1) for match in found]
    spans = [first.span(), *spans] if first else spans
    pairs = [
        (one, other)
        for one in spans
        for other in spans
        if one[1] < other[0] and not re.fullmatch(r",?(?: and| or)? ", sentence[one[1] : other[0]])
        and not set(sentence[slice(*one)].split()) & set(sentence[slice(*other)].split())
    ]  # fmt: skip
    return _swapped(sentence, *chance.choice(pairs)) if pairs else ""


def added(sentence: str, _: Gold, chance: random.Random) -> str:
    """Add a clause that nothing says."""
    return f"{sentence.rstrip(' .')}{chance.choice(_ADDED)}."


def attribution(sentence: str, _: Gold, chance: random.Random) -> str:
    """Say that somebody says it who does not."""
    return f"{chance.choice(_SAID_BY)}{sentence[0].lower()}{sentence[1:]}"


def blend(sentence: str, gold: Gold, chance: random.Random) -> str:
    """Begin as this sentence does and end as another one of the document."""
    others = [one for one in gold.text.sentences if 8 <= len(one.split()) <= 40 and "|" not in one]
    words = sentence.split()
    if len(words) < 8 or not others:
        return ""
    other = without_references(chance.choice(others)).split()
    return " ".join((*words[: len(words) // 2], *other[len(other) // 2 :]))


def _plain_numbers(sentence: str) -> list[Quantity]:
    return [
        one
        for one in quantities_in(sentence)
        if one.kind in ("number", "money", "share") and not one.is_range and not one.is_year
        and any(letter.isdigit() for letter in one.words)
    ]  # fmt: skip


def _spans(pair: Sequence[Quantity]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (pair[0].start, pair[0].end), (pair[1].start, pair[1].end)


def _swapped(sentence: str, one: tuple[int, int], other: tuple[int, int]) -> str:
    between = sentence[one[1] : other[0]]
    first, second = sentence[slice(*one)], sentence[slice(*other)]
    return f"{sentence[: one[0]]}{second}{between}{first}{sentence[other[1] :]}"


ALTERATIONS: Mapping[str, Alteration] = {
    "number": number, "scale": scale, "date": date, "unit": unit, "version": version,
    "name": name, "negation": negation, "sign": sign, "exchanged": exchanged, "roles": roles,
    "added": added, "attribution": attribution, "blend": blend,
}  # fmt: skip


def altered(gold: Sequence[Gold], kind: str, seed: int = 3) -> list[tuple[Gold, str]]:
    """Alter each gold sentence in one way, where that changes it."""
    chance = random.Random(f"{kind}{seed}")
    found: list[tuple[Gold, str]] = []
    for one in gold:
        sentence = without_references(one.sentence)
        other = ALTERATIONS[kind](sentence, one, chance)
        if other and other != sentence:
            found.append((one, f"{other} [1]"))
    return found
