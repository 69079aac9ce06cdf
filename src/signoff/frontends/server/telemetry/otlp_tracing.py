"""Traces of calls by the OpenTelemetry SDK: from the hook to the record's commit.

    hook                  since the hook's client began, if one asks
      POST /hooks/...     since the daemon took the request in
        recall, judge     reading facts, judging
        record            until the entry is durable

A caller's trace is continued (W3C Trace Context): headers `traceparent` and `tracestate`. Spans
hold no contents of calls: names of steps, what was decided, and the number of the entry.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import SpanKind
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

import signoff
from signoff.actions.action import Action
from signoff.actions.facts import Facts
from signoff.assess.assessed import Assessed
from signoff.decide.decision import Decision
from signoff.effects.store import RecordDraft, RecordEntry, SessionKey, SessionMemory, Store
from signoff.frontends.auditing.otlp import OtlpTarget, direct_session
from signoff.frontends.server.telemetry.tracing import Headers, Tracing
from signoff.gate import Gate, Judge, Memory

PATH = "/v1/traces"
BEGAN = b"signoff-began"
PARENTS = {b"traceparent": 100, b"tracestate": 512}  # bytes that are read
SEND_S = 10.0
QUEUE, BATCH, EVERY_MS = 8_192, 512, 1_000
OLDEST_S = 60.0  # a hook's client that says it began before that is not believed
ATTRIBUTES = 16
NANO = 1_000_000_000


class OtlpTracing(Tracing):
    """Sends spans to an OpenTelemetry collector; never delays a call.

    What the collector does not take in time is dropped.

    Args:
        node: this machine's name in a shared audit log, "" if it has its own.
        share: fraction of the traces begun here; a caller's choice is followed.
    """

    def __init__(self, target: OtlpTarget, *, node: str = "", share: float = 1.0) -> None:
        exporter = OTLPSpanExporter(
            endpoint=target.url,
            headers=target.sent_headers,
            timeout=SEND_S,
            session=direct_session(),
        )
        # All is said here: what is not would be taken from variables of the environment.
        self._provider = TracerProvider(
            sampler=ParentBased(TraceIdRatioBased(share)),
            resource=Resource(
                {
                    "service.name": "signoff",
                    "service.version": signoff.__version__,
                    "service.instance.id": node,
                }
            ),
            span_limits=SpanLimits(
                max_attributes=ATTRIBUTES, max_events=4, max_links=4, max_attribute_length=200
            ),
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(
            BatchSpanProcessor(
                exporter,
                max_queue_size=QUEUE,
                schedule_delay_millis=EVERY_MS,
                max_export_batch_size=BATCH,
                export_timeout_millis=SEND_S * 1_000,
            )
        )
        self._tracer = self._provider.get_tracer("signoff", signoff.__version__)
        self._propagator = TraceContextTextMapPropagator()

    @contextmanager
    def request(self, route: str, headers: Headers) -> Iterator[None]:
        """Trace the serving of a request, within the caller's trace if it named one."""
        said = dict(headers)
        context = self._parent(said)
        began_ns = _began_ns(said)
        if began_ns:
            hook = self._tracer.start_span("hook", context, SpanKind.CLIENT, start_time=began_ns)
            with _within(hook), self._served(route, None):
                yield
            return
        with self._served(route, context):
            yield

    def gate(self, gate: Gate) -> Gate:
        """Return a gate that traces recalling facts and judging."""
        gate.memory = TracedMemory(gate.memory, self._tracer)
        gate.judge = _traced_judge(gate.judge, self._tracer)
        return gate

    def store(self, store: Store) -> Store:
        """Return a store that traces waiting and committing of an entry."""
        return TracedStore(store, self._tracer)

    def decided(self, decision: Decision) -> None:
        """Add the decision to the current trace."""
        trace.get_current_span().set_attributes(
            {
                "signoff.decision.id": decision.stamp.id,
                "signoff.verdict": decision.verdict.value,
                "signoff.decided_by": decision.decided_by,
                "signoff.level": decision.level.value,
            }
        )

    def trace_id(self) -> str:
        """Return the current trace's id, "" if none."""
        context = trace.get_current_span().get_span_context()
        return trace.format_trace_id(context.trace_id) if context.is_valid else ""

    def close(self) -> None:
        """Send what was not sent yet."""
        self._provider.shutdown()

    @contextmanager
    def _served(self, route: str, context: Context | None) -> Iterator[None]:
        attributes = {"http.route": route}
        span = self._tracer.start_span(f"POST {route}", context, SpanKind.SERVER, attributes)
        with _within(span):
            yield

    def _parent(self, said: dict[bytes, bytes]) -> Context:
        """Return the caller's trace; what is no trace context is as none."""
        carrier = {
            name.decode(): said[name][:limit].decode("latin-1")
            for name, limit in PARENTS.items()
            if name in said
        }
        return self._propagator.extract(carrier, Context())


class TracedMemory:
    """Wraps a gate's memory with a span per recall."""

    def __init__(self, memory: Memory, tracer: trace.Tracer) -> None:
        self._memory, self._tracer = memory, tracer

    async def recall(self, action: Action) -> Facts:
        """Return what is known about this call."""
        with _step(self._tracer, "recall"):
            return await self._memory.recall(action)


class TracedStore:
    """Wraps a store with a span per entry, which ends when the entry is durable."""

    def __init__(self, store: Store, tracer: trace.Tracer) -> None:
        self._store, self._tracer = store, tracer

    async def append(self, draft: RecordDraft) -> RecordEntry:
        """Store one entry and return it once it is durable."""
        with _step(self._tracer, "record") as span:
            entry = await self._store.append(draft)
            span.set_attribute("signoff.seq", entry.seq)
            return entry

    async def remembered(self, key: SessionKey, function: str) -> SessionMemory:
        """Return the history of a session, and how often it called `function`."""
        return await self._store.remembered(key, function)


def _traced_judge(judge: Judge, tracer: trace.Tracer) -> Judge:
    def judged(action: Action, facts: Facts) -> Assessed:
        with _step(tracer, "judge"):
            return judge(action, facts)

    return judged


@contextmanager
def _step(tracer: trace.Tracer, name: str) -> Iterator[trace.Span]:
    """Trace one step of a call; what is done for no call is not traced."""
    if not trace.get_current_span().get_span_context().is_valid:
        yield trace.INVALID_SPAN
        return
    with _within(tracer.start_span(name)) as span:
        yield span


@contextmanager
def _within(span: trace.Span) -> Iterator[trace.Span]:
    """Make a span the current one until the block ends; of an error only that there was one."""
    # The text of an exception may hold what a call said.
    with trace.use_span(
        span, end_on_exit=True, record_exception=False, set_status_on_exception=False
    ):
        try:
            yield span
        except BaseException:
            span.set_status(trace.StatusCode.ERROR)
            raise


def _began_ns(said: dict[bytes, bytes]) -> int:
    """Return when the hook's client began, 0 if nobody says so, or nothing that can be."""
    try:
        began_s = float(said.get(BEGAN, b"nan"))
    except ValueError:
        return 0
    now_s = time.time()
    return int(began_s * NANO) if now_s - OLDEST_S <= began_s <= now_s else 0
