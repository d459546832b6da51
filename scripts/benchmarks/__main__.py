"""Run all benchmarks and write docs/benchmarks.md, with the goal beside each figure:

    python -m scripts.benchmarks --peers-python /tmp/peers/bin/python --embedder /tmp/minilm
    python -m scripts.benchmarks --list
    python -m scripts.benchmarks --only search-100k --only fuzz
    python -m scripts.benchmarks --only attacks --print
    python -m scripts.benchmarks --only voices --fit

Each part runs in a process of its own and keeps what it found in the folder of --work, so that a
run that was killed goes on where it was, and a part can be run again by itself; the others stay on
the page as they are. --again runs everything anew, --page nothing. --quick takes small sizes, to
see that all works, and writes into the work folder instead. With --print or --json, or with options
of its own (--only PART --help names them), a part is only printed, and the exit code is 1 where a
goal is missed. What a part needs and does not find (a collection, a package) it says in a line. The
figures that README quotes are written anew with the page.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from rag_assistant.errors import RagError
from scripts.benchmarks.page import page
from scripts.benchmarks.parts import PARTS, Part
from scripts.benchmarks.running import measured_apart, measured_here, outcome_of
from scripts.benchmarks.shared.figures import show
from scripts.benchmarks.shared.places import DATA, ROOT
from scripts.readme_figures import PAGE, refresh

WORK = Path(tempfile.gettempdir()) / "rag-assistant-benchmarks"
REMARKS = ROOT / "docs" / "benchmarks-remarks.toml"


def parser() -> argparse.ArgumentParser:
    """Make the parser of the command line; what it does not know are options of a part."""
    made = argparse.ArgumentParser(
        "python -m scripts.benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    names = [part.name for part in PARTS]
    add = made.add_argument
    add("--only", action="append", choices=names, metavar="PART", help="this part, repeatable")
    add("--list", action="store_true", help="name the parts, what they measure and their goals")
    add("--again", action="store_true", help="run all parts again")
    add("--page", action="store_true", help="write the page of what is kept")
    add("--quick", action="store_true", help="small sizes")
    add("--print", action="store_true", help="print what one part finds, and keep nothing")
    add("--json", action="store_true", help="print it as one JSON object")
    add("--work", type=Path, help=f"where files and results are kept; {WORK} by default")
    add("--data", type=Path, default=DATA, help="the folder of the test collections")
    add("--peers-python", default=sys.executable, help="has tantivy and bm25s")
    add("--embedder", type=Path, help="a folder with an ONNX model of MiniLM-L6")
    add("--out", type=Path, help="the page; docs/benchmarks.md by default")
    add("--remarks", type=Path, default=REMARKS, help="why goals are missed")
    add("-h", "--help", action="store_true", help="this help; with --only, that of the part")
    return made


def listed() -> str:
    """Write a line for each part."""
    width = max(len(part.name) for part in PARTS)
    lines = (f"{part.name:{width}}  {part.title}" for part in PARTS)
    goals = (f"\n{'':{width}}    goal: {part.goal}" if part.goal else "" for part in PARTS)
    return "\n".join(line + goal for line, goal in zip(lines, goals, strict=True))


def text_of(target: Path) -> str:
    """Read the page as it stands; "" where there is none."""
    return target.read_text(encoding="utf-8") if target.exists() else ""


def write_page(target: Path, results: Path, options: argparse.Namespace) -> None:
    """Write the page anew, and with the page of the project what README quotes."""
    outcomes = [outcome for one in PARTS if (outcome := outcome_of(one, results))]
    before = text_of(target)
    titles = [part.title for part in PARTS]
    written = page(titles, outcomes, before, options.remarks, quick=options.quick)
    target.write_text(written, encoding="utf-8")
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


def run_and_keep(options: argparse.Namespace) -> None:
    """Run what is to be run, and write the page after each part."""
    work: Path = (options.work or WORK).absolute() / ("quick" if options.quick else "")
    results = work / "parts"
    results.mkdir(parents=True, exist_ok=True)
    target: Path = options.out or (work / "benchmarks.md" if options.quick else PAGE)
    for part, kept in chosen(options, results):
        print(f"{part.name}: running", file=sys.stderr)
        found = measured_apart(part, options, work)
        print(f"{part.name}: {found['minutes']:.1f} minutes", file=sys.stderr)
        if found["failed"] and (kept.exists() or f"## {part.title}\n" in text_of(target)):
            print(f"{part.name}: failed; what an earlier run found stays", file=sys.stderr)
            continue
        kept.with_suffix(".part").write_text(json.dumps(found, indent=1), encoding="utf-8")
        kept.with_suffix(".part").replace(kept)
        write_page(target, results, options)
    write_page(target, results, options)
    print(f"The figures are in {target}.", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; give the exit code."""
    known = parser()
    options, own = known.parse_known_args(arguments)
    named = [part for part in PARTS if part.name in (options.only or ())]
    if options.help and not named:
        print(known.format_help())
        return 0
    if options.list:
        print(listed())
        return 0
    if not (own or options.print or options.json or options.help):
        run_and_keep(options)
        return 0
    if len(named) != 1:
        known.error(f"name one part with --only for {' '.join(own) or '--print and --json'}")
    try:
        report = measured_here(named[0], options, [*own, *(["--help"] if options.help else [])])
    except RagError as error:
        sys.exit(str(error))
    show(report, options.json)
    return int(report.missed())


if __name__ == "__main__":
    sys.exit(main())
