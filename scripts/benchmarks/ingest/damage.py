"""Damage every kind of file that is kept, at random, and see that it is told and mended:

    python -m scripts.benchmarks --only damage --each 200

Bytes are changed, blocks overwritten, ends cut off. `silent` counts what nothing noticed though
what is shown is another; `wrong` that a command died, another file suffered, or that anything was
not mended.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scripts.benchmarks.ingest.damage_home import Outcome, make_home
from scripts.benchmarks.ingest.damaged_files import KINDS, Kind
from scripts.benchmarks.shared.figures import Figure, Report, table

BLOCK = 4_096


def change_bytes(data: bytearray, chance: random.Random) -> None:
    """Give one to eight bytes another value."""
    for _ in range(chance.choice((1, 1, 1, 2, 4, 8))):
        data[chance.randrange(len(data))] ^= chance.randrange(1, 256)


def overwrite_block(data: bytearray, chance: random.Random) -> None:
    """Overwrite a block, as a bad disk or another program does: with nothing, or with anything."""
    start = chance.randrange(0, len(data), BLOCK)
    length = min(BLOCK, len(data) - start)
    data[start : start + length] = chance.choice((bytes(length), chance.randbytes(length)))


def cut_end(data: bytearray, chance: random.Random) -> None:
    """Cut off the end, anywhere."""
    del data[chance.randrange(len(data)) :]


DAMAGES: dict[str, Callable[[bytearray, random.Random], None]] = {
    "bytes": change_bytes,
    "block": overwrite_block,
    "end cut off": cut_end,
}


def damage_one(kind: Kind, damage: str, home: Path, before: Any, seed: str) -> Outcome:
    """Damage a file of a fresh copy of the home and judge what comes of it."""
    chance = random.Random(seed)
    work = home.parent
    copy = work / "damaged"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
    path = copy / chance.choice(kind.files)
    data = bytearray(path.read_bytes())
    DAMAGES[damage](data, chance)
    path.write_bytes(data)
    try:
        outcome = kind.judge(copy, before)
    except Exception as error:  # noqa: BLE001 - whatever it is, it must not be
        outcome = Outcome(wrong=[repr(error)])
    if not outcome.told and not outcome.silent:
        outcome.mended = True  # there is nothing to mend
    return outcome


def run(each: int, seed: int, kinds: Sequence[str]) -> Iterator[tuple[str, str, list[Outcome]]]:
    """Damage files of each kind `each` times; give what came of it by kind and damage."""
    os.environ.pop("RAG_ASSISTANT_HOME", None)
    with tempfile.TemporaryDirectory() as scratch:
        home = make_home(Path(scratch), random.Random(seed))
        shares = {"bytes": each // 2, "block": each * 3 // 10}
        shares["end cut off"] = each - sum(shares.values())
        for kind in KINDS:
            if kinds and kind.name not in kinds:
                continue
            before = kind.shows(home)
            for damage, count in shares.items():
                outcomes = []
                for number in range(count):
                    tag = f"{seed} {kind.name} {damage} {number}"
                    outcomes.append(damage_one(kind, damage, home, before, tag))
                    for line in outcomes[-1].wrong:
                        print(f"{tag}: {line}"[:500], file=sys.stderr)
                yield kind.name, damage, outcomes


HEAD = ("file", "damage", "number", "told", "mended", "harmless", "silent", "ids kept", "wrong")


def line_of(kind: str, damage: str, outcomes: Sequence[Outcome]) -> list[str]:
    """Give a line of the table."""
    told = sum(one.told for one in outcomes)
    silent = sum(one.silent and not one.told for one in outcomes)
    kept, of = sum(one.kept for one in outcomes), sum(one.of for one in outcomes)
    return [
        kind,
        damage,
        str(len(outcomes)),
        str(told),
        f"{sum(one.told and one.mended for one in outcomes)} of {told}",
        str(len(outcomes) - told - silent),
        str(silent),
        f"{kept:,} of {of:,}" if of else "–",
        str(sum(bool(one.wrong) for one in outcomes)),
    ]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Choose how many damages, and of which files."""
    parser.add_argument("--each", type=int, default=200, help="damages of each kind of file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", action="append", default=[], help="a kind of file")


def measured(options: argparse.Namespace) -> Report:
    """Damage, judge, and count."""
    rows, every = [], list[Outcome]()
    for kind, damage, outcomes in run(options.each, options.seed, options.file):
        rows.append(line_of(kind, damage, outcomes))
        every += outcomes
    told = sum(one.told for one in every)
    wrong, silent = sum(bool(one.wrong) for one in every), sum(one.silent for one in every)
    unmended = sum(one.told and not one.mended for one in every)
    detail = f"of {len(every)}, {told} of them told"
    return Report(
        [
            Figure("damages after which something was wrong", wrong, goal="<= 0", detail=detail),
            Figure("damages told and not mended", unmended, goal="<= 0", detail=detail),
            Figure("damages that show and were not told", silent, goal="<= 0", detail=detail),
        ],
        [table(HEAD, rows)],
    )
