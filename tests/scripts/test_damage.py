"""Random damage to every kind of file that is kept, a small share of what the benchmark does."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.soak
def test_random_damage_is_told_or_harmless_and_mended() -> None:
    """A bad byte somewhere would end a command, cost another file, or not be mended."""
    part = [sys.executable, "-m", "scripts.benchmarks", "--only", "damage"]
    done = subprocess.run(
        [*part, "--each", "4", "--seed", "7", "--print"],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    for figure in ("something was wrong", "told and not mended", "show and were not told"):
        assert f"{figure}: 0" in done.stdout, done.stdout
