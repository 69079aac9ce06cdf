"""The daemon as a gate: the same methods as `Gate`, decided elsewhere.

    client = Client()                                            # the daemon of this user
    client = Client("http://127.0.0.1:4440", token="...")        # over its port
    decision = client.check_now(Action(tool="refund", arguments={"order": "A1"}))
    decision = await client.check(action)

Questions go to every channel of the daemon; sessions, grants, locks and the record are its own.
Whatever fails on the way is a denial that says what failed. A question whose connection breaks is
sent again with the same key, and gets the same answer.
"""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from signoff.actions.action import Action
from signoff.challenge.request import ENDLESS, WaitBudget
from signoff.decide.decide import refuse
from signoff.decide.decision import Decision, DecisionStamp
from signoff.frontends.client.found import daemon_places
from signoff.frontends.python.daemon_link import (
    DaemonAddress,
    DaemonLink,
    LinkError,
    LostConnection,
    NotListening,
    OpenCall,
    UnixAddress,
    tcp_address,
)
from signoff.frontends.python.wire import (
    CALLS,
    LONGEST_WAIT_S,
    OUTCOMES,
    CallOutcome,
    question_json,
    read_answer,
)
from signoff.frontends.results.inspecting import (
    INSPECTIONS,
    InspectedText,
    InspectedTexts,
    TextToInspect,
)
from signoff.ids import new_id

DEADLINE_S = 620.0
MARGIN_S = 5.0  # from the end of people's time to the client's own deadline
OUTCOME_WITHIN_S = 10.0
INSPECT_WITHIN_S = 15.0
AGAIN_WITHIN_S = 10.0  # how long a question is sent again for that got no answer
PAUSE_S = 0.1
UNIX = "unix:"

Result = TypeVar("Result")


class Client:
    """Decides about calls by asking the daemon.

    Args:
        url: `http://127.0.0.1:PORT`, or `unix:` and the path of a socket; "" = the socket of this
            user's daemon.
        token: of the installation, for a URL; it is in the file `token` of the state folder.
        deadline_s: seconds until a call is denied that got no answer, people included.
        can_prompt: the program has a prompt of its own: a decision may be `ask`.

    Raises:
        BadSettings: the URL leads off this machine, or the state folder is not absolute.
    """

    def __init__(
        self,
        url: str = "",
        *,
        token: str = "",
        deadline_s: float = DEADLINE_S,
        can_prompt: bool = False,
    ) -> None:
        self._link = DaemonLink(_address_of(url, token))
        # The daemon refuses a question that waits longer.
        self._deadline_s = min(deadline_s, LONGEST_WAIT_S)
        self._can_prompt = can_prompt

    def is_there(self) -> bool:
        """Return whether a daemon listens."""
        return self._link.is_there()

    def check_now(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action. Any failure is a denial that says what failed."""
        return self._decide(action, patience, OpenCall())

    def refuse_now(self, action: Action, reason: str) -> Decision:
        """Deny the action and have the daemon record that; it is denied even if that fails."""
        self._decide(action, ENDLESS, OpenCall(), refused=reason[:2_000])
        return _refusal(action, reason, time.perf_counter())

    def withhold_now(self, result: Action, reason: str) -> Decision:
        """Have the daemon record that a result is withheld; an allow means shadow mode."""
        return self._decide(result, ENDLESS, OpenCall(), refused=reason[:2_000])

    def inspect_now(self, texts: Sequence[TextToInspect]) -> tuple[InspectedText, ...]:
        """Return what the daemon finds in the texts of a result.

        Raises:
            LinkError, ValueError: there is no usable answer.
        """
        said = msgspec.json.encode({"texts": texts})
        found = self._link.post(INSPECTIONS, said, within_s=INSPECT_WITHIN_S, call=OpenCall())
        return msgspec.json.decode(found, type=InspectedTexts).texts

    def finish_now(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended. Return False if no person had approved it."""
        request = decision.answer.request_id if decision.answer else ""
        if not request or not decision.allowed:
            return False
        body = msgspec.json.encode(CallOutcome(request=request, has_failed=has_failed))
        try:
            said = self._link.post(OUTCOMES, body, within_s=OUTCOME_WITHIN_S, call=OpenCall())
            return msgspec.json.decode(said, type=dict[str, bool]).get("noted", False)
        except (LinkError, msgspec.MsgspecError):
            return False

    async def check(self, action: Action, patience: WaitBudget = ENDLESS) -> Decision:
        """Decide about the action; see `check_now`. A cancelled call stops waiting."""
        call = OpenCall()
        return await in_thread(lambda: self._decide(action, patience, call), call.give_up)

    async def refuse(self, action: Action, reason: str) -> Decision:
        """Deny the action; see `refuse_now`."""
        return await in_thread(lambda: self.refuse_now(action, reason))

    async def finish(self, decision: Decision, *, has_failed: bool = False) -> bool:
        """Record how an allowed call ended; see `finish_now`."""
        if decision.answer is None or not decision.answer.request_id:
            return False
        return await in_thread(lambda: self.finish_now(decision, has_failed=has_failed))

    def close(self) -> None:
        """Close the kept connections."""
        self._link.close()

    def _decide(
        self, action: Action, patience: WaitBudget, call: OpenCall, *, refused: str = ""
    ) -> Decision:
        started = time.perf_counter()
        try:
            deadline_s = self._deadline_s
            # People's time ends before ours: an answer after our deadline would reach nobody.
            wait_s = patience.left_s(max(0.0, deadline_s - min(MARGIN_S, deadline_s / 5)))
            question = question_json(
                action,
                {
                    "wait_s": wait_s,
                    "key": uuid.uuid4().hex,
                    "can_prompt": self._can_prompt,
                    "refused": refused,
                },
            )
            return read_answer(action, self._sent(question, deadline_s, call))
        except NotListening:
            reason = "the daemon is not running: start it with `signoff up`"
            return _refusal(action, f"cannot decide, so it is refused: {reason}", started)
        except Exception as error:  # noqa: BLE001 - the frame: no failure may let anything through
            reason = f"cannot decide, so it is refused: {type(error).__name__}: {error}"
            return _refusal(action, reason, started)

    def _sent(self, question: bytes, deadline_s: float, call: OpenCall) -> bytes:
        """Return the answer to a question; it is sent again where its connection broke."""
        until = time.monotonic() + deadline_s
        again_until = 0.0
        while True:
            try:
                left_s = until - time.monotonic()
                return self._link.post(CALLS, question, within_s=left_s, call=call)
            except (LostConnection, NotListening) as error:
                now = time.monotonic()
                if again_until == 0.0:
                    # Nobody has taken the question in yet, so nothing is sent again.
                    if isinstance(error, NotListening):
                        raise
                    again_until = min(until, now + AGAIN_WITHIN_S)
                if now + PAUSE_S > again_until:
                    raise
                time.sleep(PAUSE_S)


def _address_of(url: str, token: str) -> DaemonAddress:
    """Return the address a URL names."""
    if url.startswith(UNIX):
        return UnixAddress(url.removeprefix(UNIX))
    return tcp_address(url, token) if url else UnixAddress(daemon_places().socket)


def _refusal(action: Action, reason: str, started: float) -> Decision:
    """Return the denial of a call that could not be decided."""
    stamp = DecisionStamp(
        id=new_id(), decided_at=datetime.now(UTC), latency_s=time.perf_counter() - started
    )
    return refuse(action, reason, stamp=stamp)


async def in_thread(
    work: Callable[[], Result], give_up: Callable[[], None] = lambda: None
) -> Result:
    """Run blocking work on a new thread and return its result.

    People may take minutes, which would fill a thread pool.

    Args:
        give_up: ends the work early if the caller is cancelled.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # a result where there is no error

    def run() -> None:
        result, failure = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            return  # the loop has ended; nobody waits

    threading.Thread(target=run, name="signoff-call", daemon=True).start()
    try:
        return await done
    except BaseException:
        give_up()
        raise
