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

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import yaml

from signoff.assess.level import Level
from signoff.assess.rules.notation.document import RuleFileErrors, text_of
from signoff.assess.rules.notation.values import nodes_of, number_of, said_or, word_of
from signoff.challenge.evaluators.model import BASE_URL, DEFAULT_MODEL
from signoff.challenge.outbound.endpoint import OutboundEndpoint
from signoff.errors import BadSettings

KEY_VARIABLE = "ANTHROPIC_API_KEY"
PROBLEM = "evaluator"  # what a problem of the section begins with
NAME_LIMIT = 200
RANGES: Mapping[str, tuple[float, float]] = {
    "threshold": (0, 1),
    "daily_budget_cents": (0, 1_000_000),
    "timeout_s": (1, 30),
}
EVALUATOR_KEYS = ("model", "api", "base_url", "key_env", *RANGES, "up_to")


class ModelApi(StrEnum):
    """How the model is spoken to."""

    ANTHROPIC = "anthropic"
    OPENAI = "openai"


class UpTo(StrEnum):
    """Up to which level the model may approve; never the critical (spec 3)."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    @property
    def level(self) -> Level:
        """The level of this name."""
        return Level(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorSettings:
    """What the section says.

    Args:
        key_env: the variable the key is in, "" for a model that needs none.
        daily_budget_cents: spent on a day, the model is skipped and people are asked.
        timeout_s: for one evaluation, tries and pauses together.
    """

    model: str = DEFAULT_MODEL
    api: ModelApi = ModelApi.ANTHROPIC
    base_url: str = BASE_URL
    key_env: str = KEY_VARIABLE
    threshold: float = 0.8
    daily_budget_cents: float = 100.0
    timeout_s: float = 10.0
    up_to: UpTo = UpTo.HIGH


def read_evaluator(node: yaml.Node | None, place: RuleFileErrors) -> EvaluatorSettings | None:
    """Read the section, None where there is none.

    Raises:
        BadRules: something in it is refused, with its place.
    """
    if node is None:
        return None
    nodes = nodes_of(node, place, EVALUATOR_KEYS, what="evaluator")
    plain = EvaluatorSettings()
    api = word_of(nodes.get("api"), place, ModelApi) or plain.api
    figures = {
        name: number_of(nodes.get(name), place, name, bounds) for name, bounds in RANGES.items()
    }
    return EvaluatorSettings(
        model=_text(nodes.get("model"), place, "model") or plain.model,
        api=api,
        base_url=_base_url(node, nodes.get("base_url"), place, api),
        key_env=_key_env(nodes.get("key_env"), place, api),
        threshold=said_or(figures["threshold"], plain.threshold),
        daily_budget_cents=said_or(figures["daily_budget_cents"], plain.daily_budget_cents),
        timeout_s=said_or(figures["timeout_s"], plain.timeout_s),
        up_to=word_of(nodes.get("up_to"), place, UpTo) or plain.up_to,
    )


def key_problem(chosen: EvaluatorSettings | None, key: str) -> str:
    """Say why the configured model can never be asked, "" if it can or none is configured."""
    if chosen is None or key or not chosen.key_env:
        return ""
    return (
        f"{PROBLEM}: `{chosen.key_env}` is not set, so `{chosen.model}` is never asked and every"
        " question goes to people; set it where signoff starts, then `signoff down; signoff up`"
    )


def _text(node: yaml.Node | None, place: RuleFileErrors, name: str) -> str:
    if node is None:
        return ""
    text = text_of(node, place, what=name, limit=NAME_LIMIT)
    if not text.isascii() or not text.isprintable() or not text or " " in text:
        raise place.refuse(f"{name}: expected plain characters without blanks", node)
    return text


def _base_url(
    section: yaml.Node, node: yaml.Node | None, place: RuleFileErrors, api: ModelApi
) -> str:
    """Read the address; only Anthropic's own is known without being said."""
    if node is None:
        if api is ModelApi.OPENAI:
            raise place.refuse("base_url: expected one where `api` is `openai`", section)
        return BASE_URL
    url = text_of(node, place, what="base_url", limit=NAME_LIMIT)
    try:
        OutboundEndpoint.parse(url)
    except BadSettings as error:
        raise place.refuse(f"base_url: {error}", node) from error
    return url


def _key_env(node: yaml.Node | None, place: RuleFileErrors, api: ModelApi) -> str:
    """Read the variable's name; Anthropic's key goes to nobody else unless that is said."""
    if node is None:
        return KEY_VARIABLE if api is ModelApi.ANTHROPIC else ""
    name = _text(node, place, "key_env")
    if not name.replace("_", "").isalnum() or name[0].isdigit():
        raise place.refuse(f"key_env: `{name}` is no name of a variable", node)
    return name
