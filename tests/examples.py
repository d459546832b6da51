"""How many examples a property is tried with: those it names in a soak, a quarter of them else.

A property of this suite fails within a few examples when its rule is broken; the rest look for the
rare text, and are for the run that has the time.
"""

from hypothesis import settings

PROFILES = {"soak": 100, "short": 25}
"""The examples of a property that names no number, by profile."""


def register_profiles() -> None:
    """Make both profiles known; no example is timed, which is for benchmarks."""
    for name, number in PROFILES.items():
        settings.register_profile(name, deadline=None, max_examples=number)


def examples(in_a_soak: int) -> int:
    """Give the number for this run of a property that a soak tries with `in_a_soak` examples."""
    return max(1, in_a_soak * settings().max_examples // PROFILES["soak"])
