"""Roman numbers, written and read: of lists and notes, and of pages."""

MOST_ROMAN = 3999
"""The largest number that the seven letters write."""

_PARTS = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def roman(number: int) -> str:
    """Write a number from 1 to 3999 in small letters; any other in digits."""
    if not 0 < number <= MOST_ROMAN:
        return str(number)
    letters: list[str] = []
    for value, sign in _PARTS:
        times, number = divmod(number, value)
        letters.append(sign * times)
    return "".join(letters)


def roman_value(letters: str) -> int | None:
    """Read a number in small letters; None for what no number is written as."""
    rest, number = letters, 0
    for value, sign in _PARTS:
        while rest.startswith(sign):
            rest, number = rest.removeprefix(sign), number + value
    return number if number and not rest and roman(number) == letters else None
