"""Run rag-assistant from this checkout: start.py [ARGS of rag-assistant]

Without ARGS: index the demo folders under corpora/ (redteam, which attacks models, is none of them)
and open the terminal interface; where there is no terminal, ask a sample question and print the
cited answer. `scripts/start` starts this on Linux and macOS; on Windows: py scripts\\start.py
"""

import subprocess
import sys
from pathlib import Path

PROGRAM = ("-m", "rag_assistant")
NO_DEMO = "redteam"
QUESTION = "Within how many days must an expense claim be submitted?"


def main() -> None:
    """Do as said above."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # a file's own folder was there
    from scripts.environment import PYTHON, ROOT, become, prepare, say  # noqa: PLC0415

    prepare()
    if sys.argv[1:]:
        become(*PROGRAM, *sys.argv[1:])
    for folder in sorted((ROOT / "corpora").iterdir()):
        if folder.is_dir() and folder.name != NO_DEMO:
            index = [str(PYTHON), *PROGRAM, "index", str(folder)]
            code = subprocess.run(index, stdout=sys.stderr, check=False).returncode
            if code:
                sys.exit(code)
    if sys.stdin.isatty() and sys.stdout.isatty():
        become(*PROGRAM)
    say(f"No terminal here, so this asks: {QUESTION}")
    become(*PROGRAM, "ask", QUESTION, "-d", "handbook")


if __name__ == "__main__":
    main()
