"""The one gate that text passes on its way to another machine.

It knows what each database allows, asks nobody and sends nothing itself: it refuses, or takes the
secrets out and puts the request on record, in this order and before anything leaves.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rag_assistant.config import Config, EgressPolicy, load_config
from rag_assistant.config.reading import dead_link
from rag_assistant.egress.hosts import IF_LOCAL, is_unsure
from rag_assistant.egress.ledger import Departure, EgressLedger
from rag_assistant.egress.own_fields import NO_FIELDS, OwnFields
from rag_assistant.egress.provenance import Provenance
from rag_assistant.errors import ConfigError, EgressError
from rag_assistant.store.opening import database_file, store_at

if TYPE_CHECKING:  # what finds secrets takes a while to load: only what leaves needs it
    from rag_assistant.egress.masking import MaskedBody

CONFIG_NAME = "config.toml"

Verdict = Literal["yes", "ask", "no"]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a request goes: `host` as messages name it, the whole address, and the model there.

    `stays` says that it is certain that it never leaves this machine.
    """

    host: str
    url: str
    model: str
    stays: bool


@dataclass(frozen=True, slots=True)
class Passed:
    """A request that may leave: its body without secrets, and its number on record (0: none)."""

    body: Any
    number: int = 0


class Policies(Protocol):
    """What is asked whether text may go to another machine. Both methods block."""

    def verdicts(self, databases: Iterable[str], host: str) -> Mapping[str, Verdict]:
        """Say for each database whether its text may go to a host, or a person is to be asked.

        A host of loopback is one whose models may run elsewhere, which nobody can tell. Raises
        ConfigError.
        """
        ...

    def allow(self, databases: Iterable[str], host: str, *, lasting: bool) -> None:
        """Remember a person's leave: for good, or until the program ends."""
        ...


class Gate:
    """The gate of one home. Its policies are those of the home's settings as they stand, so that a
    change counts at once; `config` is used where there is no file.

    Without a home nothing is recorded, and no text of a database that is not `any` passes.
    """

    def __init__(self, home: Path | None = None, config: Config | None = None) -> None:
        self._config = config or Config()
        self._home = home
        self._path = home / CONFIG_NAME if home else None
        self.ledger = EgressLedger(home) if home else None
        self._for_now: set[tuple[str, str]] = set()

    def policy(self, database: str) -> EgressPolicy:
        """Give where the text of a database may go. Raises ConfigError."""
        return self.policies([database])[database]

    def _config_now(self) -> Config:
        if self._path and (dead := dead_link(self._path)):  # what it said is not to be forgotten
            raise ConfigError(f"{dead}.", hint="Bring that back, or delete the link.")
        there = self._path and self._path.exists()
        return load_config(self._path) if self._path and there else self._config

    def policies(self, databases: Iterable[str]) -> dict[str, EgressPolicy]:
        """Give the policies of databases: of one that has none of its own, that of its folder.

        A copy of a database that is `local`, or another one of the same folder or of one in it, has
        the same text. Raises ConfigError.
        """
        config = self._config_now()
        found = {name: config.egress_of(name) for name in databases}
        kept = [name for name, own in config.databases.items() if own.egress == "local"]
        of_its_own = config.databases.keys()
        unsaid = [name for name in found if name not in of_its_own and found[name] != "local"]
        if self._home and kept and unsaid:
            folders = {store_at(database_file(self._home, name)).last_folder() for name in kept}
            for name in unsaid:
                folder = store_at(database_file(self._home, name)).last_folder()
                within = (each for each in folders if each and Path(folder).is_relative_to(each))
                if folder and any(within):
                    found[name] = "local"
        return found

    def verdicts(self, databases: Iterable[str], host: str) -> Mapping[str, Verdict]:
        """Say for each database whether its text may go to a host, or a person is to be asked."""
        policies = self.policies(databases)
        asked = "ask" in policies.values()
        allowed = self.ledger.allowed() if asked and self.ledger else set()
        allowed |= self._for_now
        found: dict[str, Verdict] = {}
        for name, policy in policies.items():
            if policy == "ask":
                passes = is_unsure(host) or (name, host) in allowed
                found[name] = "yes" if passes else "ask"
            else:
                found[name] = "yes" if policy == "any" else "no"
        return found

    def allow(self, databases: Iterable[str], host: str, *, lasting: bool) -> None:
        """Remember a person's leave: for good, or as long as this gate. It blocks: call it in a
        thread."""
        if not lasting:
            self._for_now.update((name, host) for name in databases)
        elif self.ledger:
            self.ledger.allow(tuple(databases), host)

    def release(
        self,
        to: Destination,
        body: Any,
        provenance: Provenance | None,
        own: OwnFields = NO_FIELDS,
    ) -> Passed:
        """Give a request's body as it may leave. It blocks: call it in a thread.

        What stays on this machine passes as it is, and so do the `own` fields of a wire format.
        Raises EgressError where it may not leave, or where nobody has said what it carries, and
        ConfigError.
        """
        if to.stays:
            return Passed(body)
        if provenance is None and self.ledger:
            raise EgressError(
                f"A request to {to.host} was held back: nobody said what it carries.",
                hint="This is a defect of rag-assistant: report it.",
            )
        carried = provenance or Provenance("")
        verdicts = self.verdicts(carried.databases, to.host)
        if refused := [name for name, verdict in verdicts.items() if verdict != "yes"]:
            raise may_not_leave(refused, verdicts, to.host)
        return self.recorded(to, body, carried, own)

    def recorded(
        self, to: Destination, body: Any, carried: Provenance, own: OwnFields = NO_FIELDS
    ) -> Passed:
        """Mask what may leave, and put it on record. It blocks. Raises EgressError."""
        masked = self._masked(body, carried, own)
        number = self._record(to, masked, carried)
        carried.log.add(to.host, masked, carried.entries)
        return Passed(masked.body, number)

    def count_tokens(self, passed: Passed, tokens: int) -> None:
        """Add to a request on record what its endpoint counted. It blocks."""
        if self.ledger and passed.number and tokens:
            self.ledger.count_tokens(passed.number, tokens)

    def _masked(self, body: Any, provenance: Provenance, own: OwnFields) -> "MaskedBody":
        """Take out what any text shows to be secret: that which is sent, and the entries it is
        cut from."""
        from rag_assistant.egress.masking import MaskedBody  # noqa: PLC0415
        from rag_assistant.egress.secrets.known import KnownSecrets  # noqa: PLC0415

        secrets = provenance.log.secrets.of(self._home, provenance.entries) if self._home else ()
        return MaskedBody(body, provenance.log.masker, KnownSecrets(secrets), own)

    def _record(self, to: Destination, masked: "MaskedBody", provenance: Provenance) -> int:
        if self.ledger is None:
            return 0
        written = json.dumps(masked.body, ensure_ascii=False, default=str)
        return self.ledger.write(
            Departure(
                to.host,
                to.model,
                provenance.purpose,
                provenance.databases,
                provenance.entries,
                masked.characters,
                len(written.encode("utf-8", "replace")),
                masked.secrets,
            )
        )


@dataclass(slots=True)
class DryRunRequest:
    """A request that a dry run came to."""

    to: Destination
    provenance: Provenance
    masked: "MaskedBody"
    body: Any


class NotSent(EgressError):
    """A dry run shows requests and sends none."""


class DryGate(Gate):
    """A gate that nothing passes, not even to this machine; it keeps what would have.

    `would_ask` names databases, and the host that a person would be asked about.
    """

    def __init__(self, home: Path, config: Config) -> None:
        super().__init__(home, config)
        self.shown: list[DryRunRequest] = []
        self.would_ask: dict[tuple[str, str], None] = {}

    def verdicts(self, databases: Iterable[str], host: str) -> Mapping[str, Verdict]:
        """Take for granted that the person would say yes."""
        found = super().verdicts(databases, host)
        if asked := [name for name, verdict in found.items() if verdict == "ask"]:
            self.would_ask[", ".join(asked), host] = None
        return {**found, **dict.fromkeys(asked, "yes")}

    def release(
        self,
        to: Destination,
        body: Any,
        provenance: Provenance | None,
        own: OwnFields = NO_FIELDS,
    ) -> Passed:
        """Keep a request, masked where it would leave this machine. Always raises NotSent."""
        carried = provenance or Provenance("")
        masked = self._masked(body, carried, own)
        self.shown.append(DryRunRequest(to, carried, masked, body if to.stays else masked.body))
        raise NotSent("Nothing is sent in a dry run.")


def may_not_leave(names: Iterable[str], verdicts: Mapping[str, Verdict], host: str) -> EgressError:
    """Say whose text may not go to a host, and what to do about it."""
    listed = list(names)
    stay = [name for name in listed if verdicts[name] == "no"]
    what, first = (stay, stay[0]) if stay else (listed, listed[0])
    one = len(what) == 1
    if stay:
        said = f"{', '.join(what)} {'stays' if one else 'stay'} on this machine (egress local)"
        said += f" and may not go to {host}."
    else:
        said = f"Nobody has allowed the text of {', '.join(what)} to go to {host}."
    hint = f"To allow it: `rag-assistant databases egress {first} any`."
    if is_unsure(host):
        hint = (
            f"Whether its model runs on this machine cannot be told. {IF_LOCAL} "
            f"Or allow it all the same: `rag-assistant databases egress {first} any`."
        )
    return EgressError(said, hint=hint)
