"""How long masking secrets takes, and how often it masks what is none: in corpora without secrets.

What it masks there is printed, for a person to judge: in the collections of others each is false
until shown otherwise. The demo corpora are read as their files stand. Of `--secrets` and
`--harmless`, lines of JSON with a `text` and the `secret` or what to `keep` of it, it counts how
many secrets are masked, and how much that is none. A secret counts where of each of its lines
neither eight characters in a row are left nor more than a quarter.
"""

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rag_assistant.egress.masking import Masker
from rag_assistant.egress.secrets.finding import secret_spans
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import CORPORA, read_lines
from scripts.benchmarks.shared.timing import seconds_of

CASES = Path(__file__).parent / "cases"
SECRETS, HARMLESS = CASES / "blind_secrets.jsonl", CASES / "blind_harmless.jsonl"
"""Written by somebody who had read README alone; no rule was made or changed for them."""

ROUNDS = 5
SHOWN = 40
"""Characters of what was masked that are shown, its middle left out."""
TEXT = (".md", ".txt", ".html", ".csv", ".json", ".jsonl", ".eml", ".mbox", ".py", ".xml", ".ipynb")


def texts_of(path: Path) -> Iterator[str]:
    """Give the texts of a collection: its files, or the records of its corpus."""
    packed = path / "corpus.jsonl.gz"
    if packed.is_file():
        for record in read_lines(packed):
            yield f"{record.get('title', '')}\n{record.get('text', '')}"
        return
    for file in sorted(path.rglob("*")):
        if file.suffix.lower() in TEXT and file.is_file():
            yield file.read_text(encoding="utf-8", errors="replace")


def measure(name: str, path: Path) -> tuple[list[str], list[str], Figure]:
    """Mask a collection: a row of the table, what was masked, and the time."""
    texts = list(texts_of(path))
    kilobytes = sum(len(text.encode()) for text in texts) / 1024
    kinds: Counter[str] = Counter()
    examples: list[str] = []
    for text in texts:
        for span in secret_spans(text):
            kinds[span.name] += 1
            secret = text[span.start : span.end]
            examples.append(f"{name}: {span.name}: {secret[:SHOWN]!r} ({len(secret)})")

    def mask() -> None:
        for text in texts:
            Masker().masked(text)

    times = [seconds_of(mask) * 1000 / kilobytes for _ in range(ROUNDS)]
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()) or "nothing"
    row = [name, f"{len(texts):,}", f"{kilobytes:,.0f}", f"{sum(kinds.values())}", told]
    return row, examples, Figure(f"masking, {name}", statistics.median(times), "ms per KB")


def left_of(text: str, secret: str) -> bool:
    """Whether any place of a secret in a text keeps a part that counts."""
    masked = {place for span in secret_spans(text) for place in range(span.start, span.end)}
    at = text.find(secret)
    while at >= 0:
        start = at
        for line in secret.splitlines(keepends=True):
            body, run = line.rstrip("\r\n"), 0
            for place in range(start, start + len(body)):
                run = 0 if place in masked else run + 1
                if run >= min(8, len(body) / 4 + 0.01):
                    return True
            start += len(line)
        at = text.find(secret, at + 1)
    return False


def rate(secrets: Path, harmless: Path) -> Report:
    """Count what is masked of cases that were written without a look at the rules."""
    cases = read_lines(secrets)
    caught = sum(not left_of(case["text"], case["secret"]) for case in cases)
    share = 100 * caught / len(cases)
    told = f"{caught} of {len(cases)}, {secrets.name}"
    kept = read_lines(harmless)
    wrong = sum(case["keep"] not in Masker().masked(case["text"]) for case in kept)
    told_of = f"of {len(kept)}, {harmless.name}"
    return Report(
        [
            Figure("secrets masked of those written blind", share, "%", ">= 85", told),
            Figure("harmless strings masked of those written blind", wrong, "", "<= 1", told_of),
        ]
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let what was masked be shown."""
    parser.add_argument("--demo-only", action="store_true", help="the demo corpora alone")
    parser.add_argument("--secrets", type=Path, default=SECRETS, help="cases to be masked")
    parser.add_argument("--harmless", type=Path, default=HARMLESS, help="cases to be left alone")
    parser.add_argument("--examples", action="store_true", help="list what was masked")


def measured(options: argparse.Namespace) -> Report:
    """Measure the demo corpora and, where they are, the shared collections."""
    places = [("corpora", path) for path in sorted(CORPORA.iterdir()) if path.is_dir()]
    skipped = []
    if options.data.is_dir() and not options.demo_only:
        places += [("shared", path) for path in sorted(options.data.iterdir()) if path.is_dir()]
    elif not options.demo_only:
        skipped.append(f"{options.data} is not there: only the demo corpora were masked")
    rows, examples, figures = [], [], []
    for where, path in places:
        row, found, figure = measure(f"{where}/{path.name}", path)
        rows.append(row)
        examples += found
        figures.append(figure)
    head = ("collection", "texts", "KB", "masks", "of which")
    shown = ["\n".join(examples)] if options.examples and examples else []
    blind = rate(options.secrets, options.harmless)
    return blind.with_more(Report(figures, [table(head, rows), *shown], skipped))
