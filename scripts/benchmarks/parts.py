"""The parts of the benchmarks, which parts.toml declares."""

import argparse
import shlex
import tomllib
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from scripts.benchmarks.shared.figures import Report


class Benchmark(Protocol):
    """The module of a part.

    Beside its own options these are given: `scratch`, an empty folder that is gone afterwards;
    `work`, a folder that may hold what an earlier run left; `data`, the folder of the collections;
    `embedder`, the folder of an ONNX model or None; `peers_python`, a Python with other engines.
    """

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options that only this part has."""

    def measured(self, options: argparse.Namespace) -> Report:
        """Measure; say in `skipped` what is not there."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its name, what it measures, its goal in words, and its module, named by subject.

    `arguments` are its options as the page has it, `quick` small ones that show that it runs.
    """

    name: str
    title: str
    module: str
    goal: str = ""
    arguments: str = ""
    quick: str = ""

    def given(self, *, quick: bool) -> list[str]:
        """Give the options that it is measured with."""
        return shlex.split(self.quick if quick else self.arguments)

    def benchmark(self) -> Benchmark:
        """Load its module. Raises ModuleNotFoundError where a package that it needs is absent."""
        return cast(Benchmark, import_module(f"scripts.benchmarks.{self.module}"))


def _declared() -> tuple[Part, ...]:
    text = (Path(__file__).parent / "parts.toml").read_text(encoding="utf-8")
    return tuple(Part(**part) for part in tomllib.loads(text)["part"])


PARTS = _declared()
"""All parts, in the order of the page."""
