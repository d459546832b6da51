"""Start the command line: `python -m rag_assistant` and `rag-assistant`."""

import gc
import sys

OBJECTS = 10_000
"""Objects made between two short rounds of collecting garbage; each takes half a millisecond."""


def run() -> None:
    """Run the command line and leave with its exit code."""
    # What is loaded is no garbage: by Python's own measure, looking for some among it takes a tenth
    # of the time of a start.
    gc.set_threshold(OBJECTS, *gc.get_threshold()[1:])
    try:
        from rag_assistant.cli.main import main  # noqa: PLC0415 - an import has no side effect

        code = main(sys.argv[1:])
    except KeyboardInterrupt:  # before there is a command that would say so
        sys.exit(130)
    # Python looks for unreachable cycles once more when it ends: a tenth of a short command's time.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    run()
