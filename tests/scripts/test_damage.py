"""Random damage to every kind of file that is kept, a small share of what the script does."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_random_damage_is_told_or_harmless_and_mended() -> None:
    """A bad byte somewhere would end a command, cost another file, or not be mended."""
    done = subprocess.run(
        [sys.executable, "scripts/damage.py", "--each", "4", "--seed", "7"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[2:]]
    assert len(rows) == 12
    assert sum(int(row[2]) for row in rows) == 16
    assert all(row[6] == row[8] == "0" for row in rows)
