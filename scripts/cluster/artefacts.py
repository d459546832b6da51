"""The server's own jars, got by Maven as this machine has it set up, laid out as a distribution.

There is no distribution among Maven's artefacts, only its parts: `lib` is the server with what it
depends on, each folder of `modules` one of its modules, with the descriptor and the rights under
Java's security manager that the distribution has for it.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

VERSION = "2.19.1"
"""The last line that runs on Java 17."""

SERVER = (
    f"org.opensearch:opensearch:{VERSION}",
    f"org.opensearch:opensearch-plugin-classloader:{VERSION}",
    "org.apache.logging.log4j:log4j-core:2.21.0",  # the server cannot start without it
)

PATIENCE = 300
"""Seconds for one call of Maven; a first one downloads 60 MB."""

_OPTIONS = (
    "-Dstyle.color=never", "-Daether.connector.connectTimeout=5000",
    "-Daether.connector.requestTimeout=30000",
)  # fmt: skip
"""Maven gives up soon, in milliseconds, where nothing answers."""

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>rag-assistant</groupId><artifactId>cluster</artifactId><version>1</version>
<dependencies>{}</dependencies></project>
"""
_DEPENDENCY = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
)


class CannotStartCluster(Exception):
    """There can be no cluster here; the message is one line that says why."""


@dataclass(frozen=True)
class Module:
    """A part of the server: its artefact, its class, what Java's security manager grants it."""

    name: str
    artefact: str
    plugin: str
    granted: Sequence[str] = ()


MODULES = (
    Module(
        "transport-netty4",
        "org.opensearch.plugin:transport-netty4-client",
        "org.opensearch.transport.Netty4Plugin",
        (
            'java.net.SocketPermission "*", "accept,connect"',
            'java.lang.RuntimePermission "setContextClassLoader"',
            'java.lang.RuntimePermission "getClassLoader"',
            'java.lang.RuntimePermission "accessDeclaredMembers"',
            'java.lang.reflect.ReflectPermission "suppressAccessChecks"',
            'java.io.FilePermission "/proc/sys/net/core/somaxconn", "read"',
            'java.util.PropertyPermission "*", "read,write"',
        ),
    ),
    Module(
        "lang-painless",
        "org.opensearch.plugin:lang-painless",
        "org.opensearch.painless.PainlessPlugin",
        (
            'java.lang.RuntimePermission "createClassLoader"',
            'java.lang.RuntimePermission "getClassLoader"',
            'org.opensearch.script.ClassPermission "<<STANDARD>>"',
            'org.opensearch.script.ClassPermission "*"',
        ),
    ),
    Module(
        "reindex",
        "org.opensearch.plugin:reindex-client",
        "org.opensearch.index.reindex.ReindexPlugin",
        (
            'java.net.SocketPermission "*", "connect"',
            'java.lang.RuntimePermission "accessDeclaredMembers"',
            'java.lang.reflect.ReflectPermission "suppressAccessChecks"',
        ),
    ),
)


def java_and_maven() -> tuple[str, str]:
    """Give both programs. Raises CannotStartCluster where one is not there."""
    java, maven = shutil.which("java"), shutil.which("mvn")
    if not java or not maven:
        raise CannotStartCluster("A cluster needs Java 17 or later and Maven, which are not here.")
    return java, maven


def server_home(root: Path) -> Path:
    """Give the folder of the server, laid out below `root` if it is not yet.

    Raises CannotStartCluster where Maven gets no artefacts.
    """
    home = root / f"opensearch-{VERSION}"
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(root / "artefacts.lock"):
        if not (home / "lib").is_dir():
            _lay_out(home, root)
    return home


def _lay_out(home: Path, root: Path) -> None:
    with tempfile.TemporaryDirectory(dir=root) as scratch:
        made = Path(scratch) / "server"
        _copy(SERVER, made / "lib")
        of_server = {jar.name for jar in (made / "lib").iterdir()}
        for module in MODULES:
            folder = made / "modules" / module.name
            _copy([f"{module.artefact}:{VERSION}"], folder)
            for jar in folder.iterdir():
                if jar.name in of_server:
                    jar.unlink()  # a class that is there twice ends the start
            _describe(module, folder)
        for empty in ("bin", "plugins"):  # the server makes them where they are missing, if it may
            (made / empty).mkdir()
        made.replace(home)


def _copy(artefacts: Sequence[str], folder: Path) -> None:
    """Copy artefacts and what they depend on into a folder."""
    folder.mkdir(parents=True)
    pom = folder.parent / f"{folder.name}.xml"
    wanted = (_DEPENDENCY.format(*artefact.split(":")) for artefact in artefacts)
    pom.write_text(_POM.format("".join(wanted)), "utf-8")
    what = f"-DoutputDirectory={folder}", "-DincludeScope=runtime"
    _maven(artefacts, "-f", str(pom), "dependency:copy-dependencies", *what)
    pom.unlink()


def copy_one(artefact: str, folder: Path) -> Path:
    """Copy one artefact, `group:name:version:type`, into a folder, and give where it is then."""
    _, name, version, suffix = artefact.split(":")
    _maven([artefact], "dependency:copy", f"-Dartifact={artefact}", f"-DoutputDirectory={folder}")
    return folder / f"{name}-{version}.{suffix}"


def _maven(artefacts: Sequence[str], *given: str) -> None:
    """Let Maven do something with artefacts. Raises CannotStartCluster where it cannot."""
    _, maven = java_and_maven()
    print(f"Getting {', '.join(artefacts)} …", file=sys.stderr)
    try:
        done = subprocess.run(
            [maven, "-q", "-B", *_OPTIONS, *given],
            check=False, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise CannotStartCluster(f"Maven gave no answer in {PATIENCE} s.") from error
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or ["no reason"]
        raise CannotStartCluster(f"Maven cannot get {artefacts[0]}: {lines[0][:200]}")


def _describe(module: Module, folder: Path) -> None:
    """Write what the server reads of a module before it loads it."""
    facts = {
        "name": module.name,
        "description": module.name,
        "version": VERSION,
        "opensearch.version": VERSION,
        "java.version": "11",
        "classname": module.plugin,
    }
    lines = "".join(f"{key}={value}\n" for key, value in facts.items())
    (folder / "plugin-descriptor.properties").write_text(lines, "utf-8")
    if module.granted:
        rights = "".join(f"  permission {one};\n" for one in module.granted)
        (folder / "plugin-security.policy").write_text(f"grant {{\n{rights}}};\n", "utf-8")
