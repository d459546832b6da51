"""What models do to a quote that they copy: slips that leave its claim, and changes that break it.

Each function takes words of a source and a random generator, and gives another wording, or "" where
it has nothing to change.
"""

import random
import re
from collections.abc import Callable, Sequence

from rag_assistant.claims.names import is_name
from rag_assistant.claims.turning import turning

Slip = Callable[[str, random.Random], str]

SYNONYMS = {
    "also": "too", "although": "though", "approximately": "roughly", "assess": "evaluate",
    "because": "as", "begin": "start", "caused": "triggered", "common": "frequent",
    "demonstrated": "showed", "different": "distinct", "due": "owing", "employees": "staff",
    "found": "observed", "however": "but", "important": "relevant", "including": "such as",
    "infection": "disease", "is": "was", "large": "big", "main": "chief", "method": "approach",
    "obtain": "get", "people": "persons", "performed": "carried out", "receive": "get",
    "results": "findings", "severe": "serious", "show": "demonstrate", "showed": "indicated",
    "significant": "marked", "study": "research", "that": "which", "the": "a", "these": "those",
    "use": "employ", "used": "employed", "using": "with", "was": "is", "were": "are",
}  # fmt: skip
OPPOSITES = {
    "may": "must", "must": "may", "can": "must", "should": "may", "before": "after",
    "after": "before", "more": "less", "less": "more", "higher": "lower", "lower": "higher",
    "above": "below", "below": "above", "increase": "decrease", "increased": "decreased",
    "first": "last", "all": "some", "most": "few", "up": "down", "over": "under", "until": "from",
    "between": "beyond", "both": "neither", "within": "after", "only": "also", "maximum": "minimum",
}  # fmt: skip
OCR = (("rn", "m"), ("m", "rn"), ("e", "c"), ("l", "I"), ("h", "b"), ("cl", "d"), ("t", "f"))
UNITS = {
    r"(?<=\d) ?%": " percent", r"(?<=\d) mg\b": " milligrams", r"(?<=\d) km\b": " kilometres",
    r"(?<=\d) cm\b": " centimetres", r"(?<=\d) m\b": " metres", r"(?<=\d) kg\b": " kilograms",
    r"(?<=\d) (?:h|hours)\b": " hr", r"(?<=\d) (?:min|minutes)\b": " min", r"\bsix\b": "6",
    r"\bthree\b": "3", r"\btwo\b": "2", r"\bfour\b": "4", r"\bfive\b": "5", r"\bseven\b": "7",
    r"\bten\b": "10", r"£(?=\d)": "GBP ", r"(?<=\d),(?=\d{3}\b)": "",
}  # fmt: skip
OTHER_UNITS = {
    r"(?<=\d) ?%": " mg", r"(?<=\d) mg\b": " g", r"(?<=\d) kg\b": " g", r"(?<=\d) mm\b": " cm",
    r"(?<=\d) m\b": " km", r"\bdays\b": "weeks", r"\bweeks\b": "months", r"\bmonths\b": "years",
    r"\byears\b": "months", r"\bhours\b": "minutes", r"\bminutes\b": "hours", "£": "€",
    r"(?<=\d) bar\b": " psi", r"(?<=\d) ?°C\b": " °F",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_VERB = re.compile(r"\b(?:is|are|was|were|can|may|must|should|will|has|have|had|does|do)\b")


def dropped(quote: str, chance: random.Random) -> str:
    """Leave out one word in twelve that neither turns the claim nor names anything."""
    return _each(quote, chance, lambda word: "", len(quote.split()) // 12 or 1, _harmless)


def changed(quote: str, chance: random.Random) -> str:
    """Put other words for one in twelve."""
    known = lambda text, found: found[0].lower() in SYNONYMS  # noqa: E731 - a rule in one line
    count = len(quote.split()) // 12 or 1
    return _each(quote, chance, lambda word: SYNONYMS[word.lower()], count, known)


def misread(quote: str, chance: random.Random) -> str:
    """Misread one letter in forty, as optical recognition does."""
    words = list(_WORD.finditer(quote))
    long = [found for found in words if len(found[0]) > 3 and _harmless(quote, found)]
    chance.shuffle(long)
    text = quote
    for found in sorted(long[: len(quote) // 40 or 1], key=lambda match: -match.start()):
        fitting = [(a, b) for a, b in OCR if a in found[0][1:]]
        if fitting:
            a, b = chance.choice(fitting)
            word = found[0][0] + found[0][1:].replace(a, b, 1)
            text = text[: found.start()] + word + text[found.end() :]
    return text if text != quote else ""


def left_out(quote: str, chance: random.Random) -> str:
    """Leave words out of the middle, with an ellipsis for them."""
    words = quote.split()
    if len(words) < 12:
        return ""
    first = chance.randrange(4, len(words) - 7)
    last = min(first + chance.randrange(2, 9), len(words) - 3)
    middle = " ".join(words[first:last]).lower()
    if any(turning(word) for word in re.findall(r"\w+", middle)):
        return ""
    return " ".join([*words[:first], chance.choice(("…", "...", "[…]")), *words[last:]])


def relaid(quote: str, chance: random.Random) -> str:
    """Change line ends, hyphens, quotation marks and capitals."""
    words = quote.split()
    place = chance.randrange(len(words))
    word = words[place]
    if len(word) > 6 and word.isalpha():
        words[place] = f"{word[:3]}-\n{word[3:]}"
    text = " ".join(words).replace("-", chance.choice(("-", "‑", "")) or "-")
    text = text.replace("'", "’").replace('"', "“")
    return chance.choice((text.upper(), text.lower(), f"“{text}”", text.replace(" ", "\n", 2)))


def run_together(quote: str, chance: random.Random) -> str:
    """Lose one space, and a comma."""
    spaces = [m.start() for m in re.finditer(r"(?<=[a-z]) (?=[a-z])", quote)]
    if not spaces:
        return ""
    at = chance.choice(spaces)
    return (quote[:at] + quote[at + 1 :]).replace(",", "", 1)


def units_written_out(quote: str, chance: random.Random) -> str:
    """Write units and numbers in another notation."""
    return _replaced(quote, UNITS, chance)


def number_changed(quote: str, chance: random.Random) -> str:
    """Change one number."""
    numbers = list(_NUMBER.finditer(quote))
    if not numbers:
        return _replaced(quote, {r"\btwo\b": "three", r"\bsix\b": "seven"}, chance)
    found = chance.choice(numbers)
    other = str(int(found[0]) + chance.choice((1, 2, 10)))
    return quote[: found.start()] + other + quote[found.end() :]


def negated(quote: str, chance: random.Random) -> str:
    """Put a negation in, or take one out."""
    without = re.sub(r"\b(?:not|no|never|without)\b ?", "", quote, count=1)
    if without != quote:
        return without
    verbs = list(_VERB.finditer(quote))
    if not verbs:
        return ""
    found = chance.choice(verbs)
    return quote[: found.end()] + " not" + quote[found.end() :]


def turned(quote: str, chance: random.Random) -> str:
    """Put a word that says the opposite."""
    known = lambda text, found: found[0] in OPPOSITES  # noqa: E731 - a rule in one line
    return _each(quote, chance, lambda word: OPPOSITES[word], 1, known)


def renamed(quote: str, chance: random.Random) -> str:
    """Put another name."""
    named = lambda text, found: is_name(text, *found.span())  # noqa: E731 - a rule in one line
    other = chance.choice(("Halvorsen", "Brennt", "Quinlan", "XR"))
    return _each(quote, chance, lambda word: other, 1, named)


def other_unit(quote: str, chance: random.Random) -> str:
    """Put another unit behind a number."""
    return _replaced(quote, OTHER_UNITS, chance) if re.search(r"\d", quote) else ""


def retold(quote: str, chance: random.Random) -> str:
    """Tell it fluently in other words and in another order."""
    words = quote.rstrip(". ").split()
    if len(words) < 10:
        return ""
    half = len(words) // 2
    told = [SYNONYMS.get(word.lower(), word) for word in (*words[half:], "as", *words[:half])]
    return " ".join(told)


def spliced(quote: str, other: str) -> str:
    """Put the first half of one sentence before the second half of another."""
    first, second = quote.split(), other.split()
    if len(first) < 8 or len(second) < 8:
        return ""
    return " ".join([*first[: len(first) // 2], *second[len(second) // 2 :]])


SLIPS: dict[str, Slip] = {
    "word dropped": dropped,
    "word changed": changed,
    "letters misread": misread,
    "ellipsis": left_out,
    "layout, case, hyphens": relaid,
    "run together": run_together,
    "units written out": units_written_out,
}
BREAKS: dict[str, Slip] = {
    "number changed": number_changed,
    "negation": negated,
    "turned": turned,
    "name swapped": renamed,
    "unit changed": other_unit,
    "retold": retold,
}


def _harmless(text: str, found: re.Match[str]) -> bool:
    return not turning(found[0].lower()) and not is_name(text, *found.span())


def _each(
    quote: str,
    chance: random.Random,
    change: Callable[[str], str],
    count: int,
    wanted: Callable[[str, re.Match[str]], bool],
) -> str:
    words = [found for found in _WORD.finditer(quote) if wanted(quote, found)]
    # The first and the last are mostly kept: a quote without them is a shorter quote.
    inner: Sequence[re.Match[str]] = words[1:-1] if len(words) > 4 else words
    if not inner:
        return ""
    text = quote
    picked = chance.sample(list(inner), min(count, len(inner)))
    for found in sorted(picked, key=lambda match: -match.start()):
        text = text[: found.start()] + change(found[0]) + text[found.end() :]
    return text if text != quote else ""


def _replaced(quote: str, others: dict[str, str], chance: random.Random) -> str:
    fitting = [written for written in others if re.search(written, quote)]
    if not fitting:
        return ""
    written = chance.choice(fitting)
    return re.sub(written, others[written], quote, count=1)
