"""How calls ended, as later entries of the record tell it: `ran`, `failed`, `not seen`.

The end of the newest calls waits for the next entry: `waiting` holds it until then.

results = CallResults()
results.take(event)                       every event of the record, in order
results.of(seq=12, id="dec_1", verdict="allow")   ->  "ran"
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from signoff.challenge.pending import PendingRequest, RequestState
from signoff.frontends.web.statistics.events import RecordEvent
from signoff.storage.commits.waiting_outcomes import NOT_SEEN, OutcomeResult, result_of

RESULTS_KEPT = 100_000
REQUESTS_KEPT = 20_000
# How a call ended, as its request knows it: that of a Python program may tell nobody else.
ENDS = {RequestState.DONE: OutcomeResult.RAN, RequestState.FAILED: OutcomeResult.FAILED}


class CallResults:
    """Remembers how the newest calls ended."""

    def __init__(self) -> None:
        self.waiting: Mapping[str, str] = {}
        self._results: OrderedDict[str, str] = OrderedDict()
        self._by_request: OrderedDict[str, RecordEvent] = OrderedDict()
        self._known_from = 0

    def take(self, event: RecordEvent) -> None:
        """Add the next audit log event."""
        self._known_from = self._known_from or event.seq
        for one in event.outcomes:
            self._results[one.of] = one.result
        if event.approval_id:
            self._by_request[event.approval_id] = event
        while len(self._results) > RESULTS_KEPT:
            self._results.popitem(last=False)
            # How an earlier call ended may be among what was forgotten.
            self._known_from = event.seq + 1
        while len(self._by_request) > REQUESTS_KEPT:
            self._by_request.popitem(last=False)

    def of(self, *, seq: int, id: str, verdict: str) -> str:
        """Return how the call of an entry ended; "" if it was denied or is not remembered."""
        content = {"id": id, "verdict": verdict}
        if id in self.waiting:
            return result_of(content, self.waiting)
        if id in self._results or seq >= self._known_from > 0:
            return result_of(content, self._results)
        return ""

    def of_request(self, request: str) -> str:
        """Return how the call of a request ended, "" if not recorded yet."""
        event = self._by_request.get(request)
        if event is None:
            return ""
        return self.of(seq=event.seq, id=event.id, verdict=event.verdict)


def result_with_request(result: str, request: PendingRequest | None) -> str:
    """Return how a call ended, by its request where the record has seen no end."""
    if request is None or result != NOT_SEEN:
        return result
    return ENDS[request.state].value if request.state in ENDS else result
