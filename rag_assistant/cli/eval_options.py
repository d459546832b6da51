"""The options of `eval` and of its actions. `eval FILE` is short for `eval run FILE`."""

import argparse
import math
from collections.abc import Sequence

from rag_assistant.cli.shared_options import (
    CommandAdder,
    add_databases,
    add_json,
    natural,
    positive,
)

ACTIONS = ("run", "init", "compare", "report", "runs", "resume")

_SUMMARY = "measure search, evidence and answers on a set of questions"


def with_action(arguments: Sequence[str]) -> list[str]:
    """Put the action that is meant behind an `eval` without one; other commands stay as they are.

    A question set that is called like an action is written with its folder: `eval ./init`.
    """
    given = list(arguments)
    place = given.index("eval") if "eval" in given else -1
    if place < 0 or any(not one.startswith("-") for one in _without_values(given[:place])):
        return given
    place += 1
    while given[place : place + 1] and _is_shared(given[place]):
        place += 2 if given[place] == "--home" else 1
    following = given[place : place + 1]
    if not following or following[0] in (*ACTIONS, "-h", "--help"):
        return given
    return [*given[:place], "run", *given[place:]]


def _is_shared(argument: str) -> bool:
    """Whether it is an option that every command takes, before its action as well."""
    return argument in ("--debug", "--plain", "--home") or argument.startswith("--home=")


def _without_values(options: Sequence[str]) -> list[str]:
    """Leave out the values of options that stand before a command."""
    return [one for before, one in zip(("", *options), options, strict=False) if before != "--home"]


def add_eval(command: CommandAdder) -> None:
    """Declare `eval` and its actions."""
    evaluation = command("eval", "evaluate", _SUMMARY)
    evaluation.description = f"{_SUMMARY}. `eval FILE` is short for `eval run FILE`."
    actions = evaluation.add_subparsers(
        prog=evaluation.prog, dest="action", metavar="FILE|ACTION", required=True
    )

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=summary, description=summary)

    run = action("run", "put the questions of a file or a folder, and measure what comes back")
    run.add_argument(
        "questions",
        metavar="FILE",
        help="questions as JSONL, CSV, TOML or text, or the folder of a BEIR or TREC collection",
    )
    add_databases(run, "the one named as the file")
    _add_what(run)
    _add_limits(run)
    _add_outputs(run)
    run.add_argument("--anew", action="store_true", help="begin anew where a run was broken off")
    add_json(run)
    resume = action("resume", "go on with a run that was broken off")
    resume.add_argument("number", nargs="?", metavar="RUN", help="its number; by default the last")
    _add_limits(resume)
    _add_outputs(resume)
    add_json(resume)
    report = action("report", "show a kept run, or write it as a page, Markdown, JSON or TREC run")
    report.add_argument("number", nargs="?", metavar="RUN", help="its number; by default the last")
    report.add_argument("output", nargs="*", metavar="OUT", help=_OUT)
    add_json(report)
    runs = action("runs", "list the runs that are kept")
    runs.add_argument(
        "--remove", action="append", metavar="RUN", default=[], help="remove a run, repeatable"
    )
    add_json(runs)
    _add_init(action)
    _add_compare(action)


_OUT = "a file to write: .html, .md, .json or .trec"


def _add_what(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "--mode",
        choices=("search", "retrieve", "answer", "all"),
        default="all",
        help="by default all that the set has references for",
    )
    run.add_argument("-m", "--model", help="the model that answers; by default the configured one")
    run.add_argument("--at-once", type=positive, default=0, help="questions asked at the same time")
    run.add_argument("--judge", metavar="MODEL", help="a model that judges the answers, too")
    run.add_argument("--depth", type=positive, default=100, help="hits of a ranking that count")
    run.add_argument("--run", metavar="OUT.trec", help="write the ranking as a TREC run")
    run.add_argument(
        "--ranking", metavar="IN.trec", help="judge the ranking of a TREC run instead of a search"
    )
    run.add_argument("--qrels", metavar="FILE", help="judgements of a TREC or BEIR collection")
    run.add_argument("--split", default="", help="which qrels of a BEIR folder; by default test")
    run.add_argument("--seed", type=natural, default=0, help="of the resampling")


def _amount(written: str) -> float:
    """Read a number from 0 on; `nan` would be a limit that nothing ever meets."""
    try:
        amount = float(written)
    except ValueError:
        amount = math.nan
    if not (math.isfinite(amount) and amount >= 0):
        raise argparse.ArgumentTypeError(f"{written!r} is not a number from 0 on")
    return amount


def _add_limits(run: argparse.ArgumentParser) -> None:
    run.add_argument("--max-cost", type=_amount, metavar="N", help="stop when so much is spent")
    run.add_argument("--max-tokens", type=positive, metavar="N", help="stop after so many tokens")
    run.add_argument("--max-minutes", type=_amount, metavar="N", help="stop after so long")
    run.add_argument(
        "--allow", action="append", default=[], metavar="TOOL", help="as for ask, repeatable"
    )


def _add_outputs(run: argparse.ArgumentParser) -> None:
    run.add_argument(
        "--report", action="append", default=[], metavar="OUT", help=f"{_OUT}; repeatable"
    )
    run.add_argument(
        "--min",
        action="append",
        default=[],
        metavar="METRIC=VALUE",
        help="exit code 1 when a metric is lower, repeatable",
    )
    run.add_argument(
        "--baseline", metavar="RUN", help="exit code 1 when it is worse than this run beyond noise"
    )
    run.add_argument(
        "--tolerance", type=_amount, default=0.0, help="how much worse than the baseline may be"
    )


def _add_init(action: CommandAdder) -> None:
    init = action("init", "make a question set from the documents of a database")
    init.add_argument("-d", "--database", dest="database", required=True, metavar="NAME")
    init.add_argument("-n", "--count", type=positive, default=50, help="questions")
    init.add_argument("-o", "--output", metavar="FILE", help="by default NAME.questions.jsonl")
    init.add_argument("--seed", type=natural, default=0, help="of what is chosen")
    init.add_argument("-m", "--model", help="a model that words the questions")
    init.add_argument("--force", action="store_true", help="write over a file that is there")
    init.add_argument(
        "--allow", action="append", default=[], metavar="TOOL", help="as for ask, repeatable"
    )
    add_json(init)


def _add_compare(action: CommandAdder) -> None:
    compare = action("compare", "compare two runs, question by question")
    compare.add_argument(
        "runs",
        nargs=2,
        metavar="RUN",
        help="a number, last, before, a report as JSON, or a TREC run with --questions",
    )
    compare.add_argument("--questions", metavar="FILE", help="the question set of TREC runs")
    compare.add_argument("--qrels", metavar="FILE", help="judgements of a TREC collection")
    compare.add_argument("--metric", action="append", default=[], help="compare this, repeatable")
    compare.add_argument("--seed", type=natural, default=0, help="of the resampling")
    compare.add_argument(
        "--samples",
        type=positive,
        default=10_000,
        help="random choices behind each p; by default 10,000",
    )
    compare.add_argument("-n", "--rows", type=natural, default=10, help="questions shown")
    compare.add_argument("--md", metavar="OUT.md", help="write it as Markdown")
    add_json(compare)
