"""`rag-assistant doctor` and `config`: what is there, what is set, what to do next."""

import asyncio
import os
import platform
import shlex
import sqlite3
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from rag_assistant import __version__
from rag_assistant.cli.drawn import BAD, GOOD, DrawnWords, bold, draw, quiet
from rag_assistant.cli.main import Exit
from rag_assistant.cli.search_models import search_models
from rag_assistant.cli.session import (
    config_of,
    config_path,
    home_of,
    library_of,
    of_dead_link,
    of_no_database,
    print_json,
    say,
)
from rag_assistant.cli.session import print_text as show
from rag_assistant.cli.suspicious import hidden_line
from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.config.installation import how_to_add
from rag_assistant.egress.plain_http import all_addresses, plain_warnings
from rag_assistant.errors import ModelError, RagError
from rag_assistant.files.private_files import may_be_written_by_others, open_to_others
from rag_assistant.ingest.abilities import CODE_MODULE, EXTRA_MODULES, abilities
from rag_assistant.library.library import Library
from rag_assistant.store.opening import DATABASE_SUFFIX


def run_config(options: Namespace) -> int:
    """Show the settings in force. Keys are no settings: they stay where they are."""
    config = config_of(options)
    path = config_path(options)
    settings = asdict(config)
    if options.json:
        print_json({"path": str(path), "exists": path.exists(), **settings})
        return Exit.DONE
    show(f"{path}" + ("" if path.exists() else " (does not exist: all defaults)"))
    show(f"model = {config.model!r}")
    show(f"helper = {config.helper or config.model!r}")
    show(f"judge = {config.judge!r}")
    show(f"embedder = {config.embedder!r}")
    show(f"reranker = {config.reranker!r}")
    show(f"egress = {config.egress!r}")
    tables = [("limits", settings["limits"])]
    for kind in ("models", "embedders", "rerankers", "databases"):
        tables += [(f"{kind}.{name}", values) for name, values in settings[kind].items()]
    for table, values in tables:
        show(f"[{table}]")
        for key, value in values.items():
            show(f"{key} = {value!r}")
    for warning in plain_warnings(all_addresses(config)):
        say(warning)
    return Exit.DONE


def run_doctor(options: Namespace) -> int:
    """Check what the program stands on. Exit code 1 when something needs mending."""
    checks = [
        _system(),
        _full_text(),
        _formats(),
        _home(home_of(options)),
        *_config_rights(config_path(options)),
        _model(options),
        *_local_models(options),
        *(_check(what, **found) for what, found in search_models(options)),
        *_mcp_servers(options),
        *_unencrypted(options),
        *_databases(library_of(options)),
        *_unknown_databases(options),
    ]
    failed = [check for check in checks if not check["ok"]]
    if options.json:
        print_json({"ok": not failed, "checks": checks})
    else:
        for check in checks:
            state = DrawnWords("ok  ", GOOD) if check["ok"] else DrawnWords("MEND", BAD)
            draw(state, "  ", bold(f"{check['what']}"), f": {check['found']}", hang=6)
            if check["next"]:
                draw(quiet("next: "), f"{check['next']}", indent=6, hang=12)
    return Exit.FAILED if failed else Exit.DONE


def _check(what: str, found: str, *, ok: bool = True, step: str = "") -> dict[str, object]:
    return {"what": what, "ok": ok, "found": found, "next": step}


def _system() -> dict[str, object]:
    return _check(
        "program",
        f"rag-assistant {__version__}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}",
    )


def _full_text() -> dict[str, object]:
    try:
        with closing(sqlite3.connect(":memory:")) as memory:
            memory.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    except sqlite3.Error as error:
        return _check("full-text search", str(error), ok=False, step="use a Python with FTS5")
    return _check("full-text search", "FTS5 is there")


def _formats() -> dict[str, object]:
    there = abilities().split()
    missing = [module for module in EXTRA_MODULES if module not in there]
    steps = [f"to read DOC, PPT, XLS, MSG: {how_to_add('formats')}"] if missing else []
    if CODE_MODULE not in there:
        steps.append(f"to find functions in code beside Python's: {how_to_add('code')}")
    if not {"tesseract", "rapidocr"} & set(there):
        steps.append("install tesseract, or the extra 'ocr', to read images and scanned PDFs")
    found = f"beyond the common ones: {', '.join(there) or 'none'}"
    return _check("formats", found, step="; ".join(steps))


def _home(home: Path) -> dict[str, object]:
    existing = next(path for path in (home, *home.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        step = "give another with --home DIR or RAG_ASSISTANT_HOME"
        return _check("home", f"{home} cannot be written", ok=False, step=step)
    if home.is_dir() and (open_ones := open_to_others(home)):
        what = "1 file or folder" if len(open_ones) == 1 else f"{len(open_ones)} files and folders"
        return _check(
            "home",
            f"{home}: other users of this machine may read {what}, such as {open_ones[0]}",
            ok=False,
            step=f"chmod -R go-rwx {shlex.quote(str(home))}",
        )
    return _check("home", str(home))


def _config_rights(path: Path) -> list[dict[str, object]]:
    """Warn of a file of settings that others may write: it names hosts, and programs to start."""
    if not may_be_written_by_others(path):
        return []
    return [
        _check(
            "config",
            f"other users of this machine may change {path}, which names hosts and programs",
            ok=False,
            step=f"chmod go-w {shlex.quote(str(path))} {shlex.quote(str(path.parent))}",
        )
    ]


def _model(options: Namespace) -> dict[str, object]:
    from rag_assistant.models.registry import resolve

    try:
        config: Config = config_of(options)
        if config.model == EXTRACTIVE:
            step = "to use a language model: rag-assistant model list says which there are"
            return _check("model", "extractive (built in: no key, no network)", step=step)
        settings = resolve(config.model, config, os.environ)
    except RagError as error:
        return _check("model", error.message, ok=False, step=error.hint)
    return _check("model", f"{config.model}: {settings.model} at {settings.base_url}")


def _local_models(options: Namespace) -> list[dict[str, object]]:
    """Say which model servers run on this machine, and how to choose a model of theirs."""
    from rag_assistant.cli.nameable_models import (
        described,
        local_servers,
        unused_models,
        use_command,
    )
    from rag_assistant.models.discovery import WHOLE_SECONDS

    what = "local models"
    try:
        servers = local_servers(WHOLE_SECONDS)
        config = config_of(options)
    except ModelError as error:
        return [_check(what, error.message, ok=False, step=error.hint)]
    except RagError:
        return []  # it is said of the model
    checks: list[dict[str, object]] = []
    for server in servers:
        unused = unused_models([server], config)
        checks.append(
            _check(what, described(server), step=use_command(unused[0]) if unused else "")
        )
    return checks or [_check(what, "no model server at the usual ports of this machine")]


def _mcp_servers(options: Namespace) -> list[dict[str, object]]:
    """Start the configured servers, or connect to them, and count what they offer."""
    try:
        servers = config_of(options).mcp
    except RagError:
        return []  # it is said of the model
    if not servers:
        return []
    from rag_assistant.tools.mcp_client.provider import survey

    checks: list[dict[str, object]] = []
    for server in asyncio.run(survey(servers, os.environ)):
        what = f"MCP server {server.name}"
        if server.failure:
            problem = server.failure
            checks.append(_check(what, problem.message, ok=False, step=problem.hint))
            continue
        unasked = sum(tool.reads_only for tool in server.tools)
        found = f"{len(server.tools)} tools, {unasked} of them without asking"
        checks.append(_check(what, found, step=" ".join(server.notes)))
    return checks


def _unencrypted(options: Namespace) -> list[dict[str, object]]:
    """Say what goes to another machine as anyone on the way can read it."""
    try:
        warnings = plain_warnings(all_addresses(config_of(options)))
    except RagError:
        return []  # it is said of the model
    found = (warning.split(". ", 1) for warning in warnings)
    return [_check("encryption", f"{what}.", step=step) for what, step in found]


def _databases(library: Library) -> list[dict[str, object]]:
    """Check every file that is kept, and say what the databases hold."""
    from rag_assistant.cli.whole_files import checked_files

    checks: list[dict[str, object]] = []
    if not library.names():
        checks.append(_check("databases", "none yet", step="rag-assistant index FOLDER"))
    for file in checked_files(library):
        if file.problems:
            found = f"{file.path}: {_few(file.problems)}"
            checks.append(_check(file.name, found, ok=False, step=file.mended_by))
        elif file.path.suffix == DATABASE_SUFFIX and file.name == file.path.stem:
            checks.append(_database(library, file.name))
        else:
            checks.append(_check(file.name, "whole"))
    return checks


def _unknown_databases(options: Namespace) -> list[dict[str, object]]:
    """Say that the settings are not there, or name their databases that are not."""
    try:
        config = config_of(options)
    except RagError:
        return []  # it is said of the model
    if dead := of_dead_link(options):
        return [_check("settings", dead, ok=False, step="Bring that back, or delete the link.")]
    step = f"Mend the name, or remove the table, in {config_path(options)}."
    found = of_no_database(library_of(options), config)
    return [_check("settings", one, ok=False, step=step) for one in found]


def _few(problems: Sequence[str]) -> str:
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{problems[0]}{more}"


def _database(library: Library, name: str) -> dict[str, object]:
    try:
        database = library.database(name)
        figures, hidden = database.figures(), hidden_line(database.hidden_share())
    except RagError as error:  # damaged since, or gone
        return _check(name, error.message, ok=False, step=error.hint)
    found = f"{figures.entries} entries of {figures.folder}, {figures.failed} failed"
    found += f", {figures.partial} partly read" if figures.partial else ""
    found += f"; {hidden}" if hidden else ""
    step = f"rag-assistant databases info {name}" if figures.failed or figures.partial else ""
    step = step or (f"rag-assistant databases suspicious {name}" if hidden else "")
    return _check(name, found, step=step)
