"""Models behind any endpoint that speaks chat completions: Ollama, vLLM, LM Studio, OpenRouter.

model = OpenAiCompatibleModel(
    name="qwen3:8b", endpoint=Endpoint.parse("http://localhost:11434/v1")
)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import msgspec

from signoff.actions.action import Json
from signoff.challenge.evaluators.model import Completion, Prompt, TokenUsage
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.challenge.outbound.patience import PATIENCE, RetryPolicy, post_patiently

PATH = "/chat/completions"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiCompatibleModel:
    """A `Model` behind an OpenAI-style chat completions endpoint.

    Models on this machine need no key.
    """

    name: str
    endpoint: OutboundEndpoint
    key: str = field(default="", repr=False)
    patience: RetryPolicy = PATIENCE

    async def complete(self, prompt: Prompt) -> Completion:
        """Send the prompt and return the model's completion.

        Raises:
            CallFailed: there was no response, or not one of this API.
        """
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        reply = await post_patiently(
            self.endpoint,
            PATH,
            headers=headers,
            body=_request(self.name, prompt),
            reply=_CompletionJson,
            patience=self.patience,
        )
        return _completion(reply)


def _request(model: str, prompt: Prompt) -> dict[str, Json]:
    """Return the body of a request."""
    body: dict[str, Json] = {
        "model": model,
        "max_tokens": prompt.max_tokens,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.user},
        ],
    }
    if prompt.schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": prompt.schema},
        }
    return body


class _CompletionText(msgspec.Struct):
    role: Literal["assistant"]
    content: str | None = None
    refusal: str | None = None


class _CompletionChoice(msgspec.Struct):
    message: _CompletionText
    finish_reason: str | None = None


class _CompletionUsage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _CompletionJson(msgspec.Struct):
    choices: list[_CompletionChoice]
    usage: _CompletionUsage | None = None


def _completion(reply: _CompletionJson) -> Completion:
    """Return the reply with what is wrong with it."""
    used = reply.usage or _CompletionUsage()
    usage = TokenUsage(input_tokens=used.prompt_tokens, output_tokens=used.completion_tokens)
    if len(reply.choices) != 1:
        return Completion(text="", usage=usage, problem="the reply is not one text")
    choice = reply.choices[0]
    # `length` and `content_filter` leave a text that may look whole (T-26).
    if choice.finish_reason != "stop":
        said = (choice.finish_reason or "")[:30]
        problem = f"the model did not end by itself (`{said}`)"
    elif choice.message.refusal or choice.message.content is None:
        problem = "the model refused to answer"
    else:
        return Completion(text=choice.message.content, usage=usage)
    return Completion(text="", usage=usage, problem=problem)
