"""What a question may be answered from, and by whom, settled before anything of it leaves.

A run is one whole: what a model has read of one database may be in whatever it writes later. So to
each host may go either what is in all databases of the run, or nothing.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from rag_assistant.assistant.keeping import Kept, Withheld
from rag_assistant.assistant.setup import Setup
from rag_assistant.config import EXTRACTIVE
from rag_assistant.egress.gate import Verdict, may_not_leave
from rag_assistant.egress.hosts import IF_LOCAL, is_unsure
from rag_assistant.egress.plain_http import addresses_beside, place_of, plain_warning
from rag_assistant.egress.provenance import Provenance
from rag_assistant.errors import EgressError, ModelError
from rag_assistant.library.searching import why_no_meaning
from rag_assistant.library.survey import SearchedDatabases, survey
from rag_assistant.tools.mcp_client.provider import destination_of
from rag_assistant.tools.permission import Decision, PermissionRequest, Permit
from rag_assistant.values.coverage import DatabaseLeftOut
from rag_assistant.values.events import PermissionWanted
from rag_assistant.values.messages import PastExchange
from rag_assistant.values.scope import Wanted, name_of

SEND = "send_text"
"""What permission to send is asked for as, where tools are named: --allow send_text."""

Denied = set[tuple[str, str]]
"""Databases and hosts that a person said no to in this conversation; hosts that a person was told
of are there as well, with no database, and so is what they were told of plain http."""


@dataclass(slots=True)
class EgressCheck:
    """What a run may do. `provenance` names the databases whose words may be in anything of it.

    Beside what was said in `exchanges` it goes on with what else is `kept`, and without what is
    `withheld`; text of the databases that are `refused` may not go to who answers. Where `instead`
    is given, the built-in model answers, and it says why not the one that was asked. Nothing of the
    run goes to the hosts that are `closed`.
    """

    found: SearchedDatabases
    exchanges: tuple[PastExchange, ...]
    kept: tuple[Kept, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    refused: frozenset[str] = frozenset()
    provenance: Provenance = field(default_factory=lambda: Provenance("answer"))
    instead: str = ""
    closed: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """The databases whose words may be in anything of the run."""
        asked = [database.name for database in self.found.databases]
        earlier = [name for past in self.exchanges for name in past.databases]
        kept = [name for one in self.kept for name in one.databases]
        return tuple(dict.fromkeys([*asked, *earlier, *kept]))


class EgressChecker:
    """Settles what one question may do; `egress` is the outcome when `events` has ended."""

    def __init__(self, setup: Setup, permit: Permit, denied: Denied) -> None:
        self._setup = setup
        self._permit = permit
        self._denied = denied

    async def events(
        self, egress: EgressCheck, model: str, wanted: Sequence[Wanted]
    ) -> AsyncGenerator[PermissionWanted, None]:
        """Settle it all, asking the person where that is wanted. Raises EgressError where nothing
        may be sent to the model and no other may answer."""
        verdicts: dict[str, Verdict] = {}
        host = await asyncio.to_thread(self._setup.models.destination, model)
        if host:
            self._say_unsure(host, egress)
            async for event in self._asking(host, egress.names, verdicts):
                yield event
            await self._keep_to(host, egress, wanted, verdicts)
        if egress.instead:
            egress.closed.add(host)
        for other in await asyncio.to_thread(self._others, model):
            if other == host and not (egress.instead and self._setup.config.helper):
                continue
            verdicts = dict(
                await asyncio.to_thread(self._setup.policies.verdicts, egress.names, other)
            )
            if "no" not in verdicts.values():
                async for event in self._asking(other, egress.names, verdicts):
                    yield event
            self._say_unsure(other, egress)
            if refused := [name for name, verdict in verdicts.items() if verdict != "yes"]:
                egress.closed.add(other)
                egress.notes += self._do_without(other, may_not_leave(refused, verdicts, other))
        await asyncio.to_thread(self._search_by_words, egress)
        entries = dict.fromkeys(entry for past in egress.exchanges for entry in past.entries)
        egress.provenance = Provenance("answer", egress.names, tuple(entries))
        self._say_plain(model, egress)

    def _say_unsure(self, host: str, egress: EgressCheck) -> None:
        """Say once in a conversation that a server on this machine may send text on."""
        if is_unsure(host) and ("", host) not in self._denied:
            self._denied.add(("", host))
            egress.notes.append(
                f"Whether the model at {host} runs on this machine cannot be told, so what it is "
                f"sent is masked and on record as what leaves it. {IF_LOCAL}"
            )

    def _say_plain(self, model: str, egress: EgressCheck) -> None:
        """Say once in a conversation what goes to another machine without encryption."""
        config = self._setup.config
        names = [*([] if egress.instead else [model]), config.helper or model]
        names += filter(None, [self._judge(model)])
        known = [self._setup.models.settings(name) for name in names]
        addresses = [settings.base_url for settings in known if settings]
        for address in (*addresses, *addresses_beside(config)):
            warning = plain_warning(address)
            if not warning or place_of(address) in egress.closed:
                continue
            if ("", warning) not in self._denied:
                self._denied.add(("", warning))
                egress.notes.append(warning)

    async def _asking(
        self, host: str, names: Sequence[str], verdicts: dict[str, Verdict]
    ) -> AsyncGenerator[PermissionWanted, None]:
        """Put into `verdicts` what may go to a host, after asking for what was never asked."""
        policies = self._setup.policies
        verdicts.update(await asyncio.to_thread(policies.verdicts, names, host))
        asked = [
            name
            for name, verdict in verdicts.items()
            if verdict == "ask" and (name, host) not in self._denied
        ]
        if not asked:
            return
        request = permission_to_send(asked, host)
        yield PermissionWanted("", request.tool, request.arguments, request.explanation)
        decision = await self._permit(request)
        if decision is Decision.NO:
            self._denied.update((name, host) for name in asked)
            return
        lasting = decision is Decision.ALWAYS
        await asyncio.to_thread(policies.allow, asked, host, lasting=lasting)
        verdicts.update(dict.fromkeys(asked, "yes"))

    async def _keep_to(
        self,
        host: str,
        egress: EgressCheck,
        wanted: Sequence[Wanted],
        verdicts: Mapping[str, Verdict],
    ) -> None:
        """Leave out what may not go to the model that answers; let another answer from all if that
        is everything. Raises EgressError for a picture of the question that may not go."""
        found = egress.found
        refused = frozenset(name for name, verdict in verdicts.items() if verdict != "yes")
        withheld = [
            Withheld(kept, tuple(name for name in kept.databases if name in refused), host)
            for kept in egress.kept
            if not refused.isdisjoint(kept.databases)
        ]
        if asked := [one for one in withheld if one.kept.is_asked]:
            raise may_not_leave(asked[0].of, verdicts, host)
        names = [database.name for database in found.databases]
        out = [name for name in names if name in refused]
        if out == names:
            refusal = may_not_leave(out, verdicts, host)
            if not self._setup.config.fallback:
                raise refusal
            egress.instead = f"the model was not asked: {refusal.message}"
            egress.notes.append(f"{refusal} The built-in model answers in its place.")
            return
        for name in out:
            refusal = may_not_leave([name], verdicts, host)
            egress.notes.append(f"{refusal} This answer does without it.")
        if out:
            egress.found = await asyncio.to_thread(self._without, found, out, wanted, host)
        egress.refused, egress.withheld = refused, tuple(withheld)
        left_out = [one.kept for one in withheld]
        egress.kept = tuple(kept for kept in egress.kept if kept not in left_out)
        kept = [p for p in egress.exchanges if refused.isdisjoint(p.databases)]
        if left := len(egress.exchanges) - len(kept):
            egress.notes.append(_EARLIER.format(left, "" if left == 1 else "s", host))
            egress.exchanges = tuple(kept)

    def _without(
        self, found: SearchedDatabases, out: Sequence[str], wanted: Sequence[Wanted], host: str
    ) -> SearchedDatabases:
        """Count anew what there is to search."""
        asked = wanted or [database.name for database in found.databases]
        known = {database.name for database in found.databases} - set(out)
        kept = survey(self._setup.library, [w for w in asked if name_of(w) in known])
        why = f"it may not go to {host}"
        left = (*found.coverage.left_out, *(DatabaseLeftOut(name, why) for name in out))
        return replace(kept, coverage=replace(kept.coverage, left_out=left), notes=found.notes)

    def _others(self, model: str) -> list[str]:
        """Give the hosts that something of the run would go to beside the main model's."""
        config, library = self._setup.config, self._setup.library
        helper = self._setup.models.destination(config.helper or model)
        servers = [destination_of(settings, "") for settings in config.mcp.values()]
        tools = [server.host for server in servers if not server.stays]
        named = self._judge(model)
        judge = self._setup.models.destination(named) if named else ""
        hosts = [helper, judge, _destination(library.reranker), *tools]
        return [host for host in dict.fromkeys(hosts) if host]

    def _judge(self, model: str) -> str:
        """Give who reads the answers of a model a second time; "" for nobody."""
        return "" if model == EXTRACTIVE else self._setup.config.judge

    def _do_without(self, host: str, refusal: EgressError) -> list[str]:
        config = self._setup.config
        notes: list[str] = []
        if config.helper and self._setup.models.destination(config.helper) == host:
            notes.append(f"{refusal} The built-in model condenses entries in place of the helper.")
        if config.judge and self._setup.models.destination(config.judge) == host:
            notes.append(f"{refusal} The answer gets no second reading.")
        if _destination(self._setup.library.reranker) == host:
            notes.append(f"{refusal} What is found is not reranked.")
        return notes or [f"{refusal} The tools there are left out."]

    def _search_by_words(self, egress: EgressCheck) -> None:
        """Take from the databases of the run what would send searches to a closed host.

        For an embedder nobody is asked here: who made vectors by it was asked then.
        """
        library, found = self._setup.library, egress.found
        if host := _destination(library.embedder):
            verdicts = self._setup.policies.verdicts(egress.names, host)
            if refused := [name for name, verdict in verdicts.items() if verdict != "yes"]:
                if not why_no_meaning(found.databases):
                    refusal = may_not_leave(refused, verdicts, host)
                    egress.notes.append(f"{refusal} Searches use keywords only.")
                egress.closed.add(host)
        embedder = None if host in egress.closed else library.embedder
        ranks = _destination(library.reranker) not in egress.closed
        reranker = library.reranker if ranks else None
        egress.found = replace(
            found,
            databases=tuple(
                replace(database, embedder=embedder, reranker=reranker)
                for database in found.databases
            ),
        )


_EARLIER = (
    "{} earlier question{} of this conversation, with what was answered, may not go to {} and "
    "is left out."
)


def permission_to_send(names: Sequence[str], host: str) -> PermissionRequest:
    """Word what a person is asked before text of databases goes to a host."""
    listed = ", ".join(names)
    return PermissionRequest(
        SEND,
        {"databases": list(names), "host": host},
        f"What is found in {listed} for your questions would go to {host}, from now on. This is "
        f"asked once. To take it back: rag-assistant databases egress {names[0]} local",
        heading=f"Send text of {listed} to {host}?",
    )


def _destination(seam: object) -> str:
    """Give the host of an embedder or a reranker; empty for none, and where none can be asked."""
    with suppress(ModelError):
        return str(getattr(seam, "destination", ""))
    return ""
