"""Values written in every form that a text may have them in, for tests to hold against another."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

from rag_assistant.text.months import MONTHS
from rag_assistant.text.quantities import Quantity, quantities_in

SCALES = {
    1: ("",),
    10**3: ("k", " k", " thousand", "-thousand", " Tsd."),
    10**5: (" lakh", " lakhs"),
    10**6: (
        "m",
        " m",
        "M",
        "mn",
        " million",
        "-million",
        " Mio.",
        " mln",
        " Millionen",
        " MILLION",
    ),
    10**7: (" crore", "cr"),
    10**9: ("bn", " bn", " billion", "-billion", " Mrd.", " Milliarden", " milliards", "b"),
    10**12: ("tn", " trillion", "-trillion", " Billionen", "T"),
}
"""What multiplies a sum, in all its spellings."""

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
)
ONES += "fifteen sixteen seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    """Write a number below a million in words."""
    if number < 20:
        return ONES[number]
    if number < 100:
        rest = number % 10
        return TENS[number // 10] + (f"-{ONES[rest]}" if rest else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    rest = number % size
    joined = f" and {in_words(rest)}" if rest < 100 else f" {in_words(rest)}"
    return f"{in_words(number // size)} {name}" + (joined if rest else "")


def in_digits(number: int) -> Iterator[str]:
    """Write a whole number with the separators of several countries."""
    grouped = f"{number:,}"
    yield str(number)
    for separator in (",", "’", "'", "\u00a0", "\u202f", " "):
        yield grouped.replace(",", separator)
    if number >= 10**6:
        yield grouped.replace(",", ".")


def with_decimals(amount: Fraction) -> Iterator[str]:
    """Write an amount of hundredths with a point or a comma."""
    whole, hundredths = divmod(int(amount * 100), 100)
    yield f"{whole}.{hundredths:02}"
    yield f"{whole},{hundredths:02}"
    yield f"{whole:,}.{hundredths:02}"
    yield f"{whole:,}".replace(",", ".") + f",{hundredths:02}"


def per_cent(number: int) -> Iterator[str]:
    """Write a whole share in per cent, negative ones as accounts do as well."""
    size = abs(number)
    for unit in ("%", " %", " per cent", " percent", " pct"):
        if number >= 0:
            yield f"{size}{unit}"
        else:
            yield from (f"-{size}{unit}", f"−{size}{unit}", f"minus {size}{unit}")
    if number < 0:
        yield from (f"({size})%", f"({size}) %")


def dated(day: date) -> Iterator[str]:
    """Write a date to the day in the forms that say which is which."""
    name = MONTHS[day.month - 1]
    d, m, y = day.day, day.month, day.year
    ending = "th" if 10 < d < 20 else {1: "st", 2: "nd", 3: "rd"}.get(d % 10, "th")
    short = "Sept" if m == 9 else name[:3].capitalize()
    for month in (name.capitalize(), short, name.upper()):
        yield f"{d} {month} {y}"
        yield f"{d}{ending} {month} {y}"
        yield f"{d}{ending} of {month}, {y}"
        yield f"{month} {d}, {y}"
        yield f"{month} {d}{ending}, {y}"
        yield f"{d:02} {month} {y}"
        yield f"{d}-{month}-{y}"
    yield f"{d} {short}. {y}"
    yield f"{short} {d} ’{y % 100:02}"
    yield day.isoformat()
    yield f"{y}/{m:02}/{d:02}"
    yield f"{d}.{m}.{y}"
    yield f"{d:02}.{m:02}.{y}"
    yield f"{d}. {GERMAN[m - 1]} {y}"
    yield f"{'1er' if d == 1 else d} {FRENCH[m - 1]} {y}"
    yield f"{d} de {SPANISH[m - 1]} de {y}"
    yield f"{d} {ITALIAN[m - 1]} {y}"
    yield f"{d} {DUTCH[m - 1]} {y}"
    if d > 12:
        yield f"{d}/{m}/{y}"
        yield f"{m}/{d}/{y}"


GERMAN = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
).split()
FRENCH = (
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
).split()
SPANISH = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
).split()
ITALIAN = (
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
).split()
DUTCH = (
    "januari februari maart april mei juni juli augustus september oktober november december"
).split()


def read(written: str) -> Quantity:
    """Read the one value of a text, in a sentence that has nothing to do with it."""
    found = quantities_in(f"They said {written}, no more.")
    assert len(found) == 1, (written, found)
    return found[0]
