"""The official inspector of the protocol, in its command-line mode, where it is installed.

`npm install -g @modelcontextprotocol/inspector`, or MCP_INSPECTOR with the path of mcp-inspector.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

INSPECTOR = os.environ.get("MCP_INSPECTOR") or shutil.which("mcp-inspector")

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(600),  # node and the server are started seven times
    pytest.mark.skipif(
        not INSPECTOR, reason="the MCP inspector is not installed (npm), nor named in MCP_INSPECTOR"
    ),
]


def inspected(home: Path, method: str, *more: str) -> Any:
    """Give what the inspector shows of a request."""
    program = Path(sys.executable).with_name("rag-assistant")
    server = [str(program), "--home", str(home), "mcp", "--client", "inspector"]
    done = subprocess.run(
        [str(INSPECTOR), "--cli", *server, "--method", method, *more],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_inspector_finds_nothing_wrong(home: Path) -> None:
    """Clients that are stricter than the SDK's would refuse what the server says."""
    tools = inspected(home, "tools/list")["tools"]
    assert all(tool["annotations"]["readOnlyHint"] and tool["outputSchema"] for tool in tools)
    call = ("--tool-name", "search", "--tool-arg", "query=parental leave")
    found = inspected(home, "tools/call", *call)
    assert found["structuredContent"]["documents_found"]
    uri = found["structuredContent"]["documents_found"][0]["passages"][0]["uri"]
    assert "sixteen" in inspected(home, "resources/read", "--uri", uri)["contents"][0]["text"]
    assert inspected(home, "resources/list")["resources"]
    assert inspected(home, "resources/templates/list")["resourceTemplates"]
    assert inspected(home, "prompts/list")["prompts"]
    asked = ("--prompt-name", "whats_new", "--prompt-args", "since=2026-01-01")
    assert "2026-01-01" in json.dumps(inspected(home, "prompts/get", *asked))
