"""Run all benchmarks and write docs/benchmarks.md, with the goal beside each figure:

    .venv/bin/python scripts/benchmarks.py --peers-python /tmp/peers/bin/python
    .venv/bin/python scripts/benchmarks.py --only search-100k --only fuzz
    .venv/bin/python scripts/benchmarks.py --quick
    .venv/bin/python scripts/benchmarks.py --page

Each part runs in a process of its own and keeps what it found in the folder of --work, so that a
run that was killed goes on where it was, and a part can be run again by itself; --again runs
everything anew, --page nothing. What a part needs and does not find (a collection, a package) it
says in a line. --quick takes small sizes, to see that all works, and writes into the work folder
instead. The figures that README quotes are written anew with the page.
"""

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks_page import Outcome, page
from figures import Report, report_from
from readme_figures import refresh

SCRIPTS = Path(__file__).resolve().parent
ROOT = SCRIPTS.parent
WORK = Path(tempfile.gettempdir()) / "rag-assistant-benchmarks"
PAGE, REMARKS = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "benchmarks-remarks.toml"


@dataclass(frozen=True, slots=True)
class Part:
    """A benchmark: its script with arguments, those for --quick, and what is said of it.

    WORK, PEERS and MODEL among the arguments stand for the options of this run.
    """

    name: str
    title: str
    script: str
    arguments: str = ""
    quick: str = ""


_SEARCH = "--work WORK --peers-python PEERS"
_SMALL = "--words 3000 --questions 20"

PARTS = (
    Part(
        "quality",
        "Ranking on judged collections",
        "quality.py",
        "MODEL",
        "../shared/data/vaswani",
    ),
    Part("answers", "Evidence and answers", "answer_quality.py", "", "--questions 8"),
    Part("generated", "Generated questions", "generated_questions.py", "", "--questions 5"),
    Part("ablation", "What each stage of ranking gains", "ablation.py", "", "--queries 5"),
    Part("merging", "Several databases against one", "merging.py", "", "--questions 5"),
    Part(
        "search-10k",
        "Search: 10,000 passages",
        "search_benchmark.py",
        f"--passages 10000 {_SEARCH}",
        f"--passages 500 {_SMALL} {_SEARCH}",
    ),
    Part(
        "search-100k",
        "Search: 100,000 passages",
        "search_benchmark.py",
        f"--passages 100000 --cold {_SEARCH}",
        f"--passages 1000 --cold {_SMALL} {_SEARCH}",
    ),
    Part(
        "search-1m",
        "Search: 1,000,000 passages",
        "search_benchmark.py",
        f"--passages 1000000 --questions 100 {_SEARCH}",
        f"--passages 2000 {_SMALL} {_SEARCH}",
    ),
    Part(
        "fuzz",
        "Queries that nobody would type",
        "search_faults.py",
        "--queries 100000 --passages 100000 --vocabulary 0 --work WORK",
        "--queries 100 --passages 1000 --words 3000 --vocabulary 0 --work WORK",
    ),
    Part(
        "vocabulary",
        "Ten million words",
        "search_faults.py",
        "--queries 0 --vocabulary 10000000 --work WORK",
        "--queries 0 --vocabulary 2000 --work WORK",
    ),
    Part(
        "indexing",
        "Indexing folders, and cold starts",
        "benchmark.py",
        "",
        "--small-files 50 --rounds 2",
    ),
    Part("versions", "Finding versions", "version_benchmark.py", "", "--files 50 --rounds 1"),
    Part("install", "The size of an installation", "install_size.py"),
    Part(
        "dependencies",
        "The oldest and the newest packages that are allowed",
        "dependency_versions.py",
        "",
        "--only tomlkit",
    ),
    Part("formats", "Reading documents", "ingest_benchmark.py", "", "--rounds 1"),
    Part("passages", "The size of passages", "passage_sizes.py", "", "--questions 10"),
    Part(
        "kills",
        "Killing the indexer",
        "faults.py",
        "--kills 200",
        "--kills 2 --files 60 --readers 2",
    ),
    Part(
        "lag",
        "The interface while it works",
        "lag_benchmark.py",
        "--work WORK",
        "--passages 500 --files 50 --seconds 2 --work WORK",
    ),
    Part("find", "Find, and the choice of scope", "find_benchmark.py", "", "--documents 200"),
    Part("reader", "The reader: a document of 500 pages", "reader_benchmark.py", "", "--rounds 3"),
    Part(
        "conversation",
        "Long conversations",
        "conversation_benchmark.py",
        "",
        "--questions 10",
    ),
    Part("context", "Tokens of a long conversation", "context_benchmark.py", "", "--turns 2"),
    Part(
        "evaluation",
        "What an evaluation costs",
        "evaluation_benchmark.py",
        "",
        "--passages 100 --questions 10 --rounds 1 --sizes 20 --kills 1 --killed-questions 30",
    ),
    Part(
        "trust",
        "How far answers can be trusted",
        "trust.py",
        "--only sentences --only quotes --only refusal --only contradictions --only attacks",
        "--only sentences --only contradictions --every 100",
    ),
    Part(
        "checks",
        "What the checks of an answer cost",
        "trust.py",
        "--only checks --only detector --only masking",
        "--only checks --every 100",
    ),
)


def machine() -> str:
    """Say what these figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        model = next((s.split(":")[1].strip() for s in lines if s.startswith("model name")), model)
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
        room = f", {memory:.0f} GB of memory"
    except (OSError, ValueError):
        room = ""  # not Linux
    return (
        f"{os.cpu_count()} cores of {model}{room}, {platform.system()} {platform.release()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )


def commit() -> str:
    """Give the commit that is measured, "unknown" outside a repository."""
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def run(part: Part, options: argparse.Namespace, work: Path) -> dict[str, Any]:
    """Run a part and give what is kept of it. A part that fails is kept as a line that says so."""
    arguments = part.quick if options.quick else part.arguments
    values = {"WORK": [str(work)], "PEERS": [options.peers_python], "MODEL": []}
    if options.model:
        values["MODEL"] = ["--model", str(options.model.absolute())]
    given = [value for word in arguments.split() for value in values.get(word, [word])]
    command = [sys.executable, str(SCRIPTS / part.script), *given, "--json"]
    started = time.monotonic()
    done = subprocess.run(command, check=False, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        report = report_from(json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError):
        report = Report(skipped=[f"the benchmark failed (exit code {done.returncode})"])
    return {
        "report": json.loads(report.to_json()),
        "command": " ".join([part.script, *arguments.split()]),
        "failed": not (report.figures or report.tables) and done.returncode != 0,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "commit": commit(),
        "minutes": (time.monotonic() - started) / 60,
        "load": os.getloadavg()[1],
        "machine": machine(),
    }


def outcome_of(part: Part, results: Path) -> Outcome | None:
    """Read what is kept of a part, None if there is nothing."""
    path = results / f"{part.name}.json"
    if not path.exists():
        return None
    kept = json.loads(path.read_text(encoding="utf-8"))
    report = report_from(kept.pop("report"))
    return Outcome(part.name, part.title, report, **kept)


def options_given() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [part.name for part in PARTS]
    parser.add_argument("--only", action="append", choices=names, help="run this part again")
    parser.add_argument("--again", action="store_true", help="run all parts again")
    parser.add_argument("--page", action="store_true", help="write the page of what is kept")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--work", type=Path, default=WORK, help="where files and results are kept")
    parser.add_argument("--peers-python", default=sys.executable, help="has tantivy and bm25s")
    parser.add_argument("--model", type=Path, help="a folder with an ONNX model of MiniLM-L6")
    parser.add_argument("--out", type=Path, help="the page; docs/benchmarks.md by default")
    parser.add_argument("--remarks", type=Path, default=REMARKS)
    return parser.parse_args()


def write_page(target: Path, results: Path, options: argparse.Namespace) -> None:
    """Write the page of all that is kept, and with the page of the project what README quotes."""
    outcomes = [outcome for one in PARTS if (outcome := outcome_of(one, results))]
    target.write_text(page(outcomes, options.remarks, quick=options.quick), encoding="utf-8")
    if target == PAGE:
        for line in refresh():
            print(f"README: {line}", file=sys.stderr)


def chosen(options: argparse.Namespace, results: Path) -> Iterator[tuple[Part, Path]]:
    """Give the parts to run, each with the file that keeps its result."""
    for part in () if options.page else PARTS:
        kept = results / f"{part.name}.json"
        if part.name not in (options.only or [part.name]):
            continue
        if kept.exists() and not (options.only or options.again):
            print(f"{part.name}: kept from an earlier run", file=sys.stderr)
            continue
        yield part, kept


def main() -> None:
    """Run what is to be run, and write the page after each part."""
    options = options_given()
    work: Path = options.work.absolute() / ("quick" if options.quick else "")
    results = work / "results"
    results.mkdir(parents=True, exist_ok=True)
    target: Path = options.out or (work / "benchmarks.md" if options.quick else PAGE)
    for part, kept in chosen(options, results):
        print(f"{part.name}: running", file=sys.stderr)
        found = run(part, options, work)
        print(f"{part.name}: {found['minutes']:.1f} minutes", file=sys.stderr)
        if found["failed"] and kept.exists():
            print(f"{part.name}: failed; what an earlier run found stays", file=sys.stderr)
            continue
        kept.with_suffix(".part").write_text(json.dumps(found, indent=1), encoding="utf-8")
        kept.with_suffix(".part").replace(kept)
        write_page(target, results, options)
    write_page(target, results, options)
    print(f"The figures are in {target}.", file=sys.stderr)


if __name__ == "__main__":
    main()
