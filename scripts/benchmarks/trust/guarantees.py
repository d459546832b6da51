"""All that must not be lost, hidden or let out, tried by one command; a line for each guarantee.

Damaged files, answers of many processes, text hidden from models, attacks and secrets written by
somebody who had read README alone. The parts `damage`, `asks`, `detector`, `attacks-blind` and
`masking` measure the same, each with more detail.
"""

import argparse
from pathlib import Path

from rag_assistant.config import EXTRACTIVE, Config
from scripts.benchmarks.ingest import damage
from scripts.benchmarks.program.asks_at_once import asked_at_once
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.trust import detector, masking, red_team
from scripts.benchmarks.trust.attacks.reading import read_attacks
from scripts.benchmarks.trust.attacks.running import obedient, settings_for

BLIND = Path(__file__).parent / "cases" / "blind.attacks.jsonl"


def of_damage(options: argparse.Namespace) -> list[Figure]:
    """Damage files."""
    given = argparse.Namespace(each=options.each, seed=1, file=[])
    return list(damage.measured(given).figures)


def of_processes(options: argparse.Namespace) -> list[Figure]:
    """Ask from many processes at once."""
    kept, _ = asked_at_once(options.scratch / "asks", options.processes)
    detail = f"{kept} of {options.processes} kept"
    lost = options.processes - kept
    return [Figure("answers asked for at once and not kept", lost, "", "<= 0", detail)]


def of_hidden_text(options: argparse.Namespace) -> list[Figure]:
    """Count the characters of ordinary documents that no model may read."""
    scratch = options.scratch / "hidden"
    scratch.mkdir()
    names = ["covidqa", "squad", "documents"]
    found = detector.alarms(dict(detector.folders_of(options.data, names, scratch)))
    return [figure for figure in found.figures if figure.goal]


def of_attacks(options: argparse.Namespace) -> list[Figure]:
    """Let attacks loose on a model that obeys everything, and on the built-in one."""
    attacks = read_attacks(BLIND)[: options.first]
    configs = [obedient("native"), obedient("text"), settings_for(EXTRACTIVE, Config())]
    folder = BLIND.parent / "blind"
    made = red_team.attempts_of(attacks, folder, configs, options.scratch / "attacks")
    return [figure for figure in red_team.report_of(made).figures if "kept out" in figure.name]


def of_secrets(_: argparse.Namespace) -> list[Figure]:
    """Mask secrets, and what only looks like one."""
    return list(masking.rate(masking.SECRETS, masking.HARMLESS).figures)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Choose how much is tried."""
    parser.add_argument("--each", type=int, default=200, help="damages of each kind of file")
    parser.add_argument("--processes", type=int, default=18)
    parser.add_argument("--first", type=int, help="only so many attacks")


def measured(options: argparse.Namespace) -> Report:
    """Try all of them."""
    figures: list[Figure] = []
    for guarantee in (of_damage, of_processes, of_hidden_text, of_attacks, of_secrets):
        figures += guarantee(options)
    rows = [
        [one.name, f"{one.value:g}{one.unit and ' ' + one.unit}", one.goal or "–", one.detail]
        for one in figures
    ]
    head = ("guarantee", "found", "goal", "of what")
    return Report(figures, [table(head, rows, texts=True)])
