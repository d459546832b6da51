"""`scripts/opensearch [--name NAME] start [--nodes N] | stop | status`."""

import argparse
import sys
import urllib.request

from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.nodes import HEAP_MB, running, start, stop


def main() -> int:
    """Do what the command line says; 0 when done, 1 when there can be no cluster."""
    parser = argparse.ArgumentParser(prog="scripts/opensearch", description=__doc__)
    parser.add_argument("--name", default="test", help="of the cluster; several run side by side")
    commands = parser.add_subparsers(dest="command", required=True)
    starting = commands.add_parser("start", help="start a cluster on loopback")
    starting.add_argument("--nodes", type=int, default=1)
    starting.add_argument("--heap", type=int, default=HEAP_MB, metavar="MB")
    commands.add_parser("stop", help="end it and delete its data")
    commands.add_parser("status", help="say what runs")
    given = parser.parse_args()
    try:
        if given.command == "stop":
            print(f"{stop(given.name)} nodes ended.")
            return 0
        if given.command == "start":
            nodes = start(given.nodes, given.name, given.heap)
        else:
            nodes = running(given.name)
    except CannotStartCluster as error:
        print(error, file=sys.stderr)
        return 1
    for node in nodes:
        print(f"{node.url}  {node.name}  process {node.pid}")
    if not nodes:
        print("No cluster runs. Start one: scripts/opensearch start --nodes 3")
    else:
        with urllib.request.urlopen(f"{nodes[0].url}/_cat/health?h=status,node.total") as answer:
            print("health and nodes:", answer.read().decode().strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
