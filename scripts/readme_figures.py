"""Keep the figures that README and the pages of docs/ quote as they stand in docs/benchmarks.md:

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


def quoting() -> list[Path]:
    """Give the pages that quote figures."""
    pages = (README, *sorted(PAGE.parent.glob("*.md")))
    return [page for page in pages if _QUOTED.search(page.read_text(encoding="utf-8"))]


def stale(page: str, figures: Mapping[str, str], name: str = README.stem) -> list[str]:
    """Say which quoted figures of the page `name` are not as they stand on that of benchmarks."""
    said = []
    for quoted in _QUOTED.finditer(page):
        now = figures.get(quoted["name"], "not on the page")
        if quoted["value"] != now:
            said.append(f"{quoted['name']}: {name} has {quoted['value']}, and it is {now}")
    return said


def refreshed(page: str, figures: Mapping[str, str]) -> str:
    """Give a page with each quoted figure as it stands on that of benchmarks; unknown ones stay."""

    def anew(quoted: re.Match[str]) -> str:
        value = figures.get(quoted["name"], quoted["value"])
        return f"{value}<!-- {quoted['name']} -->"

    return _QUOTED.sub(anew, page)


def refresh() -> list[str]:
    """Write them anew, and name what is still stale: figures that the benchmarks do not have."""
    figures = figures_of(PAGE.read_text(encoding="utf-8"))
    left: list[str] = []
    for path in quoting():
        page = refreshed(path.read_text(encoding="utf-8"), figures)
        path.write_text(page, encoding="utf-8")
        left += stale(page, figures, path.stem)
    return left


def main() -> None:
    """Write them anew, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit code 1 if stale")
    options = parser.parse_args()
    if options.check:
        figures = figures_of(PAGE.read_text(encoding="utf-8"))
        left = [
            line
            for path in quoting()
            for line in stale(path.read_text(encoding="utf-8"), figures, path.stem)
        ]
    else:
        left = refresh()
    for line in left:
        print(line, file=sys.stderr)
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
