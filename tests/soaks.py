"""Soaks: tests that are marked `soak`, for a run that has the time, as CI's has.

They try inputs of many megabytes, hundreds of random damages, storms of processes, real
terminals and browsers, and more
examples of each property. A run without `--soak` leaves them out, unless they are asked for by
node or by mark, and says at its end how many it left.
"""

import pytest

LEFT = pytest.StashKey[int]()
"""How many soaks a session left out; a worker of pytest-xdist hands it to the one it works for."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--soak` and `--explore`."""
    parser.addoption("--soak", action="store_true", help="run the tests marked `soak`, too")
    parser.addoption(
        "--explore", action="store_true", help="try properties with examples drawn anew"
    )


def is_asked_for(config: pytest.Config) -> bool:
    """Tell whether soaks are to run: by the option, by mark, or by the name of a test."""
    return bool(
        config.getoption("soak")
        or config.getoption("markexpr")
        or any("::" in argument for argument in config.args)
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave soaks out where nobody asked for them."""
    soaks = [item for item in items if item.get_closest_marker("soak")]
    if is_asked_for(config) or not soaks:
        return
    items[:] = [item for item in items if item not in set(soaks)]
    config.hook.pytest_deselected(items=soaks)
    config.stash[LEFT] = len(soaks)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take from a worker how many it left out; each worker sees all tests."""
    told = getattr(node, "workeroutput", {})
    node.config.stash[LEFT] = told.get("soaks_left", 0)  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a worker tell how many it left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["soaks_left"] = session.config.stash.get(LEFT, 0)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what was left, and how to run it."""
    if left := config.stash.get(LEFT, 0):
        terminalreporter.write_line(
            f"{left} soaks were left out, and properties tried with an eighth of their examples: "
            "./scripts/test --soak runs all, as CI does."
        )
