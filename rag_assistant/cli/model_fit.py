"""`rag-assistant model test`: the fit test as it goes, and what of it is to be written down."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict

from rag_assistant.agents.fit_checks import FitResult
from rag_assistant.agents.model_fit import FitTest
from rag_assistant.agents.usage import UsageMeter
from rag_assistant.cli.main import Exit
from rag_assistant.cli.nameable_models import settings_of, table_of
from rag_assistant.cli.session import (
    config_of,
    config_path,
    home_of,
    print_json,
    print_prose,
    print_text,
    say,
)
from rag_assistant.config import ModelSettings
from rag_assistant.config.writing import Value, changed_text, write_config
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.provenance import Provenance
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.outgoing import CarriedModel
from rag_assistant.text.safe_text import clean_line

_MARKS = {True: "pass", False: "FAIL", None: "?   "}


def run_test(options: Namespace) -> int:
    """Test a model. Exit code 1 when it does not answer at all."""
    name = options.name
    config = config_of(options)
    settings, configured = settings_of(name, config, options.port)
    gate = Gate(home_of(options), config)
    test, checks = asyncio.run(_test(name, settings, gate, quiet=options.json))
    table = _changes(settings, test.profile, configured=configured)
    written = test.answers and _write(options, table)
    ledger = UsageMeter({name: settings})
    ledger.add("main", name, test.usage)
    if options.json:
        print_json(
            {
                "model": name,
                "checks": [asdict(check) for check in checks],
                "profile": test.profile,
                "changes": table,
                "written": written,
                "usage": asdict(test.usage),
                "cost": ledger.cost(),
            }
        )
    used = test.usage
    cost = ledger.cost()
    say(
        f"The test took {used.requests} requests, {used.input_tokens:,} tokens in and "
        f"{used.output_tokens:,} out" + ("." if cost is None else f": cost {cost:.6f}.")
    )
    return Exit.DONE if test.answers else Exit.FAILED


async def _test(
    name: str, settings: ModelSettings, gate: Gate, *, quiet: bool
) -> tuple[FitTest, list[FitResult]]:
    model = CarriedModel(OpenAIModel(name, settings, gate=gate), Provenance("test"))
    test = FitTest(model)
    checks: list[FitResult] = []
    try:
        async for check in test.checks():
            checks.append(check)
            if not quiet:
                meaning = f" — {check.means}" if check.means else ""
                print_prose(f"{_MARKS[check.ok]}  {check.name}: {clean_line(check.found)}{meaning}")
                sys.stdout.flush()
    finally:
        await model.aclose()
    return test, checks


def _changes(
    settings: ModelSettings, profile: Mapping[str, bool | int | str], *, configured: bool
) -> dict[str, Value]:
    """Give what is to be written: what the file does not say already."""
    found = {key: value for key, value in profile.items() if getattr(settings, key) != value}
    return {**({} if configured else table_of(settings)), **found}


def _write(options: Namespace, table: Mapping[str, Value]) -> bool:
    """Show what would be written and, if allowed, write it. On a pipe --write allows it."""
    if not table:
        say("config.toml says all of this already.")
        return False
    path, models = config_path(options), {options.name: table}
    if not options.json:
        print_text(f"\nFor {path}:\n{changed_text('', {}, models)}")
    if options.write is None:
        if options.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
            say("Nothing was written: add --write to write it.")
            return False
        options.write = _is_agreed()
    if options.write:
        write_config(path, models=models)
        say(f"Written to {path}.")
    return bool(options.write)


def _is_agreed() -> bool:
    try:
        return input("Write it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl-D
        return False
