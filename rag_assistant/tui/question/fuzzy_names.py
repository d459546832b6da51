"""Which of many names a person may mean by a few letters: those that begin so come first."""

import re
from collections.abc import Callable, Iterable
from heapq import nsmallest


def fitting(typed: str, names: Iterable[str], most: int) -> list[str]:
    """Give `most` names that hold the letters of `typed` in their order, the likeliest first.

    Equals stay in the order of `names`.
    """
    rank = ranking(typed)
    found = ((place, number, name) for number, name in enumerate(names) if (place := rank(name)))
    return [name for _, _, name in nsmallest(most, found)]


def ranking(typed: str) -> Callable[[str], int]:
    """Give what ranks names by the letters that were typed; 0 is a name that does not hold them.

    The likeliest, 1, begin with them; then come names of which a part does (behind a stroke, a
    space or a mark), then those that hold them together, and those that hold them scattered.
    """
    wanted = typed.casefold()
    parted = re.compile(r"[\W_]" + re.escape(wanted))
    scattered = re.compile(".*?".join(map(re.escape, wanted)), re.DOTALL)

    def rank(name: str) -> int:
        folded = name.casefold()
        if folded.startswith(wanted):
            return 1
        if wanted in folded:
            return 2 if parted.search(folded) else 3
        return 4 if scattered.search(folded) else 0

    return rank
