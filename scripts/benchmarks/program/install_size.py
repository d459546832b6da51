"""What an installation takes on disk: the program, and all that it needs to run.

Counted are the files that stand in this environment for the packages that pyproject.toml asks for,
and for those that these need in turn; Python itself is not. What belongs to an extra is counted
beside it, as far as it is installed here.
"""

import argparse
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import ROOT

PACKAGE = ROOT / "rag_assistant"
FOR_WORK_ON_IT = "test"
"""The extra of those who change the program."""


def needed(requirements: Iterable[str]) -> tuple[dict[str, Distribution], list[str]]:
    """Give the installed packages that requirements lead to, and what is not installed of them."""
    found: dict[str, Distribution] = {}
    missing: list[str] = []
    left = [(Requirement(text), "") for text in requirements]
    seen: set[tuple[str, str]] = set()
    while left:
        requirement, extra = left.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        wanted = {(name, one) for one in ("", *requirement.extras)} - seen
        if not wanted:
            continue
        seen |= wanted
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            missing.append(name)
            continue
        asked = [Requirement(text) for text in found[name].requires or ()]
        left += [(one, of) for one in asked for _, of in wanted]
    return found, missing


def bytes_of(package: Distribution) -> int:
    """Give the size of a package's files, without what Python compiled of them."""
    places = (Path(str(file.locate())) for file in package.files or () if file.suffix != ".pyc")
    return sum(place.stat().st_size for place in places if place.is_file())


def report_of(project: Mapping[str, list[str]]) -> Report:
    """Add up; `project` has the requirements by extra, "" being those of the program itself."""
    own = sum(
        path.stat().st_size
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    )
    base, missing = needed(project[""])
    sizes = {name: bytes_of(package) for name, package in base.items()}
    whole = (own + sum(sizes.values())) / 1e6
    largest = sorted(sizes, key=lambda name: -sizes[name])[:3]
    named = ", ".join(f"{name} {sizes[name] / 1e6:.0f} MB" for name in largest)
    detail = f"{len(base)} packages, {own / 1e6:.1f} MB of it our own; the largest: {named}"
    rows = []
    skipped = [f"{name} is not installed here, and not counted" for name in missing]
    for extra, requirements in project.items():
        more, absent = needed(requirements)
        if not extra or extra == FOR_WORK_ON_IT:
            continue
        if absent:
            skipped.append(
                f"extra {extra}: {', '.join(absent)} not installed here, and not counted"
            )
            continue
        added = {name: bytes_of(one) for name, one in more.items() if name not in base}
        rows.append([extra, str(len(added)), f"{sum(added.values()) / 1e6:.1f}"])
    return Report(
        [Figure("size of the installation", whole, "MB", detail=detail)],
        [table(("an extra adds", "packages", "MB"), rows)],
        skipped,
    )


def add_options(_: argparse.ArgumentParser) -> None:
    """There is nothing to choose."""


def measured(_: argparse.Namespace) -> Report:
    """Measure this checkout."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {"": project["dependencies"], **project.get("optional-dependencies", {})}
    return report_of(asked)
