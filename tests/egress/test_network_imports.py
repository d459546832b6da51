"""Nothing but what is named here can open a connection."""

import ast
from pathlib import Path

import rag_assistant

ROOT = Path(rag_assistant.__file__).parent

NETWORK = frozenset(
    "aiohttp asyncssh curl_cffi ftplib grpc http.client httpcore httpcore2 httpx httpx2 imaplib mcp"
    " nntplib openai paramiko poplib pycurl requests smtplib socket socketserver ssl telnetlib"
    " opensearchpy tornado urllib.request urllib3 uvicorn webbrowser websockets xmlrpc".split()
)
CALLS = frozenset(
    "open_connection create_connection open_unix_connection create_datagram_endpoint sock_connect"
    " urlopen urlretrieve getaddrinfo".split()
)
WORDS = {*CALLS, *(name.partition(".")[0] for name in NETWORK), "import_module", "__import__"}
"""One of these stands in each source that opens something."""

ALLOWED = {
    "config/installation.py": "url2pathname alone, which opens nothing",
    "models/openai_link.py": "the requests of models; their bodies have passed models/outgoing.py",
    "models/bounded_body.py": "the type of what comes in, which it cuts",
    "models/json_link.py": "those of embedders and rerankers; each body passes models/outgoing.py",
    "models/fetched/hub.py": "models are fetched: no text goes out, and the gate records it",
    "models/fetched/hub_faults.py": "the kinds of errors, to put them into words",
    "models/peer_check.py": "hears of connections that others open",
    "models/faults.py": "the kinds of errors, to put them into words",
    "models/discovery.py": "127.0.0.1 alone: lists of models are asked for, nothing is sent",
    "models/whereabouts.py": "a server of this machine is asked what it is, nothing is sent",
    "models/reaching.py": "opens a connection and closes it, nothing is sent",
    "mcp_server/clients_here.py": "types of what comes in",
    "mcp_server/connection.py": "types of what comes in",
    "mcp_server/http.py": "serves clients of this machine, each by its token",
    "mcp_server/progress.py": "types of what comes in",
    "mcp_server/server.py": "what clients are answered: clients/access.py hands it out",
    "mcp_server/stdio.py": "the pipes of the client that started it",
    "tools/mcp_client/link.py": "calls of MCP servers; arguments pass the gate in provider.py",
    "tools/mcp_client/server.py": "the kinds of errors of the protocol",
    "tools/mcp_client/results.py": "types of what comes in",
    "tools/mcp_client/stdio.py": "the messages of programs on this machine, over pipes",
    "tools/mcp_client/faults.py": "the kinds of errors, to put them into words",
    "store/opensearch/cluster.py": "a store that a person named; library/elsewhere.py asks",
    "store/opensearch/faults.py": "the kinds of errors, to put them into words",
    "tools/python_session/guard.py": "tries what code is kept from, and sends nothing",
    "serving/loopback.py": "listens on this machine; it refuses any other address",
    "serving/server.py": "serves there, and asks nobody",
    "serving/connections.py": "the connections that others open there, bounded",
    "cli/serve.py": "opens the browser at that server's address",
}


def opened(tree: ast.AST) -> set[str]:
    """Give the network modules that a file imports, and the calls that open connections."""
    found: set[str] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            found |= {name} & CALLS
            if name in ("import_module", "__import__"):
                names = [str(a.value) for a in node.args if isinstance(a, ast.Constant)]
        for name in names:
            parts = name.split(".")
            found |= {".".join(parts[:n]) for n in (1, 2)} & NETWORK
    return found


def test_only_the_seams_open_connections() -> None:
    """Else text leaves by a way that no policy, no mask and no record knows of."""
    found = {
        str(path.relative_to(ROOT)): names
        for path in ROOT.rglob("*.py")
        if any(word in (source := path.read_text(encoding="utf-8")) for word in WORDS)
        and (names := opened(ast.parse(source)))
    }
    unknown = {path: names for path, names in found.items() if path not in ALLOWED}
    assert not unknown, "name it here with the reason, and send through models/outgoing.py"


def test_requests_are_made_by_those_who_pass_the_gate_alone() -> None:
    """Else another module uses a link without going past the gate."""
    users = {"openai_link": {"models/openai_model.py", "models/json_link.py"}}
    users["json_link"] = {
        "models/embedding_link.py",
        "models/rerankers.py",
        "models/model_names.py",
    }
    for path in ROOT.rglob("*.py"):
        name, text = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        for link, known in users.items():
            if f"models.{link}" in text and name != f"models/{link}.py":
                assert name in known, f"{name} uses {link}"
    posts = (ROOT / "models" / "json_link.py").read_text(encoding="utf-8")
    assert posts.count("self._client.post") == 2
    assert posts.count("release(") == 1
    # A request without a body sends nothing of a database: the names of models are listed so.
    assert "body=body" in posts and "body=payload" not in posts
