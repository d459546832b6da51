"""All packages that the program and its extras need: licences, and what each may reach.

    python -m scripts.dependencies            # write docs/dependencies.md and sbom.cdx.json anew
    python -m scripts.dependencies --check    # exit code 1 where they lack a package, or a licence

It reads what is installed beside it, so it is run where all extras are; what is not installed is
named. What a package may reach is what its modules import: the network, other programs; and whether
it has native code, which could reach anything. The SBOM (CycloneDX 1.6) goes into the wheel, where
PEP 770 has its place for it.
"""

import argparse
import ast
import json
import sys
import tomllib
import uuid
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PAGE, SBOM = ROOT / "docs" / "dependencies.md", ROOT / "sbom.cdx.json"

NETWORK = frozenset(
    "socket ssl http.client http.server urllib.request ftplib smtplib socketserver asyncio.streams"
    " xmlrpc.client httpx httpx2 httpcore2 aiohttp requests urllib3 websockets anyio".split()
)
PROGRAMS = frozenset("subprocess multiprocessing pty os.system".split())
NATIVE = (".so", ".pyd", ".dylib")

NOT_FOR_RUNNING = frozenset({"test"})
"""Extras that only tests need."""


@dataclass(frozen=True, slots=True)
class Package:
    """An installed package; `needed_by` are packages, extras as `[name]`, and "" for the program.

    `files` are all that it installed.
    """

    name: str
    version: str
    licence: str
    needed_by: tuple[str, ...]
    needs: tuple[str, ...]
    files: tuple[Path, ...]

    def reach(self) -> str:
        """Read its modules, and say in words what it may reach."""
        imports: set[str] = set()
        for file in self.files:
            if file.suffix == ".py" and not {"test", "tests"} & set(file.parts):
                imports |= imported(file)
        native = any(file.suffix in NATIVE for file in self.files)
        kinds = {
            "network": bool(imports & NETWORK),
            "programs": bool(imports & PROGRAMS),
            "native code": native,
        }
        return ", ".join(name for name, there in kinds.items() if there) or "nothing"


def asked_for() -> dict[str, list[Requirement]]:
    """Give what pyproject.toml asks for, by extra; "" for the program itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras: Mapping[str, list[str]] = project["optional-dependencies"]
    texts = {"": project["dependencies"], **extras}
    return {
        extra: [one for one in map(Requirement, given) if one.name != project["name"]]
        for extra, given in texts.items()
        if extra not in NOT_FOR_RUNNING
    }


def installed(asked: Mapping[str, Iterable[Requirement]]) -> tuple[list[Package], list[str]]:
    """Give all packages that are needed, by name, and those that are not installed here."""
    needed_by: dict[str, set[str]] = {}
    found: dict[str, Distribution] = {}
    needs: dict[str, tuple[str, ...]] = {}
    absent: set[str] = set()
    left = deque(
        (one, f"[{extra}]" if extra else "") for extra, given in asked.items() for one in given
    )
    seen: set[tuple[str, frozenset[str]]] = set()
    while left:
        requirement, whose = left.popleft()
        name = canonicalize_name(requirement.name)
        needed_by.setdefault(name, set()).add(whose)
        if (name, frozenset(requirement.extras)) in seen:
            continue
        seen.add((name, frozenset(requirement.extras)))
        try:
            found[name] = there = distribution(name)
        except PackageNotFoundError:
            absent.add(name)
            continue
        own = [one for one in map(Requirement, there.requires or ()) if _applies(one, requirement)]
        needs[name] = tuple(
            sorted({*needs.get(name, ()), *(canonicalize_name(n.name) for n in own)})
        )
        left.extend((one, name) for one in own)
    packages = [
        Package(
            name,
            there.version,
            licence_of(there),
            tuple(sorted(needed_by[name])),
            needs[name],
            tuple(Path(str(file.locate())) for file in there.files or ()),
        )
        for name, there in sorted(found.items())
    ]
    return packages, sorted(absent)


def _applies(one: Requirement, asking: Requirement) -> bool:
    if one.marker is None:
        return True
    return any(one.marker.evaluate({"extra": extra}) for extra in asking.extras or {""})


def imported(file: Path) -> set[str]:
    """Give the modules that a file imports anywhere; none of one that cannot be read."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return set()
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found | {name.partition(".")[0] for name in found}


def licence_of(there: Distribution) -> str:
    """Give the licence that a package's metadata names, or else the head of the file it comes with;
    "" where there is none."""
    told = there.metadata
    if "License-Expression" in told:
        return str(told["License-Expression"])
    classified = [
        one.rpartition(" :: ")[2]
        for one in told.get_all("Classifier") or ()
        if one.startswith("License ::") and not one.endswith("OSI Approved")
    ]
    written = told["License"].strip().splitlines() if "License" in told else []
    if classified or written:
        return " / ".join(classified) or written[0]
    files = [file for file in there.files or () if file.stem.upper() in ("LICENSE", "LICENCE")]
    return files[0].read_text("utf-8").strip().splitlines()[0] if files else ""


def page_of(packages: Iterable[Package], absent: Iterable[str]) -> str:
    """Write the page."""
    lines = [_HEAD]
    for one in packages:
        whose = ", ".join(_whose(name) for name in one.needed_by)
        licence = one.licence or "not named in its metadata"
        lines.append(f"| {one.name} | {one.version} | {licence} | {whose} | {one.reach()} |")
    lacking = ", ".join(absent)
    return "\n".join(lines) + (f"\n\nNot looked at: {lacking}.\n" if lacking else "\n")


def _whose(name: str) -> str:
    if not name:
        return "**always**"
    return f"extra `{name[1:-1]}`" if name.startswith("[") else name


def sbom_of(packages: Iterable[Package], version: str) -> dict[str, Any]:
    """Make the SBOM, the same of the same packages."""
    every = list(packages)
    own = f"pkg:pypi/local-rag-assistant@{version}"
    known = {one.name: f"pkg:pypi/{one.name}@{one.version}" for one in every}
    direct = {name for given in asked_for().values() for name in _names(given)}
    identity = uuid.uuid5(uuid.NAMESPACE_URL, " ".join([own, *sorted(known.values())]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {"component": _component(own, "application", "local-rag-assistant", "MIT")},
        "components": [
            _component(known[one.name], "library", one.name, one.licence) for one in every
        ],
        "dependencies": [
            {"ref": own, "dependsOn": [known[name] for name in sorted(direct & known.keys())]},
            *(
                {"ref": known[one.name], "dependsOn": [known[n] for n in one.needs if n in known]}
                for one in every
            ),
        ],
    }


def _names(given: Iterable[Requirement]) -> set[str]:
    return {canonicalize_name(one.name) for one in given}


def _component(reference: str, kind: str, name: str, licence: str) -> dict[str, Any]:
    version = reference.rpartition("@")[2]
    told = {"type": kind, "bom-ref": reference, "name": name, "version": version}
    licences = {"licenses": [{"license": {"name": licence}}]} if licence else {}
    return {**told, "purl": reference, **licences}


def problems(packages: Iterable[Package]) -> list[str]:
    """Say which packages the page or the SBOM lacks, and which have no licence."""
    rows = {line.split(" | ")[0].strip("| "): line for line in PAGE.read_text("utf-8").splitlines()}
    listed = {one["name"] for one in json.loads(SBOM.read_text("utf-8"))["components"]}
    found = []
    for one in packages:
        if one.name not in rows or one.name not in listed:
            found.append(f"{one.name} is not listed")
        elif one.licence and f"| {one.licence} |" not in rows[one.name]:
            found.append(f"{one.name} is under {one.licence} by now")
    return found


def main() -> int:
    """Write both, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true", help="change nothing")
    options = parser.parse_args()
    packages, absent = installed(asked_for())
    if options.check:
        found = problems(packages)
        print("\n".join(found) or f"{len(packages)} packages are listed with their licences.")
        return bool(found)
    from rag_assistant import __version__  # noqa: PLC0415 - only the SBOM names it

    PAGE.write_text(page_of(packages, absent), encoding="utf-8")
    SBOM.write_text(json.dumps(sbom_of(packages, __version__), indent=1) + "\n", encoding="utf-8")
    print(f"{len(packages)} packages written; not installed: {', '.join(absent) or 'none'}")
    return 0


_HEAD = """\
# What it is made of

Every package that the program and its extras install, as `python -m scripts.dependencies` found
them installed together, with the licence that each names and what its code may reach: the
**network** and other **programs** by what its modules import, anything at all by **native code**.
That a package could reach something does not mean that it is asked to: what leaves this machine
passes one gate ([privacy](privacy.md)), and files are read in processes with limits
([indexing](indexing.md)). Other versions within the ranges of `pyproject.toml` may need others. The
same list is an SBOM (CycloneDX) in the wheel, in `sboms/` of its `dist-info`.

No code is fetched while the program runs. Models, which are data, are fetched by
`rag-assistant model get` alone, which says first what, from where, how large and under which
licence ([small models](small-models.md)).

| package | version | licence | needed by | may reach |
|---|---|---|---|---|"""


if __name__ == "__main__":
    sys.exit(main())
