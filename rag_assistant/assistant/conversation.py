"""Questions that follow one another: each is answered knowing what was said for those before.

A run that is closed before its end leaves the conversation as it was; one that was stopped by a
limit or a failure stays in it, marked, as far as it came.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rag_assistant.agents.context import policy_of
from rag_assistant.agents.loop import Run
from rag_assistant.agents.setting import RunOptions, RunQuestion
from rag_assistant.agents.tool_calls import Permissions
from rag_assistant.assistant.agent_specs import (
    fallback_agent,
    main_agent,
    without_tools,
)
from rag_assistant.assistant.egress_check import (
    Denied,
    EgressCheck,
    EgressChecker,
)
from rag_assistant.assistant.extra_tools import ExtraTools, extra_tools
from rag_assistant.assistant.keeping import Keeping
from rag_assistant.assistant.past import (
    STOPPED,
    ended,
    messages_of,
    references_of,
    with_databases_before,
    withheld,
)
from rag_assistant.assistant.reviewing import with_review
from rag_assistant.assistant.setup import Setup
from rag_assistant.config import EXTRACTIVE
from rag_assistant.library.about import about
from rag_assistant.library.database import Database
from rag_assistant.library.survey import survey
from rag_assistant.models.protocol import whole_reply
from rag_assistant.tools.bounding_boxes.provider import BoxesProvider, Looker
from rag_assistant.tools.permission import Permit, deny
from rag_assistant.tools.provider import ToolProvider
from rag_assistant.values.database_about import DatabaseAbout
from rag_assistant.values.events import (
    Answered,
    Event,
    Note,
    RunStarted,
    Stopped,
    Suggested,
    TitleGiven,
)
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.images import read_images, refuse_images
from rag_assistant.values.messages import Carried, PastExchange
from rag_assistant.values.scope import Wanted, scopes_in


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question before its run: what it is answered with, by which `model`, and what was settled.

    `extra` are the tools beside those of the databases; without `has_tools` it has none of all.
    """

    setup: Setup
    question: RunQuestion
    model: str
    egress: EgressCheck
    extra: ExtraTools
    has_tools: bool = True


class Conversation:
    """A conversation. `past` is what was said before, to go on from.

    `setup` gives what a question is answered with, anew for each, for settings change in between;
    `evidence` is all that was found for `past`, in its order: with it, later answers may cite those
    quotes. Questions are answered one at a time.
    """

    def __init__(
        self,
        setup: Callable[[], Setup],
        past: Sequence[PastExchange] = (),
        evidence: Sequence[Evidence] = (),
    ) -> None:
        self.exchanges = with_databases_before(past)
        self.title = ""
        self.suggestions: tuple[str, ...] = ()
        self._setup = setup
        self._references = references_of(past, evidence)
        self._always: set[str] = set()
        self._denied: Denied = set()
        self._keeping = Keeping()
        self._carried: Callable[[], Carried] = Carried
        self._providers: Sequence[ToolProvider] | None = None
        self._turn = asyncio.Lock()

    async def aclose(self) -> None:
        """End what tools have started."""
        providers, self._providers = self._providers or (), None
        await _close(providers)

    async def ask(
        self,
        question: str,
        *,
        databases: Sequence[Wanted] = (),
        model: str | None = None,
        images: Sequence[Path] = (),
        permit: Permit = deny,
        tools: Sequence[ToolProvider] | None = (),
    ) -> AsyncGenerator[Event, None]:
        """Answer a question from databases, or parts of them (from all when none are named).

        `images` are files that go along, which tools may look at from then on. `permit` asks the
        person before a tool does more than read; `tools` are for this question only, and closed
        after it; None turns all tools off, those of the databases too. Yields the run's events,
        `Answered` or `Stopped` last. Closing the iterator stops the run and leaves the conversation
        as it was. Raises LibraryError, ModelError or ImageError when the run cannot start.
        """
        async with self._turn:
            setup = self._setup()
            name = model or setup.config.model
            try:
                found = await asyncio.to_thread(survey, setup.library, databases)
                main = setup.models.model(name)
                if images:
                    refuse_images(setup.models.settings(name), main.name)
                pictures = await asyncio.to_thread(read_images, images)
                kept = await asyncio.to_thread(self._keeping.there, setup.library, images)
                for beside in filter(None, (setup.config.helper, setup.config.judge)):
                    setup.models.model(beside)  # that there is one
                scope = scopes_in(databases)
                yield RunStarted(question, found.coverage.databases, main.name, scope)
                egress = EgressCheck(found, self.exchanges, kept)
                clearing = EgressChecker(setup, permit, self._denied)
                async with aclosing(clearing.events(egress, name, databases)) as wishes:
                    async for wish in wishes:
                        yield wish
                found, self._carried = egress.found, partial(_carried, egress)
                extra = await self._extra_tools(setup, name, egress, tools)
                history = messages_of(egress.exchanges)
                built_in = name == EXTRACTIVE or bool(egress.instead)
                told = () if built_in else await asyncio.to_thread(_about, found.databases)
                asked = RunQuestion(question, found.coverage, history, pictures, told)
                prepared = Prepared(setup, asked, name, egress, extra, tools is not None)
                run = self._make_run(prepared, permit)
                self._carried = partial(_carried, egress, run)
                for note in (*found.notes, *egress.notes, *extra.notes, *_clashes(run)):
                    yield Note(note)
                async with aclosing(self._follow(run, prepared)) as events:
                    async for event in events:
                        yield event
            finally:
                await _close(tools or ())

    async def _extra_tools(
        self, setup: Setup, name: str, egress: EgressCheck, more: Sequence[ToolProvider] | None
    ) -> ExtraTools:
        """Give the tools beside those of the databases, without what is withheld from the run."""
        if more is None:
            return ExtraTools()
        self._keeping.attach(kept for kept in egress.kept if kept.is_asked)
        providers = self._kept_providers(setup)
        notes, sessions = await self._keeping.withhold(egress.withheld, providers)
        egress.notes += notes
        asked = [*providers, self._boxes(setup, name, egress), *more]
        extra = (await extra_tools(asked, egress.found.databases)).without(egress.closed, sessions)
        return replace(
            extra, tools=tuple(self._keeping.listening(extra.tools, lambda: egress.names))
        )

    def _boxes(self, setup: Setup, name: str, egress: EgressCheck) -> BoxesProvider:
        model = setup.models.model(name)
        looker = Looker(model.name, setup.models.settings(name), partial(whole_reply, model))
        pictures = [kept.what for kept in egress.kept if isinstance(kept.what, Path)]
        return BoxesProvider(setup.config.tools, looker, setup.library.home, pictures)

    def _kept_providers(self, setup: Setup) -> Sequence[ToolProvider]:
        if self._providers is None:
            self._providers = setup.extra_tools()
        return self._providers

    def _make_run(self, prepared: Prepared, permit: Permit) -> Run:
        setup, egress = prepared.setup, prepared.egress
        asked = prepared.question.text
        spec = main_agent(setup, prepared.model, egress, prepared.extra.tools, asked=asked)
        fallback = fallback_agent(setup, spec, egress)
        if not prepared.has_tools:
            spec, fallback = without_tools(spec), fallback and without_tools(fallback)
        options = RunOptions(
            policy=policy_of(setup.config.context),
            permissions=Permissions(permit, self._always),
            references=self._references.without(egress.refused),
            persona=setup.persona,
            settings=setup.models.all_settings(),
            fallback=fallback,
        )
        return Run(prepared.question, spec, setup.config.limits, options, failure=egress.instead)

    async def _follow(self, run: Run, prepared: Prepared) -> AsyncGenerator[Event, None]:
        """Pass on the run's events; before the last one, take what was said into the conversation.

        Before, because whoever listens may leave when it has come. The answer is reviewed first.
        """
        title, suggestions = self.title, list[str]()
        log = prepared.egress.provenance.log
        async with aclosing(run.events()) as events:
            async for raw in events:
                event = await with_review(raw, run, prepared.setup, prepared.egress)
                if isinstance(event, Answered | Stopped) and log.note():
                    yield Note(log.note())
                match event:
                    case TitleGiven():
                        title = event.title
                    case Suggested():
                        suggestions.append(event.question)
                    case Answered(answer):
                        instead = answer.refusal and not answer.refusal.by_model
                        said = withheld(run.said, answer.text) if instead else run.said
                        past = PastExchange(answer.question, said, answer.text)
                        self._keep(run, past)
                    case Stopped(reason, _, partial) if partial.text or partial.evidence:
                        said = ended(run.said, partial.text, reason)
                        past = PastExchange(partial.question, said, partial.text)
                        self._keep(run, past)
                if isinstance(event, Answered | Stopped):
                    self.title, self.suggestions = title, tuple(suggestions)
                yield event

    @property
    def carried(self) -> Carried:
        """Whose words may be in the latest run, and in whatever was said in it so far."""
        return self._carried()

    def keep_partial(self, question: str, text: str) -> None:
        """Take an answer that was stopped into the conversation, to go on from."""
        partial, carried = f"{text.strip()}\n\n({STOPPED})", self.carried
        past = PastExchange(question, (), partial, carried.databases, carried.entries)
        self.exchanges = (*self.exchanges, past)

    def _keep(self, run: Run, exchange: PastExchange) -> None:
        carried = self.carried
        exchange = replace(exchange, databases=carried.databases, entries=carried.entries)
        self.exchanges = (*self.exchanges, exchange)
        self._references = run.options.references.filled(self._references)


def _carried(egress: EgressCheck, run: Run | None = None) -> Carried:
    told = run.seen.told if run else ()
    entries = dict.fromkeys((*egress.provenance.entries, *sorted(told)))
    return Carried(egress.names, tuple(entries))


def _clashes(run: Run) -> list[str]:
    return [
        f"There are two tools {name!r}; the second is left out. Rename its server or database."
        for name in run.spec.toolkit.left_out
    ]


async def _close(providers: Sequence[ToolProvider]) -> None:
    await asyncio.gather(*(provider.aclose() for provider in providers))


def _about(databases: Sequence[Database]) -> tuple[DatabaseAbout, ...]:
    return tuple(about(database) for database in databases)
