"""The process that tries a regular expression on texts, so that a hostile one costs only it.

It is started by `pattern_search` as `python -m rag_assistant.library.pattern_worker SECONDS`, and
ends when its input does, or after SECONDS of processor time. The first line of the input is the
expression, each line after it [number, text], as JSON; the answer to each text is a line
[number, count, spans], to a wrong expression {"error": "…"}.
"""

import json
import re
import sys

MOST_SPANS = 200
"""Places of a text that are given; the others are counted."""

MEMORY = 1024**3
"""Bytes of address space that it may take."""

LONGEST = 10_000
"""Characters of an expression."""


def main() -> None:
    """Serve one expression."""
    _limit(int(sys.argv[1]))
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


def _limit(seconds: int) -> None:
    """Let the system end this process, also where the one that started it is gone."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows: the starter's clock is all there

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
