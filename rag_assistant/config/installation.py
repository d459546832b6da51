"""How this copy of the program was installed, and the command that adds an extra to it.

The command fits the way (pip, pipx, uv tool, a checkout), takes the program from where this copy
came from, and loses nothing that was added before. Nothing is run or asked over the network.
"""

import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

DISTRIBUTION = "local-rag-assistant"
"""What the package is called on an index; `rag-assistant` is another project there."""

_PIPX, _UV = "pipx_metadata.json", "uv-receipt.toml"
_OF_EXTRA = re.compile(r"(?P<requirement>[^;]+?)\s*;.*\bextra\s*==\s*['\"](?P<extra>[^'\"]+)['\"]")
_OWN = re.compile(rf"{DISTRIBUTION}\[(?P<extras>[^\]]*)\]")
_PLAIN_ON_WINDOWS = re.compile(r"[\w.:\\/@=+-]+")


@dataclass(frozen=True, slots=True)
class Copy:
    """What an installed copy says of itself.

    `prefix` is the folder of its environment and `python` the interpreter there; `origin` is its
    direct_url.json (PEP 610), empty for a copy from an index; `requires` are its requirements as in
    its metadata; `has_pip` is whether the environment holds pip.
    """

    prefix: Path
    python: str
    origin: Mapping[str, Any]
    requires: Sequence[str]
    has_pip: bool = True
    windows: bool = False


def how_to_add(extra: str) -> str:
    """Give the command that adds the packages of an extra of pyproject.toml to this copy."""
    return command(_this_copy(), extra)


def command(copy: Copy, extra: str) -> str:
    """Give the command that adds an extra to `copy`, quoted for a shell of its system."""
    if (copy.prefix / _PIPX).is_file():
        # Not the program with its extra: older pipx lets a package that is there as it is.
        packages = _packages(copy, extra) or [f"{DISTRIBUTION}[{extra}]"]
        words = ["pipx", "inject", DISTRIBUTION, *packages]
    elif (copy.prefix / _UV).is_file():
        words = ["uv", "tool", "install", *_as_uv_tool(copy, extra)]
    else:
        pip = [copy.python, "-m", "pip", "install"]
        if not copy.has_pip:
            pip = ["uv", "pip", "install", "--python", copy.python]
        words = [*pip, *(_source(copy, [extra]) or _packages(copy, extra))]
    return _quoted(words, windows=copy.windows)


def how_to_remove() -> str:
    """Give the command that removes this copy of the program; what it keeps stays."""
    return removal(_this_copy())


def removal(copy: Copy) -> str:
    """Give the command that removes `copy`."""
    if (copy.prefix / _PIPX).is_file():
        words = ["pipx", "uninstall", DISTRIBUTION]
    elif (copy.prefix / _UV).is_file():
        words = ["uv", "tool", "uninstall", DISTRIBUTION]
    elif copy.has_pip:
        words = [copy.python, "-m", "pip", "uninstall", DISTRIBUTION]
    else:
        words = ["uv", "pip", "uninstall", "--python", copy.python, DISTRIBUTION]
    return _quoted(words, windows=copy.windows)


def _quoted(words: Sequence[str], *, windows: bool) -> str:
    if not windows:
        return shlex.join(words)
    return " ".join(w if _PLAIN_ON_WINDOWS.fullmatch(w) else f'"{w}"' for w in words)


def _source(copy: Copy, extras: Sequence[str]) -> list[str]:
    """Name the program with extras, at the place it came from; nothing if that is gone."""
    wanted = f"{DISTRIBUTION}[{','.join(extras)}]"
    url = str(copy.origin.get("url", ""))
    if not url:
        return [wanted]
    vcs = copy.origin.get("vcs_info")
    if vcs:
        revision = vcs.get("requested_revision") or vcs.get("commit_id", "")
        return [f"{wanted} @ {vcs.get('vcs', 'git')}+{url}{'@' * bool(revision)}{revision}"]
    if urlsplit(url).scheme != "file":
        return [f"{wanted} @ {url}"]
    place = url2pathname(urlsplit(url).path)
    if not Path(place).exists():
        return []
    editable = copy.origin.get("dir_info", {}).get("editable", False)
    return ["-e"] * editable + [f"{place}[{','.join(extras)}]"]


def _as_uv_tool(copy: Copy, extra: str) -> Iterator[str]:
    """Say all that the tool holds: uv takes away what is not named again."""
    tool = tomllib.loads((copy.prefix / _UV).read_text(encoding="utf-8")).get("tool", {})
    extras, others = [extra], list[str]()
    for one in tool.get("requirements", ()):
        if one.get("name") == DISTRIBUTION:
            extras = sorted({extra, *one.get("extras", ())})
        else:
            others.append(_requirement(one))
    # Where the place it came from is gone, uv keeps the copy that is there by its name.
    yield from _source(copy, extras) or [f"{DISTRIBUTION}[{','.join(extras)}]"]
    for other in others:
        yield from ("--with", other)
    if tool.get("python"):
        yield from ("--python", str(tool["python"]))


def _requirement(said: Mapping[str, Any]) -> str:
    """Write a requirement of a receipt of uv as one of a command line."""
    extras = f"[{','.join(said['extras'])}]" if said.get("extras") else ""
    place = next((said[key] for key in ("directory", "editable", "path") if key in said), None)
    if place:
        return f"{place}{extras}"
    url = said.get("url") or (f"git+{said['git']}" if "git" in said else "")
    return f"{said['name']}{extras}" + (f" @ {url}" if url else said.get("specifier", ""))


def _packages(copy: Copy, extra: str) -> list[str]:
    """Give the packages of an extra, those of the extras within it too."""
    packages: list[str] = []
    for line in copy.requires:
        found = _OF_EXTRA.fullmatch(line.strip())
        if not found or found["extra"] != extra:
            continue
        own = _OWN.match(found["requirement"])
        if own:
            for inner in own["extras"].split(","):
                packages += _packages(copy, inner.strip())
        else:
            packages.append(found["requirement"])
    return packages


@cache
def _this_copy() -> Copy:
    from importlib.metadata import distributions  # noqa: PLC0415 - only a missing extra needs it

    # A checkout that was built in holds metadata of its own, without an origin.
    found = list(distributions(name=DISTRIBUTION))
    said = [(one, one.read_text("direct_url.json")) for one in found]
    chosen, text = next(((one, text) for one, text in said if text), (None, ""))
    origin: Mapping[str, Any] = json.loads(text) if text else {}
    checkout = Path(__file__).resolve().parent.parent
    if not found and (checkout / "pyproject.toml").is_file():  # run without being installed
        origin = {"url": checkout.as_uri(), "dir_info": {"editable": True}}
    chosen = chosen or next(iter(found), None)
    return Copy(
        Path(sys.prefix),
        sys.executable or "python",
        origin,
        (chosen.requires or []) if chosen else [],
        has_pip=any(distributions(name="pip")),
        windows=os.name == "nt",
    )
