"""Run every check: style, types, layers, tests. Soaks among the tests are left out, and counted.

    test.py --soak                             soaks, too: all that CI runs
    test.py tests/search -k typos              with arguments of pytest: only pytest with them

`scripts/test` starts this on Linux and macOS; on Windows: py scripts\\test.py
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("compileall", "-q", "rag_assistant", "scripts", "tests"),
)


def main() -> None:
    """Do as said above; ends with the exit code of the first check that fails, or of the tests."""
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # a file's own folder was there
    from scripts.environment import BIN, PYTHON, ROOT, become, prepare  # noqa: PLC0415

    prepare("test")
    os.chdir(ROOT)
    given = sys.argv[1:]
    if given and given != ["--soak"]:
        become("-m", "pytest", *given)
    # What is compiled is kept, whatever the environment says: hundreds of processes start in the
    # tests.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    checks: list[list[str]] = [[str(PYTHON), "-m", *check] for check in CHECKS]
    for check in [[str(BIN / "lint-imports")], *checks]:
        code = subprocess.run(check, check=False).returncode
        if code:
            sys.exit(code)
    with tempfile.TemporaryFile() as log:
        types = subprocess.Popen([PYTHON, "-m", "mypy"], stdout=log, stderr=subprocess.STDOUT)
        # One more than CI has processors: many tests wait, for a terminal or for a second to pass.
        tests = [str(PYTHON), "-m", "pytest", "-n", "3", "--dist", "worksteal", *given]
        failed = subprocess.run(tests, check=False).returncode
        failed = types.wait() or failed
        log.seek(0)
        sys.stdout.write(log.read().decode("utf-8", "replace"))
    sys.exit(failed)


if __name__ == "__main__":
    main()
