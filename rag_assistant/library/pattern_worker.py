"""The process that tries a regular expression on texts, so that a hostile one costs only it.

It is started by `pattern_search` as `python -m rag_assistant.library.pattern_worker SECONDS`, and
ends when its input does, or after SECONDS of processor time. The first line of the input is the
expression, each line after it [number, text], as JSON; the answer to each text is a line
[number, count, spans], to a wrong expression {"error": "…"}.
"""

import json
import re
import sys

from rag_assistant.files.process_limits import limit_memory, limit_time

MOST_SPANS = 200
"""Places of a text that are given; the others are counted."""

MEMORY = 1024**3
"""Bytes of memory that it may take."""

LONGEST = 10_000
"""Characters of an expression."""


def main() -> None:
    """Serve one expression."""
    # Also where the process that started this one is gone.
    limit_time(int(sys.argv[1]))
    limit_memory(MEMORY)
    out, lines = sys.stdout, iter(sys.stdin)
    try:
        pattern = re.compile(json.loads(next(lines))[:LONGEST], re.IGNORECASE | re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        out.write(json.dumps({"error": str(error)}) + "\n")
        return
    for line in lines:
        number, text = json.loads(line)
        count, spans = 0, []
        for found in pattern.finditer(text):
            if found.end() > found.start():
                count += 1
                if count <= MOST_SPANS:
                    spans.append(found.span())
        out.write(json.dumps([number, count, spans]) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
