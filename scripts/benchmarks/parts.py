"""All parts of the benchmarks, in the order of the page: what each measures, its goal, its module.

The numbers of the goals stand beside the figures that they are for.
"""

import argparse
import shlex
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from scripts.benchmarks.shared.figures import Report

_SMALL = "--words 3000 --questions 20"


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
    goal: str
    module: str
    arguments: str = ""
    quick: str = ""

    def given(self, *, quick: bool) -> list[str]:
        """Give the options that it is measured with."""
        return shlex.split(self.quick if quick else self.arguments)

    def benchmark(self) -> Benchmark:
        """Load its module. Raises ModuleNotFoundError where a package that it needs is absent."""
        return cast(Benchmark, import_module(f"scripts.benchmarks.{self.module}"))


PARTS = (
    Part(
        "quality",
        "Ranking on judged collections",
        "nDCG@10 and recall of published systems, without a model and with MiniLM-L6",
        "search.quality",
        quick="--collections vaswani",
    ),
    Part("answers", "Evidence and answers", "", "evaluation.answer_quality", quick="--questions 8"),
    Part(
        "selection",
        "The sentences that the built-in model chooses",
        "few, and right: .78 of the quotes' words at an IoU of .25, .45 of the citations right",
        "evaluation.selection",
        quick="--every 100",
    ),
    Part(
        "generated",
        "Generated questions",
        "",
        "evaluation.generated_questions",
        quick="--questions 5",
    ),
    Part(
        "ablation", "What each stage of ranking gains", "", "search.ablation", quick="--queries 5"
    ),
    Part(
        "thin-evidence",
        "Ranking of strange collections",
        "no stage loses .01 anywhere",
        "search.thin_evidence",
        quick="--queries 5",
    ),
    Part(
        "merging",
        "Several databases against one",
        "four databases cost at most 1.5 times one",
        "search.merging",
        quick="--questions 5",
    ),
    Part(
        "cluster",
        "A database on a cluster",
        "nDCG@10 within .003 of SQLite's, at most 200 KB a search",
        "search.on_a_cluster",
        quick="--collections vaswani --questions 5 --shards 1",
    ),
    Part(
        "search-10k",
        "Search: 10,000 passages",
        "an index no larger than 2.5 times its text",
        "search.engine_comparison",
        "--passages 10000",
        f"--passages 500 {_SMALL}",
    ),
    Part(
        "search-100k",
        "Search: 100,000 passages",
        "rows between two keys, an answer before it is missed, a cold start near a bare one",
        "search.engine_comparison",
        "--passages 100000 --cold",
        f"--passages 1000 --cold {_SMALL}",
    ),
    Part(
        "search-1m",
        "Search: 1,000,000 passages",
        "times that grow less than the postings",
        "search.engine_comparison",
        "--passages 1000000 --questions 100",
        f"--passages 2000 {_SMALL}",
    ),
    Part(
        "fuzz",
        "Queries that nobody would type",
        "no exception, and none takes 300 ms of processor time",
        "search.odd_queries",
        quick="--queries 100 --passages 1000 --words 3000",
    ),
    Part(
        "vocabulary",
        "Ten million words",
        "no search takes a second, nor much memory",
        "search.wide_vocabulary",
        quick="--vocabulary 2000",
    ),
    Part(
        "indexing",
        "Indexing folders, and cold starts",
        "half the speed of bare inserts; a start and a first screen that nobody waits for",
        "ingest.indexing",
        quick="--small-files 50 --rounds 2",
    ),
    Part(
        "versions",
        "Finding versions",
        "a small share of an indexing run",
        "ingest.versions",
        quick="--files 50 --rounds 1",
    ),
    Part(
        "guarantees",
        "What must not be lost, hidden or let out",
        "nothing lost, nothing run in a document's words, at most .1 % hidden, 85 of 100 secrets",
        "trust.guarantees",
        quick="--each 4 --processes 3 --first 4",
    ),
    Part(
        "asks",
        "Questions of many processes at once",
        "every answer is kept",
        "program.asks_at_once",
        quick="--processes 3",
    ),
    Part(
        "damage",
        "Damaged files",
        "all told or harmless, all mended by the command that is named",
        "ingest.damage",
        quick="--each 4",
    ),
    Part("install", "The size of an installation", "", "program.install_size"),
    Part(
        "dependencies",
        "The oldest and the newest packages that are allowed",
        "no test fails with either",
        "program.dependency_versions",
        quick="--package tomlkit",
    ),
    Part(
        "formats",
        "Reading documents",
        "a sound database of any files; half the pages a second of the bare PDF library",
        "ingest.formats",
        quick="--rounds 1",
    ),
    Part(
        "reading",
        "What is read of each format",
        "every word and cell of files whose content is known, no crash, no hang",
        "ingest.format_reading",
        quick="--rounds 1 --demo 4",
    ),
    Part(
        "tables",
        "Tables",
        "cells, and the heads and labels of values; no table in prose; a fifth of the speed",
        "ingest.table_reading",
        quick="--rounds 1",
    ),
    Part(
        "gold-passages",
        "The passage that holds the answer",
        "among the first five and ten of all passages, by words alone and with MiniLM-L6",
        "search.gold_passages",
        quick="--questions 5",
    ),
    Part(
        "many-vectors",
        "The nearest of very many vectors",
        "recall@100 of .97 and 15 ms at a million, where the signs choose what is compared",
        "search.many_vectors",
        quick="--embedded 50 --sizes 2000",
    ),
    Part("passages", "The size of passages", "", "search.passage_sizes", quick="--questions 10"),
    Part(
        "kills",
        "Killing the indexer",
        "nothing lost, nothing wrong",
        "ingest.kills",
        quick="--kills 2 --files 60 --readers 2",
    ),
    Part(
        "soak",
        "All at once, for an hour",
        "what is held returns to where it was, and nothing is lost",
        "program.soak",
        quick="--minutes 0.1 --files 40",
    ),
    Part(
        "lag",
        "The interface while it works",
        "a key is drawn at once, whatever else goes on",
        "interface.lag",
        quick="--passages 500 --files 50 --seconds 2",
    ),
    Part(
        "find",
        "Find, and the choice of scope",
        "rows before the next key",
        "interface.find",
        quick="--documents 200",
    ),
    Part(
        "reader",
        "The reader: a document of 500 pages",
        "a page down and a cited passage without a wait",
        "interface.reader",
        quick="--rounds 3",
    ),
    Part(
        "first-paint",
        "From the start to the first picture",
        "2.5 times the processor's time of a bare Textual application",
        "interface.first_paint",
        quick="--rounds 1",
    ),
    Part(
        "stopping",
        "Stopping an answer",
        "the connection is closed within 300 ms of Esc",
        "interface.stopping",
        quick="--rounds 1",
    ),
    Part(
        "conversation",
        "Long conversations",
        "150 answers feel like ten, in little memory",
        "interface.conversation",
        quick="--questions 10",
    ),
    Part(
        "context",
        "Tokens of a long conversation",
        "",
        "evaluation.context_tokens",
        quick="--turns 2",
    ),
    Part(
        "counting",
        "Lists, counts, summaries and tables",
        "20 of 20 exact in 4 calls each, all tools in 1,300 tokens",
        "evaluation.counted_questions",
    ),
    Part(
        "shown",
        "What one search shows a model",
        "the answer in .93 (demo) and .90 (COVID-QA), in 2.3 requests and 5,500 tokens",
        "evaluation.model_reading",
        quick="--questions 3",
    ),
    Part(
        "evaluation",
        "What an evaluation costs",
        "little beside what it measures; a kill costs the questions in flight at most",
        "evaluation.running_cost",
        quick="--passages 100 --questions 10 --rounds 1 --sizes 20 --kills 1 --killed-questions 30",
    ),
    Part("sentences", "What sentences of answers rest on", "", "trust.sentences"),
    Part(
        "claims",
        "Marks on right and on altered answers",
        "few marks on what is right, hard ones where a value is another",
        "trust.claims",
        quick="--demo-only",
    ),
    Part("quotes", "Altered quotes", "", "trust.quotes", quick="--demo-only"),
    Part(
        "voices",
        "The voices of the built-in model",
        "the first quote of an Answer right in .80 of its uses, of a Probably in .50",
        "trust.voices",
        quick="--every 400 --questions 20",
    ),
    Part(
        "judge",
        "How answers of models are judged",
        "by what was read, whatever ranks first",
        "trust.judge",
        quick="--every 400 --every-demo 20 --every-deep 800",
    ),
    Part("contradictions", "Contradictions between sources", "", "trust.contradictions"),
    Part(
        "attacks",
        "Attacks of documents",
        "no call in a document's words is run, no forged citation looks verified",
        "trust.red_team",
        quick="--first 10",
    ),
    Part(
        "attacks-blind",
        "Attacks written by somebody who had read README alone",
        "no call runs in a document's words, no citation is forged",
        "trust.red_team",
        "--attacks scripts/benchmarks/trust/cases/blind.attacks.jsonl",
        quick="--attacks scripts/benchmarks/trust/cases/blind.attacks.jsonl --first 4",
    ),
    Part(
        "model-faults",
        "Models that fail",
        "every fault is told, an answer comes after all, and no key is shown",
        "trust.model_faults",
        quick="--fault 'wrong key' --fault 'a web page'",
    ),
    Part(
        "checks", "What the checks of an answer cost", "", "trust.check_times", quick="--every 100"
    ),
    Part(
        "detector", "Words meant for models", "", "trust.detector", quick="--collections --rounds 1"
    ),
    Part("masking", "Masking secrets", "", "trust.masking", quick="--demo-only"),
)
