"""Numbers of an answer that a tool counted or computed: "41 of 58 documents", the sum of a column.

Code counted them, so nothing needs to have them word for word; the sentence must say of what.
"""

import re
from collections.abc import Sequence, Set

from rag_assistant.claims.ground import Ground
from rag_assistant.claims.statements import Statement
from rag_assistant.text.quantities import Quantity, may_be_same, quantities_in
from rag_assistant.text.terms import content_terms
from rag_assistant.values.coverage import Tally
from rag_assistant.values.support import Computation

MOST_QUOTED = 12
"""Sentences of quotes whose values are known to a sentence that cites them."""

_FIGURE = re.compile(r"\d[\d,.]*\d|\d")


def tallied(
    claim: Statement, named: Set[str], tallies: Sequence[Tally], known: Sequence[Quantity]
) -> list[Computation]:
    """Give the values of a claim that tools counted, each with what it counts.

    None where a value is neither one of theirs, nor what one of them is of ("3 in April 2025"), nor
    among those that are `known`. `named` are the terms that say what the claim is about: one of
    them is a tally's own.
    """
    ours = [tally for tally in tallies if not named.isdisjoint(content_terms(tally.what))]
    ours.sort(key=lambda tally: not any(_is_told(value, tally) for value in claim.quantities))
    found: list[Computation] = []
    counted: list[Tally] = []
    others: list[Quantity] = []
    for value in claim.quantities:
        tally = next((one for one in ours if _is_of(value, one)), None)
        if tally:
            found.append(Computation(" ".join(value.words.split()), "count", (tally.words,)))
            counted.append(tally)
        elif not any(may_be_same(value, other) for other in known):
            others.append(value)
    told = all(any(_is_told(value, tally) for tally in counted) for value in others)
    return found if told else []


def _is_told(value: Quantity, tally: Tally) -> bool:
    """Whether a value says what a tally is of."""
    return any(may_be_same(value, own) for own in quantities_in(tally.what))


def quoted_values(ground: Ground, cited: Sequence[int]) -> list[Quantity]:
    """Give the values of the quotes that a sentence cites, and of what stands above them."""
    quotes = ground.of_quotes(cited)
    # A long list cites a document for each of its items: what names them is read of all.
    above = {one.above: one for one in quotes}
    read = [ground.above(one) for one in above.values()]
    read += [one.statement for one in quotes[:MOST_QUOTED]]
    return [value for statement in read for value in statement.quantities]


def _is_of(value: Quantity, tally: Tally) -> bool:
    """Whether a value is a tally's, whatever follows it: "17 minutes" are not always of time."""
    figure = _FIGURE.search(value.words)
    written = [text for text in (tally.value, tally.of) if text]
    if figure and any(_plain(figure[0]) == _plain(text) for text in written):
        return True
    return any(may_be_same(value, own) for text in written for own in quantities_in(text))


def _plain(figure: str) -> str:
    return figure.replace(",", "").strip()
