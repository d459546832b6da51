"""`rag-assistant model get` and `remove`: small models that run on this machine.

Before anything is fetched it is said what, from where, how large and under which licence.
"""

import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from rag_assistant.cli.fetched_models import (
    kept_json,
    megabytes,
    settings_for,
    table_kind,
    table_of_kept,
)
from rag_assistant.cli.main import Exit
from rag_assistant.cli.progress_bar import drawn_bar
from rag_assistant.cli.session import (
    config_of,
    config_path,
    home_of,
    library_of,
    print_json,
    print_prose,
    say,
)
from rag_assistant.config.writing import remove_table, set_value, set_values
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.plain_http import is_plain
from rag_assistant.errors import ModelError
from rag_assistant.models.fetched.catalogue import CatalogueModel, find_models, models_named
from rag_assistant.models.fetched.download import FetchListener, FetchProgress, WantedFile
from rag_assistant.models.fetched.getting import ModelGetter
from rag_assistant.models.fetched.given_folder import given_model
from rag_assistant.models.fetched.hub import Hub
from rag_assistant.models.fetched.kept import KeptModel, kept_models, remove
from rag_assistant.text.safe_text import clean_line


def run_model_get(options: Namespace) -> int:
    """Get the models of a name, and write them into the settings."""
    models = models_named(options.name)
    getter = ModelGetter(home_of(options))
    getter.check()
    config_of(options)  # what cannot be read is said before anything is fetched
    got: list[KeptModel] = []
    try:
        if options.folder:
            _get_from_folder(getter, models, Path(options.folder).expanduser(), got)
        else:
            _get_from_hub(getter, models, options, got)
    except KeyboardInterrupt:
        say("Interrupted; what came is kept. Run the same command again to go on.")
        return Exit.INTERRUPTED
    finally:
        if got:  # one of several is of use without the others
            _use(got, options)
    return Exit.DONE


def _get_from_hub(
    getter: ModelGetter,
    models: Sequence[CatalogueModel],
    options: Namespace,
    got: list[KeptModel],
) -> None:
    """Fetch models that are not here, and add all of them to `got`."""
    absent: list[CatalogueModel] = []
    for model in models:
        if kept := getter.have(model):
            origin = clean_line(kept.origin)
            say(f"{kept.folder.name} is here already, whole; it came from {origin}.")
            got.append(kept)
        else:
            absent.append(model)
    if not absent:
        return
    with closing(Hub(os.environ, Gate(getter.home, config_of(options)))) as hub:
        _announce(absent, hub)
        if not (options.yes or _agrees()):
            raise ModelError("Nothing was fetched.", hint="Say y at a terminal, or add --yes.")
        for model in absent:
            got.append(_fetched(getter, model, hub))


def _announce(models: Sequence[CatalogueModel], hub: Hub) -> None:
    """Say what is to be fetched, from where."""
    size = sum(model.size for model in models)
    say(
        f"To fetch from {clean_line(hub.host)}, about {megabytes(size)}; nothing of your documents"
        " is sent:"
    )
    for model in models:
        about = f"{model.purpose}, about {megabytes(model.size)}, {model.licence}"
        say(f"- {model.title} ({about}): {model.does}")
    if is_plain(hub.address):
        say(f"{hub.address} is not encrypted: what comes may be changed on the way. Use https.")


def _agrees() -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    print("Fetch it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _fetched(getter: ModelGetter, model: CatalogueModel, hub: Hub) -> KeptModel:
    def tell(wanted: list[WantedFile]) -> None:
        say(f"{model.title} at revision {model.revision}:")
        for one in wanted:
            say(f"- {one.file.path}, {one.listed.size:,} bytes, {one.hash}")

    with _fetching_bar(model.title) as listener:
        return getter.from_hub(model, hub, tell, listener)


@contextmanager
def _fetching_bar(title: str) -> Iterator[FetchListener]:
    """Draw how far fetching is, on a terminal."""
    with drawn_bar(time_left=True, of_bytes=True) as bar:
        if bar is None:
            yield lambda _: None
            return
        task = bar.add_task(title, total=None, state="")

        def show(progress: FetchProgress) -> None:
            bar.update(task, total=progress.total, completed=progress.done, state=progress.file)

        yield show


def _get_from_folder(
    getter: ModelGetter, models: Sequence[CatalogueModel], folder: Path, got: list[KeptModel]
) -> None:
    """Copy the models that a folder holds, and add them to `got`."""
    given = {model: found for model in models if (found := given_model(folder, model))}
    if not given:
        names = " or ".join(f"{model.title} ({model.purpose})" for model in models)
        raise ModelError(
            f"{folder} holds no ONNX model for {names}.",
            hint="Give the folder with model.onnx, tokenizer.json and tokenizer_config.json, or"
            " one that holds such folders.",
        )
    for model in models:
        if model not in given:
            say(f"{folder} holds no {model.purpose}, which is left out.")
            continue
        if not given[model].known:
            say(
                f"The {model.purpose} of {given[model].folder} is not the {model.title} that the"
                " catalogue names, to the letter; it is taken as you give it."
            )
        got.append(getter.from_folder(model, given[model]))


def _use(got: Sequence[KeptModel], options: Namespace) -> None:
    """Write models into the settings, and say what is next."""
    path, config = config_path(options), config_of(options)
    values, notes = settings_for(got, config)
    if values:
        set_values(path, values)
    if options.json:
        settings = {".".join(key): value for key, value in values.items()}
        print_json({"models": [kept_json(kept) for kept in got], "settings": settings})
    else:
        for kept in got:
            print_prose(f"{kept.folder}: {kept.purpose}, {megabytes(kept.size)}, tried and ready")
        for key, value in values.items():
            print_prose(f"{path}: {'.'.join(key)} = {value!r}")
    for note in notes:
        say(note)
    if ("embedder",) in values:
        _say_of_vectors(options)


def _say_of_vectors(options: Namespace) -> None:
    """Say when the databases that there are get their vectors."""
    names = library_of(options).names()
    if names:
        say(
            "Until its vectors are made, a database is searched by words. They are made behind its"
            f" text when it is indexed next, or now: rag-assistant embed {shlex.join(names)}"
        )


def run_model_remove(options: Namespace) -> int:
    """Delete the fetched models of a name; settings that name them are taken back."""
    home = home_of(options)
    kept = [one for one in kept_models(home) if one.name == options.name]
    begun = ModelGetter(home).discard_begun(find_models(options.name))
    for part in begun:
        say(f"What was begun of {part.stem} is deleted.")
    if not (kept or begun):
        raise ModelError(
            f"No model {clean_line(options.name)!r} was fetched.",
            hint="`rag-assistant model list` shows those that were.",
        )
    for one in kept:
        _forget(one, options)
        remove(one)
    if options.json:
        print_json({"removed": [kept_json(one) for one in kept]})
        return Exit.DONE
    for one in kept:
        print_prose(f"{one.folder} is deleted ({megabytes(one.size)}).")
    if any(one.purpose == "embedder" for one in kept):
        say("Vectors that it made stay in the databases, unused, until another embedder's replace"
            " them; searches go by words.")  # fmt: skip
    return Exit.DONE


def _forget(kept: KeptModel, options: Namespace) -> None:
    """Take a model out of the settings, where they name it."""
    path, config = config_path(options), config_of(options)
    table = table_of_kept(kept, config)
    if table is None or table.folder != kept.setting:
        return
    if kept.name == (config.embedder if kept.purpose == "embedder" else config.reranker):
        set_value(path, (kept.purpose,), "")
    remove_table(path, table_kind(kept), kept.name)
