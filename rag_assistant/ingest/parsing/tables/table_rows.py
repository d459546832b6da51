"""The rows of a table in plain text, one by one: which delimiter parts the cells is sniffed, and a
quote that is never closed costs no more than its own line.
"""

import csv
from collections import Counter
from collections.abc import Iterator

_SAMPLE = 8_192  # characters; the sniffer's time may be the square of it
_DELIMITERS = ",;\t|"
_MOST_BAD_QUOTES = 20


def rows_of(text: str, *, tabs: bool) -> Iterator[list[str]]:
    """Give the cells of each row; `tabs` says that the file claims to be parted by tabs.

    A row with a quote that does not end, within the longest cell the csv module takes or within
    the file, is parted at its delimiters as it stands. After some such rows quotes mean nothing.
    """
    delimiter, start = _delimiter(text, tabs)
    quoting, bad = True, 0
    while start < len(text):
        lines = _Lines(text, start)
        # What a quote is is not left to the sniffer, which takes apostrophes for one.
        reader = csv.reader(
            lines,
            delimiter=delimiter,
            quotechar='"',
            skipinitialspace=delimiter != "\t",
            quoting=csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE,
        )
        start = len(text)
        while True:
            begin = lines.position
            try:
                row = next(reader, None)
            except csv.Error:  # a cell longer than the module's limit
                row = []
                closed = False
            else:
                closed = not (quoting and _is_open(lines, begin))
            if row is None:
                break
            if not closed:
                end = text.find("\n", begin)
                start = len(text) if end < 0 else end + 1
                yield text[begin:start].rstrip("\n").split(delimiter)
                bad += 1
                quoting = bad < _MOST_BAD_QUOTES
                break
            yield row


class _Lines:
    """The lines of a text from an offset on, with where the next one starts."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self.position >= len(self.text):
            raise StopIteration
        end = self.text.find("\n", self.position)
        begin, self.position = self.position, len(self.text) if end < 0 else end + 1
        return self.text[begin : self.position]


def _is_open(lines: _Lines, begin: int) -> bool:
    """Say whether the row from `begin` on ran to the end of the file in search of a quote."""
    if lines.position < len(lines.text):
        return False
    first_line_end = lines.text.find("\n", begin)
    if first_line_end < 0 or first_line_end + 1 >= len(lines.text):
        return False
    return lines.text.count('"', begin) % 2 == 1


def _delimiter(text: str, tabs: bool) -> tuple[str, int]:
    """Find what parts the cells, and where the rows begin: after the `sep=` line of Excel."""
    first, _, _ = text.partition("\n") if len(text) < _SAMPLE else text[:_SAMPLE].partition("\n")
    if len(first) == 5 and first.startswith("sep=") and first[4] in _DELIMITERS:
        return first[4], 6
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    if tabs and "\t" in sample:
        return "\t", 0
    try:
        sniffed = csv.Sniffer().sniff(sample, _DELIMITERS).delimiter
    except csv.Error:
        sniffed = ""
    if sniffed in _DELIMITERS and sniffed and _agreement(sample, sniffed) > 0.5:
        return sniffed, 0
    return max(_DELIMITERS, key=lambda delimiter: _agreement(sample, delimiter)), 0


def _agreement(sample: str, delimiter: str) -> float:
    """Give the share of rows that have the usual number of cells, if that is more than one."""
    try:
        widths = [len(row) for row in csv.reader(sample.splitlines(), delimiter=delimiter) if row]
    except csv.Error:
        return 0.0
    if not widths:
        return 0.0
    usual, count = Counter(widths).most_common(1)[0]
    return count / len(widths) if usual > 1 else 0.0
