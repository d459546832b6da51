"""How files that are not searchable, or not as a whole, are told on a terminal."""

import re

from rag_assistant.cli.drawn import BAD, QUIET, WARN

STATE_STYLES = {"withheld": WARN, "failed": BAD, "partly read": WARN, "skipped": QUIET}
"""How each kind of them is drawn."""

_STEP = re.compile(r"(?<=[\w)\"'])\. (?=[A-Z])")


def cause_and_mend(reason: str) -> tuple[str, str]:
    """Part what keeps a file from being read from what mends it, "" where nothing is said of it.

    A reason is written as a sentence with the next step behind it (`errors.in_full`).
    """
    cause, *steps = _STEP.split(reason, maxsplit=1)
    return cause, "".join(steps)
