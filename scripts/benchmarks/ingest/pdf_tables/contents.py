"""What the tables that are made for measuring say: accounts, measurements, lists of words, drawn by
a seed, so that every run has the same.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("ruled", "numbers", "text")
"""Cells bounded by what is drawn; values, or words, that no lines bound."""


@dataclass(frozen=True, slots=True)
class Known:
    """A table whose content is known, and how it is to be drawn.

    `heads` are rows of (words, columns spanned), `rows` have a cell for each column, or a single
    one that names a section. `style` is a maker's word for how it looks; `pages` how many it takes.
    """

    name: str
    kind: str
    style: str
    heads: tuple[tuple[tuple[str, int], ...], ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    pages: int = 1

    @property
    def columns(self) -> int:
        """The number of its columns."""
        heads = [sum(span for _, span in row) for row in self.heads]
        return max([*heads, *(len(row) for row in self.rows)])


_LABELS = (
    """
Net sales|Cost of sales|Gross margin|Research and development|Selling, general and administrative
Operating income|Other income, net|Provision for income taxes|Net income|Inventories
Accounts receivable, net|Property, plant and equipment|Deferred revenue|Commercial paper
Net change in unrealized loss on available-for-sale securities, before reclassifications
Proceeds from the issuance of common stock under the employee purchase plan|Goodwill
Depreciation and amortization of leased equipment, of buildings and of improvements|Term debt
Share-based compensation expense|Long-term marketable securities|Vendor non-trade receivables
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
_SECTIONS = ("Current assets:", "Operating expenses:", "Investing activities", "Europe", "Other:")
_NAMES = "Alvarez Brandt Chen Diallo Eriksen Fofana Garcia Haddad Ivanova Jensen Kowalski".split()
_TOWNS = "Lisbon Oslo Turin Ghent Bergen Nantes Malaga Krakow Tampere Graz Leeds Cork".split()
_ROLES = ("Site manager", "Clinical nurse", "Data analyst", "Head of safety", "Driver", "Cook")
_NOTES = (
    "Returned the forms late", "On leave until the spring", "Needs a new badge",
    "Works from home on Fridays", "Trained as a first aider", "Shares the night shift",
    "Keeps the keys of the store", "To be interviewed again",
)  # fmt: skip
_MEASURES = (
    """
Height (cm)|Weight (kg)|Body mass index|Systolic pressure|Heart rate|Haemoglobin (g/dl)
Creatinine|Sodium (mmol/l)|Walking distance|Grip strength|Age at onset|Sleep (hours)
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def _amount(rng: random.Random) -> str:
    value = rng.choice(
        (rng.randint(2, 900), rng.randint(1_000, 99_000), rng.randint(100_000, 900_000))
    )
    return f"({value:,})" if rng.random() < 0.2 else f"{value:,}"


def _decimal(rng: random.Random) -> str:
    if rng.random() < 0.05:
        return "—"
    return f"{rng.uniform(0.1, 180):.{rng.choice((1, 1, 2))}f}"


def accounts(
    seed: int, *, years: int = 2, spans: bool = False, sections: bool = False
) -> tuple[tuple[tuple[tuple[str, int], ...], ...], tuple[tuple[str, ...], ...]]:
    """Give heads and rows of accounts: years as heads, over two periods where they span."""
    rng = random.Random(seed)
    labels = rng.sample(_LABELS, rng.randint(6, 11))
    named = tuple((str(2024 - number), 1) for number in range(years))
    if spans:
        heads: tuple[tuple[tuple[str, int], ...], ...] = (
            (("", 1), ("Three months ended", years), ("Nine months ended", years)),
            (("", 1), *named, *named),
        )
        width = 2 * years
    else:
        heads, width = ((("(in millions)", 1), *named),), years
    rows: list[tuple[str, ...]] = []
    for number, label in enumerate(labels):
        if sections and number in (0, len(labels) // 2):
            rows.append((_SECTIONS[(seed + number) % len(_SECTIONS)],))
        rows.append((label, *(_amount(rng) for _ in range(width))))
    return heads, tuple(rows)


def measurements(
    seed: int, groups: int = 3
) -> tuple[tuple[tuple[tuple[str, int], ...], ...], tuple[tuple[str, ...], ...]]:
    """Give heads and rows of measurements of groups."""
    rng = random.Random(seed)
    heads = (
        ("Measure", 1),
        *((f"Group {letter} (n={rng.randint(8, 90)})", 1) for letter in "ABCDEF"[:groups]),
    )
    rows = [
        (label, *(_decimal(rng) for _ in range(groups)))
        for label in rng.sample(_MEASURES, rng.randint(5, 10))
    ]
    return (heads,), tuple(rows)


def people(
    seed: int, *, notes: bool = False
) -> tuple[tuple[tuple[tuple[str, int], ...], ...], tuple[tuple[str, ...], ...]]:
    """Give heads and rows of words: names, roles, towns."""
    rng = random.Random(seed)
    heads = (("Name", 1), ("Role", 1), ("Town", 1), *((("Remarks", 1),) if notes else ()))
    rows = [
        (name, rng.choice(_ROLES), rng.choice(_TOWNS), *((rng.choice(_NOTES),) if notes else ()))
        for name in rng.sample(_NAMES, rng.randint(5, 9))
    ]
    return (heads,), tuple(rows)


def long_accounts(
    seed: int, count: int
) -> tuple[tuple[tuple[tuple[str, int], ...], ...], tuple[tuple[str, ...], ...]]:
    """Give heads and so many rows that they take two pages."""
    rng = random.Random(seed)
    heads = ((("Parcel", 1), ("Area", 1), ("Value", 1), ("Tax", 1)),)
    rows = [
        (
            f"{rng.choice(_TOWNS)} {number}",
            _decimal(rng).replace("—", "1.0"),
            _amount(rng),
            _amount(rng),
        )
        for number in range(count)
    ]
    return heads, tuple(rows)


def known(styles: dict[str, str], *, seed: int, pages: bool = True) -> Iterator[Known]:
    """Give tables of all contents in a maker's styles, each named with its kind or "by content"."""
    for number, (style, kind) in enumerate(styles.items()):
        start = seed + 10 * number
        made = [
            ("accounts", "numbers", accounts(start, years=2 + number % 2)),
            ("spans", "numbers", accounts(start + 1, spans=True)),
            ("sections", "numbers", accounts(start + 2, years=3, sections=True)),
            ("measures", "numbers", measurements(start + 3, 2 + number % 4)),
            ("people", "text", people(start + 4)),
            ("remarks", "text", people(start + 5, notes=True)),
        ]
        for name, content, (heads, rows) in made:
            yield Known(
                f"{style} {name}", kind or content, style, heads, rows, f"Table {start}: {name}"
            )
        if pages and number < 2:
            heads, rows = long_accounts(start + 6, 70)
            yield Known(f"{style} two pages", kind or "numbers", style, heads, rows, "", 2)


PROSE = (
    "The board met in the spring of the year to hear what had been done since it last met. It was "
    "told that the number of visitors had grown, and that the roof of the older house was still to "
    "be mended before the winter. Nobody spoke against the plan, though two of the members asked "
    "how the work would be paid for, and by whom.",
    "In reply it was said that a part of the sum had been promised by the town, and that the rest "
    "would be raised among the friends of the museum. The treasurer reminded those present that a "
    "promise of this kind had been made in 2019 as well, and that 12 of 40 friends had kept it.",
)
"""What stands before and behind each table."""


def before(number: int) -> str:
    """Give the prose before a table, which numbers it.

    It begins otherwise on each page, or it would be a running head, which is no text of the page.
    """
    name, town = _NAMES[number % len(_NAMES)], _TOWNS[number % len(_TOWNS)]
    return f"{number + 1}. chapter: {name}, of {town}. {PROSE[0]}"
