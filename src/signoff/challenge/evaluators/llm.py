"""The evaluator of spec 3: a model looks at a call that the rules did not settle.

It answers allowed, confident and why; any error is neither allowed nor confident, and goes on to
the people. It never refuses by itself, and how far up it may approve is the ladder's to say. The
same question within a window is not asked twice, not even at once. Only answers are kept for that,
never failures: those are worth another try.

    evaluator = LlmEvaluator("claude-haiku-4-5-20251001", 0.8)  # key from ANTHROPIC_API_KEY
    allowed, confident, reason = await evaluator.evaluate("Bash", {"command": "ls"}, "", "no rule")
    evaluation = await RequestEvaluator(llm).evaluate(request)    as the ladder asks it
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Generic, TypeVar

from msgspec import Struct, field

from signoff.actions.action import Action, Json
from signoff.actions.operation import Operation
from signoff.challenge.evaluator import ERROR_PREFIX, Evaluation, PolicyTexts
from signoff.challenge.evaluators.anthropic_model import ENDPOINT, AnthropicModel
from signoff.challenge.evaluators.chosen import KEY_VARIABLE
from signoff.challenge.evaluators.model import (
    DEFAULT_MODEL,
    CostTracker,
    Mask,
    Metered,
    Model,
    Prompt,
    Purpose,
)
from signoff.challenge.evaluators.prompt import EvaluatedCall, draw_call, tool_prompt
from signoff.challenge.evaluators.reply import read_evaluation
from signoff.challenge.request import Request
from signoff.errors import SignoffError
from signoff.redaction.calls import redactor_of
from signoff.redaction.redact import Redactor

MAX_TOKENS = 256
THRESHOLD = 0.8  # a less confident model counts as unsure, and people are asked
MASK_KEY_BYTES = 32  # of a key for this object only: masks of two processes cannot be compared

KEPT_LIMIT = 1_024
WINDOW_S = 300.0  # within one task the same question comes often; later the facts may be others

Answer = TypeVar("Answer")

OPERATIONS_SHOWN = 20
FINDINGS_SHOWN = 10
TARGET_LIMIT = 300


class NoMask:
    """A mask that removes nothing: for text that is only hashed, never sent."""

    def value(self, value: Json) -> Json:
        """Return the value unchanged."""
        return value

    def text(self, text: str) -> str:
        """Return the text unchanged."""
        return text


class LlmEvaluator:
    """Asks a model whether a call may run without asking a person.

    Args:
        confidence_threshold: a numeric confidence under it counts as not confident.
        policy_store: where the policies that apply come from.
        cost_tracker: keeps what each call costs, and stops at the day's budget.
        model_api: reaches the model; None = the Messages API, with the key of `ANTHROPIC_API_KEY`
            as it is set when the evaluator is built.
        mask: takes secrets out of what is sent; None = a `Redactor` with a key of its own.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        confidence_threshold: float = THRESHOLD,
        policy_store: PolicyTexts | None = None,
        cost_tracker: CostTracker | None = None,
        *,
        model_api: Model | None = None,
        mask: Mask | None = None,
    ) -> None:
        if not 0 <= confidence_threshold <= 1:
            raise ValueError(f"threshold {confidence_threshold} is not between 0 and 1")
        self.model = model
        self.confidence_threshold = confidence_threshold
        self.policy_store = policy_store
        self._metered = Metered(model_api or _messages_api(model), model, cost_tracker)
        self._mask = mask or Redactor(secrets.token_bytes(MASK_KEY_BYTES))
        self._answers = CachedEvaluator[Evaluation]()

    async def evaluate(
        self, tool: str, input: Mapping[str, Json], rules_context: str, reason: str
    ) -> tuple[bool, bool, str]:
        """Ask the model; return (would allow, is confident, reason).

        Args:
            tool: name of the tool.
            input: its arguments.
            rules_context: findings and scores in words.
            reason: why the call is asked about.
        """
        found = await self.judge(
            EvaluatedCall(tool=tool, input=input, rules_context=rules_context, reason=reason)
        )
        return found.allowed, found.confident, found.reason

    async def judge(self, call: EvaluatedCall) -> Evaluation:
        """Return the model's opinion of a call.

        Never raises: after any error the opinion is neither allowed nor confident.
        """
        try:
            return await self._judge(call)
        except SignoffError as error:
            return self._failed(str(error))
        except Exception as error:  # noqa: BLE001 - spec 3: any error goes on to the people
            # Only the kind of error: texts of foreign errors carry addresses and tokens.
            return self._failed(type(error).__name__)

    async def _judge(self, call: EvaluatedCall) -> Evaluation:
        """Return the answer kept for the same question, else the model's."""
        policies = self.policy_store.format_for_llm(call.tool) if self.policy_store else ""
        mask = self._mask_of(call)
        prompt = tool_prompt(call, policies=policies, mask=mask, max_tokens=MAX_TOKENS)
        # Over what was called, not what is shown: two secrets may look alike once they are masked.
        whole = f"{draw_call(call, mask=NoMask())}\n{policies}"
        key = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).digest()
        return await self._answers.answer(key, lambda: self._ask(prompt))

    def _mask_of(self, call: EvaluatedCall) -> Mask:
        """Return what takes the secrets of a call out of all that is said of it."""
        if not isinstance(self._mask, Redactor):
            return self._mask
        return redactor_of(self._mask, Action(tool=call.tool, arguments=call.input))

    async def _ask(self, prompt: Prompt) -> Evaluation:
        """Return what the model says now."""
        text = await self._metered.ask(prompt, Purpose.TOOL)
        return read_evaluation(text, threshold=self.confidence_threshold, model=self.model)

    def _failed(self, why: str) -> Evaluation:
        return Evaluation(reason=f"{ERROR_PREFIX}{why}", model=self.model)


def _messages_api(model: str) -> Model:
    """Return the model of Anthropic with this user's key."""
    return AnthropicModel(name=model, endpoint=ENDPOINT, key=os.environ.get(KEY_VARIABLE, ""))


class CachedEvaluator(Struct, Generic[Answer]):
    """Caches answers by key for `window_s` seconds; concurrent questions share one call.

    Args:
        window_s: 0 = no caching.
    """

    window_s: float = WINDOW_S
    clock: Callable[[], float] = time.monotonic
    _kept: OrderedDict[bytes, tuple[float, Answer]] = field(default_factory=OrderedDict)
    _asked: dict[bytes, asyncio.Task[Answer]] = field(default_factory=dict)

    async def answer(self, key: bytes, ask: Callable[[], Coroutine[None, None, Answer]]) -> Answer:
        """Return the cached answer for a key, else the result of `ask()`.

        Args:
            key: hash of the question.
            ask: makes the call; its errors are raised and not cached.
        """
        at, kept = self._kept.get(key, (0.0, None))
        if kept is not None and self.clock() - at < self.window_s:
            return kept
        loop = asyncio.get_running_loop()
        task = self._asked.get(key)
        # A task of another loop can never be awaited here: each thread may run a loop of its own.
        if task is None or task.get_loop() is not loop:
            task = loop.create_task(ask())
            self._asked[key] = task
            task.add_done_callback(lambda done: self._done(key, done))
        # One that asks and gives up must not take the answer from those who joined.
        return await asyncio.shield(task)

    def _done(self, key: bytes, task: asyncio.Task[Answer]) -> None:
        """Keep the answer of a task that has ended."""
        # Another loop may have put a task of its own in this place.
        if self._asked.get(key) is task:
            del self._asked[key]
        # A failure is not kept: the next try may be answered.
        if task.cancelled() or task.exception() is not None:
            return
        self._kept[key] = (self.clock(), task.result())
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT_LIMIT:
            self._kept.popitem(last=False)


class RequestEvaluator(Struct, frozen=True):
    """An `Evaluator` that asks a model about an approval request."""

    llm: LlmEvaluator

    async def evaluate(self, request: Request) -> Evaluation:
        """Return the model's opinion; after an error it is neither allowed nor confident."""
        return await self.llm.judge(
            EvaluatedCall(
                tool=request.action.tool,
                input=request.action.arguments,
                rules_context=rules_context(request),
                reason=request.assessment.reason,
            )
        )


def rules_context(request: Request) -> str:
    """Return rule, findings and scores of a request in a few lines of text."""
    return "\n".join(_lines(request))


def _lines(request: Request) -> Iterator[str]:
    action, assessment = request.action, request.assessment
    if assessment.rule is not None:
        yield f"rule: {assessment.rule.rule.name} ({assessment.rule.action})"
    yield f"level: {assessment.level.value}, risk {assessment.risk.value:.2f}"
    if action.cwd:
        yield f"working folder: {action.cwd}"
    if action.environment:
        yield f"environment: {action.environment}"
    for finding in assessment.findings[:FINDINGS_SHOWN]:
        yield f"finding: {finding.category} ({finding.severity.value}): {finding.evidence[:300]}"
    for operation in assessment.operations[:OPERATIONS_SHOWN]:
        yield f"does: {_operation(operation)}"
    hidden = len(assessment.operations) - OPERATIONS_SHOWN
    if hidden > 0:
        yield f"does: {hidden} more things"


def _operation(operation: Operation) -> str:
    known = "" if operation.understood else f", not understood ({operation.why[:200]})"
    target = operation.target[:TARGET_LIMIT]
    return (
        f"{operation.verb.value} {operation.thing.value} {target} ({operation.reach.value}){known}"
    )
