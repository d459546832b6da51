"""Keep the figures that README quotes as they stand in docs/benchmarks.md:

    .venv/bin/python -m scripts.readme_figures          # write them anew
    .venv/bin/python -m scripts.readme_figures --check  # name those that are stale

A quoted figure is a number with its unit, followed by a comment that has its name on the page:
`110.9 ms<!-- cold start: search -->`. The benchmarks do the same whenever they write the page.
"""

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.benchmarks.page import figure_rows

ROOT = Path(__file__).resolve().parents[1]
README, PAGE = ROOT / "README.md", ROOT / "docs" / "benchmarks.md"

_QUOTED = re.compile(r"(?P<value>-?\d[\d,.]*(?: [A-Za-z%]+)?)<!-- (?P<name>[^>]+?) -->")


def figures_of(page: str) -> dict[str, str]:
    """Read the figures of the page, as they are written, by name."""
    return {row.figure: row.measured for row in figure_rows(page)}


def stale(readme: str, figures: Mapping[str, str]) -> list[str]:
    """Say which quoted figures are not as they stand on the page."""
    said = []
    for quoted in _QUOTED.finditer(readme):
        now = figures.get(quoted["name"], "not on the page")
        if quoted["value"] != now:
            said.append(f"{quoted['name']}: README has {quoted['value']}, and it is {now}")
    return said


def refreshed(readme: str, figures: Mapping[str, str]) -> str:
    """Give README with each quoted figure as it stands on the page; unknown ones stay."""

    def anew(quoted: re.Match[str]) -> str:
        value = figures.get(quoted["name"], quoted["value"])
        return f"{value}<!-- {quoted['name']} -->"

    return _QUOTED.sub(anew, readme)


def refresh() -> list[str]:
    """Write README anew, and name what is still stale: figures that the page does not have."""
    figures = figures_of(PAGE.read_text(encoding="utf-8"))
    readme = refreshed(README.read_text(encoding="utf-8"), figures)
    README.write_text(readme, encoding="utf-8")
    return stale(readme, figures)


def main() -> None:
    """Write them anew, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if stale")
    options = parser.parse_args()
    if options.check:
        figures = figures_of(PAGE.read_text(encoding="utf-8"))
        left = stale(README.read_text(encoding="utf-8"), figures)
    else:
        left = refresh()
    for line in left:
        print(line, file=sys.stderr)
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
