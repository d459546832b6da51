"""The citations that the person holds for wrong, kept with the conversation."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.beside import beside
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.main.controller import Controller


class LabelController(Controller):
    """Marks citations as wrong, and takes that back, in `store` if there is one."""

    @dataclass
    class Labelled(Message):
        """A citation of this question was marked as wrong, or not any more."""

        state: RunState

    def __init__(self, store: ConversationStore | None) -> None:
        super().__init__()
        self._store = store
        self._labelling = asyncio.Lock()

    def toggle(self, asked: Iterable[RunState], wanted: EvidencePanel.WrongWanted) -> None:
        """Mark a citation of the first of the questions asked that has it, or take that back."""
        state = next((one for one in asked if wanted.citation in one.citations), None)
        if self._store and state and state.kept:
            work = partial(self._keep_label, self._store, state, wanted)
            beside(self, work, "label", exclusive=False)
        else:
            wanted.tell("only citations of a kept conversation can be marked wrong")

    async def _keep_label(
        self, store: ConversationStore, state: RunState, wanted: EvidencePanel.WrongWanted
    ) -> None:
        marker = wanted.citation.marker
        async with self._labelling:
            wrong = marker not in state.wrong
            if state.kept is None:
                return
            try:
                await asyncio.to_thread(store.label, state.kept, marker, wrong=wrong)
            except RagError as error:
                wanted.tell(told(error))
                return
            state.wrong ^= {marker}
        self.post_message(self.Labelled(state))
        marked = f"[{marker}] is marked wrong: x takes it back"
        wanted.tell(marked if wrong else f"[{marker}] is no longer marked wrong")
