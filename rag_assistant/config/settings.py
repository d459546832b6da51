"""What a person can set: frozen values with their defaults, one class for each table of the file.

Each attribute's docstring says what it does; `config` and `doctor` show them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

EXTRACTIVE = "extractive"
"""The name of the built-in model that needs no key, no network and no download."""

Wire = Literal["responses", "chat"]
CallForm = Literal["tag", "line"]
HelperMode = Literal["always", "auto", "never"]
ContextPolicy = Literal["shrink", "circular"]
McpTransport = Literal["stdio", "http", "sse"]
EmbedderKind = Literal["endpoint", "local"]
RerankerKind = Literal["endpoint", "local", "model"]
RerankerWire = Literal["documents", "texts"]
EgressPolicy = Literal["local", "ask", "any"]


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How one model is reached and what it can do; a table `[models.NAME]` of the file."""

    model: str
    """The name by which the endpoint knows the model."""
    base_url: str = "https://api.openai.com/v1"
    """The endpoint's address, usually ending in /v1."""
    wire: Wire = "chat"
    """`responses` (OpenAI's own) or `chat` (Chat Completions, which every server speaks)."""
    api_key_env: str = ""
    """The environment variable that holds the key; at api.openai.com OPENAI_API_KEY when empty,
    elsewhere none. A key never goes to a host that it was not meant for."""
    keyring: bool = False
    """Whether the key of this host is in the system's keyring (`rag-assistant model key NAME` puts
    it there; extra `keyring`). A key in the environment goes first."""
    local: bool = False
    """Whether a model at an address of this machine is known to run on it, and not merely to be
    passed on from there: for servers that do not say so themselves."""
    native_tools: bool = True
    """Whether the model takes tools in the request; otherwise they are described in the prompt.
    Calls that it writes into its text are read in any case."""
    call_form: CallForm = "tag"
    """How a model without native tools is told to write calls: `tag` (<tool-call …>) or `line`
    (TOOL_CALL: …). Both, and other forms, are always read."""
    helper: HelperMode = "auto"
    """Whether a helper condenses the entries that this model reads: `always`, `auto` (where they
    are longer than what a search shows) or `never` (the built-in model picks the words then)."""
    evidence_tokens: int = 0
    """Tokens of documents' words that the model reads at once, found or to condense; 0 for
    limits.search_tokens and limits.evidence_tokens."""
    images: bool = False
    """Whether the model can see images."""
    context_tokens: int = 0
    """The longest conversation the model takes, in tokens; 0 where it is not known."""
    price_input: float = 0.0
    """The price of a million input tokens, in any currency; costs are shown where it is set."""
    price_output: float = 0.0
    """The price of a million output tokens, in the same currency."""
    timeout_seconds: float = 0.0
    """How long the endpoint may stay silent; 0 for 120 seconds, and on this machine one more for
    each ten tokens that it reads. Whatever comes, a reply or not, is no silence."""
    max_output_tokens: int = 4_096
    """The longest reply asked for."""


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """How passages and questions become vectors; a table `[embedders.NAME]` of the file."""

    kind: EmbedderKind = "endpoint"
    """`endpoint` (any OpenAI-compatible /v1/embeddings) or `local` (an ONNX model, run here)."""
    model: str = ""
    """The name by which the endpoint knows the model."""
    folder: str = ""
    """The folder of a local model: model.onnx, tokenizer.json, tokenizer_config.json. One that is
    not absolute is one of the home; `rag-assistant model get` fetches some."""
    base_url: str = "https://api.openai.com/v1"
    """The endpoint's address, usually ending in /v1."""
    api_key_env: str = ""
    """The environment variable that holds the key, as for a model."""
    keyring: bool = False
    """Whether the key is in the system's keyring, as for a model."""
    local: bool = False
    """Whether it is known to run on this machine, as for a model."""
    batch: int = 64
    """Passages sent at once; what is done of a database survives in steps of so many."""
    dimensions: int = 0
    """Numbers in a vector, for endpoints that can shorten theirs; 0 leaves it to the model."""
    query_prefix: str = ""
    """What the model wants before a question, such as query: (with the space after it)."""
    passage_prefix: str = ""
    """What the model wants before a passage."""
    max_characters: int = 8_000
    """How much of a passage is sent at most."""
    timeout_seconds: float = 120.0
    """How long the endpoint may stay silent."""


@dataclass(frozen=True, slots=True)
class RerankerSettings:
    """What reads the best hits of a search once more; a table `[rerankers.NAME]` of the file."""

    kind: RerankerKind = "endpoint"
    """`endpoint` (any that scores pairs), `local` (an ONNX model that scores pairs, run here) or
    `model` (one of `[models]`, asked for scores)."""
    model: str = ""
    """The name by which the endpoint knows the model; of kind `model`, a name from `[models]`."""
    folder: str = ""
    """The folder of a local model, as for an embedder."""
    base_url: str = ""
    """The endpoint's address, to which /rerank is added."""
    wire: RerankerWire = "documents"
    """What the endpoint takes: `documents` (Cohere, Jina, vLLM, llama.cpp) or `texts`
    (text-embeddings-inference)."""
    api_key_env: str = ""
    """The environment variable that holds the key, as for a model."""
    keyring: bool = False
    """Whether the key is in the system's keyring, as for a model."""
    local: bool = False
    """Whether it is known to run on this machine, as for a model."""
    passages: int = 30
    """How many hits are reranked."""
    timeout_seconds: float = 20.0
    """How long a search waits for the scores."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one question may go; the table `[limits]`."""

    steps: int = 10
    """Requests to the main model."""
    tokens: int = 200_000
    """Tokens of all requests together, as the endpoint counts them."""
    seconds: float = 300.0
    """How long there may be no sign of life of a model or a tool; the whole may take longer."""
    searches: int = 20
    """Searches of one question."""
    search_tokens: int = 2_000
    """Tokens of passages that a search hands to the model that answers."""
    evidence_tokens: int = 6_000
    """Tokens of entries' text handed to the helper model at once."""


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """How a conversation that grows is kept short; the table `[context]`."""

    policy: ContextPolicy = "shrink"
    """`shrink` (evidence of earlier questions to what was cited, then the oldest exchanges away) or
    `circular` (the last `items` messages)."""
    items: int = 40
    """Messages that `circular` keeps."""
    tokens: int = 24_000
    """Tokens a request may have where the model's own context_tokens are not known."""


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """Tools beside the databases' own; the table `[tools]`."""

    run_python: bool = False
    """Whether models may ask to run Python, in a process of its own; each run asks you first."""
    python_seconds: float = 30.0
    """How long one run of Python may take."""
    python_megabytes: int = 512
    """How much memory the Python process may take."""
    bounding_boxes: bool = False
    """Whether a model that sees may mark objects in images (extra `vision`)."""


@dataclass(frozen=True, slots=True)
class McpSettings:
    """A server of tools (Model Context Protocol); a table `[mcp.NAME]` of the file."""

    command: str = ""
    """The program to start, for a server that speaks over its pipes."""
    args: tuple[str, ...] = ()
    """Its arguments."""
    env: tuple[str, ...] = ()
    """Names of environment variables that it is given; beside PATH, HOME and the like, no others
    are."""
    url: str = ""
    """The address of a server that runs already."""
    transport: McpTransport = "http"
    """With a url: `http` (streamable HTTP) or `sse`; with a command always `stdio`."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of requests, each with the name of the environment variable that holds its value."""
    allow: tuple[str, ...] = ()
    """Tools that run without asking. All others ask first, whatever the server says of them."""
    timeout_seconds: float = 60.0
    """How long starting, or one call, may take."""


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """What holds for one database; a table `[databases.NAME]` of the file."""

    egress: EgressPolicy
    """Where its text may go: `local` (to models on this machine only), `ask` (elsewhere when you
    said yes, once for each host) or `any`."""


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """A store elsewhere, on which databases may be kept; a table `[stores.NAME]` of the file."""

    urls: tuple[str, ...] = ()
    """Addresses of its nodes: `https://search.example:9200`."""
    user: str = ""
    """The user that it knows you as; none when empty."""
    password_env: str = ""
    """The environment variable that holds the password."""
    api_key_env: str = ""
    """The environment variable that holds an API key, for a store that knows keys, not users."""
    keyring: bool = False
    """Whether the password, or without a user the API key, is in the system's keyring
    (`rag-assistant model key NAME` puts it there; extra `keyring`). What is in the environment
    goes first."""
    ca_file: str = ""
    """The certificate of the authority that signed its own, where the system does not know it."""
    verify: bool = True
    """Whether its certificate is checked."""
    prefix: str = "rag"
    """What the names of all its indexes begin with."""
    shards: int = 1
    """Parts of a new database's index: one for some ten million passages."""
    replicas: int = 1
    """Copies of each part, on other nodes: with one, a node may die."""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings."""

    model: str = EXTRACTIVE
    """The model that answers questions: one of `[models.NAME]`, or `extractive`, the built-in one,
    which quotes."""
    helper: str = ""
    """The model that condenses entries; the same as `model` when empty."""
    judge: str = ""
    """The model that gives answers a second reading, and may confirm sentences that are not
    confirmed word for word; none when empty."""
    fallback: bool = True
    """Whether the built-in model answers, and says so, when the model fails or is not reached."""
    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    limits: Limits = Limits()
    embedder: str = ""
    """What makes vectors: a name from `[embedders.NAME]`; none when empty."""
    embedders: Mapping[str, EmbedderSettings] = field(default_factory=dict)
    reranker: str = ""
    """What orders the best hits anew: a name from `[rerankers.NAME]`; none when empty."""
    rerankers: Mapping[str, RerankerSettings] = field(default_factory=dict)
    context: ContextSettings = ContextSettings()
    tools: ToolSettings = ToolSettings()
    mcp: Mapping[str, McpSettings] = field(default_factory=dict)
    egress: EgressPolicy = "ask"
    """Where the text of databases may go that have no table of their own: `local`, `ask` or
    `any`."""
    databases: Mapping[str, DatabaseSettings] = field(default_factory=dict)
    stores: Mapping[str, StoreSettings] = field(default_factory=dict)
    persona: str = ""
    """A TOML file with `name`, `tone` and `instructions` of the assistant, beside config.toml or
    anywhere; none when empty."""
    history: bool = True
    """Whether conversations are kept, in conversations.db of the home directory."""
    theme: str = "rag-assistant"
    """The colours of the interface: `rag-assistant`, `rag-assistant-light`, `high-contrast`,
    `monochrome`, or another that F2 lists."""
    mouse: bool = True
    """Whether the interface takes the mouse; without it the terminal's own selection works."""
    ascii: bool = False
    """Whether frames and marks are drawn in ASCII, as with the option --ascii."""
    animations: bool = True
    """Whether anything moves or blinks; without it all changes come at once."""

    def egress_of(self, database: str) -> EgressPolicy:
        """Give where the text of a database may go."""
        settings = self.databases.get(database)
        return settings.egress if settings else self.egress
