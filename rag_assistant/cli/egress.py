"""`rag-assistant egress`: what left this machine, by day and host."""

import re
from argparse import Namespace
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import home_of, print_json, print_prose, say
from rag_assistant.egress.ledger import DayOfHost, EgressLedger
from rag_assistant.errors import RagError

_SPAN = re.compile(r"([1-9]\d{0,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


def run_egress(options: Namespace) -> int:
    """Show the record of what was sent. What stays on this machine is not on it."""
    since = _since(options.since) if options.since else ""
    ledger = EgressLedger(home_of(options))
    days = ledger.by_day_and_host(since)
    total = _total(days, ledger.entries_since(since))
    if options.json:
        print_json({"since": since, "days": [asdict(day) for day in days], "total": total})
        return Exit.DONE
    for day in days:
        print_prose(f"{day.day}  {day.host}  {_counted(asdict(day))}")
        names = ", ".join(day.databases) or "no database"
        # What is fetched is a model: nothing of a database is in it.
        word = "of" if day.purposes == ("download",) else "by"
        what = f"{', '.join(day.purposes)} {word} {', '.join(day.models)}"
        print_prose(f"            {what}; of {names}")
    if days:
        print_prose(f"Together: {_counted(total)}")
    else:
        say("Nothing has left this machine" + (" since then." if since else "."))
    return Exit.DONE


def _total(days: list[DayOfHost], entries: int) -> dict[str, int]:
    kinds = ("requests", "characters", "bytes", "tokens", "masked")
    return {kind: sum(getattr(day, kind) for day in days) for kind in kinds} | {"entries": entries}


def _counted(counts: dict[str, int]) -> str:
    parts = [
        _some(counts["requests"], "request"),
        f"{counts['entries']:,} entr{'y' if counts['entries'] == 1 else 'ies'}",
        _some(counts["characters"], "character"),
        f"{counts['bytes']:,} bytes",
    ]
    if counts["tokens"]:
        parts.append(_some(counts["tokens"], "token"))
    if counts["masked"]:
        parts.append(f"{_some(counts['masked'], 'secret')} masked")
    return ", ".join(parts)


def _some(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _since(written: str) -> str:
    """Read a date, a moment, or a span up to now, such as 24h, 7d or 2w; give it in UTC."""
    if span := _SPAN.fullmatch(written.strip()):
        moment = datetime.now(UTC) - timedelta(hours=int(span[1]) * _HOURS[span[2]])
    else:
        try:
            moment = datetime.fromisoformat(written.strip())
        except ValueError:
            raise RagError(
                f"{written!r} is no time.", hint="Write a date, as 2026-11-21, or 24h, 7d, 2w."
            ) from None
        moment = moment.astimezone(UTC)
    return moment.isoformat(timespec="seconds")
