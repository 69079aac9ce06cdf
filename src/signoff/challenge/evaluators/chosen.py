"""Which model is asked, and within which bounds: the section `evaluator` of the user's settings.

Without the section no model is asked and nothing is sent anywhere. A project cannot set it, and
no variable moves the address; a variable holds the key, and `key_env` says which one.

    evaluator:
      model: claude-haiku-4-5-20251001
      threshold: 0.8
      daily_budget_cents: 100
      up_to: high
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from signoff.assess.level import Level
from signoff.challenge.evaluators.model import BASE_URL, DEFAULT_MODEL
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.documents.convert import convert
from signoff.documents.node import Node
from signoff.errors import BadSettings

KEY_VARIABLE = "ANTHROPIC_API_KEY"
PROBLEM = "evaluator"  # what a problem of the section begins with
PLAIN = Meta(max_length=200, pattern=r"\A[!-~]+\Z", description="plain characters without blanks")
VARIABLE = Meta(
    max_length=200, pattern=r"\A[A-Za-z_][A-Za-z0-9_]*\Z", description="the name of a variable"
)


class ModelApi(StrEnum):
    """Which API the model is called through."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"


class UpTo(StrEnum):
    """Highest level that the model may approve; never CRITICAL (spec 3)."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def level(self) -> Level:
        """The `Level` of the same name."""
        return Level(self.value)


class EvaluatorSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The section `evaluator`: which model is asked, and its limits.

    Args:
        key_env: name of the variable with the API key, "" for a model that needs none.
        daily_budget_cents: once spent, people are asked without the model until the next day.
        timeout_s: seconds for one evaluation, with all retries and pauses.
    """

    model: Annotated[str, PLAIN] = DEFAULT_MODEL
    api: ModelApi = ModelApi.ANTHROPIC
    base_url: str = BASE_URL
    key_env: Annotated[str, VARIABLE] = KEY_VARIABLE
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.8
    daily_budget_cents: Annotated[float, Meta(ge=0, le=1_000_000)] = 100.0
    # At most half a minute: people are asked only after it, and the host's time runs meanwhile.
    timeout_s: Annotated[float, Meta(ge=1, le=30)] = 10.0
    up_to: UpTo = UpTo.HIGH


def read_evaluator(node: Node) -> EvaluatorSettings:
    """Read the section `evaluator`.

    Raises:
        BadFile: a field is not valid; the message names its place.
    """
    said, given = convert(node, EvaluatorSettings), node.fields()
    if "base_url" in given:
        _check_address(given["base_url"], said.base_url)
    if said.api is ModelApi.ANTHROPIC:
        return said
    # Only Anthropic's own address is known, and its key goes to nobody else unless that is said.
    if "base_url" not in given:
        raise node.refuse("base_url: expected one where `api` is `openai`")
    return said if "key_env" in given else msgspec.structs.replace(said, key_env="")


def _check_address(node: Node, url: str) -> None:
    try:
        OutboundEndpoint.parse(url)
    except BadSettings as error:
        raise node.refuse(f"base_url: {error}") from error


def key_problem(chosen: EvaluatorSettings | None, key: str) -> str:
    """Return why the configured model cannot be called, "" if it can or none is configured."""
    # Without a variable no key is wanted: a model on this machine takes none.
    if chosen is None or key or not chosen.key_env:
        return ""
    return (
        f"{PROBLEM}: `{chosen.key_env}` is not set, so `{chosen.model}` is never asked and every"
        " question goes to people; set it where signoff starts, then `signoff down; signoff up`"
    )
