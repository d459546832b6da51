"""A folder of examples, for whoever has no documents at hand on the first run."""

from pathlib import Path

from rag_assistant.errors import FolderError

FOLDER = "sample"
"""Its name in the home directory."""

_CHECKOUT = Path(__file__).parents[2]


def sample_folder(home: Path, checkout: Path = _CHECKOUT) -> Path:
    """Give the folder: the demo of the repository, or the small one, written into the home.

    What is written there already stays. It blocks. Raises FolderError.
    """
    from importlib.resources import files  # noqa: PLC0415 - only who has no documents needs it

    demo = checkout / "corpora" / "handbook"
    if (checkout / "pyproject.toml").is_file() and demo.is_dir():
        return demo
    folder = home / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for document in files("rag_assistant.library").joinpath(FOLDER).iterdir():
            path = folder / document.name
            if not path.exists():
                path.write_bytes(document.read_bytes())
    except OSError as error:
        raise FolderError(
            f"The examples cannot be written to {folder}: {error.strerror or error}.",
            hint="Choose a folder of your own.",
        ) from error
    return folder
