"""Models of Anthropic, over the Messages API.

A reply that is not one whole text block the model ended by itself is marked with its problem; its
tokens are counted all the same.

    model = AnthropicModel(Endpoint.parse("https://api.anthropic.com"), key="...")
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import msgspec

from signoff.actions.action import Json
from signoff.challenge.evaluators.model import (
    BASE_URL,
    DEFAULT_MODEL,
    Completion,
    Prompt,
    TokenUsage,
)
from signoff.challenge.outbound.endpoint import CallFailed, OutboundEndpoint
from signoff.challenge.outbound.patience import PATIENCE, RetryPolicy, post_patiently

ENDPOINT = OutboundEndpoint.parse(BASE_URL)
API_VERSION = "2023-06-01"
PATH = "/v1/messages"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicModel:
    """A `Model` that calls Anthropic's Messages API."""

    key: str = field(repr=False)
    name: str = DEFAULT_MODEL
    endpoint: OutboundEndpoint = ENDPOINT
    patience: RetryPolicy = PATIENCE

    async def complete(self, prompt: Prompt) -> Completion:
        """Send the prompt and return the model's completion.

        Raises:
            CallFailed: there is no key, no response, or not one of this API.
        """
        if not self.key:
            raise CallFailed("there is no API key")
        headers = {"x-api-key": self.key, "anthropic-version": API_VERSION}
        message = await post_patiently(
            self.endpoint,
            PATH,
            headers=headers,
            body=_request(self.name, prompt),
            reply=_MessageJson,
            patience=self.patience,
        )
        return _completion(message)


def _request(model: str, prompt: Prompt) -> dict[str, Json]:
    """Return the body of a request."""
    body: dict[str, Json] = {
        "model": model,
        "max_tokens": prompt.max_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.user}],
    }
    if prompt.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": prompt.schema}}
    return body


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _MessageUsage(msgspec.Struct):
    input_tokens: int
    output_tokens: int
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _MessageJson(msgspec.Struct):
    type: Literal["message"]
    role: Literal["assistant"]
    content: list[_Block]
    stop_reason: str | None
    usage: _MessageUsage


def _completion(message: _MessageJson) -> Completion:
    """Return the reply with what is wrong with it."""
    # Read before the reply is judged: tokens cost also where the text cannot be used.
    read = message.usage.cache_read_input_tokens or 0
    written = message.usage.cache_creation_input_tokens or 0
    problem = ""
    # Cut off or refused, a reply can still begin like a whole verdict (T-26).
    if message.stop_reason != "end_turn":
        problem = f"the model did not end by itself (`{(message.stop_reason or '')[:30]}`)"
    elif [block.type for block in message.content] != ["text"]:
        problem = "the reply is not one text"
    return Completion(
        text="" if problem else message.content[0].text,
        usage=TokenUsage(
            # The API leaves what went through the cache out of `input_tokens`.
            input_tokens=message.usage.input_tokens + read + written,
            output_tokens=message.usage.output_tokens,
            cache_read_tokens=read,
            cache_write_tokens=written,
        ),
        problem=problem,
    )
