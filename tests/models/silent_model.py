"""A configured model that is asked, and never says a word."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.benchmarks.shared.model_replies import Silence
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer


@contextmanager
def silent_model(home: Path) -> Iterator[ScriptedServer]:
    """Serve one, and make it the model of a home that has a config.toml."""
    with ScriptedServer(Silence()) as server:
        config = home / "config.toml"
        before = config.read_text()
        config.write_text(
            f'model = "slow"\nfallback = false\n{before}\n[models.slow]\nmodel = "{MODEL}"\n'
            f'base_url = "{server.base_url}"\nlocal = true\ntimeout_seconds = 300\n'
        )
        yield server
