"""Try the oldest and the newest versions that pyproject.toml allows of what the product imports.

    python -m scripts.benchmarks --only dependencies --package textual --package mcp

Two environments are made in a temporary folder: one with exactly the lowest version of each
package that the product asks for, one with the newest of all; what these need in turn, and what
the tests need, is the newest in both. In each, those tests run that lean on a package the most.
What fails in the first calls for a higher bound in pyproject.toml, in the second for an upper
bound, or for a change of ours. With uv on the PATH the environments are made by it, in seconds.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import ROOT

EXTRA = "test"
"""It holds every other extra but local models, which are some hundred megabytes more."""

LOWEST, NEWEST = "lowest", "newest"
SECONDS = 1800
"""What the tests of an environment may take."""

TRIED = {
    "charset-normalizer": "tests/ingest/test_encoding.py",
    "filelock": "tests/history/test_store.py",
    "httpx2": "tests/models/test_discovery.py",
    "ir-measures": "tests/evaluation/test_measures.py",
    "jsonschema": "tests/agents/test_tool_calls.py",
    "keyring": "tests/egress/test_keys.py",
    "lxml": "tests/ingest/test_html.py",
    "markdown-it-py": "tests/tui/test_untrusted.py",
    "mcp": "tests/tools/test_mcp_client.py",
    "numpy": "tests/search/test_meaning.py",
    "olefile": "tests/ingest/test_legacy_office.py",
    "openai": "tests/models/test_openai_model.py",
    "opensearch-py": "tests/store/opensearch/test_faults.py",
    "Pillow": "tests/tools/test_bounding_boxes.py",
    "psutil": "tests/systems/test_limits.py",
    "platformdirs": "tests/cli/test_cli.py",
    "pygments": "tests/tui/test_rendering.py",
    "pypdfium2": "tests/ingest/test_pdf.py",
    "python-calamine": "tests/ingest/test_legacy_office.py",
    "rapidfuzz": "tests/library/test_source_check.py",
    "rich": "tests/cli/test_index.py",
    "shtab": "tests/cli/test_completion.py",
    "sqlite-utils": "tests/library/test_sync.py",
    "starlette": "tests/web/test_doorkeeper.py",
    "textual": "tests/tui/test_failed_work.py tests/tui/test_folding.py",
    "textual-image": "tests/tui/test_page_picture.py",
    "textual-serve": "tests/web/test_page.py",
    "tomlkit": "tests/test_config_writing.py",
    "tree-sitter": "tests/ingest/test_code.py",
    "tree-sitter-c": "tests/ingest/test_code.py",
    "tree-sitter-c-sharp": "tests/ingest/test_code.py",
    "tree-sitter-cpp": "tests/ingest/test_code.py",
    "tree-sitter-go": "tests/ingest/test_code.py",
    "tree-sitter-java": "tests/ingest/test_code.py",
    "tree-sitter-javascript": "tests/ingest/test_code.py",
    "tree-sitter-kotlin": "tests/ingest/test_code.py",
    "tree-sitter-php": "tests/ingest/test_code.py",
    "tree-sitter-ruby": "tests/ingest/test_code.py",
    "tree-sitter-rust": "tests/ingest/test_code.py",
    "tree-sitter-scala": "tests/ingest/test_code.py",
    "tree-sitter-swift": "tests/ingest/test_code.py",
    "tree-sitter-typescript": "tests/ingest/test_code.py",
    "uvicorn": "tests/web/test_doorkeeper.py",
    "watchfiles": "tests/library/test_watch.py",
    "websockets": "tests/web/test_page.py",
    "zstandard": "tests/ingest/test_pixi.py",
}
"""The packages that the product imports, and the tests that lean on each the most."""


_LIST = (
    "import json; from importlib.metadata import distributions;"
    "print(json.dumps([(one.metadata['Name'], one.version) for one in distributions()]))"
)


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment that was made: its packages by name, and how the tests of each file went.

    `results` counts "passed", "failed" and "skipped" by file; `fault` says why there are none.
    """

    versions: Mapping[str, str]
    results: Mapping[str, Counter[str]]
    fault: str = ""


def requirements(project: Mapping[str, Any]) -> list[Requirement]:
    """Give what the product asks for: by itself, and in those of its extras that EXTRA names."""
    optional = project["optional-dependencies"]
    asked = [Requirement(text) for text in project["dependencies"]]
    for one in map(Requirement, optional[EXTRA]):
        if one.name == project["name"]:
            asked += (Requirement(text) for extra in one.extras for text in optional[extra])
    asked = [one for one in asked if one.name != project["name"]]  # extras that take in others
    known = {canonicalize_name(name) for name in TRIED}
    unknown = [one.name for one in asked if canonicalize_name(one.name) not in known]
    if unknown:
        raise SystemExit(f"No tests are named here for {', '.join(unknown)}: add them to TRIED.")
    return asked


def lowest(asked: Iterable[Requirement]) -> list[str]:
    """Pin each package to the version that it has to have at least."""
    pins = []
    for one in asked:
        bounds = [bound.version for bound in one.specifier if bound.operator == ">="]
        if len(bounds) != 1:
            raise SystemExit(f"{one}: no lowest version can be read from this.")
        pins.append(f"{one.name}=={bounds[0]}")
    return pins


def made(folder: Path, pins: Sequence[str], files: Sequence[str]) -> Environment:
    """Make an environment in `folder` under `pins`, and run the tests of `files` in it."""
    venv.create(folder, with_pip=True)
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join(pins), encoding="utf-8")
    pip = [python, "-m", "pip", "install", "--disable-pip-version-check"]
    if uv := shutil.which("uv"):
        pip = [uv, "pip", "install", "--python", python]
    install = [*pip, "--quiet", "--upgrade", "--constraint", str(constraints)]
    done = subprocess.run(
        [*install, "-e", f"{ROOT}[{EXTRA}]"], check=False, capture_output=True, text=True
    )
    if done.returncode != 0:
        return Environment({}, {}, f"they cannot be installed: {done.stderr.strip()[-600:]}")
    listed = subprocess.run([python, "-c", _LIST], check=True, capture_output=True)
    versions = {str(canonicalize_name(name)): str(said) for name, said in json.loads(listed.stdout)}
    written = folder / "results.xml"
    # Each module by itself: one that cannot be imported is no reason to run no other.
    options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", "--tb=short"]
    command = [python, "-m", "pytest", *options, f"--junitxml={written}", *files]
    try:
        ran = subprocess.run(
            command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return Environment(versions, {}, f"the tests took more than {SECONDS} seconds")
    if not written.exists():
        return Environment(versions, {}, f"no test ran: {(ran.stdout + ran.stderr)[-600:]}")
    if ran.returncode:
        print(ran.stdout[-6000:], file=sys.stderr)
    return Environment(versions, results_of(written))


def results_of(written: Path) -> dict[str, Counter[str]]:
    """Count by file how tests went, from what pytest wrote in the form of JUnit."""
    counted: dict[str, Counter[str]] = {}
    for case in ElementTree.parse(written).iter("testcase"):
        # A module that cannot be collected is named where a test's own name stands otherwise.
        named = case.get("classname") or case.get("name") or ""
        kinds = {child.tag for child in case}
        result = "failed" if kinds & {"failure", "error"} else "skipped" * ("skipped" in kinds)
        file = _file(named)
        counted.setdefault(file, Counter())[result or "passed"] += 1
    return counted


def _file(dotted: str) -> str:
    """Give the file of `tests.tui.test_folding` or of `tests.tui.test_folding.TestThis`."""
    parts = dotted.split(".")
    while parts and not (ROOT / Path(*parts)).with_suffix(".py").is_file():
        parts.pop()
    return "/".join(parts) + ".py"


def outcome(environment: Environment, files: Sequence[str]) -> str:
    """Say how the tests of a package went: "12 of 12", and what was skipped."""
    total = sum((environment.results.get(file, Counter()) for file in files), Counter[str]())
    ran = total["passed"] + total["failed"]
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    return f"{total['passed']} of {ran}{skipped}" if ran or skipped else "none ran"


def report_of(only: Sequence[str]) -> Report:
    """Make both environments and compare."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = requirements(project)
    chosen = {name: files.split() for name, files in TRIED.items() if not only or name in only}
    files = sorted({file for several in chosen.values() for file in several})
    environments: dict[str, Environment] = {}
    with tempfile.TemporaryDirectory(prefix="rag-assistant-versions-") as folder:
        for name, pins in ((LOWEST, lowest(asked)), (NEWEST, [])):
            print(f"{name}: making the environment", file=sys.stderr)
            environments[name] = made(Path(folder) / name, pins, files)
    rows = []
    for name, several in chosen.items():
        row = [name]
        for environment in environments.values():
            version = environment.versions.get(canonicalize_name(name), "-")
            row += [version, outcome(environment, several)]
        rows.append(row)
    head = ("package", LOWEST, "tests passed", NEWEST, "tests passed")
    figures = []
    for name, environment in environments.items():
        total = sum(environment.results.values(), Counter[str]())
        failed = total["failed"] if environment.results else len(files)
        detail = f"{total['passed']} passed, {total['skipped']} skipped, in {len(files)} files"
        figures.append(
            Figure(f"{name} versions: tests that fail", failed, goal="<= 0", detail=detail)
        )
    faults = [f"{name} versions: {one.fault}" for name, one in environments.items() if one.fault]
    return Report(figures, [table(head, rows, texts=True)], faults)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let some packages be chosen."""
    parser.add_argument("--package", action="append", choices=sorted(TRIED), help="this one alone")


def measured(options: argparse.Namespace) -> Report:
    """Try the chosen packages, or all."""
    # Run in the background, it would hand on that Ctrl-C is ignored, which some tests send.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return report_of(options.package or ())
