"""Start the command line: `python -m rag_assistant` and `rag-assistant`."""

import sys


def run() -> None:
    """Run the command line and leave with its exit code."""
    from rag_assistant.cli.main import main  # noqa: PLC0415 - an import has no side effect

    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
