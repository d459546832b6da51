"""How many examples a property is tried with: those it names in a soak, an eighth of them else.

A property of this suite fails within a few examples when its rule is broken; the rest look for the
rare text, and are for the run that has the time. The examples follow from the property's own code,
so that a commit passes here and in CI alike; `--explore` draws new ones.
"""

from hypothesis import settings

PROFILES = {"soak": 100, "short": 12}
"""The examples of a property that names no number, by profile."""


def use_profile(name: str, *, explore: bool) -> None:
    """Take a profile of `PROFILES`; no example is timed, which is for benchmarks."""
    settings.register_profile(
        name, deadline=None, max_examples=PROFILES[name], derandomize=not explore
    )
    settings.load_profile(name)


def examples(in_a_soak: int) -> int:
    """Give the number for this run of a property that a soak tries with `in_a_soak` examples."""
    return max(1, in_a_soak * settings().max_examples // PROFILES["soak"])
