"""The fetched models of a home, as commands show them and as the settings use them."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rag_assistant.cli.session import config_of, home_of
from rag_assistant.config import Config, EmbedderSettings, RerankerSettings
from rag_assistant.config.writing import Value
from rag_assistant.models.fetched.catalogue import find_models, known_names
from rag_assistant.models.fetched.kept import KeptModel, kept_models
from rag_assistant.text.safe_text import clean_line


def megabytes(size: int) -> str:
    """Say a size in bytes."""
    return f"{size / 1e6:.1f} MB"


def fetched_lines(options: Namespace) -> list[str]:
    """Say what was fetched, whether it is used, and what else there is."""
    config, kept = config_of(options), kept_models(home_of(options))
    lines: list[str] = []
    for one in kept:
        used = "in use" if is_used(one, config) else "not in use"
        what = f"{one.purpose} {clean_line(one.folder.name)}"
        state = one.problem() or used
        about = ", ".join(filter(None, [megabytes(one.size), clean_line(one.licence)]))
        lines.append(f"{clean_line(one.name)}: {what} ({about}), {state}")
    here = {one.name for one in kept}
    lines += [
        f"{name}: not here yet; to fetch it: rag-assistant model get {name}"
        for name in known_names()
        if name not in here
    ]
    return lines


def fetched_json(options: Namespace) -> list[dict[str, Any]]:
    """Give what was fetched, with whether it is used."""
    config = config_of(options)
    return [
        {**kept_json(one), "used": is_used(one, config), "problem": one.problem()}
        for one in kept_models(home_of(options))
    ]


def kept_json(kept: KeptModel) -> dict[str, Any]:
    """Give what is known of a fetched model."""
    return {**asdict(kept), "folder": str(kept.folder)}


def table_kind(kept: KeptModel) -> str:
    """Give the tables of the settings that a model belongs into."""
    return f"{kept.purpose}s"


def table_of_kept(kept: KeptModel, config: Config) -> EmbedderSettings | RerankerSettings | None:
    """Give the settings of a model, where they have its name."""
    tables = config.embedders if kept.purpose == "embedder" else config.rerankers
    return tables.get(kept.name)


def is_used(kept: KeptModel, config: Config) -> bool:
    """Whether searches use a model."""
    table = table_of_kept(kept, config)
    chosen = config.embedder if kept.purpose == "embedder" else config.reranker
    return chosen == kept.name and table is not None and table.folder == kept.setting


def settings_for(
    got: Sequence[KeptModel], config: Config
) -> tuple[dict[tuple[str, ...], Value], list[str]]:
    """Give what the settings are to say so that models are used, and what is left to a person.

    What a person has set before stays. A reranker is made known and not used: it costs each search
    some of the person's time.
    """
    values: dict[tuple[str, ...], Value] = {}
    notes: list[str] = []
    for kept in got:
        table, kind = table_of_kept(kept, config), table_kind(kept)
        if table and (table.kind, table.folder) != ("local", kept.setting):
            notes.append(
                f"[{kind}.{kept.name}] of config.toml is another's, and stays. To use this"
                f' {kept.purpose}, add a table with kind = "local" and folder = "{kept.setting}".'
            )
            continue
        if not table:
            values[kind, kept.name, "kind"] = "local"
            values[kind, kept.name, "folder"] = kept.setting
            for key, value in _own_settings(kept):
                values[kind, kept.name, key] = value
        use = f"rag-assistant model use {kept.name} --{kept.purpose}"
        if kept.purpose == "reranker":
            if config.reranker != kept.name:
                notes.append(f"To let the reranker order the best hits, which takes longer: {use}")
        elif config.embedder in ("", kept.name):
            values["embedder",] = kept.name
        else:
            notes.append(
                f"The embedder stays {clean_line(config.embedder)!r}. To use this one, which makes"
                f" all vectors anew: {use}"
            )
    return values, notes


def _own_settings(kept: KeptModel) -> tuple[tuple[str, str | int], ...]:
    models = find_models(kept.name)
    return next((one.settings for one in models if one.purpose == kept.purpose), ())
