"""The evaluator of spec 3: a model looks at a call that the rules did not settle.

It answers allowed, confident and why; any error is neither allowed nor confident, and goes on to
the people. It never refuses by itself, and how far up it may approve is the ladder's to say. The
same question within a window is not asked twice.

    evaluator = LlmEvaluator("claude-haiku-4-5-20251001", 0.8)  # key from ANTHROPIC_API_KEY
    allowed, confident, reason = await evaluator.evaluate("Bash", {"command": "ls"}, "", "no rule")
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Mapping

from signoff.actions.action import Action, Json
from signoff.challenge.evaluator import ERROR_PREFIX, Evaluation, PolicyTexts
from signoff.challenge.evaluators.anthropic_model import ENDPOINT, AnthropicModel
from signoff.challenge.evaluators.chosen import KEY_VARIABLE
from signoff.challenge.evaluators.metered import Metered
from signoff.challenge.evaluators.model import (
    DEFAULT_MODEL,
    CostTracker,
    Mask,
    Model,
    Prompt,
    Purpose,
)
from signoff.challenge.evaluators.prompt import EvaluatedCall, draw_call, tool_prompt
from signoff.challenge.evaluators.remembered import CachedEvaluator
from signoff.challenge.evaluators.reply import read_evaluation
from signoff.errors import SignoffError
from signoff.redaction.calls import redactor_of
from signoff.redaction.redact import Redactor

MAX_TOKENS = 256
THRESHOLD = 0.8
MASK_KEY_BYTES = 32


class NoMask:
    """Takes nothing out: for a text that is only hashed, never sent."""

    def value(self, value: Json) -> Json:
        """Return the value as it is."""
        return value

    def text(self, text: str) -> str:
        """Return the text as it is."""
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
        """Return whether the model would allow the call, whether it is sure, and why."""
        found = await self.judge(
            EvaluatedCall(tool=tool, input=input, rules_context=rules_context, reason=reason)
        )
        return found.allowed, found.confident, found.reason

    async def judge(self, call: EvaluatedCall) -> Evaluation:
        """Return what the model thinks of a call; never raises."""
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
