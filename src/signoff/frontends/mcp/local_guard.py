"""A gate in this process, where no daemon runs and the settings say `without_daemon: in_process`.

It asks on no channel: what needs a person is a question for the client's user, or refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from signoff.actions.action import Action, Json
from signoff.build.gate import build_gate
from signoff.challenge.people.host_prompt import HostChannel
from signoff.decide.decision import Decision
from signoff.errors import SignoffError
from signoff.frontends.mcp.adapter import ELICITING, MCP_ADAPTERS, NAME
from signoff.frontends.mcp.guard import CallVerdict, GuardFailed, read_verdict
from signoff.frontends.results.gate_reviewer import GateReviewer
from signoff.frontends.results.inspecting import InspectedText, TextToInspect, inspected
from signoff.gate import Gate
from signoff.settings import Settings
from signoff.sync import run_now


class LocalGuard:
    """Judges in this process, on a thread; gates are built when first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._gates: dict[bool, Gate] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="signoff-mcp")
        # While the client and the server greet each other; what fails here is said at a call.
        self._thread.submit(self._gate, can_ask=False)

    async def judge(self, event: bytes, *, can_ask: bool, within_s: float) -> CallVerdict:
        """Decide about a call.

        Raises:
            GuardFailed: it cannot be decided.
        """
        loop = asyncio.get_running_loop()
        work = partial(self._judged, event, can_ask=can_ask)
        async with asyncio.timeout(within_s):
            return await loop.run_in_executor(self._thread, work)

    async def inspect(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what is found in texts.

        Raises:
            GuardFailed: they cannot be read.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._inspected, tuple(texts))

    async def check(self, result: Action, *, within_s: float, withheld: str = "") -> Decision:
        """Decide about a result; there is no channel to ask on.

        Raises:
            GuardFailed: it cannot be decided.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(within_s):
            return await loop.run_in_executor(self._thread, self._checked, result, withheld)

    async def report(self, event: bytes) -> None:
        """Do nothing: no channel asked anybody."""

    async def alert(self, said: Mapping[str, Json]) -> None:
        """Do nothing: there is no channel."""

    def _judged(self, event: bytes, *, can_ask: bool) -> CallVerdict:
        adapter = MCP_ADAPTERS[ELICITING if can_ask else NAME]
        try:
            call = adapter.parse(event).call
            if call is None:
                raise GuardFailed("the event is no call")
            decision = self._gate(can_ask=can_ask).check_now(call.action)
            return read_verdict(adapter.render(decision, self._settings.hosts_allow).stdout)
        except SignoffError as error:
            raise GuardFailed(str(error)) from error

    def _checked(self, result: Action, withheld: str) -> Decision:
        try:
            reviewer = GateReviewer(self._gate(can_ask=False))
            asked = reviewer.withhold(result, withheld) if withheld else reviewer.check(result)
            return run_now(asked)
        except SignoffError as error:
            raise GuardFailed(str(error)) from error

    def _inspected(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        try:
            judge = self._gate(can_ask=False).judge
            return tuple(inspected(judge, one) for one in texts)
        except SignoffError as error:
            raise GuardFailed(str(error)) from error

    def _gate(self, *, can_ask: bool) -> Gate:
        if can_ask not in self._gates:
            channels = (HostChannel(),) if can_ask else ()
            self._gates[can_ask] = build_gate(self._settings, channels=channels)
        return self._gates[can_ask]
